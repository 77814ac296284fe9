/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time without progress; stall.h has the figure.
 */
#include "analyzer/track/roce/stall.h"

#include "analyzer/base/meta.h"

#include <glib.h>

/* Clocks may go backwards: such a span is 0. */
static void count(struct rda_stall *stall, enum rda_trigger trigger, int64_t time_ns)
{
	stall->total_ns[trigger] =
		rda_ns_sum(stall->total_ns[trigger], MAX(time_ns - stall->since_ns, 0));
	stall->since_ns = MAX(stall->since_ns, time_ns);
}

int64_t rda_stall_resent(struct rda_stall *stall, enum rda_trigger trigger, int64_t sent_ns,
			 int64_t time_ns)
{
	int64_t since;

	if (!stall->open) {
		stall->open = true;
		stall->begin_ns = stall->since_ns =
			stall->progressed ? MAX(stall->progress_ns, sent_ns) : sent_ns;
	}
	since = stall->since_ns;
	count(stall, trigger, time_ns);
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
	count(stall, (enum rda_trigger)stall->trigger, time_ns);
	return MAX(time_ns - stall->begin_ns, 0);
}

int64_t rda_stall_total(const struct rda_stall *stall)
{
	int64_t total = 0;

	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		total = rda_ns_sum(total, stall->total_ns[i]);
	return total;
}
