/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies; state.h has the figure.
 *
 * The numbers of every connection are in the tables (docs/output.md). Here is only what one should
 * look at: a few that took much longer than the rest.
 */
#include "analyzer/checks/time/state.h"

#include "analyzer/base/cold.h"
#include <glib.h>

/* Fewer tell nothing of one in a hundred. */
enum { TAIL_MIN = 100 };

/* One in a hundred takes so many times as long as the median. */
enum { TAIL_TIMES = 10 };

/*
 * Fewer have no usual latency. Outliers are beyond so many deviations, and so many times the
 * median; those of a few milliseconds may be the scheduler's of one of the hosts: a note.
 */
enum {
	OUTLIER_MIN = 20,
	OUTLIER_DEVIATIONS = 10,
	OUTLIER_TIMES = 50,
	OUTLIER_MIN_NS = 1000000,
	OUTLIER_LONG_NS = 10000000,
};

/* Replies: so many at least, and so many times what an acknowledgment takes. */
enum { REPLIES_MIN = 10, REPLY_TIMES = 10, REPLY_MIN_NS = 1000000 };

/* Where to look at a message of this kind. */
static uint64_t example(const struct rda_messages *m, enum rda_message kind)
{
	return m->slowest.kind == kind ? m->slowest.first_frame : 0;
}

static struct rda_finding *find(struct rda_judge *judge, enum rda_check check,
				const struct rda_flow *flow, uint64_t place)
{
	return rda_finding_add(&judge->findings, check, rda_about_flow(flow), place);
}

/* ---- the tail -------------------------------------------------------------------------------- */

/* A median of 0 is sooner than the time stamps can tell: they cannot tell ten times that either. */
static bool has_tail(const struct rda_latency *latency)
{
	int64_t median = rda_latency_percentile(latency, 50);

	return latency->count >= TAIL_MIN && median > 0 &&
	       rda_latency_percentile(latency, 99) >= rda_ns_times(median, TAIL_TIMES);
}

/* "182 us (median of 1000), 1 in 100 more than 7.3 ms, at most 12 ms": arguments */
#define TAIL(latency)                                                                              \
	RDA_ARG_TIME("median_ns", rda_latency_percentile(latency, 50)),                            \
		RDA_ARG_NUMBER("count", (latency)->count),                                         \
		RDA_ARG_TIME("p99_ns", rda_latency_percentile(latency, 99)),                       \
		RDA_ARG_TIME("max_ns", (latency)->max)

/* How long the first `count` of the slowest ACKs were waited for beyond `usual_ns`. They may have
 * been waited for together, which costs the time once. */
static int64_t late_time(const struct rda_messages *m, unsigned count, int64_t usual_ns)
{
	int64_t total_ns = 0, next_ns = INT64_MAX;
	bool done[RDA_SLOW_ACKS] = {false};

	/* the latest first: what of a wait lies behind the beginning of a later one counts already
	 */
	for (unsigned n = 0; n < count; n++) {
		unsigned latest = count;
		int64_t begin_ns;

		for (unsigned i = 0; i < count; i++)
			if (!done[i] && (latest == count ||
					 m->slow_acks[i].time_ns > m->slow_acks[latest].time_ns))
				latest = i;
		done[latest] = true;
		begin_ns =
			m->slow_acks[latest].time_ns - (m->slow_acks[latest].latency_ns - usual_ns);
		total_ns = rda_ns_sum(
			total_ns, MAX(MIN(m->slow_acks[latest].time_ns, next_ns) - begin_ns, 0));
		next_ns = MIN(next_ns, begin_ns);
	}
	return total_ns;
}

/* T04 */
static bool latency_outlier(struct rda_judge *judge, const struct rda_flow *flow,
			    const struct rda_messages *m)
{
	int64_t median = rda_latency_percentile(&m->acks, 50), limit;
	struct rda_finding *finding = NULL;
	unsigned i;
	uint64_t count;

	if (m->acks.count < OUTLIER_MIN)
		return false;
	limit = MAX(rda_ns_times(median, OUTLIER_TIMES), OUTLIER_MIN_NS);
	if (m->acks.max <= limit)
		return false;
	limit = MAX(limit, rda_ns_sum(median, rda_ns_times(rda_latency_deviation(&m->acks, median),
							   OUTLIER_DEVIATIONS)));
	if (m->acks.max <= limit)
		return false;
	count = MAX(rda_latency_above(&m->acks, limit), 1);
	for (i = 0; i < m->slow_ack_count && m->slow_acks[i].latency_ns > limit; i++) {
		finding = rda_finding_add_as(
			&judge->findings, RDA_CHECK_T04,
			m->acks.max >= OUTLIER_LONG_NS ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
			RDA_PROOF_SUSPECTED, rda_about_flow(flow), m->slow_acks[i].request_frame);
		rda_finding_frame(finding, m->slow_acks[i].ack_frame);
		finding->count--;
	}
	if (!finding) /* none of the slowest is kept: there would be none to show */
		return false;
	finding->count += count;
	finding->cost_ns = late_time(m, i, median);
	rda_finding_say(finding, RDA_SAY_T04_LATE, RDA_ARG_NUMBER("late", count),
			RDA_ARG_NUMBER("acks", m->acks.count), RDA_ARG_TIME("max_ns", m->acks.max),
			RDA_ARG_TIME("median_ns", median));
	return true;
}

/* T01 */
static void ack_latency(struct rda_judge *judge, const struct rda_flow *flow,
			const struct rda_messages *m)
{
	struct rda_finding *finding;

	if (!has_tail(&m->acks))
		return;
	finding = find(judge, RDA_CHECK_T01, flow, m->slow_acks[0].request_frame);
	rda_finding_frame(finding, m->slow_acks[0].ack_frame);
	rda_finding_say(finding, RDA_SAY_T01_TAIL, TAIL(&m->acks));
}

/* T02 */
static void read_latency(struct rda_judge *judge, const struct rda_flow *flow,
			 const struct rda_messages *m)
{
	const struct rda_latency *latency = rda_messages_of(m, RDA_MESSAGE_READ);

	if (!has_tail(latency))
		return;
	rda_finding_say(find(judge, RDA_CHECK_T02, flow, example(m, RDA_MESSAGE_READ)),
			RDA_SAY_T02_TAIL, TAIL(latency),
			RDA_ARG_TIME("first_response_ns",
				     rda_latency_percentile(rda_messages_first(m), 50)));
}

/* T03 */
static void atomic_latency(struct rda_judge *judge, const struct rda_flow *flow,
			   const struct rda_messages *m)
{
	const struct rda_latency *latency = rda_messages_of(m, RDA_MESSAGE_ATOMIC);

	if (has_tail(latency))
		rda_finding_say(find(judge, RDA_CHECK_T03, flow, example(m, RDA_MESSAGE_ATOMIC)),
				RDA_SAY_T03_TAIL, TAIL(latency));
}

void rda_latency_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_messages *m = rda_account_messages(flow);

	if (!m)
		return;
	/* one of the two says it */
	if (!latency_outlier(judge, flow, m))
		ack_latency(judge, flow, m);
	read_latency(judge, flow, m);
	atomic_latency(judge, flow, m);
}

/* ---- replies --------------------------------------------------------------------------------- */

void rda_turns_cleanup(struct rda_turns *turns)
{
	rda_latency_cleanup(&turns->replies);
}

static void note_reply(struct rda_turns *turns, const struct rda_at *at)
{
	int64_t ns = at->meta->time_ns - turns->said_ns;

	if (turns->replies.count == 0 || ns > turns->replies.max) {
		turns->slowest_said = turns->said_at;
		turns->slowest_reply = at->place;
	}
	rda_latency_add(&turns->replies, ns);
}

RDA_APART void rda_turns_packet(struct rda_turns *own, struct rda_turns *peers,
				const struct rda_at *at)
{
	uint16_t roles = at->packet->opcode->roles;

	if (peers && peers->said && roles & RDA_ROLE_USES_RECEIVE) {
		/* of several nobody knows which it is the reply to */
		if (peers->said == 1)
			note_reply(peers, at);
		peers->said = 0;
	}
	if (roles & RDA_ROLE_LAST) {
		own->said++;
		own->said_ns = at->meta->time_ns;
		own->said_at = at->place;
	}
}

RDA_APART void rda_turns_data(struct rda_turns *peers)
{
	peers->said = 0;
}

/* T08 */
static void think_time(const struct rda_turns *turns, struct rda_judge *judge,
		       const struct rda_flow *flow, int64_t answer)
{
	int64_t reply = rda_latency_percentile(&turns->replies, 50);
	struct rda_finding *finding;

	if (turns->replies.count < REPLIES_MIN ||
	    reply < MAX(REPLY_MIN_NS, rda_ns_times(answer, REPLY_TIMES)))
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_T08, rda_about_flow(flow),
				  turns->slowest_said);
	rda_finding_frame(finding, turns->slowest_reply);
	rda_finding_say(finding, RDA_SAY_T08_REPLY, RDA_ARG_TIME("reply_ns", reply),
			RDA_ARG_NUMBER("replies", turns->replies.count),
			RDA_ARG_TIME("ack_ns", answer));
}

void rda_turns_end(const struct rda_turns *turns, struct rda_judge *judge,
		   const struct rda_flow *flow)
{
	const struct rda_messages *m = rda_account_messages(flow);

	if (m && m->acks.count)
		think_time(turns, judge, flow, rda_latency_percentile(&m->acks, 50));
}
