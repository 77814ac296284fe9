/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of a direction went, in sums and in parts: what time_ledger.c makes, and
 * time_facts.h makes facts of.
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
	int64_t idle_most_ns;		  /* the same, where a request ended it; 0: none did */
	uint32_t idles;			  /* as many; idle_least_ns is valid if any */
	struct rda_held held[RDA_HELD_KINDS];
};

struct rda_flow;

/* A port of a link asked its neighbour to send nothing (congestion/holds.h). */
struct rda_time_hold {
	int64_t from_ns, until_ns;
	uint8_t mac[6];
	int8_t priority; /* -1: all */
};

/* A part of the time of a flow's requests, as nothing will change it any more. */
struct rda_time_told {
	const struct rda_flow *flow;
	int64_t begin_ns, end_ns;
	uint8_t cause; /* enum rda_time_cause */
	uint8_t depth; /* index in rda_time_sums.depths and 1; 0: of no such wait */
};

/* Parts as they become known, for those who show them along time. Zeros: an empty one. */
struct rda_time_log {
	struct rda_time_told *told; /* owned; of each flow in the order of time */
	uint32_t count, allocated;
};

#endif
