/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A: acknowledgments, NAKs and RNR NAKs; see checks.def. Here: what is acknowledged that was
 * not sent, and what was sent that is not acknowledged. The rest is in ack_order.c,
 * msn.c, nak.c, rnr.c, atomic.c, reads.c, and what is given up in giveup.c.
 */
#include "analyzer/checks/judge.h"

#include "analyzer/base/cold.h"
#include "analyzer/checks/answer/ack_order.h"
#include "analyzer/checks/answer/answer_order.h"
#include "analyzer/checks/answer/atomic.h"
#include "analyzer/checks/answer/giveup.h"
#include "analyzer/checks/answer/msn.h"
#include "analyzer/checks/answer/nak.h"
#include "analyzer/checks/answer/reads.h"
#include "analyzer/checks/answer/rnr.h"
#include "analyzer/base/psn.h"

#include <glib.h>

/* An ACK for each request packet is legal; so many times as many, and at least so many
 * ACKs, are not useful. */
enum { FLOOD_TIMES = 2, FLOOD_MIN = 100 };

struct rda_answer_state {
	struct rda_atomics atomics;
};

void rda_check_answer_begin(struct rda_judge *judge)
{
	judge->answer = g_new0(struct rda_answer_state, 1);
	rda_atomics_init(&judge->answer->atomics, judge->findings.table.seed);
}

void rda_check_answer_free(struct rda_judge *judge)
{
	if (judge->answer)
		rda_atomics_cleanup(&judge->answer->atomics);
	g_free(judge->answer);
}

/* The words that ATOMICs change are of keys, which are forgotten. */
void rda_check_answer_retire(struct rda_judge *judge, const struct rda_moved *moved)
{
	(void)moved;
	rda_atomics_cleanup(&judge->answer->atomics);
	rda_atomics_init(&judge->answer->atomics, judge->findings.table.seed);
}

void rda_check_answer_forget(struct rda_flow *flow)
{
	struct rda_answer_watch *watch = flow->watch.answer;

	if (!watch)
		return;
	g_free(watch->nak);
	g_free(watch->rnr);
	g_free(watch->ghost);
	g_free(watch->acks.odd);
	g_free(watch->late);
	g_free(watch->reads);
	g_free(watch->rnr_alone);
	g_free(watch);
}

RDA_COLD static struct rda_answer_watch *make_watch(struct rda_flow *asker)
{
	asker->watch.answer = g_new0(struct rda_answer_watch, 1);
	return asker->watch.answer;
}

static struct rda_answer_watch *watch_of(struct rda_flow *asker)
{
	return asker->watch.answer ? asker->watch.answer : make_watch(asker);
}

const struct rda_answer_watch *rda_answer_watched(const struct rda_flow *flow)
{
	static const struct rda_answer_watch none;

	return flow->watch.answer ? flow->watch.answer : &none;
}

/* ---- acknowledged, and never sent ------------------------------------------------------------ */

/* A01, of who acknowledged it: it was not lost by the capture: it is sent only now, or nothing near
 * it ever was. */
static struct rda_finding *ghost_ack(struct rda_judge *judge, const struct rda_flow *asker,
				     const struct rda_ghost_watch *ghost, enum rda_proof proof)
{
	/* a responder names the latest PSN that it has: its idea of them may be another */
	bool counts_none = rda_psn_narrow(ghost->msn) == 0 ||
			   !rda_account_progress(asker->account)->acked_frame;
	enum rda_severity severity = counts_none || ghost->perhaps_before ? RDA_SEVERITY_NOTE
				     : ghost->checked			  ? RDA_SEVERITY_ERROR
									  : RDA_SEVERITY_WARNING;
	struct rda_finding *finding =
		rda_finding_add_as(&judge->findings, RDA_CHECK_A01, severity,
				   ghost->checked ? proof : RDA_PROOF_SUSPECTED,
				   rda_about_flow(asker->peer), ghost->place);

	rda_finding_say(finding, RDA_SAY_A01_GHOST, RDA_ARG_PSN("psn", ghost->psn),
			RDA_ARG_PSN("highest_psn", ghost->begin - 1),
			RDA_ARG_FLAG("next", ghost->psn == ghost->begin),
			RDA_ARG_FLAG("perhaps_before", ghost->perhaps_before),
			RDA_ARG_FLAG("counts_none", counts_none));
	return finding;
}

/* A capture that begins inside a run of resends has none of what was sent before that; its ACK
 * counts more messages than any answer so far, and no run goes back so far. */
static bool may_be_sent_before(const struct rda_at *at, const struct rda_answer_watch *watch,
			       const struct rda_event *event)
{
	return event->count <= RDA_GHOST_PSNS &&
	       rda_account_began_before(at->asker->account, event->psn, event->time_ns) &&
	       (!watch->msn.known || rda_psn_widen(watch->msn.top, event->msn) > watch->msn.top);
}

/* Where a READ or ATOMIC that is not in the capture was answered before, that missed requests. */
static void note_ghost(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_answer_watch *watch = watch_of(at->asker);
	int64_t begin = event->psn + 1 - (int64_t)event->count;
	struct rda_ghost_watch *ghost;

	if (watch->answered_psn >= begin)
		return;
	if (!watch->ghost)
		watch->ghost = g_new0(struct rda_ghost_watch, 1);
	ghost = watch->ghost;
	if (ghost->open || ghost->disproved)
		return;
	*ghost = (struct rda_ghost_watch){
		.open = true,
		.checked = rda_judge_is_checked(at),
		.ahead = ghost->ahead,
		.perhaps_before = may_be_sent_before(at, watch, event),
		.begin = begin,
		.acked = rda_account_taken(at->asker->account),
		.psn = event->psn,
		.msn = event->msn,
		.time_ns = event->time_ns,
		.place = event->frame,
	};
}

/*
 * What is sent after it tells what it was: far ahead, a mistake. Nearer ones may be answers all the
 * same, where the two directions have clocks of their own, or take different times to the capture.
 */
RDA_COLD static void settle_ghost(const struct rda_at *at, struct rda_ghost_watch *ghost)
{
	int64_t begin = at->request->begin;

	if (at->original || begin < ghost->begin)
		return; /* older: tells nothing */
	ghost->open = false;
	ghost->ahead |= begin <= ghost->psn;
	if (!at->flow->peer || begin > ghost->psn ||
	    at->meta->time_ns - ghost->time_ns <= RDA_IN_FLIGHT_NS)
		return;
	if (ghost->psn + 1 - ghost->begin > RDA_GHOST_PSNS) {
		rda_finding_frame(ghost_ack(at->judge, at->flow, ghost, RDA_PROOF_PROVEN),
				  at->place);
		return;
	}
	ghost->late = true;
	ghost->late_psn = begin;
	ghost->late_place = at->place;
}

/*
 * An answer further down counts more messages: what lies between was not taken when the ACK was
 * made. One to what had been acknowledged by then is to a duplicate, and counts all that was done;
 * so may this be, where that passes here a little later.
 */
RDA_COLD static void disproved_ghost(const struct rda_at *at, struct rda_ghost_watch *ghost,
				     int64_t psn)
{
	if (psn >= ghost->begin || psn < ghost->acked ||
	    rda_psn_widen(ghost->msn, at->packet->aeth.msn) <= (int64_t)ghost->msn)
		return;
	ghost->open = false;
	ghost->disproved = true;
	ghost->once_more = at->packet->opcode->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC);
	ghost->other_psn = psn;
	ghost->other_ns = at->meta->time_ns;
	ghost->other_place = at->place;
}

static void tell_disproved(struct rda_judge *judge, const struct rda_flow *asker,
			   const struct rda_ghost_watch *ghost)
{
	rda_finding_frame(ghost_ack(judge, asker, ghost, RDA_PROOF_SUSPECTED), ghost->other_place);
}

/*
 * A request: the duplicate that the answer was to, where the tap shows requests late; or what was
 * acknowledged, which shows that it does so: one more answer to a READ or ATOMIC is always to a
 * duplicate. Or none came in time.
 */
RDA_COLD static void settle_disproved(const struct rda_at *at, struct rda_ghost_watch *ghost)
{
	const struct rda_request *q = at->request;
	bool in_time = at->meta->time_ns - ghost->other_ns <= RDA_IN_FLIGHT_NS;
	bool is_to_this = ghost->other_psn >= q->begin && ghost->other_psn < q->end;

	if (in_time && !is_to_this && !(ghost->once_more && q->end > ghost->psn))
		return;
	ghost->disproved = false;
	if (!in_time)
		tell_disproved(at->judge, at->flow, ghost);
}

/*
 * It is answered again, and that answer was made later than the first, by its MSN: the first one
 * was none, as it seems. Where the capture missed what it answered, and this is a resend, it was.
 */
RDA_COLD static void answered_anew(const struct rda_at *at, struct rda_ghost_watch *ghost,
				   int64_t psn)
{
	int64_t msn_by = rda_psn_widen(ghost->msn, at->packet->aeth.msn) - (int64_t)ghost->msn;

	if (psn < ghost->late_psn)
		return;
	ghost->late = false;
	if (psn < ghost->psn ? msn_by >= 0 : psn == ghost->psn && msn_by > 0)
		rda_finding_frame(ghost_ack(at->judge, at->asker, ghost, RDA_PROOF_SUSPECTED),
				  ghost->late_place);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* A13: a syndrome that means nothing. */
RDA_COLD static void reserved_syndrome(const struct rda_at *at)
{
	uint8_t syndrome = at->packet->aeth.syndrome;
	bool known_nak = rda_words(RDA_SET_SYNDROME, syndrome) != NULL;

	if (!(syndrome & 0x80) && rda_syndrome_kind(syndrome) != RDA_AETH_RESERVED &&
	    (rda_syndrome_kind(syndrome) != RDA_AETH_NAK || known_nak))
		return;
	rda_finding_say(rda_finding_by_bytes(at, RDA_CHECK_A13, rda_about_flow(at->flow)),
			RDA_SAY_A13_SYNDROME, RDA_ARG_HEX("syndrome", syndrome, 2));
}

/* What a request of any kind means to those that wait for one. */
static void request(const struct rda_at *at)
{
	struct rda_answer_watch *watch = at->flow->watch.answer;

	if (watch && watch->ghost && watch->ghost->open)
		settle_ghost(at, watch->ghost);
	if (watch && watch->ghost && watch->ghost->disproved)
		settle_disproved(at, watch->ghost);
	if (watch && watch->msn.credits)
		rda_msn_request(at, &watch->msn);
	if (watch && watch->nak)
		rda_nak_request(at, watch->nak);
	if (watch && watch->rnr)
		rda_rnr_request(at, watch->rnr);
	if (at->request->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC) && at->kind == RDA_REQUEST_NEW)
		rda_reads_request(at, watch_of(at->flow));
}

/* A request once more, which a mirror or the network made. */
RDA_COLD static void copied_request(const struct rda_at *at)
{
	const struct rda_answer_watch *watch = at->flow->watch.answer;

	if (watch && watch->ghost && watch->ghost->disproved)
		settle_disproved(at, watch->ghost);
}

/* The first of the READs and ATOMICs that an ACK passed and nothing answered: A06, perhaps. */
static void note_passed(const struct rda_at *at, struct rda_answer_watch *watch, int64_t psn)
{
	const struct rda_pending *oldest = rda_account_waiting(rda_asked(at), 0);

	if (!oldest || oldest->end > psn || oldest->answered || watch->passed_psn == oldest->begin)
		return;
	watch->passed_psn = oldest->begin;
	watch->passed_place = at->place;
}

RDA_APART static void response(const struct rda_at *at)
{
	struct rda_answer_watch *watch = watch_of(at->asker);
	uint16_t roles = at->packet->opcode->roles;
	int64_t psn = rda_account_widen(rda_asked(at), at->packet->bth.psn);

	if (roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC) && psn > watch->answered_psn) {
		watch->answered_psn = psn;
		if (watch->reads && watch->reads->open.count)
			rda_reads_response(at, watch->reads, psn);
	}
	rda_answer_order(at, watch, psn);
	if (!rda_has(at->packet, AETH))
		return;
	if (watch->ghost && rda_aeth_kind(&at->packet->aeth) == RDA_AETH_ACK) {
		if (watch->ghost->open)
			disproved_ghost(at, watch->ghost, psn);
		if (watch->ghost->late)
			answered_anew(at, watch->ghost, psn);
	}
	rda_msn_response(at, &watch->msn, psn);
	if (watch->nak)
		rda_nak_response(at, watch->nak, psn);
	if (roles & RDA_ROLE_ACK && rda_aeth_kind(&at->packet->aeth) == RDA_AETH_ACK) {
		note_passed(at, watch, psn);
		rda_reads_acked(at, psn);
	}
}

/* It answers what is not in the capture. */
RDA_APART static void lone_response(const struct rda_at *at)
{
	switch (rda_aeth_kind(&at->packet->aeth)) {
	case RDA_AETH_RNR: rda_rnr_alone(at, watch_of(at->flow)); break;
	case RDA_AETH_NAK: rda_nak_alone(at); break;
	default: break;
	}
}

void rda_check_answer_packet(const struct rda_at *at)
{
	if (rda_has(at->packet, AETH) && (at->packet->aeth.syndrome & 0xc0))
		reserved_syndrome(at);
	if (at->flow->packets == 1 && rda_flow_rare(at->flow)->before)
		rda_msn_next_life(at, rda_flow_rare(at->flow)->before);
	if (at->request && at->kind != RDA_REQUEST_MIRRORED)
		request(at);
	else if (at->request)
		copied_request(at);
	else if (at->asker && at->asker->account)
		response(at);
	else if (rda_has(at->packet, AETH))
		lone_response(at);
}

void rda_check_answer_copy(const struct rda_at *at)
{
	if (!at->damaged && at->request)
		copied_request(at);
	else if (!at->damaged && at->asker && at->asker->account)
		rda_answer_copied(at, &watch_of(at->asker)->acks);
}

void rda_check_answer_event(const struct rda_at *at, const struct rda_event *event)
{
	if (!at->asker || !at->asker->account)
		return;
	switch (event->kind) {
	case RDA_EVENT_GHOST_ACK: note_ghost(at, event); break;
	case RDA_EVENT_NAK_SEQUENCE:
	case RDA_EVENT_NAK_FATAL: rda_nak_event(at, watch_of(at->asker), event); break;
	case RDA_EVENT_RNR: rda_rnr_event(at, watch_of(at->asker), event); break;
	case RDA_EVENT_RESEND:
		rda_nak_event(at, watch_of(at->asker), event);
		rda_rnr_event(at, watch_of(at->asker), event);
		break;
	default: break;
	}
}

void rda_check_answer_key(struct rda_judge *judge, const struct rda_key_event *event,
			  const struct rda_key_news *news)
{
	rda_atomics_take(judge, &judge->answer->atomics, event, news);
}

/* ---- connections ----------------------------------------------------------------------------- */

/*
 * A response of it or of a later one passed, perhaps before it: who answers in order had answered
 * it, and who asks had that, or would ask again. Or it was asked as the first of all that passed,
 * and what passed before that may answer it, where the directions go through different queues.
 */
static bool may_be_answered(const struct rda_flow *flow, const struct rda_pending *pending)
{
	int64_t since_ns = flow->peer ? pending->asked_ns - flow->peer->first_time_ns : -1;

	return rda_answer_watched(flow)->answered_psn >= pending->begin ||
	       (since_ns >= 0 && since_ns < RDA_MIRROR_NS &&
		pending->asked_ns - flow->first_time_ns < RDA_MIRROR_NS);
}

/* A06: a READ that is passed by an ACK of a later request, and not asked for again. */
static void read_completed_by_ack_only(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_answer_watch *watch = rda_answer_watched(flow);
	const struct rda_pending *pending = rda_account_waiting(flow->account, 0);
	struct rda_finding *finding;

	if (!pending || pending->begin != watch->passed_psn || !watch->passed_place ||
	    pending->answered || pending->resent || may_be_answered(flow, pending) ||
	    rda_flow_until(flow, rda_watched_until(judge, pending->frame)) - pending->sent_ns <
		    RDA_UNANSWERED_NS)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_A06, rda_about_flow(flow),
				  watch->passed_place);
	rda_finding_frame(finding, pending->frame);
	rda_finding_say(finding, RDA_SAY_A06_PASSED,
			RDA_ARG_WORD("operation", pending->read ? "RDMA READ" : "ATOMIC"),
			RDA_ARG_PSN("psn", pending->begin),
			RDA_ARG_FLAG("went_on",
				     rda_account_progress(flow->account)->next > pending->end + 1));
}

/* A25: far more ACKs than packets. */
static void ack_flood(struct rda_judge *judge, const struct rda_flow *flow,
		      const struct rda_flow *peer)
{
	if (rda_flow_answers(peer)->acks < FLOOD_MIN ||
	    rda_flow_answers(peer)->acks <= FLOOD_TIMES * flow->request_packets)
		return;
	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_A25, rda_about_flow(peer),
					peer->first_place),
			RDA_SAY_A25_FLOOD, RDA_ARG_NUMBER("acks", rda_flow_answers(peer)->acks),
			RDA_ARG_NUMBER("packets", flow->request_packets));
}

/* Whether the first request has another PSN than was agreed, says M05. */
static bool began_elsewhere(const struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_subject subject = rda_about_flow(flow);

	return rda_finding_find(&judge->findings, RDA_CHECK_M05, subject) ||
	       rda_finding_find_as(&judge->findings, RDA_CHECK_M05, RDA_SEVERITY_ERROR,
				   RDA_PROOF_SUSPECTED, subject) ||
	       rda_finding_find_as(&judge->findings, RDA_CHECK_M05, RDA_SEVERITY_WARNING,
				   RDA_PROOF_SUSPECTED, subject);
}

/* A01, of the one that nothing settled: nothing near its PSN was ever sent, or an answer below it
 * disproves it. */
static void unsettled_ghost(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_ghost_watch *ghost = rda_answer_watched(flow)->ghost;

	/*
	 * Nearer ones are taken for what the capture missed: Q01. To who began elsewhere than was
	 * agreed a responder names the latest PSN that it has, and M05 tells that.
	 */
	if (ghost && ghost->open && flow->peer && ghost->psn + 1 - ghost->begin > RDA_GHOST_PSNS &&
	    !began_elsewhere(judge, flow))
		ghost_ack(judge, flow, ghost, RDA_PROOF_SUSPECTED);
	if (ghost && ghost->disproved && flow->peer)
		tell_disproved(judge, flow, ghost);
}

void rda_check_answer_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];
		const struct rda_flow *peer = connection->flows[!i];
		struct rda_gave_up gave_up;

		if (!flow)
			continue;
		if (rda_answer_watched(flow)->rnr_alone)
			rda_rnr_alone_end(judge, flow);
		rda_nak_alone_end(judge, flow);
		if (!flow->account)
			continue;
		gave_up = rda_judge_gave_up(judge, flow);
		rda_giveup_end(judge, flow, &gave_up);
		read_completed_by_ack_only(judge, flow);
		rda_reads_end(judge, flow);
		unsettled_ghost(judge, flow);
		if (!peer)
			continue;
		rda_answer_order_end(judge, flow);
		rda_msn_end(judge, flow, &rda_answer_watched(flow)->msn);
		ack_flood(judge, flow, peer);
		if (rda_answer_watched(flow)->rnr)
			rda_rnr_end(judge, flow, peer, rda_answer_watched(flow)->rnr);
	}
}

void rda_check_answer_overall(struct rda_judge *judge)
{
	rda_giveup_overall(judge);
}
