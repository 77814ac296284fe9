/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long pauses stop a link, in all and within a while; see stopping.h.
 */
#include "analyzer/checks/congestion/stopping.h"

#include <glib.h>

#define SLICE_NS (RDA_STORM_NS / RDA_STORM_SLICES)

/* The time from..to was stopped, in the sliding window too. */
static void stopped(struct rda_stopping *stop, int64_t from, int64_t to)
{
	stop->stopped_ns += to - from;
	while (from < to) {
		int64_t slice = from / SLICE_NS, end = MIN((slice + 1) * SLICE_NS, to), all = 0;

		for (unsigned i = 0; stop->slice < slice && i < RDA_STORM_SLICES; i++)
			stop->slices_ns[++stop->slice & (RDA_STORM_SLICES - 1)] = 0;
		stop->slice = slice;
		stop->slices_ns[slice & (RDA_STORM_SLICES - 1)] += end - from;
		for (unsigned i = 0; i < RDA_STORM_SLICES; i++)
			all += stop->slices_ns[i];
		stop->most_ns = MAX(stop->most_ns, all);
		from = end;
	}
}

void rda_stopping_end(struct rda_stopping *stop, int64_t now)
{
	int64_t until = MIN(stop->until_ns, now);

	if (until > stop->from_ns) {
		stopped(stop, stop->from_ns, until);
		stop->span_ns += until - stop->from_ns;
		stop->longest_ns = MAX(stop->longest_ns, stop->span_ns);
	}
	stop->from_ns = stop->until_ns = now;
}

void rda_stopping_ask(struct rda_stopping *stop, int64_t now, int64_t holds_ns)
{
	bool goes_on = holds_ns && stop->until_ns >= now;

	rda_stopping_end(stop, now);
	if (!goes_on)
		stop->span_ns = 0;
	stop->until_ns = now + holds_ns;
}
