/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A way for what is packed (analyzer/base/pack.h), for tests: a queue of its parts, as another
 * process would get them.
 */
#ifndef RDA_TEST_PACK_WAY_H
#define RDA_TEST_PACK_WAY_H

#include "analyzer/base/pack.h"

#include <glib.h>
#include <string.h>

/* rda_pack_write's: `context` is a GQueue. */
static inline void pack_way_send(void *context, const uint8_t *bytes, size_t size)
{
	g_assert(size <= RDA_PACK_BYTES);
	g_queue_push_tail(context, g_bytes_new(bytes, size));
}

/* rda_pack_read's: 0 where the queue is empty. */
static inline size_t pack_way_receive(void *context, uint8_t *bytes)
{
	GBytes *part = g_queue_pop_head(context);
	size_t size = part ? g_bytes_get_size(part) : 0;

	if (size)
		memcpy(bytes, g_bytes_get_data(part, NULL), size);
	g_bytes_unref(part);
	return size;
}

#endif
