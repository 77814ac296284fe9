/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of a tap that another one lacks, and that were not lost between the two:
 *
 *     requests that were acknowledged, and sent but once (delivered.h),
 *     what a tap farther on has,
 *     what the first tap only shows twice, as its mirror does with most packets of the flow.
 */
#ifndef RDA_MISSING_H
#define RDA_MISSING_H

#include "analyzer/taps/passage.h"

/* One tap, and another: of each packet which one there it is (rda_passages_match), and back. */
struct rda_missing_of {
	const struct rda_passages *from, *to;
	const uint32_t *match, *match_back;
	uint32_t flow_count;	   /* of `from` */
	const uint32_t *back;	   /* of each of these the other direction; rda_delivered_find */
	const uint32_t *peer_back; /* of each flow of `to` that of `from` */
	const uint8_t *beyond;	   /* a bit of each packet: a tap behind `to` has it; or NULL */
};

struct rda_missing;

/* The caller's; what `of` points to outlives it. */
struct rda_missing *rda_missing_new(const struct rda_missing_of *of);
void rda_missing_free(struct rda_missing *missing);

/* A packet of `from`: it came whole to its receiver, whatever `to` shows. */
bool rda_missing_is_delivered(const struct rda_missing *missing, uint32_t index);

/* One that `to` lacks: it passed there and was missed, or it went round. */
bool rda_missing_passed(const struct rda_missing *missing, uint32_t index);

/* One that `to` lacks: it stands there twice as a mirror shows it. */
bool rda_missing_is_mirrored(const struct rda_missing *missing, uint32_t index);

#endif
