/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slabs, and lists of those that have room. See blocks.h.
 */
#include "analyzer/rdma-analyze/blocks.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define IS_ALONE __libc_single_threaded
#endif
#endif
#ifndef IS_ALONE
#define IS_ALONE 0
#endif

/* Sizes go up by grains of 16 bytes, the last ones by 128. */
enum {
	GRAIN = 16,
	FINE_MOST = 1024,
	FINE = FINE_MOST / GRAIN,
	COARSE_GRAIN = 128,
	SIZES = FINE + (RDA_BLOCK_MOST - FINE_MOST) / COARSE_GRAIN + 1,
};

/* Address space is made memory by steps, of which each has room for a large page. */
enum { SLAB = 64 << 10, STEP = 2 << 20 };

/*
 * Pages of 2 MiB behind the first step, up to here: connections that are visited in turn lie in so
 * many pages of 4 KiB that their addresses are waited for, too. All memory in large pages is dear
 * where a virtual machine has to be given them first.
 */
enum { LARGE_PAGES_UP_TO = 64 << 20 };

/* Threads beyond share those of others. */
enum { HEAPS = 16 };

/* Who has so much memory in slabs will need more: steps behind are asked of the system whole, where
 * each page would be as it is touched. */
enum { MEMORY_OF_FEW = 16 << 20 };

/*
 * So many slabs of which no block is in use keep their memory; that of others is given back, for
 * what is larger than blocks: facts of all connections, as these are freed one by one. So many go
 * at once, neighbours by one call: other processors must hear of each, and are waited for.
 */
enum { UNUSED_KEPT = 32, UNUSED_GIVEN = 224 };

#ifndef MADV_POPULATE_WRITE /* since Linux 5.14; others refuse it */
#define MADV_POPULATE_WRITE 23
#endif

/* More memory than that comes from the C library. */
#define RANGE (UINT64_C(64) << 30)

/* Without any block in use, or with blocks of one size. */
struct slab {
	uint32_t next, before; /* in its list, by number; 0: none */
	uint16_t given;	       /* the block given last: its place in grains, and 1; 0: none */
	uint16_t fresh;	       /* blocks from this one on were never taken */
	uint16_t used, room;   /* blocks */
	uint8_t size;	       /* index of the size */
	uint8_t heap;	       /* whose list it may be in */
	bool zero;	       /* nobody has written to blocks that were never taken */
};

/* Of one thread or several: slabs with room, by size. */
struct heap {
	atomic_flag lock;
	uint32_t lists[SIZES];
};

/* Part of the range, from its beginning on, is memory. */
struct opened {
	uint8_t *begin;
	size_t size, most;
};

static uint8_t *range; /* NULL: there are no blocks */
static size_t span;
static struct slab *slabs; /* by number; the first one is none, so that 0 is no number */
static struct heap heaps[HEAPS];

static atomic_flag slabs_lock = ATOMIC_FLAG_INIT; /* of the next six */
static struct opened blocks_opened, slabs_opened;
static uint32_t made;
static uint32_t unused; /* a list of slabs of which no block is in use */
static uint32_t unused_count;
static uint32_t given_back; /* more of them, which have no memory */

static atomic_uint threads;
static __thread unsigned heap_of_thread; /* and 1; 0: not known yet */

/* ---- locks ----------------------------------------------------------------------------------- */

/* Whether the lock was taken: not where there is no other thread. */
static bool enter(atomic_flag *lock)
{
	if (IS_ALONE)
		return false;
	while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
		sched_yield();
	return true;
}

static void leave(atomic_flag *lock, bool entered)
{
	if (entered)
		atomic_flag_clear_explicit(lock, memory_order_release);
}

static unsigned my_heap(void)
{
	if (!heap_of_thread)
		heap_of_thread =
			atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % HEAPS + 1;
	return heap_of_thread - 1;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static unsigned size_index(size_t size)
{
	if (size <= FINE_MOST)
		return size ? (unsigned)(size + GRAIN - 1) / GRAIN : 1;
	return FINE + (unsigned)(size - FINE_MOST + COARSE_GRAIN - 1) / COARSE_GRAIN;
}

static uint32_t size_of(unsigned index)
{
	return index <= FINE ? index * GRAIN : FINE_MOST + (index - FINE) * COARSE_GRAIN;
}

/* ---- address space --------------------------------------------------------------------------- */

static bool is_limited(int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/* Puts the address space by. Called first when there is one thread. */
static bool begin(void)
{
	static bool tried;
	const size_t most = SIZE_MAX / 4 > RANGE ? (size_t)RANGE : 0;
	const size_t count = most / SLAB;
	uint8_t *memory;

	if (tried || !most)
		return false;
	tried = true;
	if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA))
		return false;
	memory = mmap(NULL, most + STEP + count * sizeof(*slabs) + STEP, PROT_NONE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	memory += STEP - (uintptr_t)memory % STEP;
	(void)madvise(memory + STEP, LARGE_PAGES_UP_TO - STEP, MADV_HUGEPAGE);
	range = memory;
	span = most;
	slabs = (struct slab *)(void *)(memory + most);
	blocks_opened = (struct opened){memory, 0, most};
	slabs_opened = (struct opened){memory + most, 0, count * sizeof(*slabs)};
	made = 1;
	return true;
}

/* Whether so much of it is memory. */
static bool open_up(struct opened *opened, size_t size)
{
	if (size > opened->most)
		return false;
	if (size <= opened->size)
		return true;
	if (mprotect(opened->begin + opened->size, STEP, PROT_READ | PROT_WRITE) != 0)
		return false;
	if (opened->size >= MEMORY_OF_FEW)
		(void)madvise(opened->begin + opened->size, STEP, MADV_POPULATE_WRITE);
	opened->size += STEP;
	return true;
}

/* ---- slabs ----------------------------------------------------------------------------------- */

static void put(uint32_t *list, uint32_t number)
{
	struct slab *slab = &slabs[number];

	slab->before = 0;
	slab->next = *list;
	if (*list)
		slabs[*list].before = number;
	*list = number;
}

static void pull(uint32_t *list, uint32_t number)
{
	const struct slab *slab = &slabs[number];

	if (slab->before)
		slabs[slab->before].next = slab->next;
	else
		*list = slab->next;
	if (slab->next)
		slabs[slab->next].before = slab->before;
}

/* One that was never used; 0: there is no memory. */
static uint32_t make_slab(void)
{
	if (!open_up(&blocks_opened, ((size_t)made + 1) * SLAB) ||
	    !open_up(&slabs_opened, ((size_t)made + 1) * sizeof(*slabs)))
		return 0;
	slabs[made].zero = true;
	return made++;
}

/* Of neighbours the memory: what is read there next is 0. */
static void give_back(const uint32_t *numbers, unsigned count)
{
	bool gone = madvise(range + (size_t)numbers[0] * SLAB, (size_t)count * SLAB,
			    MADV_DONTNEED) == 0;

	for (unsigned i = 0; i < count; i++) {
		slabs[numbers[i]].zero = gone;
		put(gone ? &given_back : &unused, numbers[i]);
		unused_count += !gone;
	}
}

/* Takes those out of the list that have been in it longest, in order of their numbers. */
static void take_oldest(uint32_t numbers[UNUSED_GIVEN])
{
	uint32_t number = unused, next;

	for (unsigned i = 1; i < UNUSED_KEPT; i++)
		number = slabs[number].next;
	for (unsigned count = 0, at; count < UNUSED_GIVEN; count++) {
		next = slabs[number].next;
		pull(&unused, next);
		for (at = count; at > 0 && numbers[at - 1] > next; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = next;
	}
	unused_count -= UNUSED_GIVEN;
}

static void give_back_oldest(void)
{
	uint32_t numbers[UNUSED_GIVEN];

	take_oldest(numbers);
	for (unsigned begin = 0, end; begin < UNUSED_GIVEN; begin = end) {
		for (end = begin + 1; end < UNUSED_GIVEN && numbers[end] == numbers[end - 1] + 1;
		     end++)
			;
		give_back(numbers + begin, end - begin);
	}
}

/* One of which no block is in use; 0: there is no memory. */
static uint32_t unused_slab(void)
{
	bool entered = enter(&slabs_lock);
	uint32_t number = unused;

	if (number) {
		pull(&unused, number);
		unused_count--;
	} else if (given_back) {
		number = given_back;
		pull(&given_back, number);
	} else {
		number = make_slab();
	}
	leave(&slabs_lock, entered);
	return number;
}

static void give_slab(uint32_t number)
{
	bool entered = enter(&slabs_lock);

	slabs[number].zero = false;
	put(&unused, number);
	if (++unused_count == UNUSED_KEPT + UNUSED_GIVEN)
		give_back_oldest();
	leave(&slabs_lock, entered);
}

/* One that has room, in the list of its size; 0: there is no memory. */
static uint32_t slab_for(unsigned heap, unsigned size)
{
	uint32_t number = heaps[heap].lists[size];
	struct slab *slab;

	if (number)
		return number;
	number = unused_slab();
	if (!number)
		return 0;
	slab = &slabs[number];
	slab->given = slab->fresh = slab->used = 0;
	slab->room = (uint16_t)(SLAB / size_of(size));
	slab->size = (uint8_t)size;
	slab->heap = (uint8_t)heap;
	put(&heaps[heap].lists[size], number);
	return number;
}

static bool is_full(const struct slab *slab)
{
	return !slab->given && slab->fresh == slab->room;
}

/* A block of one that has room. */
static void *take_of(uint32_t number, bool *zero)
{
	struct slab *slab = &slabs[number];
	uint8_t *memory = range + (size_t)number * SLAB;

	*zero = !slab->given && slab->zero;
	if (slab->given) {
		memory += (size_t)((slab->given - 1u) % (SLAB / GRAIN)) * GRAIN;
		slab->given = *(uint16_t *)(void *)memory;
	} else {
		memory += (size_t)slab->fresh++ * size_of(slab->size);
	}
	slab->used++;
	if (is_full(slab))
		pull(&heaps[slab->heap].lists[slab->size], number);
	return memory;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

void *rda_block_take(size_t size, bool *zero)
{
	void *memory = NULL;
	unsigned heap, index;
	uint32_t number;
	bool entered;

	if (size > RDA_BLOCK_MOST || (!range && !begin()))
		return NULL;
	heap = my_heap();
	index = size_index(size);
	entered = enter(&heaps[heap].lock);
	number = slab_for(heap, index);
	if (number)
		memory = take_of(number, zero);
	leave(&heaps[heap].lock, entered);
	return memory;
}

static size_t place_of(const void *memory)
{
	return (size_t)((uintptr_t)memory - (uintptr_t)range);
}

bool rda_block_is(const void *memory)
{
	return place_of(memory) < span;
}

size_t rda_block_size(const void *memory)
{
	return size_of(slabs[place_of(memory) / SLAB].size);
}

void rda_block_give(void *memory)
{
	uint32_t number = (uint32_t)(place_of(memory) / SLAB);
	struct slab *slab = &slabs[number];
	struct heap *heap = &heaps[slab->heap]; /* it stays, as long as a block is in use */
	bool entered = enter(&heap->lock);
	uint32_t *list = &heap->lists[slab->size];

	if (is_full(slab))
		put(list, number);
	*(uint16_t *)memory = slab->given;
	slab->given = (uint16_t)(place_of(memory) % SLAB / GRAIN + 1);
	slab->used--;
	/* the only one of a size stays: the next block may be taken soon */
	if (!slab->used && (slab->next || slab->before)) {
		pull(list, number);
		give_slab(number);
	}
	leave(&heap->lock, entered);
}
