/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M09, A16: retries until the end; track/roce/giveup.h knows when they are. A02: those without end,
 * and what nobody answers at all.
 */
#include "analyzer/checks/answer/giveup.h"

#include "analyzer/base/psn.h"

#include <glib.h>

/* Whether its silence ends where its QP is set up anew; else the capture ends. */
#define ANEW(flow) RDA_ARG_FLAG("anew", rda_flow_rare(flow)->closed_place != 0)

/* What the application is told. */
#define STATUS                                                                                     \
	RDA_ARG_WORD("completion_status", "IBV_WC_RETRY_EXC_ERR"), RDA_ARG_NUMBER("status", 12)

/* The vendor_err of a completion in which ConnectX says that it gave up. */
enum { CONNECTX_RETRY_EXCEEDED = 0x81 };

/* Whether the latest NAK asks for a PSN below all that was sent here. */
static bool asks_for_older(const struct rda_flow *flow)
{
	const struct rda_nak_watch *nak = rda_answer_watched(flow)->nak;

	return nak && nak->place && nak->psn < rda_psn_first(flow->first_psn);
}

/* What the other side last said: arguments. */
static void last_word(const struct rda_flow *flow, struct rda_argument word[2])
{
	const struct rda_progress *r = rda_account_progress(flow->account);
	const struct rda_nak_watch *nak = rda_answer_watched(flow)->nak;

	word[1] = RDA_ARG_NONE;
	if (asks_for_older(flow)) {
		word[0] = RDA_ARG_PSN("asked_psn", nak->psn);
		word[1] = RDA_ARG_SIGNED("below", rda_psn_first(flow->first_psn) - nak->psn);
	} else if (nak && nak->dead) {
		word[0] = RDA_ARG_PSN("refused_psn", nak->dead_psn);
		word[1] = RDA_ARG_HEX("syndrome", nak->syndrome, 2);
	} else if (r->acked_frame) {
		word[0] = RDA_ARG_PSN("acked_psn", r->acked - 1);
		word[1] = RDA_ARG_TIME("acked_before_ns",
				       rda_giveup_of(flow)->retries.tries.last_ns - r->acked_ns);
	} else {
		word[0] = RDA_ARG_FLAG("host_seen", false); /* told overall */
	}
}

void rda_giveup_tells_of_timeouts(struct rda_judge *judge, const struct rda_flow *flow,
				  enum rda_check by)
{
	struct rda_finding *timeouts =
		rda_finding_find(&judge->findings, RDA_CHECK_S04, rda_about_flow(flow));

	if (!timeouts || timeouts->count > rda_giveup_of(flow)->retries.timeouts)
		return;
	timeouts->severity = RDA_SEVERITY_NOTE;
	rda_finding_explain(timeouts, by, rda_about_flow(flow));
}

/* Packets of either side that were acknowledged, and that the capture missed. */
static uint64_t missed_of(const struct rda_flow *flow)
{
	return rda_account_counts(flow)->lost_by_capture +
	       rda_account_counts(flow->peer)->lost_by_capture;
}

/*
 * QPs are mostly set up to resend seven times, rarely fewer than three. Who does so once or twice
 * and then no more may have got an answer that the capture missed, or was closed meanwhile: that as
 * many are all that CM allows happens by chance. One more where no answers are captured at all.
 */
enum { FEW_RESENDS = 2 };

/*
 * Why who resends as one that gives up may not have: arguments of M09 that make it milder.
 * inside: the capture misses what was sent before; nor has it what answered, perhaps
 * few: resends
 * put_off: by RNR NAKs that the capture missed
 * uneven: no timer waits so; something came in between
 */
#define DOUBTS(X) X(inside) X(few) X(put_off) X(uneven)

#define DOUBT_MEMBER(name) bool name;
struct doubts {
	DOUBTS(DOUBT_MEMBER)
};

#define DOUBT_NAME(name) #name,
static const char *const doubt_names[] = {DOUBTS(DOUBT_NAME)};

/* Multiples of one time, to so many per cent of it: some of these were missed by the capture. */
enum { EVEN_PERCENT = 15, HALF_AS_LONG_AGAIN = 150 };

static bool are_multiples(const struct rda_tries *tries, int64_t shortest_ns)
{
	int64_t margin_ns = shortest_ns / 100 * EVEN_PERCENT;

	for (uint32_t i = 1; i < MIN(tries->count, RDA_TRIES_KEPT); i++) {
		int64_t rest_ns = (tries->at_ns[i] - tries->at_ns[i - 1]) % shortest_ns;

		if (rest_ns > margin_ns && rest_ns < shortest_ns - margin_ns)
			return false;
	}
	return true;
}

/* Timers that back off take twice as long each time, or somewhat more where hosts are late. */
static bool is_uneven(const struct rda_schedule *schedule, const struct rda_tries *tries,
		      int64_t shortest_ns, int64_t longest_ns)
{
	int64_t grown_ns = shortest_ns;

	if (shortest_ns < 100 || longest_ns / HALF_AS_LONG_AGAIN < shortest_ns / 100)
		return false;
	for (uint32_t i = 2; i < tries->count; i++)
		grown_ns = rda_ns_sum(rda_ns_times(grown_ns, 2), grown_ns / 2);
	if (schedule->timer == RDA_TIMER_GROWING)
		return longest_ns > grown_ns;
	return schedule->timer == RDA_TIMER_UNKNOWN && !are_multiples(tries, shortest_ns);
}

static struct doubts doubts_of(const struct rda_judge *judge, const struct rda_flow *flow,
			       const struct rda_gave_up *gave_up)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	const struct rda_nak_watch *nak = rda_answer_watched(flow)->nak;
	const struct rda_tries tries = rda_giveup_timer_tries(&giveup->retries);
	/* who refused something, or asks for what is older, answers nothing; and who is set up anew
	 * had a reason */
	bool known =
		(nak && nak->dead) || asks_for_older(flow) || rda_flow_rare(flow)->closed_place;
	bool few = !known && tries.count <= FEW_RESENDS + (flow->peer ? 0 : 1);
	int64_t shortest_ns, longest_ns;

	rda_tries_waits(&tries, &shortest_ns, &longest_ns);
	return (struct doubts){
		.inside = asks_for_older(flow) && rda_judge_began_inside(judge, flow),
		.few = few,
		.put_off = !known && rda_giveup_may_be_put_off(giveup, shortest_ns) &&
			   rda_giveup_may_be_put_off(giveup, longest_ns),
		.uneven = !known && !few &&
			  is_uneven(&gave_up->schedule, &tries, shortest_ns, longest_ns),
	};
}

static bool is_doubted(const struct rda_finding *finding)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(doubt_names); i++) {
		const struct rda_argument *doubt =
			rda_finding_find_argument(finding, doubt_names[i]);

		if (doubt && doubt->number)
			return true;
	}
	return false;
}

/* Before the latest progress, which began the tries at hand, it may have been sent in other runs.
 */
static uint64_t times_sent(const struct rda_retries *g, const struct rda_sent *record)
{
	return MAX(g->tries.count + 1, record ? record->sent : 0);
}

/* The waits between transmissions; returns the first where that is none as those that follow, as
 * the timer may begin later; 0: it is one, or what was sent in between is not known. */
static int64_t waits_of(const struct rda_retries *g, const struct rda_sent *record,
			int64_t first_ns, int64_t *shortest_ns, int64_t *longest_ns)
{
	int64_t wait_ns = g->tries.at_ns[0] - first_ns;

	rda_tries_waits(&g->tries, shortest_ns, longest_ns);
	if (wait_ns <= 0 || times_sent(g, record) > g->tries.count + 1 ||
	    (wait_ns >= *shortest_ns && wait_ns <= *longest_ns))
		return 0;
	if (g->tries.count > 1)
		return wait_ns;
	*shortest_ns = *longest_ns = wait_ns;
	return 0;
}

/* Whether NAKs asked for what is sent again and again since it was sent first: it never got in. */
static bool asked_for(const struct rda_flow *flow, const struct rda_retries *g, int64_t first_ns)
{
	const struct rda_nak_watch *nak = rda_answer_watched(flow)->nak;

	return nak && nak->place && nak->psn == g->psn && nak->time_ns >= first_ns;
}

#define DOUBT_ARGUMENT(name) RDA_ARG_FLAG(#name, doubts.name),

/*
 * M09: nothing answered, and the QP fell silent. Suspected at best, as the last try may have been
 * answered all the same.
 */
static void retry_budget_spent(struct rda_judge *judge, const struct rda_flow *flow,
			       const struct rda_gave_up *gave_up)
{
	const struct rda_retries *g = &rda_giveup_of(flow)->retries;
	const struct rda_schedule *schedule = &gave_up->schedule;
	const struct rda_progress *r = rda_account_progress(flow->account);
	const struct rda_sent *record = rda_account_sent(flow->account, g->psn);
	uint64_t missed = missed_of(flow);
	const struct doubts doubts = doubts_of(judge, flow, gave_up);
	struct rda_finding *finding =
		rda_finding_add_as(&judge->findings, RDA_CHECK_M09,
				   g->was_answered ? RDA_SEVERITY_WARNING : RDA_SEVERITY_ERROR,
				   RDA_PROOF_SUSPECTED, rda_about_flow(flow), g->last_place);
	bool adaptive = schedule->timer == RDA_TIMER_ADAPTIVE;
	int64_t last_ns = g->tries.last_ns,
		first_ns = record ? record->first_ns : g->tries.at_ns[0];
	int64_t shortest_ns, longest_ns, first_wait_ns;
	struct rda_argument word[2];

	for (uint32_t i = 0; i < RDA_RETRIES_KEPT; i++)
		rda_finding_frame(finding, g->places[i]);
	rda_finding_frame(finding, r->acked_frame);
	if (asks_for_older(flow))
		rda_finding_frame(finding, rda_answer_watched(flow)->nak->place);
	finding->cost_ns = last_ns - first_ns;
	last_word(flow, word);
	first_wait_ns = waits_of(g, record, first_ns, &shortest_ns, &longest_ns);
	rda_finding_say(
		finding, RDA_SAY_M09_SPENT, RDA_ARG_PSN("psn", g->psn),
		RDA_ARG_IF(record && record->roles,
			   RDA_ARG_WORD("opcode", rda_opcode(record->opcode)->name)),
		RDA_ARG_NUMBER("transmissions", times_sent(g, record)),
		RDA_ARG_IF(first_wait_ns, RDA_ARG_TIME("first_wait_ns", first_wait_ns)),
		RDA_ARG_TIME("shortest_ns", shortest_ns), RDA_ARG_TIME("longest_ns", longest_ns),
		RDA_ARG_TIME("took_ns", finding->cost_ns),
		RDA_ARG_FLAG("answered", g->was_answered),
		RDA_ARG_IF(asked_for(flow, g, first_ns),
			   RDA_ARG_FRAME("nak_frame", rda_answer_watched(flow)->nak->place)),
		RDA_ARG_TIME("silence_ns", gave_up->silence_ns), ANEW(flow),
		RDA_ARG_IF(adaptive, RDA_ARG_NUMBER("adaptive", schedule->adaptive)),
		RDA_ARG_IF(adaptive && schedule->regular,
			   RDA_ARG_NUMBER("regular", schedule->regular)),
		RDA_ARG_IF(gave_up->knows_time, RDA_ARG_MOMENT("gave_up_time", gave_up->time_ns)),
		RDA_ARG_IF(gave_up->knows_time,
			   RDA_ARG_SIGNED("gave_up_time_ns", gave_up->time_ns)),
		RDA_ARG_IF(gave_up->knows_time,
			   RDA_ARG_TIME("gave_up_after_ns", gave_up->time_ns - first_ns)),
		STATUS, RDA_ARG_IF(adaptive, RDA_ARG_HEX("vendor_err", CONNECTX_RETRY_EXCEEDED, 2)),
		RDA_ARG_FLAG("counted", gave_up->counted),
		RDA_ARG_IF(gave_up->budget >= 0, RDA_ARG_SIGNED("retry_count", gave_up->budget)),
		word[0], word[1],
		DOUBTS(DOUBT_ARGUMENT) RDA_ARG_IF(missed, RDA_ARG_NUMBER("missed", missed)));
	/* of connections that are closed early this is the last word: else rda_giveup_overall */
	if (is_doubted(finding))
		finding->severity = RDA_SEVERITY_WARNING;
	rda_giveup_tells_of_timeouts(judge, flow, RDA_CHECK_M09);
}

/* M09: NAKs spent what CM allows, or the last of them is not obeyed, and the QP fell silent. */
static void naks_spent(struct rda_judge *judge, const struct rda_flow *flow,
		       const struct rda_gave_up *gave_up)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	const struct rda_nak_watch *nak = rda_answer_watched(flow)->nak;
	struct rda_finding *finding = rda_finding_add(&judge->findings, RDA_CHECK_M09,
						      rda_about_flow(flow), giveup->spent_place);

	if (nak)
		rda_finding_frame(finding, nak->place);
	rda_finding_say(
		finding, RDA_SAY_M09_NAKS,
		RDA_ARG_PSN("psn", rda_account_progress(flow->account)->acked),
		RDA_ARG_NUMBER("runs", giveup->spent),
		RDA_ARG_TIME("silence_ns", gave_up->silence_ns),
		RDA_ARG_TIME("timer_ns", gave_up->timer_ns),
		RDA_ARG_FLAG("counted", gave_up->counted),
		RDA_ARG_IF(gave_up->budget >= 0, RDA_ARG_SIGNED("retry_count", gave_up->budget)),
		STATUS);
}

/*
 * A16: put off until the QP gave up. Where CM does not say after how many RNR NAKs that is, nothing
 * tells its silence from a way to here that died meanwhile: no error then. Nor where one of them
 * may have been another answer, that came damaged; or before the timer of a sender that the last
 * one did not reach would have expired.
 */
static void rnr_budget_spent(struct rda_judge *judge, const struct rda_flow *flow,
			     const struct rda_gave_up *gave_up)
{
	const struct rda_put_off *rnr = &rda_giveup_of(flow)->put_off;
	const struct rda_sent *record = rda_account_sent(flow->account, rnr->psn);
	const struct rda_rnr_watch *watch = rda_answer_watched(flow)->rnr;
	bool certain = gave_up->counted && gave_up->timer_over;
	struct rda_finding *finding =
		rda_finding_of_bytes(judge, certain && watch && watch->same_checked, RDA_CHECK_A16,
				     rda_about_flow(flow), rnr->place);

	if (record)
		rda_finding_frame(finding, record->last_frame);
	rda_finding_say(
		finding, RDA_SAY_A16_SPENT, RDA_ARG_PSN("psn", rnr->psn),
		RDA_ARG_NUMBER("rnr_naks", rnr->same),
		RDA_ARG_TIME("asked_ns", rda_aeth_rnr_ns(rnr->syndrome)),
		RDA_ARG_TIME("silence_ns", gave_up->silence_ns), ANEW(flow),
		RDA_ARG_FLAG("certain", certain), RDA_ARG_FLAG("counted", gave_up->counted),
		RDA_ARG_IF(gave_up->budget >= 0, RDA_ARG_SIGNED("retry_count", gave_up->budget)));
}

/* A READ or ATOMIC that an ACK passed, was asked again and got nothing; false: there is none. */
static bool asked_again(const struct rda_flow *flow, struct rda_sent *found)
{
	const struct rda_pending *oldest = rda_account_waiting(flow->account, 0);
	const struct rda_sent *sent;

	/* behind a later answer it is no more: the capture missed its own */
	if (!oldest || !oldest->resent || rda_answer_watched(flow)->answered_psn >= oldest->end)
		return false;
	sent = rda_account_sent(flow->account, oldest->expected);
	if (sent)
		*found = *sent;
	return sent != NULL;
}

/* The oldest packet that was seen, asks for an answer and has none; false: there is none. */
static bool oldest_unanswered(const struct rda_flow *flow, struct rda_sent *found)
{
	const uint16_t answered =
		RDA_ROLE_READ | RDA_ROLE_ATOMIC | RDA_ROLE_FLUSH | RDA_ROLE_ATOMIC_WRITE;

	for (uint32_t i = 0; rda_account_outstanding(flow->account, i, found); i++)
		if (found->roles && (found->ack_req || found->roles & answered))
			return true;
	return asked_again(flow, found);
}

/* Sent again as often as any retry count allows, and more. */
static bool is_endless(const struct rda_gave_up *gave_up)
{
	return gave_up->kind == RDA_GIVEUP_UNENDING || gave_up->kind == RDA_GIVEUP_GOES_ON;
}

/* What was sent again without end; else the oldest that is unanswered. */
static bool unanswered(const struct rda_flow *flow, const struct rda_gave_up *gave_up,
		       struct rda_sent *found)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	const struct rda_sent *again =
		is_endless(gave_up) ? rda_account_sent(flow->account, giveup->retries.psn) : NULL;

	if (!oldest_unanswered(flow, found))
		return false;
	if (again && again->seen)
		*found = *again;
	return true;
}

/* T07 tells of those. */
static bool has_no_timer(const struct rda_flow *flow)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);

	return limits && limits->ack_timeout == 0;
}

static void say_endless(struct rda_finding *finding, const struct rda_gave_up *gave_up,
			const struct rda_giveup *giveup, const struct rda_sent *record,
			int64_t quiet_ns, const struct rda_flow *flow)
{
	uint64_t sent = giveup->retries.tries.count + 1;

	if (gave_up->kind == RDA_GIVEUP_UNENDING)
		rda_finding_say(finding, RDA_SAY_A02_UNENDING, RDA_ARG_PSN("psn", record->begin),
				RDA_ARG_WORD("opcode", rda_opcode(record->opcode)->name),
				RDA_ARG_NUMBER("sent", sent),
				RDA_ARG_TIME("took_ns", finding->cost_ns),
				RDA_ARG_TIME("silence_ns", quiet_ns), ANEW(flow));
	else
		rda_finding_say(finding, RDA_SAY_A02_GOES_ON, RDA_ARG_PSN("psn", record->begin),
				RDA_ARG_WORD("opcode", rda_opcode(record->opcode)->name),
				RDA_ARG_NUMBER("sent", sent),
				RDA_ARG_TIME("took_ns", finding->cost_ns), ANEW(flow));
}

/*
 * It was sent once, and its sender had the time to send it again, as one does that lives and has no
 * answer. A retry count of 0 allows none: that one gives up in silence.
 */
static bool was_not_sent_again(const struct rda_flow *flow, const struct rda_giveup *giveup,
			       const struct rda_sent *record, int64_t quiet_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);

	return record->first_frame == record->last_frame && !(giveup && giveup->spent) &&
	       !(limits && limits->retry_count == 0) && quiet_ns > rda_cm_longest_timer_of(flow);
}

/* A02: asked, and nobody answers. */
static void request_unanswered(struct rda_judge *judge, const struct rda_flow *flow,
			       const struct rda_gave_up *gave_up)
{
	const struct rda_nak_watch *nak = rda_answer_watched(flow)->nak;
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	const struct rda_progress *progress = rda_account_progress(flow->account);
	struct rda_finding *finding;
	struct rda_sent record;
	int64_t quiet;
	bool once;

	if (!unanswered(flow, gave_up, &record) || (nak && nak->dead) ||
	    (giveup && giveup->put_off.open))
		return;
	if (rda_cm_disconnected(judge->whole.cm, flow, record.first_ns))
		return; /* M10 tells what was outstanding then */
	/* its answers may take another way; but then it would not be sent again and again */
	if (!flow->peer && !is_endless(gave_up))
		return;
	quiet = rda_flow_until(flow, rda_watched_until(judge, record.last_frame)) -
		progress->last_ns;
	if (quiet < RDA_UNANSWERED_NS && !is_endless(gave_up))
		return;
	once = !is_endless(gave_up) && was_not_sent_again(flow, giveup, &record, quiet);
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_A02,
				     once || has_no_timer(flow) ? RDA_SEVERITY_NOTE
								: RDA_SEVERITY_WARNING,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow), record.last_frame);
	rda_finding_frame(finding, record.first_frame);
	rda_finding_frame(finding, progress->acked_frame);
	finding->cost_ns = record.last_ns - record.first_ns;
	if (is_endless(gave_up)) {
		rda_giveup_tells_of_timeouts(judge, flow, RDA_CHECK_A02);
		say_endless(finding, gave_up, giveup, &record, quiet, flow);
	} else {
		rda_finding_say(
			finding, RDA_SAY_A02_ASKED, RDA_ARG_PSN("psn", record.begin),
			RDA_ARG_WORD("opcode", rda_opcode(record.opcode)->name),
			RDA_ARG_TIME("silence_ns", quiet), ANEW(flow),
			RDA_ARG_IF(once, RDA_ARG_FLAG("agreed", rda_cm_ack_timeout_of(flow) >= 0)),
			RDA_ARG_IF(once, RDA_ARG_TIME("timer_ns", rda_cm_longest_timer_of(flow))));
	}
}

void rda_giveup_end(struct rda_judge *judge, const struct rda_flow *flow,
		    const struct rda_gave_up *gave_up)
{
	if (gave_up->kind == RDA_GIVEUP_RETRY)
		retry_budget_spent(judge, flow, gave_up);
	else if (gave_up->kind == RDA_GIVEUP_NAKS)
		naks_spent(judge, flow, gave_up);
	else if (gave_up->kind == RDA_GIVEUP_RNR)
		rnr_budget_spent(judge, flow, gave_up);
	else
		request_unanswered(judge, flow, gave_up);
}

/* M09: packets of the host that never answered may be of other connections. */
void rda_giveup_overall(struct rda_judge *judge)
{
	for (uint32_t i = 0; i < judge->findings.table.count; i++) {
		struct rda_finding *finding = judge->findings.table.items[i];
		const struct rda_flow_facts *flow;
		bool seen, doubted;

		if (finding->key.check != RDA_CHECK_M09 || finding->key.overall)
			continue;
		flow = judge->overall->flows[finding->key.subject.index];
		seen = rda_overall_host(judge->overall, &flow->key.destination)->packets_sent;
		rda_finding_set_flag(finding, "host_seen", seen);
		/* who is put off again and again, or is set up anew with the PSNs it had, sends the
		 * same: only the other direction tells, and it may be another one, or missing */
		doubted = !seen || is_doubted(finding) ||
			  rda_overall_peer_is_guess(judge->overall, flow->connection);
		finding->severity = doubted ? RDA_SEVERITY_WARNING : finding->key.severity;
	}
}
