/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, whether a sender slows down when it is told to: G06.
 *
 *      before      CNP                 after
 *     | b | b | b | b |   | a | a | a | a |        buckets of about 131 us
 *
 * Compared is what was sent before the first CNP of a series with what is sent behind each, and
 * only where something was sent in each bucket: else the application may have had less to send. An
 * application that is slower than the rate it is limited to does not slow down either, so one CNP
 * says nothing.
 */
#include "analyzer/checks/congestion/state.h"

#include <glib.h>
#include <string.h>

/* Flows with fewer packets send no such time without a pause. */
enum { PACKETS_MIN = 128 };

/* A series of CNPs ends with a pause: the sender is back at its rate. */
#define SERIES_NS 10000000

/* Slower is slower by this much; as before is told when it was so often, and slower never. */
enum { SLOWER_PERCENT = 5, AS_BEFORE_MIN = 3 };

static uint32_t *bytes_in(struct rda_rate *rate, int64_t bucket)
{
	return &rate->bytes[bucket & (RDA_RATE_BUCKETS - 1)];
}

/* The sum of RDA_RATE_SPAN buckets from `first` on; 0 when one of them is empty. */
static uint64_t sum(struct rda_rate *rate, int64_t first)
{
	uint64_t bytes = 0;

	for (int64_t i = first; i < first + RDA_RATE_SPAN; i++) {
		if (*bytes_in(rate, i) == 0)
			return 0;
		bytes += *bytes_in(rate, i);
	}
	return bytes;
}

/* All buckets behind the CNP are in the past: did it have an effect? */
RDA_APART static void compare(struct rda_rate *rate)
{
	int64_t first = rate->notice_bucket + 2;
	uint64_t after = first + RDA_RATE_SPAN <= rate->bucket + 1 ? sum(rate, first) : 0;

	if (after && after * 100 < rate->before * (100 - SLOWER_PERCENT))
		rate->slower++;
	else if (after && rate->as_before++ == 0)
		rate->as_before_place = rate->notice_place;
	rate->notice_bucket = 0;
}

/* Empties the buckets between the latest and this one. */
RDA_APART static void advance(struct rda_rate *rate, int64_t bucket)
{
	if (bucket - rate->bucket >= RDA_RATE_BUCKETS) {
		memset(rate->bytes, 0, sizeof(rate->bytes));
		rate->notice_bucket = 0;
	} else {
		for (int64_t i = rate->bucket + 1; i <= bucket; i++)
			*bytes_in(rate, i) = 0;
	}
	rate->bucket = bucket;
}

/* Whatever the clock says, the flow begins in the same bucket; not in 0, which is none. */
static int64_t bucket_of(const struct rda_rate *rate, const struct rda_at *at)
{
	return ((at->meta->time_ns - rate->begin_ns) >> RDA_RATE_SHIFT) + RDA_RATE_BUCKETS;
}

void rda_rate_packet(const struct rda_at *at)
{
	struct rda_congestion_watch *watch = at->flow->watch.congestion;
	struct rda_rate *rate = watch->rate;
	int64_t bucket;

	if (!rate) {
		if (at->flow->packets < PACKETS_MIN)
			return;
		rate = watch->rate = g_new0(struct rda_rate, 1);
		rate->begin_ns = at->meta->time_ns;
		rate->bucket = bucket_of(rate, at);
	}
	bucket = bucket_of(rate, at);
	if (bucket > rate->bucket) {
		if (rate->notice_bucket && bucket > rate->notice_bucket + 1 + RDA_RATE_SPAN)
			compare(rate);
		advance(rate, bucket);
	}
	if (bucket == rate->bucket)
		*bytes_in(rate, bucket) += at->frame->wire;
}

void rda_rate_noticed(struct rda_flow *flow, const struct rda_at *at, int64_t since_ns)
{
	struct rda_rate *rate = flow->watch.congestion->rate;
	int64_t bucket;

	if (!rate || rate->notice_bucket)
		return;
	bucket = bucket_of(rate, at);
	if (since_ns >
	    SERIES_NS) { /* the bucket of the CNP and the one before it may not be full */
		bool sends = bucket - rate->bucket <= 1;

		rate->before = sends ? sum(rate, bucket - 1 - RDA_RATE_SPAN) : 0;
	}
	if (rate->before == 0)
		return;
	rate->notice_bucket = bucket;
	rate->notice_place = at->place;
}

/* G06: told to slow down, again and again, and as fast as before. */
void rda_rate_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_rate *rate = flow->watch.congestion->rate;
	struct rda_finding *finding;

	if (!rate || rate->slower || rate->as_before < AS_BEFORE_MIN)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_G06, rda_about_flow(flow),
				  rate->as_before_place);
	finding->count += rate->as_before - 1;
	rda_finding_say(finding, RDA_SAY_G06_NEVER_SLOWER, RDA_ARG_NUMBER("cnps", rate->as_before));
}
