/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malloc and its relatives, for the program and all of its libraries: those of the C library, but
 * that none of them ever fails. Where there is no more memory see shortage.h; small blocks have
 * memory of their own (blocks.h).
 *
 * GLib would abort, and other libraries would each do something of their own, in code that nobody
 * has run. Only the C library of GNU has other names for its own functions, and sanitizers bring
 * functions of theirs: elsewhere it is as if this file were not there.
 */
#include "analyzer/rdma-analyze/blocks.h"
#include "analyzer/rdma-analyze/sanitized.h"
#include "analyzer/rdma-analyze/shortage.h"

#if defined(__GLIBC__) && !RDA_SANITIZED

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* The libraries find them. */
#pragma GCC visibility push(default)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

/* Tries it, and once more behind relief. errno stays: callers of callers look at it. */
#define TRY(call)                                                                                  \
	int before = errno;                                                                        \
	void *memory = call;                                                                       \
	if (memory)                                                                                \
		return memory;                                                                     \
	rda_shortage_relieve();                                                                    \
	memory = call;                                                                             \
	if (!memory)                                                                               \
		rda_shortage_end();                                                                \
	errno = before;                                                                            \
	return memory

/* errno stays here too: the range may be at its end. */
static void *block_of(size_t size, bool *zero)
{
	int before = errno;
	void *memory = rda_block_take(size, zero);

	errno = before;
	return memory;
}

void *malloc(size_t size)
{
	bool zero;
	void *block = block_of(size, &zero);

	if (block)
		return block;
	TRY(__libc_malloc(size));
}

void free(void *memory)
{
	if (rda_block_is(memory))
		rda_block_give(memory);
	else
		__libc_free(memory);
}

void *calloc(size_t count, size_t size)
{
	size_t bytes;
	bool zero = false;
	void *block = NULL;

	if (!__builtin_mul_overflow(count, size, &bytes))
		block = block_of(bytes, &zero);
	if (block)
		return zero ? block : memset(block, 0, bytes);
	TRY(__libc_calloc(count, size));
}

/* One of blocks.h, with another size. */
static void *moved(void *old, size_t size)
{
	size_t room = rda_block_size(old);
	void *memory;

	if (size <= room && size > room / 2)
		return old;
	memory = malloc(size);
	memcpy(memory, old, size < room ? size : room);
	rda_block_give(old);
	return memory;
}

void *realloc(void *old, size_t size)
{
	if (!old)
		return malloc(size);
	if (rda_block_is(old) && size > 0)
		return moved(old, size);
	if (size == 0) { /* it is freed */
		free(old);
		return NULL;
	}
	TRY(__libc_realloc(old, size));
}

size_t malloc_usable_size(void *memory)
{
	static size_t (*of_libc)(void *);

	if (!memory)
		return 0;
	if (rda_block_is(memory))
		return rda_block_size(memory);
	if (!of_libc)
		*(void **)&of_libc = dlsym(RTLD_NEXT, "malloc_usable_size");
	return of_libc ? of_libc(memory) : 0;
}

static void *aligned(size_t alignment, size_t size)
{
	TRY(__libc_memalign(alignment, size));
}

void *memalign(size_t alignment, size_t size)
{
	return aligned(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return aligned(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) != 0 || !alignment || (alignment & (alignment - 1)))
		return EINVAL;
	*memory = aligned(alignment, size);
	return 0;
}

#pragma GCC visibility pop

#endif
