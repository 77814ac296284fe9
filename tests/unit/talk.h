/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What A (host 1, QP 0x11) and B (host 2, QP 0x12) say to each other, a line for each packet, and
 * what the engine finds in it.
 *
 *     {'A', 0x04, 10}                  SEND Only, PSN 10
 *     {'B', 0x11, 10, 0x60, 70000}     70 ms later a NAK of PSN 10
 *     {'A', 0x0c, 11, 4096}            a READ of 4096 bytes
 */
#ifndef RDA_TEST_TALK_H
#define RDA_TEST_TALK_H

#include "tests/unit/feed.h"

/* A line has only what matters in it. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct rda_line {
	char from;
	uint8_t opcode;
	uint32_t psn;
	uint32_t value;	   /* syndrome of an AETH, DMA length of a RETH, source QP of a DETH */
	uint32_t pause_us; /* before it */
	uint32_t payload;  /* bytes; 0: 1024 where the opcode wants a full packet, else 8 or none */
	uint8_t fill;	   /* first byte of the payload's pattern */
	bool damaged;
};

/* Begins a feed, says the lines before the first that nobody says, or all, and finishes it. */
void rda_talk(struct rda_feed *feed, const struct rda_line *lines, unsigned count);

#define RDA_TALK(feed, ...)                                                                        \
	rda_talk(feed, (const struct rda_line[]){__VA_ARGS__},                                     \
		 sizeof((const struct rda_line[]){__VA_ARGS__}) / sizeof(struct rda_line))

/* What was found of a check, weightiest first, or NULL; and how many cases. */
const struct rda_finding *rda_talk_found(const struct rda_feed *feed, enum rda_check check);
unsigned rda_talk_count(const struct rda_feed *feed, enum rda_check check);

/* Frames that a finding lists are so: rda_talk_frames(finding, 3, 7, 0) */
void rda_talk_frames(const struct rda_finding *finding, ...);

#endif
