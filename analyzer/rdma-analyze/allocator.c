/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malloc and its relatives, for the program and all of its libraries: those of the C library, but
 * that none of them ever fails. Where there is no more memory see shortage.h.
 *
 * GLib would abort, and other libraries would each do something of their own, in code that nobody
 * has run. Only the C library of GNU has other names for its own functions, and sanitizers bring
 * functions of theirs: elsewhere it is as if this file were not there.
 */
#include "analyzer/rdma-analyze/sanitized.h"
#include "analyzer/rdma-analyze/shortage.h"

#if defined(__GLIBC__) && !RDA_SANITIZED

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* The libraries find them. */
#pragma GCC visibility push(default)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

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

void *malloc(size_t size)
{
	TRY(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	TRY(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
	if (size == 0) /* it is freed */
		return __libc_realloc(old, size);
	TRY(__libc_realloc(old, size));
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
