/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A: RNR NAKs and how the requester respects them.
 */
#include "analyzer/checks/answer/rnr.h"

#include "analyzer/base/psn.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

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

static unsigned narrow(int64_t psn)
{
	return rda_psn_narrow(psn);
}

/* ---- the RNR NAK ----------------------------------------------------------------------------- */

/* A18: a request that takes no receive. */
static void rnr_for_wrong_request(const struct rda_at *at, const struct rda_event *event)
{
	const struct rda_sent *record = rda_account_sent(rda_asked(at), event->psn);
	struct rda_finding *finding;

	if (!record || !record->roles || record->roles & (RDA_ROLE_USES_RECEIVE | RDA_ROLE_SEND))
		return;
	/* of several packets: the last may have an immediate */
	if (record->roles & RDA_ROLE_WRITE && !(record->roles & RDA_ROLE_LAST))
		return;
	finding = rda_find_at(at, RDA_CHECK_A18);
	rda_finding_frame(finding, record->last_frame);
	rda_say(finding, "PSN %u is put off by an RNR NAK, and it is %s, which needs no receive.",
		narrow(event->psn), rda_opcode(record->opcode)->name);
}

static const struct rda_put_off *put_off_of(const struct rda_flow *asker)
{
	return &rda_giveup_of(asker)->put_off;
}

static void put_off(const struct rda_at *at, struct rda_answer_watch *watch,
		    const struct rda_event *event)
{
	const struct rda_put_off *off = put_off_of(at->asker);

	if (off->place != event->frame)
		return; /* a copy of the one before */
	if (!watch->rnr)
		watch->rnr = g_new0(struct rda_rnr_watch, 1);
	watch->rnr->same_most = MAX(watch->rnr->same_most, off->same);
	watch->rnr->codes |= UINT32_C(1) << (event->syndrome & 31);
	watch->rnr->new_ns = RDA_NEVER_NS;
	rda_find_at(at, RDA_CHECK_A17); /* its words: at the end */
	rnr_for_wrong_request(at, event);
}

/* ---- what follows it ------------------------------------------------------------------------- */

/* A14: sent again before the time was over. */
static void rnr_too_early(const struct rda_at *at, const struct rda_put_off *rnr, int64_t wait)
{
	int64_t due = rda_aeth_rnr_ns(rnr->syndrome);
	struct rda_finding *finding;
	char waited[RDA_WORDS_TEXT], asked[RDA_WORDS_TEXT];
	/* so soon it may have been on its way before the RNR NAK came */
	bool crossed = wait < rda_in_flight_ns(at->asker);

	if (wait >= due - due / 100 * SHORT_PERCENT - SHORT_NS)
		return;
	finding = rda_find_as(&at->judge->findings, RDA_CHECK_A14,
			      crossed ? RDA_SEVERITY_WARNING : RDA_SEVERITY_ERROR,
			      crossed ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN,
			      rda_about_flow(at->flow), at->place);
	rda_finding_frame(finding, rnr->place);
	rda_say(finding,
		"PSN %u is sent again %s after an RNR NAK that asks to wait %s (timer code %u).",
		narrow(rnr->psn), rda_words_time(waited, wait), rda_words_time(asked, due),
		rnr->syndrome & 31u);
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
	char text[RDA_WORDS_TEXT];

	if (rnr->new_ns - off->time_ns <= way || at->meta->time_ns - rnr->new_ns < RDA_IN_FLIGHT_NS)
		return;
	finding = rda_find(&at->judge->findings, RDA_CHECK_A15, rda_about_flow(at->flow),
			   rnr->new_place);
	rda_finding_frame(finding, off->place);
	rda_say(finding,
		"PSN %u is sent for the first time %s after PSN %u was put off by an RNR NAK, and "
		"that one was not sent again yet: the receiver drops it.",
		narrow(rnr->new_psn), rda_words_time(text, rnr->new_ns - off->time_ns),
		narrow(off->psn));
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
			rnr_too_early(at, off, wait);
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
			     const struct rda_rnr_watch *rnr)
{
	const struct rda_put_off *off = put_off_of(flow);
	int64_t life = flow->last_time_ns - flow->first_time_ns;
	int64_t share = life > 0 ? MIN(off->waited_ns / MAX(life / 1000, 1), 1000) : 0;
	char waited[RDA_WORDS_TEXT], asked[RDA_WORDS_TEXT];
	bool one_code = (rnr->codes & (rnr->codes - 1)) == 0;

	if ((share < LOSS_PERCENT * 10 || off->waited_ns < MOMENT_NS) && off->waited_ns < LOSS_NS)
		finding->severity = RDA_SEVERITY_NOTE;
	finding->cost_ns = off->waited_ns;
	rda_retell(finding,
		   "QP 0x%06" PRIx32 " had no receive posted when a request came: %" PRIu64
		   " RNR NAK%s, up to %" PRIu32
		   " for one PSN, %s a wait of %s (timer code %u). The sender waited %s, %" PRId64
		   ".%" PRId64 " %% of its time.",
		   flow->key.dest_qp, off->count, rda_words_plural(off->count), rnr->same_most,
		   one_code ? "with" : "the last with",
		   rda_words_time(asked, rda_aeth_rnr_ns(off->syndrome)), off->syndrome & 31u,
		   rda_words_time(waited, off->waited_ns), share / 10, share % 10);
}

void rda_rnr_end(struct rda_judge *judge, const struct rda_flow *flow,
		 const struct rda_flow *receiver, const struct rda_rnr_watch *rnr)
{
	struct rda_finding *finding =
		rda_found(&judge->findings, RDA_CHECK_A17, rda_about_flow(receiver));

	if (finding)
		receiver_starved(finding, flow, rnr);
}

void rda_rnr_alone(const struct rda_at *at, struct rda_answer_watch *watch)
{
	struct rda_rnr_alone *rnr = watch->rnr_alone;

	if (!rnr)
		rnr = watch->rnr_alone = g_new0(struct rda_rnr_alone, 1);
	rnr->count++;
	rnr->syndrome = at->packet->aeth.syndrome;
	rnr->asked_ns += rda_aeth_rnr_ns(rnr->syndrome);
	rda_find_at(at, RDA_CHECK_A17);
}

void rda_rnr_alone_end(struct rda_judge *judge, const struct rda_flow *receiver)
{
	const struct rda_rnr_alone *rnr = receiver->watch.answer->rnr_alone;
	struct rda_finding *finding =
		rda_found(&judge->findings, RDA_CHECK_A17, rda_about_flow(receiver));
	char asked[RDA_WORDS_TEXT];

	if (!finding || finding->text)
		return; /* told with the requests that are in the capture */
	if (rnr->asked_ns < MOMENT_NS)
		finding->severity = RDA_SEVERITY_NOTE;
	finding->cost_ns = rnr->asked_ns;
	rda_say(finding,
		"A receiver had no receive posted when requests came that are not in the capture: "
		"%" PRIu64 " RNR NAK%s asked to wait %s in all (the last with timer code %u).",
		rnr->count, rda_words_plural(rnr->count), rda_words_time(asked, rnr->asked_ns),
		rnr->syndrome & 31u);
}
