/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that the page is made of, as the build put them into the program (cmake/Embed.cmake).
 *
 * RDA_PAGE_PARTS(P): P(ID, "slot in the skeleton")
 */
#ifndef RDA_PARTS_H
#define RDA_PARTS_H

#include <stddef.h>
#include <stdint.h>

#define RDA_PAGE_PARTS(P)                                                                          \
	P(SKELETON, "")                                                                            \
	P(STYLE, "style")                                                                          \
	P(SCRIPT, "script")                                                                        \
	P(DYGRAPHS, "dygraphs")                                                                    \
	P(DYGRAPHS_STYLE, "dygraphs-style")

enum rda_page_part {
#define RDA_P(ID, slot) RDA_PAGE_PART_##ID,
	RDA_PAGE_PARTS(RDA_P)
#undef RDA_P
		RDA_PAGE_PART_COUNT
};

struct rda_page_bytes {
	const char *slot;
	const uint8_t *bytes;
	size_t size; /* 0: the build did not find the file */
};

extern const struct rda_page_bytes rda_page_parts[RDA_PAGE_PART_COUNT];

#endif
