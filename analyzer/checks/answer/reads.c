/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A22: the number of READs and ATOMICs under way; reads.h has the idea. A24: what is to be answered
 * like a READ, and is not.
 */
#include "analyzer/checks/answer/reads.h"

#include <glib.h>

static struct rda_reads_watch *reads_of(const struct rda_at *at, struct rda_answer_watch *watch)
{
	const struct rda_cm_limits *limits;

	if (!watch->reads)
		watch->reads = g_new0(struct rda_reads_watch, 1);
	if (!watch->reads->allowed) {
		limits = rda_cm_limits_of(at->flow);
		watch->reads->allowed = limits && limits->reads > 0 ? limits->reads : -1;
	}
	return watch->reads;
}

/* Whether all that wait, and the one at hand, are known to be what was sent. */
static bool are_checked(const struct rda_at *at)
{
	const struct rda_pending *waiting;
	const struct rda_sent *sent;

	for (uint32_t i = 0; (waiting = rda_account_waiting(at->flow->account, i)) != NULL; i++) {
		sent = rda_account_sent(at->flow->account, waiting->begin);
		if (waiting->frame != at->place &&
		    !(sent && rda_judge_was_checked(at, at->flow, sent)))
			return false;
	}
	return rda_judge_is_checked(at);
}

void rda_reads_request(const struct rda_at *at, struct rda_answer_watch *watch)
{
	struct rda_reads_watch *reads = reads_of(at, watch);
	const struct rda_pending *waiting;
	uint32_t allowed = reads->allowed < 0 ? UINT32_MAX : (uint32_t)reads->allowed;
	struct rda_reads_at_once now = {
		.psn = at->request->begin, .last = at->place, .time_ns = at->meta->time_ns};

	if (!rda_account_waiting(at->flow->account, MIN(reads->most.count, allowed)))
		return;
	/* answers come in order: what lies below one was answered, whether it was seen or not */
	for (uint32_t i = 0; (waiting = rda_account_waiting(at->flow->account, i)) != NULL; i++) {
		if (waiting->end <= watch->answered_psn + 1)
			continue;
		if (!now.count++) {
			now.first = waiting->frame;
			now.end = waiting->end;
		}
	}
	if (now.count > reads->most.count)
		reads->most = now;
	if (now.count > allowed && !reads->open.count) {
		now.checked = are_checked(at);
		reads->open = now;
	}
}

/*
 * Whether the case at hand shows more than the one that is kept. An answer that is not whole here
 * is an answer all the same, as those of READs mostly are where packets are cut.
 */
static bool shows_more(const struct rda_reads_watch *reads, int64_t later_ns, bool checked)
{
	bool sure = checked && later_ns >= RDA_MIRROR_NS;
	bool was_sure = reads->proof.checked && reads->later_ns >= RDA_MIRROR_NS;

	if (reads->times == 1 || sure != was_sure)
		return reads->times == 1 || sure;
	return later_ns > reads->later_ns;
}

void rda_reads_response(const struct rda_at *at, struct rda_reads_watch *reads, int64_t psn)
{
	int64_t later_ns = at->meta->time_ns - reads->open.time_ns;
	bool checked = reads->open.checked &&
		       (at->icrc == RDA_ICRC_CHECK_NONE || rda_judge_is_checked(at));

	if (psn + 1 < reads->open.end)
		return;
	/* of what was sent again it may be the second answer, and only this capture missed the
	 * first */
	if (psn + 1 == reads->open.end && !rda_account_was_sent_again(rda_asked(at), psn)) {
		reads->times++;
		if (shows_more(reads, later_ns, checked)) {
			reads->proof = reads->open;
			reads->proof.checked = checked;
			reads->answered = at->place;
			reads->later_ns = later_ns;
		}
	}
	reads->open.count = 0;
}

int32_t rda_reads_most(const struct rda_flow *flow)
{
	const struct rda_reads_watch *reads = rda_answer_watched(flow)->reads;

	return reads ? (int32_t)reads->most.count : 0;
}

/* A22: more than the two sides agreed on. Behind packets that the capture missed it may be another
 * connection of which the set-up is missing as well. */
static void too_many(struct rda_judge *judge, const struct rda_flow *flow,
		     const struct rda_reads_watch *reads)
{
	bool certain = reads->proof.checked && !rda_account_counts(flow)->lost_by_capture;
	bool in_order = !rda_requests_overtake(rda_account_counts(flow)) &&
			!rda_responses_overtake(rda_account_response_counts(flow));
	struct rda_finding *finding;

	if (in_order && reads->later_ns >= RDA_MIRROR_NS)
		finding = rda_finding_of_bytes(judge, certain, RDA_CHECK_A22, rda_about_flow(flow),
					       reads->proof.last);
	else
		finding = rda_finding_add_as(&judge->findings, RDA_CHECK_A22, RDA_SEVERITY_NOTE,
					     RDA_PROOF_SUSPECTED, rda_about_flow(flow),
					     reads->proof.last);
	finding->count = reads->times;
	rda_finding_frame(finding, reads->proof.first);
	rda_finding_frame(finding, reads->answered);
	rda_finding_say(finding, RDA_SAY_A22_AGREED, RDA_ARG_PSN("psn", reads->proof.psn),
			RDA_ARG_NUMBER("reads", reads->proof.count),
			RDA_ARG_SIGNED("agreed", reads->allowed));
}

/*
 * A22, a note: the set-up was seen and did not say how many, so nobody knows whether these were too
 * many. Responders refuse such a READ, or drop it; some serve it all the same.
 */
static void of_unknown_limit(struct rda_judge *judge, const struct rda_flow *flow,
			     const struct rda_reads_watch *reads)
{
	struct rda_finding *finding;

	if (reads->most.count < 2 || reads->allowed > 0 || !flow->pair ||
	    flow->pair->by != RDA_PAIRED_BY_EXCHANGE)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_A22, RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow), reads->most.last);
	rda_finding_frame(finding, reads->most.first);
	rda_finding_say(finding, RDA_SAY_A22_NOT_AGREED,
			RDA_ARG_NUMBER("reads", reads->most.count));
}

void rda_reads_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_reads_watch *reads = rda_answer_watched(flow)->reads;

	if (reads && reads->times)
		too_many(judge, flow, reads);
	else if (reads)
		of_unknown_limit(judge, flow, reads);
}

/* A24: the answer to a FLUSH or ATOMIC WRITE carries no data and is yet no ACK. One of what was
 * sent again below names the latest PSN. */
void rda_reads_acked(const struct rda_at *at, int64_t psn)
{
	const struct rda_account *account = rda_asked(at);
	const struct rda_sent *record;
	struct rda_finding *finding;

	if (!(rda_account_roles(account, psn) & (RDA_ROLE_FLUSH | RDA_ROLE_ATOMIC_WRITE)) ||
	    (rda_account_run_trigger(account) != RDA_TRIGGER_NONE &&
	     rda_account_run(account)->begin < psn))
		return;
	record = rda_account_sent(account, psn);
	finding = rda_finding_at(at, RDA_CHECK_A24);
	rda_finding_frame(finding, record->last_frame);
	rda_finding_say(finding, RDA_SAY_A24_ACK, RDA_ARG_PSN("psn", psn),
			RDA_ARG_WORD("opcode", rda_opcode(record->opcode)->name));
}
