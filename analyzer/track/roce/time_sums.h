/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of a direction went, in sums: what time_ledger.c makes, and time_facts.h makes
 * facts of.
 */
#ifndef RDA_TIME_SUMS_H
#define RDA_TIME_SUMS_H

#include "analyzer/rda.h"

/* Requests outstanding, in steps of half a power of two: 1 2 3 4 6 8 12 16 24 ... 2048 and more. */
#define RDA_TIME_DEPTHS 22

struct rda_time_depth {
	int64_t ns;	/* waits that an answer ended */
	uint32_t waits; /* as many */
	uint32_t most;	/* requests outstanding */
};

struct rda_time_sums {
	int64_t ns[RDA_TIME_CAUSE_COUNT]; /* without those of `depths` */
	struct rda_time_depth depths[RDA_TIME_DEPTHS];
	int64_t kinds[RDA_MESSAGE_COUNT]; /* of `depths`, by the latest request before */
	int64_t idle_least_ns;		  /* from all being answered to the next request */
	uint32_t idles;			  /* as many; idle_least_ns is valid if any */
};

#endif
