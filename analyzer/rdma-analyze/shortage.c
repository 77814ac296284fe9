/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that is put by, and the end of the program where that was not enough. See shortage.h.
 */
#include "analyzer/rdma-analyze/shortage.h"

#include "analyzer/rdma-analyze/outfile.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* The result and its report take less than the engine; so much of its memory is put by. */
enum { RESERVED_PART = 4 };

/* Less is of no use. */
enum { RESERVED_LEAST = 1 << 20 };

/* Stack that is there from the beginning: where it cannot grow there is no way to be told. */
enum { STACK = 512 << 10, PAGE = 4096 };

enum { EXIT_SHORT = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the next three */
static void *reserved;
static size_t reserved_size;

static atomic_bool came, ending;
static const char *reading;
static const uint64_t *reading_frames;

/* ---- what is put by -------------------------------------------------------------------------- */

static uint64_t limit_of(int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : UINT64_MAX;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void grow_stack(void)
{
	volatile char room[STACK];

	for (size_t i = 0; i < sizeof(room); i += PAGE)
		room[i] = 0;
}

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void rda_shortage_prepare(uint64_t memory)
{
	uint64_t size = least(memory, least(limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA)));

	grow_stack();
	size /= RESERVED_PART;
	pthread_mutex_lock(&lock);
	while (!reserved && size >= RESERVED_LEAST) {
		reserved_size = (size_t)size;
		reserved = map(reserved_size);
		size /= 2;
	}
	if (reserved)
		atomic_store(&came, false);
	pthread_mutex_unlock(&lock);
}

void rda_shortage_relieve(void)
{
	atomic_store(&came, true);
	pthread_mutex_lock(&lock);
	if (reserved)
		munmap(reserved, reserved_size);
	reserved = NULL;
	pthread_mutex_unlock(&lock);
}

bool rda_shortage_came(void)
{
	return atomic_load(&came);
}

/* ---- the end --------------------------------------------------------------------------------- */

void rda_shortage_reading(const char *file, const uint64_t *frames)
{
	reading_frames = frames;
	reading = file;
}

static void say(const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = write(STDERR_FILENO, text, length);

		if (written <= 0)
			return;
		text += written;
		length -= (size_t)written;
	}
}

/* snprintf of whole numbers and short strings allocates nothing. */
static void tell(void)
{
	char line[256];
	int length;

	if (reading)
		length = snprintf(line, sizeof(line),
				  "rdma-analyze: out of memory after frame %llu of %.160s",
				  (unsigned long long)*reading_frames, reading);
	else
		length = snprintf(line, sizeof(line), "rdma-analyze: out of memory");
	for (int i = 0; i < length; i++)
		if (line[i] < ' ' || line[i] > '~') /* of a hostile name */
			line[i] = '?';
	line[length++] = '\n';
	say(line, (size_t)length);
}

void rda_shortage_end(void)
{
	if (atomic_exchange(&ending, true))
		for (;;)
			pause(); /* another thread ends the program */
	tell();
	rda_outfile_remove_temporary();
	_exit(EXIT_SHORT);
}
