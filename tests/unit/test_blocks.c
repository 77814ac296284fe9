/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small blocks: what they have room for, who gets their room, and several threads.
 */
#include "analyzer/rdma-analyze/blocks.h"

#include "tests/unit/suite.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of VERY_MANY what is kept of slabs without any block in use is a fourth at most. */
enum { MANY = 20000, VERY_MANY = 80000, THREADS = 4 };

static uint8_t *take(size_t size)
{
	bool zero;

	return rda_block_take(size, &zero);
}

/* Of each size there are blocks that do not overlap, and are told from other memory. */
START_TEST(each_size)
{
	static uint8_t other;

	ck_assert(!rda_block_is(&other) && !rda_block_is(NULL));
	for (size_t size = 0; size <= RDA_BLOCK_MOST; size++) {
		uint8_t *one = take(size), *two = take(size);
		size_t room;

		ck_assert(one && two && rda_block_is(one));
		room = rda_block_size(one);
		ck_assert_uint_ge(room, size);
		ck_assert_uint_le(room, size + 128);
		ck_assert_uint_eq((uintptr_t)one % 16, 0);
		ck_assert(one + room <= two || two + room <= one);
		memset(one, 1, room);
		memset(two, 2, room);
		ck_assert_uint_eq(one[0] + one[room - 1], 2);
		rda_block_give(one);
		rda_block_give(two);
	}
	ck_assert_ptr_null(take(RDA_BLOCK_MOST + 1));
	ck_assert(!rda_block_is(&other) && !rda_block_is(NULL));
}
END_TEST

/* What is said to be 0 is, also where something else was before. */
START_TEST(what_is_zero)
{
	static uint8_t *blocks[MANY];
	static const uint8_t zeros[RDA_BLOCK_MOST];

	for (unsigned round = 0; round < 4; round++) {
		size_t size = 40 + 100 * round;

		for (unsigned i = 0; i < MANY; i++) {
			bool zero;

			blocks[i] = rda_block_take(size, &zero);
			ck_assert(!zero || memcmp(blocks[i], zeros, size) == 0);
			memset(blocks[i], 0xff, size);
		}
		for (unsigned i = 0; i < MANY; i++)
			rda_block_give(blocks[i]);
	}
}
END_TEST

/* A block that was given is the next one of its size. */
START_TEST(again)
{
	uint8_t *one = take(100), *two;

	rda_block_give(one);
	two = take(100);
	ck_assert_ptr_eq(one, two);
	rda_block_give(two);
}
END_TEST

/* What blocks of one size leave has room for those of others. */
START_TEST(other_sizes)
{
	static uint8_t *blocks[MANY];
	uint8_t *low = NULL, *high = NULL;

	for (unsigned i = 0; i < MANY; i++) {
		blocks[i] = take(400);
		low = !low || blocks[i] < low ? blocks[i] : low;
		high = blocks[i] > high ? blocks[i] : high;
	}
	for (unsigned i = 0; i < MANY; i++)
		rda_block_give(blocks[i]);
	for (unsigned i = 0; i < MANY / 2; i++) {
		blocks[i] = take(700);
		ck_assert_msg(blocks[i] + (64 << 10) >= low && blocks[i] < high + (64 << 10),
			      "a new slab");
	}
	for (unsigned i = 0; i < MANY / 2; i++)
		rda_block_give(blocks[i]);
}
END_TEST

/* Pages of [low, high) that are in memory. */
static size_t resident(uint8_t *low, const uint8_t *high)
{
	static unsigned char pages[1 << 16];
	size_t page = (size_t)sysconf(_SC_PAGESIZE), count, here = 0;
	uint8_t *begin = low - (uintptr_t)low % page;

	count = ((size_t)(high - begin) + page - 1) / page;
	ck_assert_uint_le(count, sizeof(pages));
	ck_assert_int_eq(mincore(begin, count * page, pages), 0);
	for (size_t i = 0; i < count; i++)
		here += pages[i] & 1;
	return here;
}

/* The memory of many slabs without any block in use is given back, and is 0 when it comes again. */
START_TEST(given_back)
{
	static uint8_t *blocks[VERY_MANY];
	static const uint8_t zeros[800];
	uint8_t *low = NULL, *high = NULL;
	size_t in_use;

	for (unsigned i = 0; i < VERY_MANY; i++) {
		blocks[i] = memset(take(900), 0xff, 900);
		low = !low || blocks[i] < low ? blocks[i] : low;
		high = blocks[i] > high ? blocks[i] : high;
	}
	in_use = resident(low, high);
	for (unsigned i = 0; i < VERY_MANY; i++)
		rda_block_give(blocks[i]);
	ck_assert_uint_lt(resident(low, high), in_use / 4);
	for (unsigned i = 0; i < VERY_MANY; i++) {
		bool zero;

		blocks[i] = rda_block_take(800, &zero);
		ck_assert(!zero || memcmp(blocks[i], zeros, 800) == 0);
		ck_assert_msg(blocks[i] >= low && blocks[i] < high + (64 << 10), "a new slab");
	}
	for (unsigned i = 0; i < VERY_MANY; i++)
		rda_block_give(blocks[i]);
}
END_TEST

/* Each keeps its number in its blocks, and gives those of the one before it. */
struct worker {
	uint8_t *blocks[MANY];
	struct worker *before;
	pthread_t thread;
	pthread_barrier_t *barrier;
	uint8_t number;
	bool wrong;
};

static void *work(void *context)
{
	struct worker *worker = context;

	for (unsigned i = 0; i < MANY; i++) {
		size_t size = 1 + i % 300;

		worker->blocks[i] = take(size);
		memset(worker->blocks[i], worker->number, size);
	}
	pthread_barrier_wait(worker->barrier);
	for (unsigned i = 0; i < MANY; i++) {
		uint8_t *block = worker->before->blocks[i], *own = take(1 + i % 300);

		worker->wrong |= block[0] != worker->before->number ||
				 block[i % 300] != worker->before->number;
		rda_block_give(block);
		memset(own, 0xff, 1 + i % 300);
		rda_block_give(own);
	}
	return NULL;
}

START_TEST(several_threads)
{
	static struct worker workers[THREADS];
	pthread_barrier_t barrier;

	rda_block_give(take(1)); /* as in the program there is one thread when memory is put by */
	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, THREADS), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].number = (uint8_t)(i + 1);
		workers[i].before = &workers[(i + 1) % THREADS];
		workers[i].barrier = &barrier;
		ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert(!workers[i].wrong);
	pthread_barrier_destroy(&barrier);
}
END_TEST

/* Where address space has a limit none of it is put by. */
START_TEST(limited)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct rlimit limit = {(rlim_t)1 << 40, (rlim_t)1 << 40};

		_exit(setrlimit(RLIMIT_AS, &limit) == 0 && !take(16) && !rda_block_is(NULL) ? 0
											    : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

Suite *rda_suite_blocks(void)
{
	Suite *suite = suite_create("blocks");
	TCase *tcase = tcase_create("blocks");

	tcase_add_test(tcase, limited);
	tcase_add_test(tcase, each_size);
	tcase_add_test(tcase, what_is_zero);
	tcase_add_test(tcase, again);
	tcase_add_test(tcase, other_sizes);
	tcase_add_test(tcase, given_back);
	tcase_add_test(tcase, several_threads);
	suite_add_tcase(suite, tcase);
	return suite;
}
