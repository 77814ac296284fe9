/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Acknowledgments and NAKs. The expected PSN is expected.c's part, READ and ATOMIC responses are
 * pending.c's.
 */
#include "analyzer/track/roce/responder.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/answer_place.h"
#include "analyzer/track/roce/again.h"
#include "analyzer/track/roce/expected.h"
#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/first_answer.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/owed.h"
#include "analyzer/track/roce/pending.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/selective.h"
#include "analyzer/track/roce/tally.h"
#include "dissectors/aeth.h"
#include "dissectors/opcode.h"

#include <glib.h>
#include <string.h>

const struct rda_responder_heard rda_responder_unheard;

const struct rda_responder_rare rda_responder_ordinary = {
	.arrival = {.naks = RDA_ARRIVAL_NO_NAKS, .late = RDA_ARRIVAL_NO_NAKS},
};

void rda_responder_init(struct rda_responder *s)
{
	memset(s, 0, sizeof(*s));
	s->rare = &rda_responder_ordinary;
	s->heard = &rda_responder_unheard;
}

struct rda_responder_heard *rda_responder_make_heard(struct rda_responder *s)
{
	struct rda_responder_heard *heard = g_memdup2(s->heard, sizeof(*heard));

	s->heard = heard;
	return heard;
}

struct rda_responder_rare *rda_responder_make_rare(struct rda_responder *s)
{
	struct rda_responder_rare *rare = g_memdup2(s->rare, sizeof(*rare));

	s->rare = rare;
	return rare;
}

void rda_responder_cleanup(struct rda_responder *s)
{
	g_free(s->waiting.items);
	if (s->heard != &rda_responder_unheard) {
		g_free(s->heard->gaps);
		g_free((void *)s->heard);
	}
	if (s->rare != &rda_responder_ordinary) {
		g_free(s->rare->owing.owed);
		g_free(s->rare->owing.told);
		rda_response_bounds_free(s->rare->owing.bounds);
		g_free(s->rare->log);
		g_free((void *)s->rare);
	}
}

static void emit(const struct rda_event_sink *sink, enum rda_event_kind kind,
		 const struct rda_response *a, int64_t psn, uint64_t count, uint64_t other)
{
	struct rda_event event = {
		.kind = (uint8_t)kind,
		.trigger = RDA_TRIGGER_NONE,
		.syndrome = a->syndrome,
		.msn = a->msn,
		.psn = psn,
		.count = count,
		.frame = a->frame,
		.other_frame = other,
		.time_ns = a->time_ns,
		.wait_ns = -1,
	};

	rda_emit(sink, &event);
}

/* Of what had this PSN last. */
static uint64_t frame_of(const struct rda_requester *r, int64_t psn)
{
	const struct rda_sent *record = rda_window_of(&r->window, psn);

	return record ? record->last_frame : 0;
}

/* ---- requests that pass toward it ------------------------------------------------------------ */

void rda_responder_span(struct rda_responder *s, const struct rda_requester *r, int64_t begin,
			int64_t end)
{
	rda_expected_span(s, r, begin, end);
	for (uint32_t i = 0; i < s->waiting.count; i++)
		if (s->waiting.items[i].begin == begin)
			s->waiting.items[i].end = end;
}

void rda_responder_shorten(struct rda_responder *s, int64_t begin, int64_t end, uint64_t since)
{
	for (uint32_t i = 0; i < s->waiting.count; i++)
		if (s->waiting.items[i].begin == begin)
			s->waiting.items[i].end = end;
	if (s->at.expected <= end)
		return;
	s->at.expected = end;
	s->at.ahead = since;
	rda_responder_rare(s)->unexpected.out_of_sequence += since;
}

/* What a NAK named comes again: it was seen, and the responder missed it. */
static void asked_again(struct rda_responder *s, struct rda_requester *r,
			const struct rda_request *q, const struct rda_event_sink *sink)
{
	const struct rda_sent *record = rda_window_of(&r->window, s->rare->nak.psn);

	rda_responder_rare(s)->nak.open = false;
	/* it lay in a READ whose span was guessed too long: nobody saw it before */
	if (record && record->first_frame == q->frame)
		return;
	rda_requester_rare(r)->counts.doubts.after += s->rare->nak.soon;
	rda_responder_rare(s)->nak.sent = r->progress.next;
	rda_tally_lost_after(r);
	rda_tally_emit(sink, RDA_EVENT_LOST_AFTER, q, s->rare->nak.psn, 1, s->rare->nak.frame);
}

RDA_APART static void take_span(struct rda_responder *s, struct rda_requester *r)
{
	int64_t begin, end;

	rda_requester_take_span(r, &begin, &end);
	rda_responder_span(s, r, begin, end);
}

RDA_APART void rda_responder_any(struct rda_responder *s, struct rda_requester *r,
				 const struct rda_request *q, enum rda_request_kind kind,
				 const struct rda_event_sink *sink)
{
	if (rda_requester_has_span(r))
		take_span(s, r);
	if (kind == RDA_REQUEST_MIRRORED) {
		rda_response_bounds_asked(s->rare->owing.bounds,
					  q->begin); /* perhaps it arrived too */
		rda_responder_copied(s, r, q, r->window.lean ? 0 : frame_of(r, q->begin));
		return;
	}
	if (s->at.expected == 0)
		s->at.expected = s->begin_psn = r->progress.acked;
	if (kind != RDA_REQUEST_NEW) {
		if (s->rare != &rda_responder_ordinary)
			rda_arrival_request(&rda_responder_rare(s)->arrival, q);
		if (!r->looked_back || s->rare->late_turn.expected)
			rda_again_late(s, r, q);
		if (r->rare->run.wholes)
			rda_again_life(s, r, q);
	}
	if (s->rare->nak.open && kind == RDA_REQUEST_RESENT && q->begin <= s->rare->nak.psn)
		asked_again(s, r, q, sink);
	if (s->waiting.count && kind == RDA_REQUEST_NEW)
		rda_pending_overdue(s, r, q, sink);
	if (q->roles & RDA_ROLE_ANSWERED)
		rda_pending_request(s, r, q, kind, sink);
	rda_expected_request(s, r, q, kind);
}

/* ---- responses ------------------------------------------------------------------------------- */

/* What lies below the first PSN that was not seen, of those that are not acknowledged. */
static int64_t seen_below(const struct rda_requester *r)
{
	for (uint32_t i = r->settled; i < r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);

		if (!record->seen)
			return record->begin;
	}
	return r->progress.next;
}

/* Everything below `psn` arrived: whatever the requests seemed to tell. */
static void prove(struct rda_responder *s, struct rda_requester *r, int64_t psn,
		  const struct rda_response *a, const struct rda_event_sink *sink)
{
	/* what acknowledges more than was sent may be nothing: what it tells of holes, the next one
	 * tells, too (see reaches()) */
	if (psn > r->progress.next) {
		psn = seen_below(r);
		if (psn > r->progress.acked)
			rda_requester_heard(r)->answers.ghost = a->frame;
	}
	if (psn > s->at.expected) {
		/* the hole that made requests look out of sequence was the capture's own */
		rda_responder_rare(s)->unexpected.out_of_sequence -=
			MIN(s->at.ahead, s->rare->unexpected.out_of_sequence);
		s->at.ahead = 0;
		s->at.expected = psn;
		rda_expected_catch_up(s, r);
	}
	if (s->rare->nak.open && psn > s->rare->nak.psn)
		rda_responder_rare(s)->nak.open = false; /* it arrived after all, late */
	rda_requester_settle(r, psn, a->time_ns, a->frame, sink);
}

/* How long the answer to the newest request it covers took, when that was sent once (Karn). */
static void note_rtt(struct rda_requester *r, int64_t psn, int64_t time_ns)
{
	int64_t index = rda_window_find(&r->window, psn), rtt;
	const struct rda_sent *record =
		r->window.lean || index < 0 ? NULL : rda_window_at(&r->window, index);

	if (index < 0 || (record && (record->seen != 1 || record->sent != 1)))
		return;
	/* it waited for what the latest run sent again */
	if (record && psn >= r->rare->run.begin && record->ordinal < r->rare->run.ordinal)
		return;
	rtt = time_ns - (record ? record->last_ns
				: rda_lean_time(&r->window, rda_lean_at(&r->window, index)));
	if (rtt < 0)
		return;
	r->rtt.smooth_ns = r->rtt.smooth_ns ? r->rtt.smooth_ns + (rtt - r->rtt.smooth_ns) / 8 : rtt;
}

/* As note_acked, of a lean window. */
static void note_acked_lean(struct rda_requester *r, int64_t psn, const struct rda_response *a)
{
	struct rda_sent record;

	for (uint32_t i = r->settled; i < r->window.count; i++) {
		if (r->window.first + i > psn)
			return;
		if (!(rda_lean_at(&r->window, i)->payload & RDA_LEAN_ASKS))
			continue;
		rda_lean_record(&r->window, i, &record);
		rda_message_acked(&rda_requester_heard(r)->assembly, &record, a->time_ns, a->frame);
	}
}

/* The requests that are answered by this ACK, and by none before. */
static void note_acked(struct rda_requester *r, int64_t psn, const struct rda_response *a)
{
	if (r->window.lean) {
		note_acked_lean(r, psn, a);
		return;
	}
	for (uint32_t i = r->settled; i < r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);

		if (record->end > psn + 1)
			return;
		rda_message_acked(&rda_requester_heard(r)->assembly, record, a->time_ns, a->frame);
	}
}

/*
 * Everything below `psn` was taken, says the responder. What of it is not in the capture so far was
 * missed by it when requests go on behind; where the two directions go through different queues it
 * is the next to come. False when it is nonsense.
 */
static bool reaches(struct rda_requester *r, int64_t psn, const struct rda_response *a,
		    const struct rda_event_sink *sink)
{
	if (psn <= r->progress.next)
		return true;
	emit(sink, RDA_EVENT_GHOST_ACK, a, psn - 1, (uint64_t)(psn - r->progress.next), 0);
	if (psn - r->progress.next > RDA_GHOST_PSNS) {
		rda_requester_far(r, psn);
		return false;
	}
	rda_requester_missed(r, psn, a->time_ns, a->frame, a->msn);
	return true;
}

static void positive(struct rda_responder *s, struct rda_requester *r, int64_t psn,
		     const struct rda_response *a, const struct rda_event_sink *sink)
{
	if (!reaches(r, psn + 1, a, sink))
		return;
	emit(sink, RDA_EVENT_ACK, a, psn,
	     psn < r->progress.acked && !rda_requester_is_ghostly(r, psn), 0);
	if (!r->progress.acked_frame)
		rda_run_first_answer(r, psn, a->msn);
	rda_again_counted(s, r, a);
	rda_run_counts_on(r, psn, a->msn);
	rda_again_jumped(s, r, psn + 1, a);
	if (!a->late || rda_psn_widen(s->heard->msn, a->msn) > s->heard->msn)
		rda_responder_heard(s)->msn = a->msn; /* else what overtook it has told more */
	if (psn < r->progress.next)		      /* else it may answer nothing at all */
		rda_requester_answered(r, psn + 1, a->time_ns);
	rda_pending_passed(s, r, psn, a);
	if (psn + 1 <= r->progress.acked) {
		rda_requester_confirmed(r, psn + 1, a->time_ns, a->frame);
		rda_again_taken(s, psn + 1);
		/* one more answer to what was answered: the resends were duplicates */
		if (psn + 1 == r->progress.acked && !a->late)
			rda_responder_again(s);
		if (s->rare->assumed.due)
			rda_responder_rare(s)->assumed.due--;
		else if (s->rare->assumed.count)
			rda_again_settle(s, r, psn + 1);
		if (r->stall.open && psn + 1 == r->progress.next) /* else it answers nothing */
			rda_requester_progress(r, a->time_ns, a->frame, sink);
		return;
	}
	rda_again_judge(s, r, psn);
	rda_again_acked(s, r, psn);
	note_rtt(r, psn, a->time_ns);
	note_acked(r, psn, a);
	prove(s, r, psn + 1, a, sink);
	if (s->rare->rnr.open && psn >= s->rare->rnr.psn)
		rda_responder_rare(s)->rnr.open = false;
	rda_window_thin(&r->window, r->ordinal);
}

static void nak_sequence(struct rda_responder *s, struct rda_requester *r, int64_t psn,
			 const struct rda_response *a, const struct rda_event_sink *sink)
{
	bool after_rnr = s->rare->rnr.open && s->rare->rnr.psn == psn,
	     is_old = psn < r->progress.acked;
	bool is_lost, is_crossed;
	const struct rda_sent *record;

	emit(sink, RDA_EVENT_NAK_SEQUENCE, a, psn, 0, frame_of(r, psn));
	if (!reaches(r, psn, a, sink))
		return;
	rda_again_counted(s, r, a);
	record = rda_window_of(&r->window, psn);
	if (record && rda_arrival_was_dropped(&s->rare->arrival, record))
		rda_selective_refuted(r);
	if (!is_old)
		rda_arrival_nak(&rda_responder_rare(s)->arrival, r, psn, a->time_ns);
	else if (a->msn == 0 && !after_rnr && !s->rare->late_begin.is) /* else it had come */
		rda_requester_first_named(r, psn);
	prove(s, r, psn, a, sink);
	record = rda_window_of(&r->window, psn); /* only now: settling moves the records */
	is_crossed = record ? rda_arrival_has_crossed(&s->rare->arrival, record)
			    : s->rare->late_begin.is && psn == s->begin_psn;
	is_lost = !is_old && !after_rnr && record && !record->damaged &&
		  rda_arrival_is_lost(&s->rare->arrival, record);
	if (is_lost) {
		rda_responder_rare(s)->nak.open = true;
		rda_responder_rare(s)->nak.psn = psn;
		rda_responder_rare(s)->nak.frame = record->last_frame;
		rda_responder_rare(s)->nak.soon =
			psn < s->rare->nak.sent &&
			a->time_ns - record->last_ns <=
				2 * r->rtt.smooth_ns +
					rda_meta_unit_ns(a->time_ns, record->last_ns);
	}
	if (!is_crossed)
		rda_expected_fall_back(s, r, psn);
	else if (is_lost)
		rda_expected_repeat(s, r, record);
	rda_again_named(s, psn);
	rda_filling_asked(r, psn, a->time_ns);
	rda_run_due(r, RDA_TRIGGER_NAK, psn, a->time_ns, 0, a->frame);
	if (is_crossed)
		rda_run_crossed(r, psn);
}

static void rnr(struct rda_responder *s, struct rda_requester *r, int64_t psn,
		const struct rda_response *a, const struct rda_event_sink *sink)
{
	emit(sink, RDA_EVENT_RNR, a, psn, 0, 0);
	if (!reaches(r, psn, a, sink))
		return;
	rda_again_counted(s, r, a);
	prove(s, r, psn, a, sink);
	if (psn >= r->progress.acked)
		rda_arrival_rnr(&rda_responder_rare(s)->arrival, r, psn, a->time_ns);
	if (psn == s->rare->nak.psn)
		rda_responder_rare(s)->nak.open = false; /* it is there, late: nothing takes it */
	rda_responder_rare(s)->rnr.open = true;
	rda_responder_rare(s)->rnr.psn = psn;
	rda_responder_rare(s)->rnr.msn = a->msn;
	rda_first_answer_put_off(s, psn, a->msn);
	rda_again_not_ready(s, r, psn);
	rda_expected_fall_back(s, r, psn);
	rda_run_due(r, RDA_TRIGGER_RNR, psn, a->time_ns, rda_aeth_rnr_ns(a->syndrome), a->frame);
	rda_requester_rare(r)->due.behind = rda_first_answer_waits(s, a->msn);
}

static void nak_fatal(struct rda_responder *s, struct rda_requester *r, int64_t psn,
		      const struct rda_response *a, const struct rda_event_sink *sink)
{
	emit(sink, RDA_EVENT_NAK_FATAL, a, psn, 0, frame_of(r, psn));
	if (!reaches(r, psn, a, sink))
		return;
	prove(s, r, psn, a, sink);
	rda_again_refused(s, psn);
}

/* An ACK of what was sent and arrived in order: it needs no records. */
static bool is_ordinary(const struct rda_responder *s, const struct rda_requester *r, int64_t psn,
			const struct rda_response *a)
{
	return a->has_aeth && rda_syndrome_kind(a->syndrome) == RDA_AETH_ACK &&
	       psn < r->progress.next && psn < s->at.expected && !s->rare->assumed.count;
}

/* A READ that was asked for once, and copied on its way, is answered from its beginning again. */
static bool answers_copy(const struct rda_requester *r, int64_t psn, const struct rda_response *a)
{
	const struct rda_sent *read =
		a->roles & RDA_ROLE_FIRST ? rda_window_of(&r->window, psn) : NULL;

	return read && read->begin == psn && read->roles & RDA_ROLE_READ && read->seen == 1 &&
	       read->sent <= 1 && read->copied;
}

/*
 * One more response, with this PSN, to a READ or ATOMIC, behind the answer to what lies below
 * `acked`. Responses of a READ are sent again for what its requester missed of them too, so they
 * are not counted where that asked for more.
 */
static void answered_again(struct rda_responder *s, const struct rda_requester *r, int64_t psn,
			   int64_t acked, const struct rda_response *a)
{
	bool copied = answers_copy(r, psn, a);

	if (a->roles & RDA_ROLE_ATOMIC || copied)
		rda_responder_again(s);
	if (copied)
		rda_responder_rare(s)->again.reads++;
	if (s->rare->assumed.count)
		rda_again_settle(s, r, acked);
}

void rda_responder_response(struct rda_responder *s, struct rda_requester *r,
			    struct rda_response *a, const struct rda_event_sink *sink)
{
	int64_t psn = rda_psn_widen(r->progress.acked, a->psn);

	if (!r->run.started)
		return;
	rda_answer_place(s, r, a, psn, sink);
	rda_owed_answered(s, psn, a);
	if (r->heard->answers.unseen_frame && a->has_aeth &&
	    rda_syndrome_kind(a->syndrome) == RDA_AETH_ACK)
		rda_requester_refuted(r, psn, a->msn);
	if (a->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC) || !is_ordinary(s, r, psn, a))
		rda_window_thicken(&r->window);
	if (a->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC)) {
		/* the capture missed who asked: the answer proves that it and all before arrived */
		int64_t acked = r->progress.acked;
		bool asked = (rda_again_jumped(s, r, psn + 1, a),
			      rda_pending_response(s, r, psn, a, sink));

		if (rda_responses_overtake(&s->rare->counts))
			rda_requester_heard(r)->answers.overtake = true;
		rda_again_answered(s, r, psn, a);
		if (!asked && psn < acked)
			answered_again(s, r, psn, acked, a);
		if (!asked && psn - r->progress.next <= RDA_GHOST_PSNS) {
			rda_owed_early(s, psn, a->time_ns);
			rda_requester_missed(r, psn + 1, a->time_ns, 0, 0);
			prove(s, r, psn + 1, a, sink);
		}
		return;
	}
	if (!a->has_aeth) {
		rda_requester_heard(r)->answers.cut_ns = a->time_ns;
		return;
	}
	switch (rda_syndrome_kind(a->syndrome)) {
	case RDA_AETH_ACK: positive(s, r, psn, a, sink); break;
	case RDA_AETH_RNR: rnr(s, r, psn, a, sink); break;
	case RDA_AETH_NAK:
		if (a->syndrome == RDA_SYNDROME_NAK_SEQUENCE)
			nak_sequence(s, r, psn, a, sink);
		else
			nak_fatal(s, r, psn, a, sink);
		break;
	default: break;
	}
}
