/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded, it fails allocations of the program, and of all libraries, since those of the program
 * (allocator.c) ask the functions below. See test_shortage.py.
 *
 *     RDA_FAIL_FROM=N   the N-th fails, from 1
 *     RDA_FAIL_COUNT=K  and those behind it, K in all
 *     RDA_FAIL_TOLD=F   how many there were is written to this file at the end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_ulong asked;
static unsigned long from = ~0ul, count;

static unsigned long number_of(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : otherwise;
}

/* Before the environment can be read none fails: those are the loader's. */
__attribute__((constructor)) static void begin(void)
{
	atomic_store(&asked, 0);
	count = number_of("RDA_FAIL_COUNT", 1);
	from = number_of("RDA_FAIL_FROM", ~0ul);
}

__attribute__((destructor)) static void end(void)
{
	unsigned long all = atomic_load(&asked);
	const char *name = getenv("RDA_FAIL_TOLD");
	FILE *file = name ? fopen(name, "w") : NULL;

	if (file) {
		fprintf(file, "%lu\n", all);
		fclose(file);
	}
}

static int fails(void)
{
	unsigned long number = atomic_fetch_add(&asked, 1) + 1;

	if (number < from || number - from >= count)
		return 0;
	errno = ENOMEM;
	return 1;
}

/* The function behind this one. */
#define THE_NEXT(name)                                                                             \
	static __typeof__(&name) next;                                                             \
	if (!next)                                                                                 \
	*(void **)&next = dlsym(RTLD_NEXT, #name)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *__libc_malloc(size_t size)
{
	THE_NEXT(__libc_malloc);
	return fails() ? NULL : next(size);
}

void *__libc_calloc(size_t n, size_t size)
{
	THE_NEXT(__libc_calloc);
	return fails() ? NULL : next(n, size);
}

void *__libc_realloc(void *old, size_t size)
{
	THE_NEXT(__libc_realloc);
	return size && fails() ? NULL : next(old, size);
}

void *__libc_memalign(size_t alignment, size_t size)
{
	THE_NEXT(__libc_memalign);
	return fails() ? NULL : next(alignment, size);
}
