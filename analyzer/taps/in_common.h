/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many things (packets of samples) each two of many holders (captures) have in common, as far
 * as that matters: up to `enough`. Where many captures are of the same traffic each packet is in
 * all of them: two that have enough are not looked at again, and of 64 others one word tells that.
 *
 *     who     0 1 1 0 1 ...    have the thing at hand
 *     open    1 0 1 1 0 ...    of one holder: those with which it has not enough
 */
#ifndef RDA_IN_COMMON_H
#define RDA_IN_COMMON_H

#include <stdint.h>

struct rda_in_common {
	uint32_t count, words;
	uint8_t enough;
	uint8_t *things; /* owned, the next two too: count x count */
	uint64_t *open;	 /* count x words */
	uint64_t *who;
};

/* Of `count` holders; `enough` is at least 1. */
void rda_in_common_init(struct rda_in_common *common, uint32_t count, uint8_t enough);
void rda_in_common_cleanup(struct rda_in_common *common);

/* A holder has the thing at hand; of one thing holders come in rising order. */
void rda_in_common_add(struct rda_in_common *common, uint32_t holder);

/* Another thing is at hand. */
void rda_in_common_next(struct rda_in_common *common);

/* Of two holders, the first below the second: at most `enough`. */
static inline uint32_t rda_in_common_of(const struct rda_in_common *common, uint32_t first,
					uint32_t second)
{
	return common->things[(uint64_t)first * common->count + second];
}

#endif
