/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies; check_latency.h has the figure.
 *
 * The numbers of every connection are in the tables (docs/output.md). Here is only what one should
 * look at: a few that took much longer than the rest.
 */
#include "analyzer/checks/time/latency.h"

#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

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
	return rda_find(&judge->findings, check, rda_about_flow(flow), place);
}

/* ---- the tail -------------------------------------------------------------------------------- */

static bool has_tail(const struct rda_latency *latency)
{
	return latency->count >= TAIL_MIN &&
	       rda_latency_percentile(latency, 99) >=
		       rda_ns_times(rda_latency_percentile(latency, 50), TAIL_TIMES);
}

/* "182 us (median of 1000), 1 in 100 more than 7.3 ms, at most 12 ms" */
static char *tail_text(const struct rda_latency *latency)
{
	char median[RDA_WORDS_TEXT], tail[RDA_WORDS_TEXT], most[RDA_WORDS_TEXT];
	GString *text = g_string_new(NULL);

	g_string_printf(text, "%s (median of %" PRIu64 "), 1 in 100 %s or more, at most %s",
			rda_words_time(median, rda_latency_percentile(latency, 50)), latency->count,
			rda_words_time(tail, rda_latency_percentile(latency, 99)),
			rda_words_time(most, latency->max));
	return g_string_free(text, FALSE);
}

static void say_tail(struct rda_finding *finding, const char *what,
		     const struct rda_latency *latency)
{
	char *text = tail_text(latency);

	rda_say(finding, "%s took %s.", what, text);
	g_free(text);
}

/* T04 */
static bool latency_outlier(struct rda_judge *judge, const struct rda_flow *flow,
			    const struct rda_messages *m)
{
	int64_t median = rda_latency_percentile(&m->acks, 50), limit;
	char usual[RDA_WORDS_TEXT], most[RDA_WORDS_TEXT];
	struct rda_finding *finding = NULL;
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
	for (unsigned i = 0; i < m->slow_ack_count && m->slow_acks[i].latency_ns > limit; i++) {
		finding = rda_find_as(
			&judge->findings, RDA_CHECK_T04,
			m->acks.max >= OUTLIER_LONG_NS ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
			RDA_PROOF_SUSPECTED, rda_about_flow(flow), m->slow_acks[i].request_frame);
		rda_finding_frame(finding, m->slow_acks[i].ack_frame);
		finding->cost_ns =
			rda_ns_sum(finding->cost_ns, m->slow_acks[i].latency_ns - median);
		finding->count--;
	}
	finding->count += count;
	rda_say(finding,
		"%" PRIu64 " of %" PRIu64
		" ACKs came much later than the others, the latest after %s "
		"where the median is %s, and nothing was resent meanwhile.",
		count, m->acks.count, rda_words_time(most, m->acks.max),
		rda_words_time(usual, median));
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
	say_tail(finding, "Acknowledgments", &m->acks);
}

/* T02 */
static void read_latency(struct rda_judge *judge, const struct rda_flow *flow,
			 const struct rda_messages *m)
{
	const struct rda_latency *latency = &m->latency[RDA_MESSAGE_READ];
	char first[RDA_WORDS_TEXT];
	char *text;

	if (!has_tail(latency))
		return;
	text = tail_text(latency);
	rda_say(find(judge, RDA_CHECK_T02, flow, example(m, RDA_MESSAGE_READ)),
		"READs took %s; %s of it (median) up to the first response.", text,
		rda_words_time(first, rda_latency_percentile(&m->first_response, 50)));
	g_free(text);
}

/* T03 */
static void atomic_latency(struct rda_judge *judge, const struct rda_flow *flow,
			   const struct rda_messages *m)
{
	if (has_tail(&m->latency[RDA_MESSAGE_ATOMIC]))
		say_tail(find(judge, RDA_CHECK_T03, flow, example(m, RDA_MESSAGE_ATOMIC)),
			 "ATOMICs", &m->latency[RDA_MESSAGE_ATOMIC]);
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

void rda_turns_packet(struct rda_turns *own, struct rda_turns *peers, const struct rda_at *at)
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

/* T08 */
static void think_time(const struct rda_turns *turns, struct rda_judge *judge,
		       const struct rda_flow *flow, int64_t answer)
{
	int64_t reply = rda_latency_percentile(&turns->replies, 50);
	char replied[RDA_WORDS_TEXT], acked[RDA_WORDS_TEXT];
	struct rda_finding *finding;

	if (turns->replies.count < REPLIES_MIN ||
	    reply < MAX(REPLY_MIN_NS, rda_ns_times(answer, REPLY_TIMES)))
		return;
	finding = find(judge, RDA_CHECK_T08, flow, turns->slowest_said);
	rda_finding_frame(finding, turns->slowest_reply);
	rda_say(finding,
		"The reply to a message came after %s (median of %" PRIu64
		"), its acknowledgment after %s: the rest was the peer's application.",
		rda_words_time(replied, reply), turns->replies.count,
		rda_words_time(acked, answer));
}

void rda_turns_end(const struct rda_turns *turns, struct rda_judge *judge,
		   const struct rda_flow *flow)
{
	const struct rda_messages *m = rda_account_messages(flow);

	if (m && m->acks.count)
		think_time(turns, judge, flow, rda_latency_percentile(&m->acks, 50));
}
