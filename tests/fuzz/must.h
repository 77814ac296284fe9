/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzz targets share: a check that stays in release builds, and frames in heap blocks of
 * exactly their size, so that AddressSanitizer sees a read of one byte past the end.
 */
#ifndef RDA_MUST_H
#define RDA_MUST_H

#include "dissectors/link.h"
#include "dissectors/packet.h"

#include <stdio.h>
#include <stdlib.h>

#define RDA_MUST(condition)                                                                        \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* libFuzzer's, or the one of fuzz_replay.c, calls this */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One byte chooses the link type: its LINKTYPE_ value modulo 256, which is unique among ours. */
static inline uint16_t rda_link_of_byte(uint8_t byte)
{
#define RDA_L(ID, value, name)                                                                     \
	if (byte == ((value)&0xff))                                                                \
		return value;
	RDA_LINKS(RDA_L)
#undef RDA_L
	return byte;
}

/* A copy of `captured` bytes; free it with rda_frame_free. */
static inline struct rda_frame rda_frame_copy(const uint8_t *bytes, uint32_t captured,
					      uint32_t wire, uint16_t link)
{
	uint8_t *copy = malloc(captured);

	RDA_MUST(copy || captured == 0);
	if (captured)
		memcpy(copy, bytes, captured);
	return (struct rda_frame){copy, captured, wire, link};
}

static inline void rda_frame_free(struct rda_frame *frame)
{
	free((void *)frame->bytes);
	frame->bytes = NULL;
}

#endif
