/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What timelines hold; for timeline.c, which fills it, and describe_timeline.c, which tells it.
 */
#ifndef RDA_TIMELINE_STATE_H
#define RDA_TIMELINE_STATE_H

#include "analyzer/report/page/mark.h"
#include "analyzer/report/page/thin.h"
#include "analyzer/report/page/timeline.h"
#include "analyzer/report/time_slots.h"

#include <glib.h>

/* One slot of time of one flow. */
struct rda_timeline_sum {
	uint64_t bytes;	     /* of frames; of iWARP payload */
	uint64_t good_bytes; /* payload that passed for the first time */
	uint64_t bytes_most; /* in flight, as the members below */
	uint32_t psns_most, psns_least, psns_last, reads_most;
	bool flight_known; /* psns_least means something */
};

/* One slot of time of all captures. */
struct rda_timeline_total {
	uint64_t bytes, pauses;
};

struct rda_timeline_flow {
	GArray *points, *latencies; /* of struct rda_point; owned */
	struct rda_thin marks[RDA_MARK_COUNT], latency;
	struct rda_timeline_sum *sums; /* owned */
	struct rda_time_slots times;
	int64_t latest; /* relative PSN; of iWARP bytes sent */
};

struct rda_timeline {
	const struct rda_connection_facts *connection;
	uint64_t packets, points; /* that it has; points before they were thinned */
	int64_t begin_ns;	  /* since the first frame of all */
	int64_t point_slot_ns;	  /* 0: no common mark is thinned */
	int64_t slot_ns;	  /* of sums and latencies */
	unsigned slots;
	struct rda_timeline_flow flows[2];
};

struct rda_timelines {
	const struct rda_report *report;
	int64_t begin_ns;	       /* since 1970: of the first frame of all */
	struct rda_timeline **line_of; /* by id; NULL: it is not told */
	unsigned count;
	uint64_t rare; /* points that are not common */
	GPtrArray *names;
	GHashTable *name_index;
	struct {
		int64_t slot_ns;
		struct rda_timeline_total *sums; /* RDA_TIMELINE_SLOTS_MOST + 1; owned */
	} all;
};

#endif
