/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A: NAKs of a sequence error, fatal NAKs, and what follows them.
 */
#include "analyzer/checks/answer/nak.h"

#include "analyzer/checks/answer/msn.h"
#include "analyzer/base/psn.h"

#include <glib.h>

/* A copy of a NAK, by the network or a mirror, comes within this time. */
#define COPY_NS 1000000

/*
 * A requester that goes on with new packets for so long has not obeyed: longer than the usual
 * timeouts, after which Linux rxe comes back when it ignored a NAK.
 */
#define PATIENCE_NS INT64_C(1000000000)

/* The smallest path MTU: what is no longer fits any. */
#define PATH_MTU_LEAST 256

static struct rda_nak_watch *watch_of(struct rda_answer_watch *watch)
{
	if (!watch->nak)
		watch->nak = g_new0(struct rda_nak_watch, 1);
	return watch->nak;
}

/* ---- sequence errors ------------------------------------------------------------------------- */

/* A07: once more, and what it asks for has not come yet. */
static void nak_repeated(const struct rda_at *at, const struct rda_nak_watch *nak,
			 const struct rda_event *event)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_A07);

	rda_finding_frame(finding, nak->place);
	rda_finding_say(finding, RDA_SAY_A07_SECOND, RDA_ARG_PSN("psn", event->psn),
			RDA_ARG_TIME("after_ns", event->time_ns - nak->time_ns));
}

/* A08: it asks for what was acknowledged before. */
static void nak_psn_wrong(const struct rda_at *at, const struct rda_answer_watch *watch,
			  const struct rda_event *event)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_A08);

	rda_finding_frame(finding, watch->msn.place);
	rda_finding_say(finding, RDA_SAY_A08_ACKED, RDA_ARG_PSN("psn", event->psn),
			RDA_ARG_PSN("acked_psn", watch->msn.acked));
}

static bool is_copy(const struct rda_at *at, const struct rda_nak_watch *nak,
		    const struct rda_event *event)
{
	return at->packet->ip_id == nak->ip_id && event->time_ns - nak->time_ns < COPY_NS;
}

/* The event comes before the account takes the NAK. */
static void sequence_error(const struct rda_at *at, struct rda_answer_watch *watch,
			   const struct rda_event *event)
{
	int64_t acked = rda_account_progress(rda_asked(at))->acked;
	struct rda_nak_watch *nak = watch_of(watch);
	bool same = nak->psn == event->psn && nak->place;

	if (rda_account_is_put_off(rda_asked(at), event->psn))
		return; /* rxe: what counts is the RNR NAK before it */
	if (event->psn < watch->msn.acked && !rda_account_was_anew(at->asker) &&
	    rda_msn_made_later(&watch->msn, event->msn) && !rda_msn_is_far(&watch->msn, event->msn))
		nak_psn_wrong(at, watch, event);
	if (same && is_copy(at, nak, event))
		return;
	if (same && !nak->delivered && acked <= event->psn)
		nak_repeated(at, nak, event);
	nak->open = event->psn >= acked;
	nak->delivered = false;
	nak->psn = event->psn;
	nak->time_ns = event->time_ns;
	nak->place = event->frame;
	nak->ip_id = at->packet->ip_id;
	nak->newer = nak->newer_place = 0;
}

/* A09: it goes on, and what the NAK asks for does not come. */
static void nak_not_obeyed(const struct rda_at *at, struct rda_nak_watch *nak)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_A09);

	rda_finding_frame(finding, nak->place);
	rda_finding_frame(finding, nak->newer_place);
	rda_finding_say(finding, RDA_SAY_A09_GOES_ON, RDA_ARG_PSN("psn", nak->psn),
			RDA_ARG_TIME("since_ns", at->meta->time_ns - nak->time_ns),
			RDA_ARG_NUMBER("packets", nak->newer));
	nak->open = false;
}

/* A10: the run after the NAK begins below what the NAK asks for. */
static void resend_not_at_nak(const struct rda_at *at, const struct rda_nak_watch *nak,
			      const struct rda_event *event)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_A10);

	rda_finding_frame(finding, nak->place);
	rda_finding_say(finding, RDA_SAY_A10_BELOW, RDA_ARG_PSN("psn", nak->psn),
			RDA_ARG_PSN("resent_psn", event->psn));
}

static void resend(const struct rda_at *at, struct rda_nak_watch *nak,
		   const struct rda_event *event)
{
	bool soon = event->time_ns - nak->time_ns < rda_in_flight_ns(at->asker);

	if (!nak->open)
		return;
	/* it obeys an older NAK, which was under way when this one was sent */
	if (event->trigger == RDA_TRIGGER_NAK && event->other_frame < nak->place)
		return;
	/* a READ's responses may be asked for again, whatever was acknowledged */
	if (event->psn < nak->psn && soon && at->request &&
	    !(at->request->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC)))
		resend_not_at_nak(at, nak, event);
	if (event->trigger == RDA_TRIGGER_NAK || event->psn <= nak->psn)
		nak->open = false;
}

/* ---- fatal NAKs ------------------------------------------------------------------------------ */

/* What a refusal says. */
static enum rda_phrase refusal(uint8_t syndrome)
{
	switch (syndrome) {
	case RDA_SYNDROME_NAK_INVALID_REQUEST: return RDA_PHRASE_INVALID_REQUEST;
	case RDA_SYNDROME_NAK_REMOTE_OPERATIONAL: return RDA_PHRASE_REMOTE_OPERATIONAL;
	case RDA_SYNDROME_NAK_INVALID_RD: return RDA_PHRASE_INVALID_RD;
	default: return RDA_PHRASE_NONE; /* remote access errors are K01's, reserved codes A13's */
	}
}

/* The refused request's message: the packet that carries its RETH, and the payload up to there. */
struct refused {
	const struct rda_sent *packet; /* NULL: not remembered */
	const struct rda_sent *first;  /* of its message; NULL: not remembered */
	uint64_t bytes;
};

static struct refused find_refused(const struct rda_account *account, int64_t psn)
{
	const struct rda_sent *record = rda_account_sent(account, psn);
	struct refused refused = {NULL, NULL, 0};

	if (!record || !record->roles)
		return refused;
	refused.packet = record;
	for (; record && record->roles; record = rda_account_sent(account, record->begin - 1)) {
		refused.bytes += record->payload;
		if (record->roles & RDA_ROLE_FIRST) {
			refused.first = record;
			break;
		}
	}
	return refused;
}

/* What is known of it: arguments. */
#define REFUSED(refused, first)                                                                    \
	RDA_ARG_IF((refused)->packet,                                                              \
		   RDA_ARG_WORD("opcode", rda_opcode((refused)->packet->opcode)->name)),           \
		RDA_ARG_IF(has_range(first), RDA_ARG_NUMBER("length", (first)->length)),           \
		RDA_ARG_IF(has_range(first), RDA_ARG_MEMORY("address", (first)->va)),              \
		RDA_ARG_IF(has_range(first), RDA_ARG_KEY("rkey", (first)->rkey)),                  \
		RDA_ARG_IF((first) && !has_range(first),                                           \
			   RDA_ARG_NUMBER("sent_bytes", (refused)->bytes))

static bool has_range(const struct rda_sent *first)
{
	return first && (first->length || first->va);
}

/* Whether a check of the memory keys tells why: K16, K07. */
static bool is_told_elsewhere(const struct refused *refused)
{
	const struct rda_sent *packet = refused->packet;

	if (!packet)
		return false;
	return (packet->roles & RDA_ROLE_ATOMIC && packet->va & 7) ||
	       rda_opcode(packet->opcode)->headers & RDA_HAS(IETH);
}

/*
 * The refused packet is the first of its size, and all that came before is remembered and was
 * taken: the responder's path MTU may be smaller. The most payload that was taken; 0: not so.
 */
static uint32_t smaller_before(const struct rda_at *at, const struct rda_sent *packet)
{
	const struct rda_account *account = rda_asked(at);
	const struct rda_sent *sent;
	int64_t first = rda_psn_widen(rda_account_progress(account)->acked, at->asker->first_psn);
	uint32_t most = 0;

	if (!packet || packet->roles & RDA_ROLE_READ || packet->payload <= PATH_MTU_LEAST ||
	    (packet->roles & RDA_ROLE_ONLY) == RDA_ROLE_LAST)
		return 0;
	for (int64_t psn = first; psn < packet->begin; psn = sent->end) {
		sent = rda_account_sent(account, psn);
		if (!sent || !sent->roles)
			return 0;
		if (!(sent->roles & RDA_ROLE_READ))
			most = MAX(most, sent->payload);
	}
	return packet->payload > most ? most : 0;
}

/*
 * How bad it is that a request was refused for good. A NAK that no ICRC vouches for may be another
 * one, or an ACK, that came damaged: NAKs of a sequence error are one bit away.
 */
static enum rda_severity how_bad(const struct rda_at *at, const struct refused *refused)
{
	if (is_told_elsewhere(refused))
		return RDA_SEVERITY_NOTE;
	return rda_judge_is_checked(at) ? RDA_SEVERITY_ERROR : RDA_SEVERITY_WARNING;
}

/* A11: refused for good. */
static void fatal_nak(const struct rda_at *at, const struct rda_event *event)
{
	enum rda_phrase says = refusal(event->syndrome);
	struct refused refused = find_refused(rda_asked(at), event->psn);
	struct rda_finding *finding;
	uint32_t taken;

	if (!says)
		return;
	finding = rda_finding_add_as(&at->judge->findings, RDA_CHECK_A11, how_bad(at, &refused),
				     rda_judge_is_checked(at) ? RDA_PROOF_PROVEN
							      : RDA_PROOF_SUSPECTED,
				     rda_about_flow(at->flow), at->place);
	rda_finding_frame(finding, event->other_frame);
	taken = event->syndrome == RDA_SYNDROME_NAK_INVALID_REQUEST
			? smaller_before(at, refused.packet)
			: 0;
	rda_finding_say(finding, RDA_SAY_A11_REFUSED, RDA_ARG_HEX("syndrome", event->syndrome, 2),
			RDA_ARG_WORD("name", rda_words(RDA_SET_SYNDROME, event->syndrome)),
			RDA_ARG_PSN("psn", event->psn), REFUSED(&refused, refused.first),
			RDA_ARG_PHRASE("reason", says),
			RDA_ARG_FLAG("unchecked", !rda_judge_is_checked(at)),
			RDA_ARG_IF(taken, RDA_ARG_NUMBER("payload_bytes", refused.packet->payload)),
			RDA_ARG_IF(taken, RDA_ARG_NUMBER("taken_bytes", taken)));
}

/* A26 */
static void sequence_nak_alone(const struct rda_at *at)
{
	rda_finding_say(rda_finding_at(at, RDA_CHECK_A26), RDA_SAY_A26_ALONE,
			RDA_ARG_PSN("psn", at->packet->bth.psn),
			RDA_ARG_ADDRESS("responder", &at->flow->key.source));
}

void rda_nak_alone_end(struct rda_judge *judge, const struct rda_flow *responder)
{
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_A26, rda_about_flow(responder));

	/* what it answers passed before it was known whose answer it is */
	if (finding)
		finding->withheld |= responder->peer && responder->peer->account;
}

void rda_nak_alone(const struct rda_at *at)
{
	uint8_t syndrome = at->packet->aeth.syndrome;
	enum rda_phrase says = refusal(syndrome);

	if (syndrome == RDA_SYNDROME_NAK_SEQUENCE)
		sequence_nak_alone(at);
	else if (says)
		rda_finding_say(rda_finding_by_bytes(at, RDA_CHECK_A11, rda_about_flow(at->flow)),
				RDA_SAY_A11_REFUSED, RDA_ARG_HEX("syndrome", syndrome, 2),
				RDA_ARG_WORD("name", rda_words(RDA_SET_SYNDROME, syndrome)),
				RDA_ARG_PSN("psn", at->packet->bth.psn),
				RDA_ARG_PHRASE("reason", says),
				RDA_ARG_FLAG("unchecked", !rda_judge_is_checked(at)));
}

static void fatal(const struct rda_at *at, struct rda_answer_watch *watch,
		  const struct rda_event *event)
{
	struct rda_nak_watch *nak = watch_of(watch);

	fatal_nak(at, event);
	/* one that was sent so for certain counts, though one that may be damage came before */
	if ((nak->dead && (nak->dead_checked || !rda_judge_is_checked(at))) ||
	    !rda_words(RDA_SET_SYNDROME, event->syndrome))
		return;
	nak->dead = true;
	nak->dead_checked = rda_judge_is_checked(at);
	nak->syndrome = event->syndrome;
	nak->dead_psn = event->psn;
	nak->dead_ns = nak->used_ns = event->time_ns;
	nak->dead_place = event->frame;
}

/* A12. Where the NAK may be damage it is a note: who goes on had none, perhaps. So it is behind a
 * silence in which the QP may have been set up anew. */
static struct rda_finding *goes_on(const struct rda_at *at, bool sent_so, enum rda_proof proof)
{
	return rda_finding_add_as(&at->judge->findings, RDA_CHECK_A12,
				  sent_so ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
				  sent_so ? proof : RDA_PROOF_SUSPECTED, rda_about_flow(at->flow),
				  at->place);
}

/* A12: the requester goes on as if it had not been refused. */
static void requests_after_fatal_nak(const struct rda_at *at, const struct rda_nak_watch *nak)
{
	struct rda_finding *finding =
		goes_on(at, nak->dead_checked && !nak->silence, RDA_PROOF_SUSPECTED);

	rda_finding_frame(finding, nak->dead_place);
	rda_finding_say(finding, RDA_SAY_A12_REQUEST, RDA_ARG_PSN("psn", at->request->begin),
			RDA_ARG_TIME("after_ns", at->meta->time_ns - nak->dead_ns),
			RDA_ARG_HEX("syndrome", nak->syndrome, 2),
			RDA_ARG_FLAG("anew", nak->silence));
}

/* A12: the responder goes on. */
static void answer_after_fatal_nak(const struct rda_at *at, const struct rda_nak_watch *nak,
				   int64_t psn)
{
	struct rda_finding *finding =
		goes_on(at, nak->dead_checked && !nak->silence && rda_judge_is_checked(at),
			RDA_PROOF_PROVEN);

	rda_finding_frame(finding, nak->dead_place);
	rda_finding_say(finding, RDA_SAY_A12_ANSWER, RDA_ARG_PSN("psn", psn),
			RDA_ARG_HEX("syndrome", nak->syndrome, 2),
			RDA_ARG_PSN("refused_psn", nak->dead_psn),
			RDA_ARG_FLAG("anew", nak->silence));
}

/* ---- hooks ----------------------------------------------------------------------------------- */

uint64_t rda_nak_asking_for(const struct rda_flow *asker, int64_t psn, int64_t since_ns)
{
	const struct rda_nak_watch *nak = rda_answer_watched(asker)->nak;

	return nak && nak->psn == psn && nak->time_ns > since_ns ? nak->place : 0;
}

void rda_nak_event(const struct rda_at *at, struct rda_answer_watch *watch,
		   const struct rda_event *event)
{
	if (event->kind == RDA_EVENT_NAK_SEQUENCE)
		sequence_error(at, watch, event);
	else if (event->kind == RDA_EVENT_NAK_FATAL)
		fatal(at, watch, event);
	else if (event->kind == RDA_EVENT_RESEND && watch->nak)
		resend(at, watch->nak, event);
}

void rda_nak_request(const struct rda_at *at, struct rda_nak_watch *nak)
{
	const struct rda_request *q = at->request;
	int64_t since = at->meta->time_ns - nak->time_ns;

	nak->silence |= nak->dead && at->meta->time_ns - nak->used_ns >= RDA_SILENCE_NS;
	nak->used_ns = at->meta->time_ns;
	if (q->begin <= nak->psn && nak->psn < q->end) {
		nak->delivered = true;
		nak->open = false;
	}
	if (at->kind != RDA_REQUEST_NEW)
		return;
	if (nak->open && since > rda_in_flight_ns(at->asker)) {
		if (nak->newer++ == 0)
			nak->newer_place = at->place;
		if (since > PATIENCE_NS)
			nak_not_obeyed(at, nak);
	}
	if (nak->dead && at->meta->time_ns - nak->dead_ns > rda_in_flight_ns(at->asker))
		requests_after_fatal_nak(at, nak);
}

void rda_nak_response(const struct rda_at *at, struct rda_nak_watch *nak, int64_t psn)
{
	if (nak->open && rda_account_progress(rda_asked(at))->acked > nak->psn)
		nak->open = false;
	if (nak->dead && psn > nak->dead_psn && rda_aeth_kind(&at->packet->aeth) == RDA_AETH_ACK &&
	    psn < rda_account_progress(rda_asked(at))->next)
		answer_after_fatal_nak(at, nak, psn);
}
