/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that will be looked at soon is brought into the caches meanwhile. Any address may be
 * given, also one behind the end of something: nothing is read.
 */
#ifndef RDA_FETCH_H
#define RDA_FETCH_H

#include <stddef.h>
#include <stdint.h>

#define RDA_FETCH_LINE 64 /* bytes that come at once */

static inline void rda_fetch(const void *address)
{
	__builtin_prefetch(address);
}

/* `count` lines from that one on; none of NULL, which is no place to count from. */
static inline void rda_fetch_lines(const void *address, unsigned count)
{
	for (unsigned i = 0; address && i < count; i++)
		__builtin_prefetch((const uint8_t *)address + (uintptr_t)i * RDA_FETCH_LINE);
}

/* Lists are gone through in order: so many items ahead are brought in. */
#define RDA_FETCH_ITEMS 8

/* Of a list of `count` pointers the item that comes up when `at` is at hand: a line of it. */
static inline void rda_fetch_item(const void *list, uint32_t at, uint32_t count, size_t offset)
{
	if (count - at > RDA_FETCH_ITEMS)
		rda_fetch((const uint8_t *)((const void *const *)list)[at + RDA_FETCH_ITEMS] +
			  offset);
}

#endif
