/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QP that was reset and set up again where the capture did not see it: what its requests tell.
 * They have PSNs that have nothing to do with those before, or go back to where the connection
 * began and ask for something else there.
 *
 *     PSN 100 WRITE of 9000 bytes | 109 SEND | ...    10 ms or more    PSN 100 SEND, or 7,000,000
 *     ---------- one connection ------------->                         the next one
 *
 * A requester sends again what it sent, so that no other request of the connection can have that
 * PSN. Nobody sets a QP up within the time of a resend; what asks for something else sooner, or
 * further on while something waits for its answer, is told as a mistake of its sender
 * (checks/sequence/resent.c). So is another payload further on, or of a QP that is in use: an
 * application may change what is under way. Where the next connection asks for the same as the one
 * before, its answers count messages from the beginning again (run.h). A few requests may be as
 * they were, wherever it begins: the first that is not tells it, if no answer since has counted on.
 */
#include "analyzer/track/roce/account.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/giveup.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/run_cause.h"
#include "dissectors/icrc.h"

#include <glib.h>

/* No adapter sends packets of one QP faster: 33 million a second. */
#define RDA_RESET_PACKET_NS 30

/* What the capture did not see was not sent so many times as fast as all that it saw. */
#define RDA_RESET_FASTER 16

/* All that passed is acknowledged. */
static bool is_settled(const struct rda_progress *progress)
{
	return progress->acked_frame && progress->acked == progress->next;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* What the window remembers of the request with this PSN. */
static bool recall_sent(const struct rda_window *window, int64_t psn, struct rda_sent *old)
{
	int64_t index = rda_window_find(window, psn);

	if (index < 0)
		return false;
	if (window->lean)
		rda_lean_record(window, index, old);
	else
		*old = *rda_window_at(window, index);
	return true;
}

/* The first request is remembered when the window has forgotten it. */
static bool recall_first(const struct rda_requester *r, int64_t psn, struct rda_sent *old)
{
	const struct rda_first_request *first = r->window.origin;

	if (!first || psn != first->psn)
		return false;
	*old = (struct rda_sent){
		.begin = psn,
		.end = psn + 1,
		.psn = psn,
		.va = first->va,
		.rkey = first->rkey,
		.length = first->length,
		.extra = first->extra,
		.icrc = first->icrc,
		.ip_id = first->ip_id,
		.opcode = first->opcode,
		.payload = first->payload,
		.roles = rda_opcode_roles[first->opcode],
		.ack_req = first->ack_req,
		.seen = 1,
	};
	return true;
}

/*
 * CM set it up and did not end it, or the other side had just answered or asked when the run began:
 * such a QP is in use, and another payload under an old PSN is a buffer that its application has
 * changed. What comes behind the run's first packet may be of the next connection (`begins`: that
 * is the packet at hand).
 */
static bool is_kept_up(const struct rda_flow *flow, int64_t time_ns, bool begins)
{
	if (rda_cm_keeps_up(flow))
		return true;
	return begins && flow->peer && time_ns - flow->peer->last_time_ns < RDA_SILENCE_NS;
}

/* Its ICRC is not the one that the packet before would have, with its own identification. */
static bool has_other_payload(const struct rda_flow *flow, const struct rda_posting *posting,
			      const struct rda_sent *old)
{
	uint32_t was;

	return posting->icrc_fits && old->icrc && flow->source_port_known &&
	       posting->packet->source_port == flow->source_port &&
	       rda_icrc_as(posting->frame, posting->packet, old->ip_id, old->ack_req, &was) &&
	       was != old->icrc;
}

/* Whether it asks for something else. A READ that is asked for again from its start is so whole;
 * what is remembered of one may be what was asked for from inside it. Another payload tells, too,
 * of whoever is not kept up, near the connection's beginning or behind a run's that was there. */
static bool is_other(const struct rda_flow *flow, const struct rda_posting *posting,
		     const struct rda_request *q, const struct rda_sent *old, bool near,
		     bool begins)
{
	struct rda_request_difference difference;

	switch (rda_request_compare(q, old, rda_account_mtu(flow), &difference)) {
	case RDA_DIFFERS_NOT: break;
	case RDA_DIFFERS_PERHAPS: return false;
	default: return true;
	}
	if (!(old->roles & RDA_ROLE_READ))
		return (near || (!begins && flow->account->requester.rare->run.perhaps_reset)) &&
		       q->begin < flow->account->requester.progress.acked &&
		       !is_kept_up(flow, posting->meta->time_ns, begins) &&
		       has_other_payload(flow, posting, old);
	return q->begin == old->psn && (q->va != old->va || q->length != old->length);
}

/* Whether its opcode or length alone tells that it asks for something else: the headers behind are
 * cut. */
static bool is_other_kind(const struct rda_request *q, const struct rda_sent *old, bool length)
{
	if (old->roles & RDA_ROLE_READ)
		return !(q->roles & RDA_ROLE_READ) && q->begin == old->begin;
	return q->opcode != old->opcode || (length && q->payload != old->payload);
}

/* The run at hand has shown it; of a READ perhaps a part that ends before this PSN. */
static bool has_shown(const struct rda_flow *flow, const struct rda_sent *old, int64_t psn)
{
	uint32_t mtu = rda_account_mtu(flow);

	if (old->ordinal < flow->account->requester.rare->run.ordinal)
		return false;
	return !(old->roles & RDA_ROLE_READ) || !mtu ||
	       psn < old->psn + MAX(((int64_t)old->length + mtu - 1) / mtu, 1);
}

/* From another UDP port than all before: a QP sends from one as long as it lives. */
static bool has_other_port(const struct rda_flow *flow, const struct rda_packet *packet)
{
	return flow->source_port_known && packet->source_port != flow->source_port;
}

/* The run at hand is the next connection where it asks for something else: behind a pause it began
 * near the beginning, or with anything that was answered, where no answer since tells otherwise,
 * nor connection management. */
static bool goes_on_anew(const struct rda_flow *flow)
{
	const struct rda_requester *r = &flow->account->requester;
	const struct rda_resend_run *run = &r->rare->run;

	return r->run.trigger != RDA_TRIGGER_NONE &&
	       (run->perhaps_reset ||
		(run->may_be_next && run->begin < run->answered && !rda_cm_keeps_up(flow)));
}

/*
 * Whether it asks for something else than was asked for with its PSN: first, or before the run that
 * it goes on with; or anywhere when all was taken, or the connection is at its end. Not where a
 * resend is due, unless it comes from another port.
 */
static bool asks_otherwise(const struct rda_flow *flow, const struct rda_posting *posting,
			   int64_t psn, bool paused)
{
	const struct rda_requester *r = &flow->account->requester;
	const struct rda_packet *packet = posting->packet;
	bool due = psn == MIN(r->progress.acked, r->progress.incomplete);
	bool near = rda_requester_is_beginning(r, psn);
	bool first = psn == MIN(r->begun.first, r->rare->lowest);
	bool begins = paused && (flow->over || ((is_settled(&r->progress) || near) &&
						(!due || first || has_other_port(flow, packet))));
	bool goes_on = goes_on_anew(flow);
	struct rda_request q = {
		.begin = psn,
		.end = psn + 1,
		.payload = packet->payload_length,
		.opcode = packet->bth.opcode,
		.roles = packet->opcode->roles,
	};
	struct rda_sent old;

	if ((!begins && !goes_on) ||
	    (!recall_sent(&r->window, psn, &old) && !recall_first(r, psn, &old)) || !old.seen ||
	    old.damaged || (!begins && has_shown(flow, &old, psn)))
		return false;
	if ((packet->present & packet->opcode->headers) != packet->opcode->headers)
		return is_other_kind(&q, &old, packet->payload_known);
	rda_request_headers(&q, packet, rda_account_mtu(flow));
	return is_other(flow, posting, &q, &old, near, begins);
}

/* ---- PSNs ------------------------------------------------------------------------------------ */

/*
 * Of so many PSNs that nothing shows nobody sent what lies between: not in that time, or not in the
 * way of all that passed.
 */
static bool outruns(const struct rda_flow *flow, int64_t psns, int64_t time_ns)
{
	const struct rda_requester *r = &flow->account->requester;
	int64_t silence_ns = time_ns - r->progress.last_ns;
	int64_t sent = MAX(r->progress.next - r->begun.first, 1);
	int64_t busy_ns = r->progress.last_ns - flow->first_time_ns;

	return psns > silence_ns / RDA_RESET_PACKET_NS ||
	       psns / sent - RDA_RESET_FASTER >
		       rda_ns_times(silence_ns / MAX(busy_ns, 1), RDA_RESET_FASTER);
}

/* Timers began twice with a request that got no answer: what precedes the capture, its sender knew
 * to be taken. Of what passed, the first packets of those runs may be lost. */
static bool was_known_taken(const struct rda_flow *flow, int64_t psn)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	const struct rda_retries *retries = giveup ? &giveup->retries : NULL;

	return retries && retries->timeouts >= 2 && !retries->answered && psn < retries->psn &&
	       psn + RDA_FIRST_PSNS < flow->account->requester.begun.first;
}

/* It goes on with a message, perhaps, and the latest one that passed is over, or did not pass: what
 * begins it was lost, if this is of another life. */
static bool may_lack_its_first(const struct rda_requester *r, const struct rda_posting *posting,
			       bool passed)
{
	struct rda_sent latest;
	bool known = recall_sent(&r->window, r->progress.next - 1, &latest);

	return posting->icrc_fits && (known ? latest.roles & RDA_ROLE_LAST : !passed);
}

/*
 * It begins so far behind the first request that nobody sends it again, or so far ahead that nobody
 * sent in the time since what would lie between: all that passed is acknowledged, or nothing did
 * for a while, as the requester gave up. While a READ waits for responses what precedes the capture
 * may be sent again, but not from so far behind as no requester runs ahead. Where it does not begin
 * a message, its first packets may be lost; or it is late, unless nothing passed for a while, and
 * it lies as far behind.
 */
static bool is_elsewhere(const struct rda_flow *flow, const struct rda_posting *posting,
			 int64_t psn, bool paused)
{
	const struct rda_requester *r = &flow->account->requester;
	const struct rda_progress *progress = &r->progress;
	bool waits = progress->incomplete != INT64_MAX && !rda_account_begins_here(flow);
	bool first = posting->packet->opcode->roles & RDA_ROLE_FIRST;
	bool begins = first || (is_settled(progress) && may_lack_its_first(r, posting, true));
	/* one of its first packets has overtaken the first */
	bool may_lead = posting->icrc_fits && rda_requester_overtakes(r);
	bool settled = is_settled(progress);
	int64_t margin = waits || !settled ? RDA_RESET_PSNS : 0;

	if (!settled && !paused)
		return false;
	if (psn < progress->next)
		return (paused && begins && was_known_taken(flow, psn)) ||
		       (paused && psn + RDA_RESET_PSNS < r->begun.first &&
			!rda_run_cause_asks_for(r, psn) && may_lack_its_first(r, posting, false)) ||
		       rda_requester_precedes(r, psn + margin, first || (begins && paused),
					      posting->meta->time_ns);
	return (begins || may_lead) && psn - progress->next > RDA_RESET_PSNS &&
	       !rda_account_is_expected(flow->account, psn) &&
	       outruns(flow, psn - progress->next, posting->meta->time_ns);
}

/* ---------------------------------------------------------------------------------------------- */

/* Beside what comes next. */
static int64_t psn_of(const struct rda_flow *flow, const struct rda_posting *posting)
{
	return rda_psn_widen(flow->account->requester.progress.next, posting->packet->bth.psn);
}

static bool is_paused(const struct rda_requester *r, const struct rda_posting *posting)
{
	return posting->meta->time_ns - rda_requester_sound_ns(r) >= RDA_SILENCE_NS;
}

bool rda_account_is_reset(const struct rda_flow *flow, const struct rda_posting *posting)
{
	const struct rda_requester *r = &flow->account->requester;
	int64_t psn = psn_of(flow, posting);
	bool paused = is_paused(r, posting);

	if (psn == r->progress.next)
		return false;
	return is_elsewhere(flow, posting, psn, paused) ||
	       (psn < r->progress.next && asks_otherwise(flow, posting, psn, paused));
}

bool rda_account_is_reset_after_end(const struct rda_flow *flow, const struct rda_posting *posting)
{
	const struct rda_requester *r = &flow->account->requester;
	int64_t psn = psn_of(flow, posting), ahead = psn - r->progress.next;

	if (!(posting->packet->opcode->roles & RDA_ROLE_FIRST))
		return false;
	return ABS(ahead) > RDA_RESET_PSNS ||
	       (ahead < 0 && asks_otherwise(flow, posting, psn, is_paused(r, posting)));
}

static void note_reset(struct rda_requester *r, const struct rda_request *q, bool silent)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;

	/* what was lost of the next connection's first packets is sent again by another run */
	if (run->perhaps_reset && r->run.trigger != RDA_TRIGGER_NONE && !silent) {
		run->untold = false; /* what answers count by now is no measure */
		return;
	}
	run->perhaps_reset = silent && rda_requester_is_beginning(r, q->begin);
	run->counted_anew = run->uncounted = false;
	run->from_far = q->begin + RDA_FIRST_PSNS < r->begun.first;
	run->untold =
		run->perhaps_reset && q->begin < MIN(r->progress.acked, r->progress.incomplete);
	rda_requester_rare(r)->counts.doubts.resets += run->untold;
	if (run->perhaps_reset && !run->wholes)
		run->resent = r->rare->counts.packets[RDA_REQUEST_RESENT];
}

void rda_run_note_reset(struct rda_requester *r, const struct rda_request *q)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;
	bool silent = q->time_ns - rda_requester_sound_ns(r) >= RDA_SILENCE_NS;

	/* whose QP is answered is in use */
	run->may_be_next = (silent && q->time_ns - r->heard->answers.any_ns >= RDA_SILENCE_NS) ||
			   (run->may_be_next && r->run.trigger != RDA_TRIGGER_NONE);
	note_reset(r, q, silent);
	run->from_start = run->perhaps_reset && q->begin <= r->begun.first;
}

/* The run at hand was the QP's next connection, as what it goes on with is not what was sent. */
static void was_reset(struct rda_requester *r)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;
	struct rda_run_doubts *doubts = &rda_requester_rare(r)->counts.doubts;

	if (!doubts->anew)
		doubts->before = run->resent;
	doubts->anew += MAX(run->wholes, 1);
	run->wholes = 0;
	run->anew = true;
}

void rda_account_was_reset(struct rda_flow *flow)
{
	struct rda_requester *r = flow->account ? &flow->account->requester : NULL;

	if (r && goes_on_anew(flow))
		was_reset(r);
}

bool rda_account_perhaps_anew(const struct rda_flow *asker)
{
	const struct rda_resend_run *run = rda_account_run(asker->account);

	return run->anew || run->untold;
}

bool rda_account_was_anew(const struct rda_flow *asker)
{
	const struct rda_run_doubts *doubts = &rda_account_counts(asker)->doubts;

	return doubts->anew || doubts->resets;
}

/*
 * CM set it up and did not end it, and what was sent first so long ago a timer may send again: the
 * capture would have seen it set up anew.
 */
static bool is_managed(const struct rda_flow *asker, int64_t psn)
{
	const struct rda_sent *sent = rda_account_sent(asker->account, psn);
	int timeout = rda_cm_ack_timeout_of(asker);
	int64_t longest_ns =
		timeout > 0 ? rda_cm_longest_timer_ns((unsigned)timeout) : RDA_CM_LONGEST_TIMER_NS;

	return rda_cm_keeps_up(asker) && sent &&
	       rda_account_run(asker->account)->ns - sent->sent_ns <= longest_ns;
}

bool rda_account_is_behind_silence(const struct rda_flow *asker, int64_t time_ns)
{
	return !rda_cm_keeps_up(asker) &&
	       time_ns - rda_requester_sound_ns(&asker->account->requester) >= RDA_SILENCE_NS;
}

enum rda_reset_life rda_account_life_of(const struct rda_flow *asker, int64_t psn, uint32_t msn,
					int64_t time_ns)
{
	const struct rda_resend_run *run = rda_account_run(asker->account);
	const struct rda_run_doubts *doubts = &rda_account_counts(asker)->doubts;
	int64_t begin = MIN(asker->account->requester.begun.first, run->begin);
	/* each PSN of the next connection ended one message at most */
	bool counts_on = msn > psn - begin + 1;
	bool earlier = doubts->anew || doubts->resets > run->untold;

	if (run->anew)
		return RDA_LIFE_NEXT;
	if (rda_account_is_behind_silence(asker, time_ns) && !counts_on)
		return RDA_LIFE_PERHAPS_NEXT;
	if (run->ns == RDA_NEVER_NS || is_managed(asker, psn))
		return RDA_LIFE_SAME;
	return earlier || ((run->from_start || run->untold) && !counts_on) ? RDA_LIFE_PERHAPS_NEXT
									   : RDA_LIFE_SAME;
}
