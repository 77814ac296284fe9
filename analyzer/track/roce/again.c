/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which resends and copies were duplicates, by what was answered twice; again.h has the reasoning.
 */
#include "analyzer/track/roce/again.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/run.h"

#include <glib.h>

/* ACKs that tell that a responder acknowledges only what asks for it. */
enum { ASKED_LEAST = 4 };

uint64_t rda_again_passed(const struct rda_requester *r, int64_t begin, int64_t end,
			  uint64_t ordinal)
{
	const struct rda_window *window = &r->window;
	uint64_t passed = 0;
	int64_t index;

	if (!window->count)
		return 0;
	index = rda_window_find(window, MAX(begin, rda_window_at(window, 0)->begin));
	for (; index >= 0 && index < (int64_t)window->count; index++) {
		const struct rda_sent *record = rda_window_at(window, index);

		if (record->begin >= end)
			break;
		passed += record->begin >= begin && record->seen && record->ordinal >= ordinal;
	}
	return passed;
}

/*
 * It passed ahead of its turn, as what precedes it had not passed, and the copy is of it and of
 * nothing that had its PSN before. And no mirror made that, which shows packets in the order in
 * which they passed: of those up to the original less than half had copies, or this one comes later
 * than a mirror's do.
 */
static bool was_ahead(const struct rda_requester *r, const struct rda_request *q, uint64_t original)
{
	uint64_t copied = r->rare->counts.packets[RDA_REQUEST_MIRRORED];
	const struct rda_sent *record, *before;

	if (r->window.lean)
		return false;
	record = rda_window_of(&r->window, q->begin);
	before = rda_window_of(&r->window, q->begin - 1);
	return record && before && record->seen && record->last_frame == original &&
	       record->ordinal < before->ordinal &&
	       (copied * 2 < record->ordinal || q->time_ns - record->last_ns >= RDA_MIRROR_NS);
}

void rda_responder_copied(struct rda_responder *s, const struct rda_requester *r,
			  const struct rda_request *q, uint64_t original)
{
	if (q->begin < s->at.expected)
		rda_responder_rare(s)->again.copies++;
	/* only the network can have made what arrives in its turn now, if no mirror did */
	if (q->begin == s->at.expected && rda_requester_copied_seldom(r) &&
	    was_ahead(r, q, original)) {
		s->at.expected = q->end;
		s->at.ahead = 0;
	}
}

/*
 * It acknowledges only what asks for it, and what it gets again: ACKs of other packets are no more
 * than what it may have got again. A mirror's copies it did not get.
 */
static bool acks_what_asks(const struct rda_responder *s, bool mirrored)
{
	const struct rda_answers_again *again = &s->rare->again;
	uint64_t copies = mirrored ? 0 : again->copies;

	return s->heard->habit.asked >= ASKED_LEAST &&
	       s->heard->habit.unasked <= s->rare->unexpected.duplicates + copies + again->assumed +
						  s->rare->assumed.count;
}

/* Answers to what it got again. */
static uint64_t answered_twice(const struct rda_responder *s, bool mirrored)
{
	uint64_t count = s->rare->again.count - (mirrored ? s->rare->again.reads : 0);

	return count + (acks_what_asks(s, mirrored) ? s->heard->habit.unasked : 0);
}

bool rda_account_acks_what_asks(const struct rda_account *account)
{
	const struct rda_ack_habit *habit = &account->responder.heard->habit;

	return habit->asked >= ASKED_LEAST && habit->unasked * ASKED_LEAST <= habit->asked;
}

void rda_again_settle(struct rda_responder *s, const struct rda_requester *r, int64_t end)
{
	uint64_t passed = rda_again_passed(r, s->rare->assumed.begin, end, r->rare->run.ordinal);

	passed = CLAMP(passed, 1, s->rare->assumed.count); /* 1: one of a run before this */
	rda_responder_rare(s)->unexpected.duplicates += passed;
	rda_responder_rare(s)->assumed.count -= (uint32_t)passed;
	rda_responder_rare(s)->assumed.begin = MAX(s->rare->assumed.begin, end);
}

void rda_again_leave(struct rda_responder *s)
{
	rda_responder_rare(s)->again.assumed += s->rare->assumed.count;
	rda_responder_rare(s)->assumed.count = rda_responder_rare(s)->assumed.due = 0;
}

void rda_again_acked(struct rda_responder *s, const struct rda_requester *r, int64_t psn)
{
	int64_t index = rda_window_find(&r->window, psn);

	if (index < 0)
		return;
	if (r->window.lean ? rda_lean_at(&r->window, index)->payload & RDA_LEAN_ASKS
			   : rda_window_at(&r->window, index)->ack_req) {
		rda_responder_heard(s)->habit.asked++;
		return;
	}
	rda_responder_heard(s)->habit.unasked++;
	if (!r->window.lean && rda_window_at(&r->window, index)->copied > 0 &&
	    s->rare->again.named < s->rare->again.copies)
		rda_responder_rare(s)->again.named++;
}

/* Nothing was sent again, and behind a silence an answer counts fewer messages: the capture may
 * show it before the run that begins the QP's next life. */
static bool is_shown_first(const struct rda_responder *s, const struct rda_requester *r,
			   const struct rda_response *a)
{
	return a->msn < s->heard->msn && a->time_ns - rda_requester_sound_ns(r) >= RDA_SILENCE_NS;
}

void rda_again_counted(struct rda_responder *s, struct rda_requester *r,
		       const struct rda_response *a)
{
	if (a->late)
		return;
	if (!r->rare->run.wholes && !r->rare->run.untold) {
		if (is_shown_first(s, r, a))
			rda_requester_rare(r)->run.counted = s->heard->msn;
		return;
	}
	rda_run_counted(r, MAX(s->heard->msn, r->rare->run.counted), a->msn);
	if (!r->rare->run.anew)
		return;
	rda_window_thicken(&r->window);
	rda_again_anew(s, r);
}

void rda_again_answered(struct rda_responder *s, struct rda_requester *r, int64_t psn,
			const struct rda_response *a)
{
	int64_t less = s->heard->msn - rda_psn_widen(s->heard->msn, a->msn);

	if (!a->has_aeth)
		return;
	/* to what is repeated some answer with the count of the first time: each PSN since then
	 * ended one message at most. Or it seems to count on, by more than anybody sends; else that
	 * tells nothing: the next connection may have come as far */
	if (s->heard->msn &&
	    (less > r->progress.acked - psn || (less < -RDA_AGAIN_FAR && a->msn < s->heard->msn)))
		rda_again_counted(s, r, a);
	/* one that came late, or answers what was sent again, may count less than the latest */
	if (!s->heard->msn || r->rare->run.anew || less < 0)
		rda_responder_heard(s)->msn = a->msn;
}

uint64_t rda_responder_duplicates(const struct rda_responder *s, const struct rda_requester *r,
				  bool mirrored)
{
	const struct rda_answers_again *again = &s->rare->again;
	uint64_t named = !mirrored && acks_what_asks(s, false) ? again->named : 0;
	/* it came late, for the first time or as a copy */
	uint64_t late = r->rare->none_again ? again->doubted : 0;
	uint64_t passed =
		late ? again->doubted_passed : 0; /* of these: it came twice all the same */
	uint64_t duplicates = s->rare->unexpected.duplicates;
	uint64_t known = duplicates - MIN(late, duplicates) + named;
	uint64_t told = answered_twice(s, mirrored);
	uint64_t perhaps = (mirrored ? 0 : again->copies - named) + passed + again->assumed +
			   s->rare->assumed.count;

	return known + MIN(perhaps, told - MIN(told, known));
}

void rda_again_judge(struct rda_responder *s, const struct rda_requester *r, int64_t psn)
{
	const struct rda_sent *record;
	int64_t index;

	if (!s->rare->assumed.count)
		return;
	index = rda_window_find(&r->window, psn);
	record = index < 0 ? NULL : rda_window_at(&r->window, index);
	if (psn + 1 > s->rare->assumed.end) {
		rda_again_leave(s); /* it goes on */
	} else if (record && record->ordinal < r->rare->run.ordinal) {
		rda_again_settle(s, r, psn + 1);
	} else if (record && !record->ack_req &&
		   acks_what_asks(s, !rda_requester_copied_seldom(r))) {
		rda_responder_rare(s)->assumed.due = s->rare->assumed.count - 1;
		rda_again_settle(s, r, psn + 1); /* this answers the first of them */
		rda_responder_rare(s)->assumed.due -=
			MIN(s->rare->assumed.due, s->rare->assumed.count);
	}
}

void rda_again_life(struct rda_responder *s, const struct rda_requester *r,
		    const struct rda_request *q)
{
	struct rda_next_life *life = &rda_responder_rare(s)->life;
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	if (r->rare->run.wholes == 1 && r->rare->run.ordinal == r->ordinal)
		*life = (struct rda_next_life){
			.at.expected = MIN(r->begun.first, r->rare->lowest),
			.end = r->progress.next,
			.before = s->rare->unexpected.duplicates,
		};
	if (q->begin < life->at.expected) {
		life->duplicates++;
	} else if (q->begin > life->at.expected) {
		life->out_of_sequence++;
		life->at.ahead++;
	} else {
		life->at.expected = q->span_unknown && record ? record->end : q->end;
		life->at.ahead = 0;
	}
}

void rda_again_anew(struct rda_responder *s, const struct rda_requester *r)
{
	const struct rda_next_life *life = &s->rare->life;
	uint64_t behind;

	rda_responder_rare(s)->unexpected.duplicates =
		MIN(s->rare->unexpected.duplicates, life->before + life->duplicates);
	rda_responder_rare(s)->unexpected.out_of_sequence += life->out_of_sequence;
	if (life->at.expected >= life->end)
		return; /* what had not passed before was followed */
	behind = rda_again_passed(r, life->end, r->progress.next, 0);
	rda_responder_rare(s)->unexpected.out_of_sequence += behind;
	s->at = life->at;
	s->at.ahead += behind;
}

void rda_again_jumped_far(const struct rda_responder *s, struct rda_requester *r, int64_t psn,
			  const struct rda_response *a)
{
	int64_t taken = psn - r->progress.acked;
	struct rda_sent *hole;
	bool counted;

	if (a->late || r->window.lean || r->settled + 1 >= r->window.count)
		return;
	hole = rda_window_at(&r->window, r->settled);
	if (hole->begin != r->progress.acked || hole->seen)
		return;
	counted = a->msn && s->heard->msn;
	if (counted && ((a->msn - s->heard->msn) & RDA_PSN_MASK) <= (uint64_t)taken)
		return;
	hole->perhaps = true; /* as what precedes the first packet */
	if (!counted)
		return;
	r->begun.first = hole->end;
	r->begun.is_whole = rda_window_at(&r->window, r->settled + 1)->roles & RDA_ROLE_FIRST;
	rda_requester_rare(r)->lowest = hole->end;
}

void rda_again_duplicate(struct rda_responder *s, bool doubted, bool passed)
{
	struct rda_duplicate_log *log;

	if (s->rare->dead)
		return;
	rda_responder_rare(s)->unexpected.duplicates++;
	rda_responder_rare(s)->again.doubted += doubted;
	rda_responder_rare(s)->again.doubted_passed += doubted && passed;
	if (!s->rare->log)
		rda_responder_rare(s)->log = g_new0(struct rda_duplicate_log, 1);
	log = s->rare->log;
	if (!log->next ||
	    log->groups[(log->next - 1) % RDA_DUPLICATE_GROUPS].expected != s->at.expected)
		log->groups[log->next++ % RDA_DUPLICATE_GROUPS].count = 0;
	log->groups[(log->next - 1) % RDA_DUPLICATE_GROUPS].expected = s->at.expected;
	log->groups[(log->next - 1) % RDA_DUPLICATE_GROUPS].count++;
}

void rda_again_late(struct rda_responder *s, const struct rda_requester *r,
		    const struct rda_request *q)
{
	struct rda_late_turn *late = &rda_responder_rare(s)->late_turn;

	if (r->looked_back) {
		if (r->rare->none_again)
			rda_again_taken(s, late->expected);
		late->expected = 0;
		return;
	}
	if (!late->expected)
		*late = (struct rda_late_turn){s->begin_psn, s->at.expected};
	if (q->begin < late->begin && !r->progress.acked_frame)
		*late = (struct rda_late_turn){q->begin, q->end}; /* what overtook it was dropped */
	else if (q->begin == late->expected)
		late->expected = q->end;
}

void rda_again_named(struct rda_responder *s, int64_t psn)
{
	const struct rda_late_turn *late = &s->rare->late_turn;

	/* that for the least was made by what overtook it */
	if (psn > late->begin && psn < late->expected)
		rda_responder_rare(s)->late_turn.expected = psn;
}

void rda_again_taken(struct rda_responder *s, int64_t end)
{
	if (end <= s->at.expected)
		return;
	s->at.expected = end;
	s->at.ahead = 0;
}

void rda_again_not_ready(struct rda_responder *s, const struct rda_requester *r, int64_t psn)
{
	struct rda_duplicate_log *log = s->rare->log;
	struct rda_duplicate_group *group =
		log ? &log->groups[(log->next - 1) % RDA_DUPLICATE_GROUPS] : NULL;
	uint64_t passed;

	if (!group || group->expected <= psn)
		return;
	passed = rda_again_passed(r, psn, group->expected, r->rare->run.ordinal);
	passed = MIN(passed, group->count);
	group->count -= passed;
	group->expected = psn; /* what is repeated for this is new */
	rda_responder_rare(s)->unexpected.duplicates -= MIN(passed, s->rare->unexpected.duplicates);
}

void rda_again_refused(struct rda_responder *s, int64_t psn)
{
	uint64_t behind = 0;

	for (unsigned i = 0; s->rare->log && i < RDA_DUPLICATE_GROUPS; i++)
		if (s->rare->log->groups[i].expected > psn)
			behind += s->rare->log->groups[i].count;
	rda_responder_rare(s)->unexpected.duplicates -= MIN(behind, s->rare->unexpected.duplicates);
	rda_responder_rare(s)->dead = true;
}
