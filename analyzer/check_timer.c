/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers; see check_timer.h.
 */
#include "analyzer/check_timer.h"

#include "analyzer/words.h"
#include "dissectors/aeth.h"

#include <glib.h>
#include <inttypes.h>

/* ---- the RNR timer --------------------------------------------------------------------------- */

/* Code 0, the longest of them: what rdma_cm leaves it at when the application sets nothing. */
enum { RNR_CODE_DEFAULT = 0x20 };

/* A requester that waits so many times as long as it was asked to wastes time. */
enum { WAIT_TIMES = 2 };

void rda_waits_free(struct rda_waits *waits)
{
	if (!waits)
		return;
	rda_latency_cleanup(&waits->waited);
	g_free(waits);
}

void rda_waits_refused(struct rda_waits *waits, const struct rda_event *event)
{
	waits->asked_ns = rda_aeth_rnr_ns(event->syndrome);
}

void rda_waits_resent(struct rda_waits *waits, const struct rda_event *event)
{
	int64_t asked = waits->asked_ns;

	if (!asked || event->wait_ns < 0)
		return;
	if (waits->waited.count == 0 || event->wait_ns > waits->waited.max) {
		waits->refused = event->other_frame;
		waits->resent = event->frame;
	}
	waits->shortest_asked_ns =
		waits->waited.count ? MIN(waits->shortest_asked_ns, asked) : asked;
	waits->longest_asked_ns = MAX(waits->longest_asked_ns, asked);
	waits->asked_total_ns += asked;
	waits->waited_total_ns += event->wait_ns;
	rda_latency_add(&waits->waited, event->wait_ns);
	waits->asked_ns = 0;
}

/* T09 */
static void rnr_wait(const struct rda_waits *waits, struct rda_judge *judge,
		     const struct rda_flow *flow)
{
	bool is_default = waits->longest_asked_ns == rda_aeth_rnr_ns(RNR_CODE_DEFAULT);
	bool varies = waits->shortest_asked_ns != waits->longest_asked_ns;
	char shortest[RDA_WORDS_TEXT], longest[RDA_WORDS_TEXT];
	char median[RDA_WORDS_TEXT], total[RDA_WORDS_TEXT];
	struct rda_finding *finding;

	if (waits->waited.count == 0 ||
	    (!is_default && waits->waited_total_ns / WAIT_TIMES < waits->asked_total_ns))
		return;
	finding = rda_find(&judge->findings, RDA_CHECK_T09, rda_about_flow(flow), waits->refused);
	rda_finding_frame(finding, waits->resent);
	finding->count = waits->waited.count;
	rda_say(finding,
		"%" PRIu64
		" wait%s for a receiver that was not ready: it asked for %s%s%s%s, the requester "
		"waited %s (median), %s in all",
		waits->waited.count, rda_words_plural(waits->waited.count),
		varies ? rda_words_time(shortest, waits->shortest_asked_ns) : "",
		varies ? " to " : "", rda_words_time(longest, waits->longest_asked_ns),
		is_default ? " (the code that rdma_cm leaves it at)" : "",
		rda_words_time(median, rda_latency_percentile(&waits->waited, 50)),
		rda_words_time(total, waits->waited_total_ns));
}

void rda_waits_end(const struct rda_waits *waits, struct rda_judge *judge,
		   const struct rda_flow *flow)
{
	rnr_wait(waits, judge, flow);
}
