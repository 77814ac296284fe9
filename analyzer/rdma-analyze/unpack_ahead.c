/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that go round between two threads:
 *
 *     reader: [ read .. | unread ] [ full ] [ full ] [ being filled ] :thread
 *
 * The lock guards how many are full, and whether the end was asked for; a block belongs to the
 * thread until it is full, and then to the reader until it has read it.
 */
#include "analyzer/rdma-analyze/unpack_ahead.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

enum { BLOCKS = 4, BLOCK_BYTES = 128 * 1024, STACK = 256 * 1024 };

struct block {
	ssize_t size;	  /* as rda_unpack_read told */
	int64_t position; /* of the file, behind it */
	uint8_t bytes[BLOCK_BYTES];
};

struct rda_unpack_ahead {
	struct rda_unpack *file;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved; /* a block was filled, or read, or the end was asked for */
	unsigned full;
	bool end;

	unsigned reading; /* the block that is read next */
	bool holds;	  /* it is known to be full */
	size_t at;	  /* of its bytes so many are read */
	int64_t position;
	struct block blocks[BLOCKS];
};

/* False: nobody wants more. */
static bool wait_for_room(struct rda_unpack_ahead *ahead)
{
	bool goes_on;

	pthread_mutex_lock(&ahead->lock);
	while (ahead->full == BLOCKS && !ahead->end)
		pthread_cond_wait(&ahead->moved, &ahead->lock);
	goes_on = !ahead->end;
	pthread_mutex_unlock(&ahead->lock);
	return goes_on;
}

static void count(struct rda_unpack_ahead *ahead, int full)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->full += (unsigned)full;
	pthread_cond_signal(&ahead->moved);
	pthread_mutex_unlock(&ahead->lock);
}

/* Fills it, unless the file ends before. */
static void fill(struct rda_unpack *file, struct block *block)
{
	ssize_t n;

	block->size = 0;
	do {
		n = rda_unpack_read(file, block->bytes + block->size,
				    BLOCK_BYTES - (size_t)block->size);
		if (n > 0)
			block->size += n;
	} while (n > 0 && block->size < BLOCK_BYTES);
	if (n < 0 && block->size == 0)
		block->size = n;
	block->position = rda_unpack_position(file);
}

/* The last block is one without bytes; it stays for whoever reads again. */
static void *unpack(void *data)
{
	struct rda_unpack_ahead *ahead = data;
	ssize_t size = 1;

	for (unsigned i = 0; size > 0 && wait_for_room(ahead); i = (i + 1) % BLOCKS) {
		fill(ahead->file, &ahead->blocks[i]);
		size = ahead->blocks[i].size;
		count(ahead, 1);
	}
	return NULL;
}

static bool start(struct rda_unpack_ahead *ahead)
{
	pthread_attr_t attributes;
	bool runs;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	runs = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
	       pthread_create(&ahead->thread, &attributes, unpack, ahead) == 0;
	pthread_attr_destroy(&attributes);
	return runs;
}

static void destroy(struct rda_unpack_ahead *ahead)
{
	pthread_mutex_destroy(&ahead->lock);
	pthread_cond_destroy(&ahead->moved);
	g_free(ahead);
}

struct rda_unpack_ahead *rda_unpack_ahead_new(struct rda_unpack *file)
{
	struct rda_unpack_ahead *ahead = g_new0(struct rda_unpack_ahead, 1);

	ahead->file = file;
	ahead->position = rda_unpack_position(file);
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->moved, NULL);
	if (start(ahead))
		return ahead;
	destroy(ahead);
	return NULL;
}

void rda_unpack_ahead_free(struct rda_unpack_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->end = true;
	pthread_cond_signal(&ahead->moved);
	pthread_mutex_unlock(&ahead->lock);
	pthread_join(ahead->thread, NULL);
	destroy(ahead);
}

static void wait_for_block(struct rda_unpack_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	while (ahead->full == 0)
		pthread_cond_wait(&ahead->moved, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
	ahead->holds = true;
	ahead->at = 0;
	ahead->position = ahead->blocks[ahead->reading].position;
}

ssize_t rda_unpack_ahead_read(struct rda_unpack_ahead *ahead, uint8_t *bytes, size_t size)
{
	const struct block *block;

	if (!ahead->holds)
		wait_for_block(ahead);
	block = &ahead->blocks[ahead->reading];
	if (block->size <= 0)
		return block->size;
	size = MIN(size, (size_t)block->size - ahead->at);
	memcpy(bytes, block->bytes + ahead->at, size);
	ahead->at += size;
	if (ahead->at == (size_t)block->size) {
		ahead->holds = false;
		ahead->reading = (ahead->reading + 1) % BLOCKS;
		count(ahead, -1);
	}
	return (ssize_t)size;
}

int64_t rda_unpack_ahead_position(const struct rda_unpack_ahead *ahead)
{
	return ahead->position;
}
