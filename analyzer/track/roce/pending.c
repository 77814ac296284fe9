/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READ and ATOMIC responses matched to their requests; pending.h has the figure.
 */
#include "analyzer/track/roce/pending.h"

#include "analyzer/base/assert.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/first_answer.h"
#include "analyzer/track/roce/lost_behind.h"
#include "analyzer/track/roce/named.h"
#include "analyzer/track/roce/owed.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/tally.h"
#include "analyzer/track/roce/turn.h"
#include "analyzer/track/roce/unseen.h"
#include "dissectors/opcode.h"

#include <glib.h>
#include <string.h>

static struct rda_pending *find(const struct rda_responder *s, int64_t psn)
{
	for (uint32_t i = 0; i < s->waiting.count; i++)
		if (psn >= s->waiting.items[i].begin && psn < s->waiting.items[i].end)
			return &s->waiting.items[i];
	return NULL;
}

static void drop(struct rda_responder *s, struct rda_pending *pending)
{
	s->waiting.count--;
	memmove(pending, pending + 1,
		(size_t)(s->waiting.items + s->waiting.count - pending) * sizeof(*pending));
}

/* The first response that the oldest of these lacks. */
static int64_t lacking(const struct rda_responder *s)
{
	const struct rda_pending *oldest = s->waiting.items;

	return oldest->missing ? oldest->hole : oldest->expected;
}

/* The requester still waits for it: a timeout would make it start there. */
static void note_oldest(const struct rda_responder *s, struct rda_requester *r)
{
	rda_tally_incomplete(r, s->waiting.count ? lacking(s) : INT64_MAX);
}

/* When it was first sent: before it appeared, if it had been lost before the tap. */
static int64_t sent_of(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, q->begin);

	return index < 0 ? q->time_ns : rda_window_at(&r->window, index)->sent_ns;
}

static struct rda_pending *add(struct rda_responder *s, const struct rda_requester *r,
			       const struct rda_request *q)
{
	struct rda_pending *pending;
	uint32_t at;

	if (s->waiting.count == RDA_PENDING_CAP) {
		drop(s, &s->waiting.items[0]);
		rda_responder_rare(s)->forgotten++;
	}
	if (s->waiting.count == s->waiting.allocated) {
		s->waiting.allocated = s->waiting.allocated ? s->waiting.allocated * 2 : 4;
		s->waiting.items =
			g_renew(struct rda_pending, s->waiting.items, s->waiting.allocated);
	}
	/* behind all others, as a rule: one that is asked again from the middle may be older */
	for (at = s->waiting.count; at > 0 && s->waiting.items[at - 1].begin > q->begin; at--)
		s->waiting.items[at] = s->waiting.items[at - 1];
	s->waiting.count++;
	pending = &s->waiting.items[at];
	RDA_ASSERT(at == 0 || pending[-1].begin < q->begin);
	*pending = (struct rda_pending){
		.begin = q->begin,
		.end = q->end,
		.expected = q->begin,
		.asked_ns = q->time_ns,
		.passed_ns = RDA_NEVER_NS,
		.sent_ns = sent_of(r, q),
		.frame = q->frame,
		.payload = q->payload,
		.kind = (uint8_t)rda_message_of(q->roles),
		.read = (q->roles & RDA_ROLE_READ) != 0,
		.unheard = rda_owed_came_early(s, q),
	};
	return pending;
}

static uint32_t less(uint32_t count, uint32_t *taken)
{
	uint32_t by = MIN(count, *taken);

	*taken -= by;
	return count - by;
}

/* Asked again from `begin`: what that says of the responses so far. */
static void ask_again(struct rda_responder *s, struct rda_requester *r, struct rda_pending *pending,
		      const struct rda_request *q, const struct rda_event_sink *sink)
{
	if (pending->resent++ == 0 && pending->read && !pending->done && !pending->missing)
		rda_response_bounds_open(&rda_responder_rare(s)->owing.bounds, pending->begin,
					 pending->end, pending->expected);
	rda_response_bounds_asked(s->rare->owing.bounds, q->begin);
	if (pending->missing && q->begin > pending->hole) {
		rda_owed_unseen(s, pending, q, sink);
	} else {
		bool uncertain = false;
		uint32_t at_end = rda_first_answer_at_end(s, r, pending, q, &uncertain), all;
		uint32_t perhaps = (uncertain ? at_end : 0) + pending->aside;
		bool none_certain = pending->unheard || rda_past_run_asks_anyway(r, q->begin);

		if (pending->missing && q->begin >= pending->expected)
			pending->missing = 0;
		all = less(pending->missing + at_end, &pending->damaged);
		/* its first answer came, damaged: what it lacks from now on is another */
		pending->owed |= all < pending->missing + at_end;
		/* what comes behind holes, where its end is under way, is none of these */
		rda_owed_add(s, r, pending->missing ? pending->hole : pending->expected,
			     pending->missing && !at_end ? pending->expected : pending->end, all,
			     none_certain ? all : MIN(perhaps, all), q, sink);
		rda_named_note(s, r, pending, all, q);
		if (!pending->missing && q->begin < pending->expected && pending->answered)
			rda_lost_behind(s, r, q, sink);
	}
	pending->missing = pending->aside = 0;
	pending->brought = MAX(pending->expected, pending->reached);
	pending->expected = q->begin;
	pending->passed_ns = RDA_NEVER_NS;
	pending->asked_ns = q->time_ns;
	pending->again = true;
	rda_owed_bind(s, q->time_ns);
}

/* Responses that never passed the tap, as far as is known. */
static uint32_t unseen_of(const struct rda_pending *pending)
{
	return rda_pending_unseen(pending) +
	       (uint32_t)MAX(pending->end - MAX(pending->expected, pending->reached), 0);
}

/* A run from before what it lacks asks for that again, though that was lost before the tap. */
static void covered_again(const struct rda_requester *r, struct rda_pending *pending, int64_t psn)
{
	if (rda_past_run_begins_behind(r, psn) || r->rare->run.ns <= pending->asked_ns)
		return;
	pending->asked_ns = r->rare->run.ns;
	if (pending->passed_ns <= r->rare->run.ns)
		pending->passed_ns = RDA_NEVER_NS;
}

void rda_pending_overdue(struct rda_responder *s, struct rda_requester *r,
			 const struct rda_request *q, const struct rda_event_sink *sink)
{
	while (s->waiting.count) {
		struct rda_pending *oldest = &s->waiting.items[0];
		uint32_t unseen = unseen_of(oldest);

		covered_again(r, oldest, lacking(s));
		if (oldest->passed_ns == RDA_NEVER_NS && r->heard->answers.next > oldest->end &&
		    r->heard->answers.next_ns > oldest->asked_ns)
			oldest->passed_ns =
				r->heard->answers.next_ns; /* by what passed one before it too */
		if (oldest->passed_ns == RDA_NEVER_NS ||
		    q->time_ns - oldest->passed_ns <= rda_requester_patience(r))
			return;
		if (!oldest->done && !oldest->unheard && unseen)
			rda_unseen_tell(s, q, lacking(s), unseen, sink);
		drop(s, oldest);
		note_oldest(s, r);
	}
}

/*
 * A run begins with this, and nothing before it in the run was lost before the tap: the requester
 * has what is older, as all of that had passed; what it asked for once more comes for nothing.
 */
static void begins_behind(struct rda_responder *s, const struct rda_requester *r,
			  const struct rda_request *q)
{
	if (r->rare->run.frame != q->frame || r->rare->counts.selective_repeat ||
	    !rda_sending_order_is_known(&r->order) || r->order.latest - r->order.before != 1)
		return;
	while (s->waiting.count && s->waiting.items[0].done && s->waiting.items[0].end <= q->begin)
		drop(s, &s->waiting.items[0]);
}

void rda_pending_request(struct rda_responder *s, struct rda_requester *r,
			 const struct rda_request *q, enum rda_request_kind kind,
			 const struct rda_event_sink *sink)
{
	struct rda_pending *pending;

	begins_behind(s, r, q);
	pending = find(s, q->begin);
	if (pending) {
		ask_again(s, r, pending, q, sink);
	} else {
		const struct rda_sent *record = rda_window_of(&r->window, q->begin);
		/* what comes late may have its answers still to come, where others were
		 * acknowledged */
		bool done = q->begin < r->progress.acked &&
			    (kind == RDA_REQUEST_RESENT ||
			     (kind != RDA_REQUEST_NEW && record &&
			      record->answer_ns != RDA_NEVER_NS && !record->ahead));

		rda_response_bounds_asked(s->rare->owing.bounds, q->begin);
		/* what comes late asks for nothing that was lost */
		if (kind == RDA_REQUEST_RESENT)
			rda_unseen_asked(s, r, q, sink);
		if (done && kind == RDA_REQUEST_RESENT)
			rda_lost_behind(s, r, q, sink);
		pending = add(s, r, q);
		pending->again = kind == RDA_REQUEST_RESENT;
		pending->done = done;
		pending->brought = done ? q->end : q->begin;
	}
	note_oldest(s, r);
}

static void emit_done(const struct rda_pending *pending, const struct rda_response *a,
		      const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = RDA_EVENT_REQUEST_DONE,
		.trigger = RDA_TRIGGER_NONE,
		.psn = pending->begin,
		.count = (uint64_t)(pending->end - pending->begin),
		.frame = a->frame,
		.time_ns = a->time_ns,
		.wait_ns = a->time_ns - pending->sent_ns,
	};

	rda_emit(sink, &event);
}

static void complete(struct rda_responder *s, struct rda_requester *r, struct rda_pending *pending,
		     const struct rda_response *a, const struct rda_event_sink *sink)
{
	struct rda_exchange exchange = {
		.begin = pending->begin,
		.end = pending->end,
		.start_ns = pending->sent_ns,
		.first_frame = pending->frame,
		.last_frame = a->frame,
		.bytes = pending->payload,
		.resent = pending->resent,
		.kind = pending->kind,
	};

	if (pending->done)
		rda_responder_again(s);
	else {
		emit_done(pending, a, sink);
		rda_message_answered(&rda_requester_heard(r)->assembly, &exchange, a->time_ns,
				     sink);
	}
	drop(s, pending);
}

/* Every older request than `pending` that got no response has missed it. */
static void imply_nak(struct rda_responder *s, struct rda_requester *r, int64_t psn,
		      const struct rda_response *a)
{
	if (s->waiting.items[0].passed_ns == RDA_NEVER_NS)
		s->waiting.items[0].passed_ns = a->time_ns;
	if (r->rare->run.retrying || (r->rare->due.trigger != RDA_TRIGGER_NONE &&
				      (!rda_run_went_on(r) || r->rare->due.psn == psn)))
		return;
	rda_responder_rare(s)->counts.implied_naks++;
	rda_run_due(r, RDA_TRIGGER_IMPLIED, psn, a->time_ns, 0, a->frame);
	if (s->waiting.items[0].done)
		rda_run_had(r);
}

void rda_pending_passed(struct rda_responder *s, struct rda_requester *r, int64_t psn,
			const struct rda_response *a)
{
	if (psn >= r->rare->run.begin && MIN(r->progress.incomplete, psn + 1) > r->rare->run.begin)
		rda_run_told(r);
	if (s->waiting.count && s->waiting.items[0].begin <= psn)
		imply_nak(s, r, lacking(s), a);
}

/* One that an earlier answer had not, in its place in a later one. */
static void came_with_another(struct rda_responder *s, const struct rda_requester *r,
			      struct rda_pending *pending, int64_t psn,
			      const struct rda_response *a, const struct rda_event_sink *sink)
{
	struct rda_request asked = {.time_ns = a->time_ns, .frame = a->frame};

	pending->missing--;
	rda_owed_add(s, r, psn, psn + 1, 1, 1, &asked, sink);
}

/* A response behind a later one of the same answer. */
static void came_behind(struct rda_responder *s, struct rda_requester *r,
			struct rda_pending *pending, int64_t psn, bool in_turn,
			const struct rda_response *a, const struct rda_event_sink *sink)
{
	/* late; a copy of another would be taken for it, so that too little is lost */
	bool fills = pending->missing && psn >= pending->hole && psn + 1 < pending->expected;

	if (fills && in_turn) {
		came_with_another(s, r, pending, psn, a, sink);
	} else if (fills) {
		pending->missing--;
		rda_owed_came_late(s, r, psn, a, sink);
	} else {
		rda_owed_came_again(s, r, psn, in_turn, a, sink);
	}
	if (pending->expected >= pending->end && !pending->missing)
		complete(s, r, pending, a, sink);
}

/* An answer has a hole before this response, the first one. */
static void open_bound(struct rda_responder *s, const struct rda_pending *pending, int64_t psn)
{
	if (rda_response_bounds_find(s->rare->owing.bounds, pending->begin))
		return;
	rda_response_bounds_open(&rda_responder_rare(s)->owing.bounds, pending->begin, pending->end,
				 pending->expected);
	rda_response_bounds_seen(s->rare->owing.bounds, psn);
}

/* Responses before this one have not come. */
static void leave_out(struct rda_responder *s, struct rda_pending *pending, int64_t psn,
		      int64_t time_ns)
{
	if (!pending->missing) {
		pending->hole = pending->expected;
		pending->hole_end = psn;
		pending->hole_ns = time_ns;
	}
	if (pending->read && !pending->resent && !pending->done)
		open_bound(s, pending, psn);
	pending->missing += (uint32_t)(psn - pending->expected);
}

/*
 * The first that comes of an answer, which may be to an earlier request than the latest: what lies
 * before it was lost in one or the other, unless earlier answers brought that and not this.
 */
static void set_aside(struct rda_responder *s, const struct rda_requester *r,
		      struct rda_pending *pending, int64_t psn, const struct rda_response *a,
		      const struct rda_event_sink *sink)
{
	struct rda_request asked = {.time_ns = a->time_ns, .frame = a->frame};
	int64_t begin = MAX(pending->expected, psn < pending->brought ? 0 : pending->brought);

	pending->brought += psn == pending->brought; /* the answer that had come so far goes on */
	if (pending->aside++ == 0 && begin < psn && !rda_owed_has(s, begin))
		rda_owed_add(s, r, begin, psn, (uint32_t)(psn - begin), (uint32_t)(psn - begin),
			     &asked, sink);
}

/* An answer came: what NAKs asked for is there. One to what precedes a request that was put off may
 * be late, and tells nothing of that. */
static void end_naks(struct rda_responder *s, int64_t psn)
{
	if (s->rare->nak.open && psn > s->rare->nak.psn)
		rda_responder_rare(s)->nak.open = false; /* it arrived after all, late */
	if (s->rare->rnr.open && psn >= s->rare->rnr.psn)
		rda_responder_rare(s)->rnr.open = false;
}

static bool take(struct rda_responder *s, struct rda_requester *r, int64_t psn,
		 const struct rda_response *a, const struct rda_event_sink *sink)
{
	struct rda_pending *pending = find(s, psn);
	int64_t index = rda_window_find(&r->window, psn);
	bool is_anew, in_turn;

	if (index >= 0)
		rda_turn_note(rda_window_at(&r->window, index), pending, psn, a->time_ns,
			      pending && psn > r->progress.incomplete);
	rda_requester_answered(r, psn, a->time_ns);
	if (s->rare->owing.count || s->rare->owing.told)
		rda_owed_response(s, r, psn, pending != NULL, a, sink);
	if (!pending) {
		rda_owed_came_again(s, r, psn, false, a, sink);
		return false;
	}
	rda_time_ledger_response(r, a->time_ns, a->payload, pending->asked_ns, !pending->answered);
	is_anew = rda_turn_is_other(pending, a->time_ns, r->heard->answers.took_ns);
	in_turn = rda_turn_take(pending, psn);
	if (psn < pending->expected) {
		came_behind(s, r, pending, psn, in_turn, a, sink);
		note_oldest(s, r);
		return true;
	}
	if (pending->again && psn > pending->expected && (!is_anew || rda_owed_may_be(s, psn))) {
		rda_owed_doubt_order(s, r, pending);
		set_aside(s, r, pending, psn, a, sink);
		rda_owed_came_again(s, r, psn, in_turn, a, sink);
		return true;
	}
	if (rda_turn_may_be_older(pending, psn, a->roles, a->has_aeth) &&
	    !rda_sending_order_is_known(&s->heard->order))
		rda_owed_doubt(s, psn);
	pending->again = false;
	if (psn == r->progress.incomplete)
		rda_run_told(r);
	if (psn > pending->expected) {
		leave_out(s, pending, psn, a->time_ns);
		imply_nak(s, r, pending->expected, a);
	} else if (pending != &s->waiting.items[0]) {
		imply_nak(s, r, lacking(s), a);
	} else {
		rda_requester_progress(r, a->time_ns, a->frame, sink);
	}
	if (!pending->answered && pending->read && !pending->done)
		rda_message_first_response(&rda_requester_heard(r)->assembly,
					   a->time_ns - pending->sent_ns);
	pending->expected = psn + 1;
	pending->latest_ns = a->time_ns;
	rda_requester_heard(r)->answers.took_ns = a->time_ns - pending->asked_ns;
	pending->answered = true;
	rda_requester_confirmed(r, pending->end, a->time_ns, a->frame);
	rda_requester_settle(r, pending->end, a->time_ns, a->frame, sink);
	s->at.expected = MAX(s->at.expected, pending->end);
	end_naks(s, psn);
	if (pending->expected >= pending->end && !pending->missing)
		complete(s, r, pending, a, sink);
	note_oldest(s, r);
	return true;
}

bool rda_pending_response(struct rda_responder *s, struct rda_requester *r, int64_t psn,
			  const struct rda_response *a, const struct rda_event_sink *sink)
{
	bool asked;

	if (a->has_aeth && a->roles & RDA_ROLE_LAST &&
	    (!r->progress.acked_frame ||
	     (s->waiting.count && s->waiting.items[0].begin == r->begun.first)))
		rda_run_first_answer(r, psn, a->msn);
	rda_response_bounds_seen(s->rare->owing.bounds, psn);
	if (a->untold && s->rare->owing.bounds)
		s->rare->owing.bounds->untold = true;
	rda_owed_bind(s, a->time_ns);
	asked = take(s, r, psn, a, sink);
	if (s->rare->owing.count)
		rda_owed_bind(s, a->time_ns);
	return asked;
}

void rda_responder_damaged(struct rda_responder *s, const struct rda_requester *r, uint32_t psn24)
{
	int64_t psn = rda_psn_widen(r->progress.acked, psn24);
	struct rda_pending *pending = find(s, psn);

	rda_responder_rare(s)->counts.damaged++;
	if (pending && psn >= pending->expected)
		pending->damaged++;
	if (pending && pending->read && !pending->resent && !pending->done && !pending->missing)
		rda_response_bounds_open(&rda_responder_rare(s)->owing.bounds, pending->begin,
					 pending->end, pending->expected);
	rda_response_bounds_damaged(s->rare->owing.bounds, psn);
}

/* One READ may lack some as the capture ends, or several that one loss has hit. */
enum { LACKING_LEAST = 3 };

bool rda_account_reads_lack(const struct rda_flow *flow)
{
	const struct rda_account *account = flow ? flow->account : NULL;
	unsigned lacking = 0;

	for (uint32_t i = 0; account && i < account->responder.waiting.count; i++) {
		const struct rda_pending *pending = &account->responder.waiting.items[i];

		lacking += pending->read && !pending->done && !pending->again &&
			   !pending->unheard && unseen_of(pending) &&
			   account->requester.heard->answers.next > pending->end &&
			   account->requester.heard->answers.next_ns - pending->asked_ns >
				   RDA_SILENCE_NS;
	}
	return lacking >= LACKING_LEAST;
}
