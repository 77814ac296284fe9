/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, whether a sender slows down when it is told to: G06, G18.
 *
 *      before      CNP                 after
 *     | b | b | b | b |   | a | a | a | a |        buckets of about 131 us
 *
 * Compared is what was sent before the first CNP of a series with what is sent behind each, and
 * only where something was sent in each bucket, and not all was answered before it went on: else
 * the application may have had less to send. An application that is slower than the rate it is
 * limited to does not slow down either, so one CNP says nothing. How much it slows down is measured
 * elsewhere (slowing.h): G18.
 */
#include "analyzer/checks/congestion/state.h"

#include "analyzer/track/congestion/slowing.h"

#include <glib.h>

/* Flows with fewer packets send no such time without a pause. */
enum { PACKETS_MIN = 128 };

#define BUCKET_NS (UINT64_C(1) << RDA_RATE_SHIFT)

/* A series of CNPs ends with a pause: the sender is back at its rate. */
#define SERIES_NS 10000000

/* Slower is slower by this much; as before is told when it was so often, and slower never. */
enum { SLOWER_PERCENT = 5, AS_BEFORE_MIN = 3 };

/* G18 is told of so many cuts, of which each is less than one part of WEAK of the law's. */
enum { AGAINST_MIN = 8, WEAK = 4 };

/* A pause between messages is longer than those inside them by this, and so many times. */
enum { IDLE_NS = 2000, IDLE_TIMES = 4 };

static uint32_t bit_of(int64_t bucket)
{
	return 1u << (bucket & (RDA_RATE_BUCKETS - 1));
}

static uint32_t bytes_in(const struct rda_rate *rate, int64_t bucket)
{
	return rate->filled & bit_of(bucket) ? rate->bytes[bucket & (RDA_RATE_BUCKETS - 1)] : 0;
}

/* The sum of RDA_RATE_SPAN buckets from `first` on; 0 when in one of them nothing was to send. */
static uint64_t sum(const struct rda_rate *rate, int64_t first)
{
	uint64_t bytes = 0;

	for (int64_t i = first; i < first + RDA_RATE_SPAN; i++) {
		if (bytes_in(rate, i) == 0 || rate->idle & bit_of(i))
			return 0;
		bytes += bytes_in(rate, i);
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
		rate->filled = rate->idle = 0;
		rate->notice_bucket = 0;
	} else {
		for (int64_t i = rate->bucket + 1; i <= bucket; i++) {
			rate->filled &= ~bit_of(i);
			rate->idle &= ~bit_of(i);
		}
	}
	rate->bucket = bucket;
}

/* Whatever the clock says, the flow begins in the same bucket; not in 0, which is none. */
static int64_t bucket_of(const struct rda_rate *rate, const struct rda_at *at)
{
	return ((at->meta->time_ns - rate->begin_ns) >> RDA_RATE_SHIFT) + RDA_RATE_BUCKETS;
}

/*
 * Whether a request begins behind a pause in which all was answered: the application had nothing to
 * send. Near the responder that alone does not tell it, as answers are seen before the sender has
 * them: the pause is longer than those inside messages. Of messages of one packet there are none.
 */
static bool was_idle(const struct rda_rate *rate, const struct rda_at *at)
{
	return at->flow->account && rda_account_answered(at->flow->account) >= at->request->begin &&
	       (rate->gap_ns == 0 ||
		at->flow->gap_ns > rda_ns_sum(IDLE_NS, rda_ns_times(rate->gap_ns, IDLE_TIMES)));
}

RDA_COLD static struct rda_rate *begin(const struct rda_at *at)
{
	struct rda_rate *rate = g_new0(struct rda_rate, 1);

	rate->begin_ns = rate->latest_ns = at->meta->time_ns;
	rate->bucket = bucket_of(rate, at);
	rate->bytes_before = at->flow->bytes - at->frame->wire;
	return rate;
}

/* The packet at hand is in another bucket than the latest: behind it, or the clock went back. */
RDA_APART static void turn(struct rda_rate *rate, const struct rda_at *at)
{
	uint64_t before = at->flow->bytes - at->frame->wire, since;
	int64_t bucket = bucket_of(rate, at);

	if (bucket <= rate->bucket)
		return;
	rate->bytes[rate->bucket & (RDA_RATE_BUCKETS - 1)] =
		(uint32_t)(before - rate->bytes_before);
	rate->filled |= bit_of(rate->bucket);
	rate->bytes_before = before;
	if (rate->notice_bucket && bucket > rate->notice_bucket + 1 + RDA_RATE_SPAN)
		compare(rate);
	advance(rate, bucket);
	since = (uint64_t)at->meta->time_ns - (uint64_t)rate->begin_ns;
	rate->latest_ns = (int64_t)((uint64_t)at->meta->time_ns - since % BUCKET_NS);
}

void rda_rate_packet(const struct rda_at *at)
{
	struct rda_congestion_watch *watch = at->flow->watch.congestion;
	struct rda_rate *rate = watch->rate;

	if (!rate) {
		if (at->flow->packets < PACKETS_MIN)
			return;
		rate = watch->rate = begin(at);
	}
	if ((uint64_t)at->meta->time_ns - (uint64_t)rate->latest_ns >= BUCKET_NS)
		turn(rate, at);
	if (!at->request || !(at->request->roles & RDA_ROLE_ONLY))
		return;
	if (!(at->request->roles & RDA_ROLE_FIRST))
		rate->gap_ns = MAX(at->flow->gap_ns, 0);
	else if (was_idle(rate, at))
		rate->idle |= bit_of(rate->bucket);
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

/* ---- connections ----------------------------------------------------------------------------- */

/* G18: it cuts less than a quarter of what the law asks for at least, and stays fast for long. */
static void weak_reaction(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_slowdown *s = rda_slowing_facts(flow->slowing);
	uint64_t cut, law_sum;
	struct rda_finding *finding;

	if (!s || s->against_law < AGAINST_MIN)
		return;
	cut = s->before > s->after ? s->before - s->after : 0;
	law_sum = s->cuts * (RDA_CUT_WHOLE / WEAK);
	/* cut / before is less than a quarter of law / cuts; the products do not fit in 64 bits */
	if ((double)cut * (double)law_sum >= (double)s->before * (double)s->law)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_G18, rda_about_flow(flow),
				  s->against_place);
	finding->count += s->against_law - 1;
	rda_finding_say(
		finding, RDA_SAY_G18_WEAK, RDA_ARG_NUMBER("cnps", s->measured_cnps),
		RDA_ARG_NUMBER("cut", cut), RDA_ARG_NUMBER("sum", s->before),
		RDA_ARG_NUMBER("law", s->law), RDA_ARG_NUMBER("law_sum", s->cuts * RDA_CUT_WHOLE),
		RDA_ARG_NUMBER("row_cnps", s->row_cnps), RDA_ARG_TIME("row_ns", s->row_ns),
		RDA_ARG_RATE("row_before", s->row_before), RDA_ARG_RATE("row_after", s->row_after));
}

/* G06: told to slow down, again and again, and as fast as before. */
void rda_rate_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_rate *rate = flow->watch.congestion->rate;
	struct rda_finding *finding;

	if (!rate || rate->slower || rate->as_before < AS_BEFORE_MIN) {
		weak_reaction(judge, flow);
		return;
	}
	finding = rda_finding_add(&judge->findings, RDA_CHECK_G06, rda_about_flow(flow),
				  rate->as_before_place);
	finding->count += rate->as_before - 1;
	rda_finding_say(finding, RDA_SAY_G06_NEVER_SLOWER, RDA_ARG_NUMBER("cnps", rate->as_before));
}
