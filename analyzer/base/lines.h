/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that begins where a cache line does: for what is kept of each flow, and looked at again
 * after the packets of thousands of others. Its members are in order of use, so that few lines are
 * fetched; malloc's places, 16 bytes apart, would spread them over one more.
 */
#ifndef RDA_LINES_H
#define RDA_LINES_H

#include <glib.h>

#define RDA_LINE_BYTES 64

/* Zeroed; freed by rda_lines_free only. */
#define rda_lines_new(type) ((type *)g_aligned_alloc0(1, sizeof(type), RDA_LINE_BYTES))

static inline void rda_lines_free(void *memory)
{
	g_aligned_free(memory);
}

#endif
