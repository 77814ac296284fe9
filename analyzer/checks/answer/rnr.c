/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A: RNR NAKs and how the requester respects them.
 */
#include "analyzer/checks/answer/rnr.h"

#include "analyzer/base/psn.h"
#include "analyzer/checks/answer/ack_order.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/reaction.h"

#include <glib.h>

/*
 * A wait may be measured short by this: 1 % for clocks (Linux rxe's table has 61.41 ms where 61.44
 * is right), and what a time stamp is off.
 */
#define SHORT_PERCENT 1
#define SHORT_NS      10000

/*
 * An application that is late now and then is no fault. Waiting is a loss when it took this share
 * of the connection's time, and more than a moment; or so long that somebody noticed.
 */
#define LOSS_PERCENT 1
#define MOMENT_NS    10000000
#define LOSS_NS	     100000000

/* No responder brings its memory in, or empties its queue, for so long; and more RNR NAKs for one
 * READ than a requester has retries. */
#define UNSERVED_NS    1000000000
#define UNSERVED_LEAST (RDA_RETRIES_MAX + 1)

/* ---- the RNR NAK ----------------------------------------------------------------------------- */

/* Of a WRITE of several packets the last may have an immediate. */
static bool needs_no_receive(const struct rda_sent *record)
{
	return record && record->roles &&
	       !(record->roles & (RDA_ROLE_USES_RECEIVE | RDA_ROLE_SEND)) &&
	       !(record->roles & RDA_ROLE_WRITE && !(record->roles & RDA_ROLE_LAST));
}

/* A18: a request that takes no receive. */
static void rnr_for_wrong_request(const struct rda_at *at, const struct rda_event *event,
				  const struct rda_sent *record)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_A18);

	rda_finding_frame(finding, record->last_frame);
	rda_finding_say(finding, RDA_SAY_A18_NO_RECEIVE, RDA_ARG_PSN("psn", event->psn),
			RDA_ARG_WORD("opcode", rda_opcode(record->opcode)->name));
}

static const struct rda_put_off *put_off_of(const struct rda_flow *asker)
{
	return &rda_giveup_of(asker)->put_off;
}

static void put_off(const struct rda_at *at, struct rda_answer_watch *watch,
		    const struct rda_event *event)
{
	const struct rda_put_off *off = put_off_of(at->asker);
	const struct rda_sent *record;

	if (off->place != event->frame) { /* a copy of the one before */
		rda_ack_order_nak_again(&watch->acks, event->time_ns);
		return;
	}
	if (!watch->rnr)
		watch->rnr = g_new0(struct rda_rnr_watch, 1);
	watch->rnr->checked = rda_judge_is_checked(at);
	watch->rnr->any_checked |= watch->rnr->checked;
	watch->rnr->same_checked =
		watch->rnr->checked && (off->same == 1 || watch->rnr->same_checked);
	watch->rnr->same_most = MAX(watch->rnr->same_most, off->same);
	watch->rnr->codes |= UINT32_C(1) << (event->syndrome & 31);
	watch->rnr->new_ns = RDA_NEVER_NS;
	record = rda_account_sent(rda_asked(at), event->psn);
	if (needs_no_receive(record))
		rnr_for_wrong_request(at, event, record);
	else
		rda_finding_at(at, RDA_CHECK_A17); /* its words: at the end */
}

/* ---- what follows it ------------------------------------------------------------------------- */

/*
 * Where the RNR NAK was lost behind this capture point, the requester's own timer makes it send
 * again: not before the time that it told, if it did, but for timers that adapt, and for who was
 * seen to keep to another one. It runs since the packet was sent, `ran`, and is allowed a tenth, as
 * it began to run elsewhere. What the other side offers need not be it.
 */
static bool may_be_timer(const struct rda_flow *asker, int64_t ran)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(asker);
	int64_t seen = rda_account_run(asker->account)->timer_ns;
	int64_t told;

	if (!limits || limits->ack_timeout < 0 || limits->timer_offered ||
	    (seen && ran >= seen - seen / 10))
		return true;
	told = rda_cm_time_ns((unsigned)limits->ack_timeout);
	return limits->ack_timeout > 0 && ran >= MIN(told - told / 10, RDA_SILENCE_NS);
}

/* The longest way from here to the requester and back that its reactions to NAKs have shown: what
 * answers take has no part of it. */
static int64_t way_back_of(const struct rda_flow *asker)
{
	const struct rda_reactions *reactions = rda_reactions_of(asker);

	return reactions && reactions->obeyed.count ? reactions->obeyed.max : 0;
}

/* The wait is over that an RNR NAK with this syndrome asked for, then. */
static bool is_over(const struct rda_at *at, int64_t since_ns, uint8_t syndrome)
{
	int64_t due = rda_aeth_rnr_ns(syndrome), now_ns = at->meta->time_ns;

	return now_ns - since_ns + rda_meta_unit_ns(since_ns, now_ns) >=
	       due - due / 100 * SHORT_PERCENT - SHORT_NS;
}

/*
 * A14: sent again before the time was over: that of the first RNR NAK, where several put it off, as
 * it had been sent more than once, and of the later ones nobody may have heard. What lies behind
 * what was put off may be a copy, or late, of an earlier run. `checked`: the ICRC of the RNR NAK
 * fitted, so that this is its time; and what is sent again may have come damaged, and be another
 * packet.
 */
static void rnr_too_early(const struct rda_at *at, const struct rda_put_off *rnr, int64_t wait,
			  bool checked)
{
	int64_t due = rda_aeth_rnr_ns(rnr->syndrome);
	struct rda_finding *finding;
	/* so soon it may have been on its way before the RNR NAK came, by a timer or a NAK */
	bool crossed =
		wait < MAX(MAX(rda_in_flight_ns(at->asker), rnr->way_ns), way_back_of(at->asker));
	const struct rda_sent *sent = rda_account_sent(at->asker->account, rnr->psn);
	int64_t ran = sent && sent->seen ? at->meta->time_ns - sent->last_ns : wait;
	bool timer = may_be_timer(at->asker, MAX(wait, ran));
	/* or it comes late, of an earlier run */
	bool late = !rda_account_run_begins_here(at->asker->account);
	bool unsure = timer || late || crossed || !checked || !rda_judge_is_checked(at);

	if (at->request->begin != rnr->psn || wait < 0 || /* the clock went backwards */
	    is_over(at, rnr->time_ns, rnr->syndrome) ||
	    is_over(at, rnr->first_ns, rnr->first_syndrome))
		return;
	finding = rda_finding_add_as(&at->judge->findings, RDA_CHECK_A14,
				     unsure ? RDA_SEVERITY_WARNING : RDA_SEVERITY_ERROR,
				     unsure ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN,
				     rda_about_flow(at->flow), at->place);
	rda_finding_frame(finding, rnr->place);
	rda_finding_say(finding, RDA_SAY_A14_SOON, RDA_ARG_PSN("psn", rnr->psn),
			RDA_ARG_TIME("waited_ns", wait), RDA_ARG_TIME("asked_ns", due),
			RDA_ARG_NUMBER("timer_code", rnr->syndrome & 31u),
			RDA_ARG_FLAG("perhaps_timer", timer),
			RDA_ARG_FLAG("perhaps_crossed", crossed && !timer),
			RDA_ARG_FLAG("perhaps_late", late));
}

/*
 * A15: what was never sent before is sent while the receiver is not ready. `wait` is what the
 * resend took: what is above the time asked for may be the way from here to the sender and back,
 * and what was on that way is no breach; nor is what comes in one burst with the resend.
 */
static void new_packets_during_rnr(const struct rda_at *at, const struct rda_rnr_watch *rnr,
				   const struct rda_put_off *off, int64_t wait)
{
	int64_t way = MAX(wait - rda_aeth_rnr_ns(off->syndrome), 0) + rda_in_flight_ns(at->asker);
	struct rda_finding *finding;

	if (rnr->new_ns - off->time_ns <= way || at->meta->time_ns - rnr->new_ns < RDA_IN_FLIGHT_NS)
		return;
	finding = rda_finding_add(&at->judge->findings, RDA_CHECK_A15, rda_about_flow(at->flow),
				  rnr->new_place);
	rda_finding_frame(finding, off->place);
	rda_finding_say(finding, RDA_SAY_A15_NEW, RDA_ARG_PSN("psn", rnr->new_psn),
			RDA_ARG_TIME("after_ns", rnr->new_ns - off->time_ns),
			RDA_ARG_PSN("refused_psn", off->psn));
}

void rda_rnr_event(const struct rda_at *at, struct rda_answer_watch *watch,
		   const struct rda_event *event)
{
	const struct rda_put_off *off = put_off_of(at->asker);
	int64_t wait = event->time_ns - off->time_ns;

	if (event->kind == RDA_EVENT_RNR) {
		put_off(at, watch, event);
	} else if (watch->rnr && off->resent_place == event->frame) {
		if (event->trigger == RDA_TRIGGER_RNR)
			rnr_too_early(at, off, wait, watch->rnr->checked);
		if (watch->rnr->new_ns != RDA_NEVER_NS)
			new_packets_during_rnr(at, watch->rnr, off, wait);
	}
}

void rda_rnr_request(const struct rda_at *at, struct rda_rnr_watch *rnr)
{
	const struct rda_put_off *off = put_off_of(at->flow);

	if (!off->open || rnr->new_ns != RDA_NEVER_NS || at->kind != RDA_REQUEST_NEW ||
	    at->meta->time_ns - off->time_ns <= rda_in_flight_ns(at->asker))
		return;
	rnr->new_ns = at->meta->time_ns;
	rnr->new_psn = at->request->begin;
	rnr->new_place = at->place;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A17: what the receiver cost. */
static void receiver_starved(struct rda_finding *finding, const struct rda_flow *flow,
			     const struct rda_flow *receiver, const struct rda_rnr_watch *rnr,
			     const struct rda_stops *stops, const struct rda_gave_up *gave_up)
{
	const struct rda_put_off *off = put_off_of(flow);
	int64_t life = MAX(flow->last_time_ns, receiver->last_time_ns) -
		       MIN(flow->first_time_ns, receiver->first_time_ns);
	int64_t share = life > 0 ? MIN(stops->total_ns / MAX(life / 1000, 1), 1000) : 0;
	bool one_code = (rnr->codes & (rnr->codes - 1)) == 0;

	if (!gave_up->unheeded && (share < LOSS_PERCENT * 10 || stops->total_ns < MOMENT_NS) &&
	    stops->total_ns < LOSS_NS)
		finding->severity = RDA_SEVERITY_NOTE;
	/* one alone may be another NAK, or an ACK, that came damaged */
	finding->lowered |= off->count < 2 && !rnr->any_checked;
	finding->cost_ns = stops->total_ns;
	rda_finding_retell(
		finding, RDA_SAY_A17_STARVED, RDA_ARG_QPN("qpn", flow->key.dest_qp),
		RDA_ARG_NUMBER("rnr_naks", off->count), RDA_ARG_NUMBER("most", rnr->same_most),
		RDA_ARG_FLAG("one_code", one_code),
		RDA_ARG_TIME("asked_ns", rda_aeth_rnr_ns(off->syndrome)),
		RDA_ARG_NUMBER("timer_code", off->syndrome & 31u),
		RDA_ARG_IF(stops->count, RDA_ARG_NUMBER("stops", stops->count)),
		RDA_ARG_TIME("stopped_ns", stops->total_ns), RDA_ARG_DECIMAL("percent", share, 1),
		RDA_ARG_IF(stops->count > 1, RDA_ARG_TIME("longest_ns", stops->longest_ns)),
		RDA_ARG_FRAME("from_frame", stops->longest_from),
		RDA_ARG_FRAME("until_frame", stops->longest_until),
		RDA_ARG_FLAG("unended", stops->open),
		RDA_ARG_IF(gave_up->unheeded, RDA_ARG_TIME("silence_ns", gave_up->silence_ns)),
		RDA_ARG_IF(gave_up->unheeded, RDA_ARG_TIME("came_back_ns", off->longest_ns)));
}

/* A18: what READs that still wait have come to. */
static void never_served(struct rda_finding *finding, const struct rda_flow *flow,
			 const struct rda_flow *receiver, const struct rda_stops *stops)
{
	const struct rda_pending *pending = rda_account_waiting(flow->account, 0);
	uint64_t requests = 0, put_off = 0, reads = 0;

	if (!pending || pending->put_off < UNSERVED_LEAST || !stops->open || !stops->asks ||
	    stops->latest_ns - stops->since_ns < UNSERVED_NS)
		return;
	for (uint32_t i = 0; (pending = rda_account_waiting(flow->account, i)); i++) {
		if (!pending->read || pending->answered || !pending->put_off)
			continue;
		requests += pending->resent + UINT64_C(1);
		put_off += pending->put_off;
		reads++;
	}
	if (!reads)
		return;
	finding->severity = RDA_SEVERITY_ERROR;
	rda_finding_retell(finding, RDA_SAY_A18_NEVER_SERVED,
			   RDA_ARG_ADDRESS("responder", &receiver->key.source),
			   RDA_ARG_NUMBER("reads", reads), RDA_ARG_NUMBER("requests", requests),
			   RDA_ARG_NUMBER("rnr_naks", MIN(put_off, requests)),
			   RDA_ARG_FLAG("each", put_off >= requests),
			   RDA_ARG_TIME("stopped_ns", stops->latest_ns - stops->since_ns));
}

void rda_rnr_end(struct rda_judge *judge, const struct rda_flow *flow,
		 const struct rda_flow *receiver, const struct rda_rnr_watch *rnr)
{
	struct rda_stops stops = rda_giveup_stops(rda_giveup_of(flow));
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_A17, rda_about_flow(receiver));
	const struct rda_gave_up gave_up = rda_judge_gave_up(judge, flow);
	bool starved;

	if (finding)
		receiver_starved(finding, flow, receiver, rnr, &stops, &gave_up);
	starved = finding != NULL;
	finding = rda_finding_find(&judge->findings, RDA_CHECK_A18, rda_about_flow(receiver));
	if (!finding)
		return;
	if (!starved)
		finding->cost_ns = stops.total_ns;
	never_served(finding, flow, receiver, &stops);
}

/* The same again before anybody could have obeyed it: a mirror's copy. */
static bool is_copy_of_latest(const struct rda_at *at, const struct rda_rnr_alone *rnr)
{
	return rnr->count && rnr->psn == at->packet->bth.psn &&
	       rnr->syndrome == at->packet->aeth.syndrome &&
	       at->meta->time_ns - rnr->time_ns <
		       MIN(rda_aeth_rnr_ns(rnr->syndrome), RDA_MIRROR_NS);
}

void rda_rnr_alone(const struct rda_at *at, struct rda_answer_watch *watch)
{
	struct rda_rnr_alone *rnr = watch->rnr_alone;

	if (!rnr)
		rnr = watch->rnr_alone = g_new0(struct rda_rnr_alone, 1);
	if (is_copy_of_latest(at, rnr))
		return;
	rnr->count++;
	rnr->time_ns = at->meta->time_ns;
	rnr->psn = at->packet->bth.psn;
	rnr->syndrome = at->packet->aeth.syndrome;
	rnr->asked_ns += rda_aeth_rnr_ns(rnr->syndrome);
	rda_finding_at(at, RDA_CHECK_A17);
}

void rda_rnr_alone_end(struct rda_judge *judge, const struct rda_flow *receiver)
{
	const struct rda_rnr_alone *rnr = rda_answer_watched(receiver)->rnr_alone;
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_A17, rda_about_flow(receiver));

	if (!finding || rda_finding_is_said(finding))
		return; /* told with the requests that are in the capture */
	if (rnr->asked_ns < MOMENT_NS)
		finding->severity = RDA_SEVERITY_NOTE;
	finding->cost_ns = rnr->asked_ns;
	finding->lowered = true; /* a READ may be put off, too, and needs no receive */
	rda_finding_say(finding, RDA_SAY_A17_ALONE, RDA_ARG_NUMBER("rnr_naks", rnr->count),
			RDA_ARG_TIME("asked_ns", rnr->asked_ns),
			RDA_ARG_NUMBER("timer_code", rnr->syndrome & 31u));
}
