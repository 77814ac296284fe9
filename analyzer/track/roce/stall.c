/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time without progress; stall.h has the figure.
 */
#include "analyzer/track/roce/stall.h"

#include "analyzer/base/meta.h"

#include <glib.h>

void rda_stall_cleanup(struct rda_stall *stall)
{
	g_free(stall->times);
}

/* Clocks may go backwards: such a span is 0. */
static void count(struct rda_stall_times *times, enum rda_trigger trigger, int64_t time_ns)
{
	times->total_ns[trigger] =
		rda_ns_sum(times->total_ns[trigger], MAX(time_ns - times->since_ns, 0));
	times->since_ns = MAX(times->since_ns, time_ns);
}

int64_t rda_stall_resent(struct rda_stall *stall, enum rda_trigger trigger, int64_t sent_ns,
			 int64_t time_ns)
{
	struct rda_stall_times *times;
	int64_t since;

	if (!stall->times)
		stall->times = g_new0(struct rda_stall_times, 1);
	times = stall->times;
	if (!stall->open) {
		stall->open = true;
		times->begin_ns = times->since_ns =
			stall->progressed ? MAX(stall->progress_ns, sent_ns) : sent_ns;
	}
	since = times->since_ns;
	count(times, trigger, time_ns);
	stall->trigger = (uint8_t)trigger;
	return since;
}

int64_t rda_stall_progress(struct rda_stall *stall, int64_t time_ns)
{
	stall->progress_ns = time_ns;
	stall->progressed = true;
	if (!stall->open)
		return -1;
	stall->open = false;
	count(stall->times, (enum rda_trigger)stall->trigger, time_ns);
	return MAX(time_ns - stall->times->begin_ns, 0);
}

void rda_stall_none(struct rda_stall *stall)
{
	g_free(stall->times);
	stall->times = NULL;
	stall->open = false;
}

int64_t rda_stall_of(const struct rda_stall *stall, enum rda_trigger trigger)
{
	return stall->times ? stall->times->total_ns[trigger] : 0;
}

int64_t rda_stall_total(const struct rda_stall *stall)
{
	int64_t total = 0;

	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		total = rda_ns_sum(total, rda_stall_of(stall, (enum rda_trigger)i));
	return total;
}
