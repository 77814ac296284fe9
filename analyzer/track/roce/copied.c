/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies and late requests, by time alone; copied.h has the figure.
 */
#include "analyzer/track/roce/copied.h"

#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/past_run.h"

#include <glib.h>

/* All of the run may be copies, and nothing that was seen could have made the requester begin it.
 */
static bool is_doubted(const struct rda_requester *r)
{
	return r->rare->run.doubted &&
	       (r->run.trigger == RDA_TRIGGER_TIMEOUT || r->run.trigger == RDA_TRIGGER_UNEXPLAINED);
}

/* The network's copy, as it has its original's identification, and nothing can begin a run here. */
static bool is_late_copy(const struct rda_requester *r, const struct rda_sent *record,
			 const struct rda_request *q)
{
	return q->time_ns - record->last_ns < RDA_NAK_STALE_NS &&
	       r->run.trigger == RDA_TRIGGER_NONE && rda_requester_overtakes(r) &&
	       rda_sending_order_is_line(&r->order, q->ip_id, q->begin) &&
	       q->begin > MIN(r->progress.acked, r->progress.incomplete) &&
	       q->time_ns - r->progress.last_ns < RDA_MIRROR_NS;
}

/* The network copies some: few enough to be no mirror's. */
static bool are_some_copied(const struct rda_requester *r)
{
	return r->rare->counts.packets[RDA_REQUEST_MIRRORED] && rda_requester_copied_seldom(r);
}

/*
 * The newest packet once more and alone: sooner than any timer in use fires. Sooner than most do,
 * where the network copies some. Identifications tell nothing.
 */
static bool is_slow_copy(const struct rda_requester *r, const struct rda_sent *record,
			 const struct rda_request *q)
{
	bool some = are_some_copied(r);

	return q->end == r->progress.next && r->run.trigger == RDA_TRIGGER_NONE &&
	       !rda_sending_order_is_known(&r->order) &&
	       q->time_ns - record->last_ns < (some ? RDA_SILENCE_NS : RDA_TIMER_IN_USE_NS);
}

/*
 * The newest packet once more, and its sender had not gone back yet when it passed: a run of
 * resends that begins so lacks all that was asked for.
 */
static bool repeats_newest(const struct rda_requester *r, const struct rda_sent *record,
			   const struct rda_request *q)
{
	return q->end == r->progress.next && q->begin > r->rare->due.psn &&
	       r->rare->due.ns < record->last_ns && record->last_ns == r->progress.last_ns;
}

/* Its sender has obeyed NAKs, and took twice as long for each as has passed since this one. */
static bool is_too_soon(const struct rda_requester *r, const struct rda_request *q)
{
	return r->rare->run.obeyed_ns / 2 > q->time_ns - r->rare->due.ns;
}

/*
 * The latest packet once more, while a NAK asks for more than the one before it: a run of resends
 * that begins so lacks two packets or more. Of the newest, where the network copies some, or before
 * its sender can have obeyed the NAK, a copy may take its time.
 */
static bool copies_latest(const struct rda_requester *r, const struct rda_sent *record,
			  const struct rda_request *q)
{
	bool newest = q->end == r->progress.next && (are_some_copied(r) || is_too_soon(r, q));

	return r->rare->due.trigger == RDA_TRIGGER_NAK && q->begin > r->rare->due.psn + 1 &&
	       record->last_ns == r->progress.last_ns &&
	       q->time_ns - record->last_ns < (newest ? RDA_COPY_NS : RDA_MIRROR_NS);
}

bool rda_copied_by_time(const struct rda_requester *r, const struct rda_sent *record,
			const struct rda_request *q)
{
	const struct rda_hole_filling *filling = &r->rare->filling;

	/* what a run of resends brings next is the run's, however soon it comes */
	if (r->run.trigger != RDA_TRIGGER_NONE && q->begin == r->run.next && !is_doubted(r))
		return false;
	/* and so it is where the run began with what had not passed before, asked for or not */
	if (filling->begin != filling->next && q->begin == filling->next &&
	    (!filling->unasked || q->time_ns - filling->since_ns >= RDA_COPY_NS))
		return false;
	/* an answer to something behind may make it ask again for a READ or ATOMIC */
	if (record->roles & RDA_ROLE_ANSWERED && r->heard->answers.next > q->begin &&
	    r->heard->answers.next_ns > record->last_ns &&
	    q->time_ns - record->last_ns >= RDA_SHORTEST_TIMER_NS)
		return false;
	if (record->icrc != q->icrc || record->ip_id != q->ip_id)
		return false;
	return copies_latest(r, record, q) ||
	       ((r->rare->due.trigger == RDA_TRIGGER_NONE || repeats_newest(r, record, q)) &&
		(q->time_ns - record->last_ns < RDA_MIRROR_NS || is_late_copy(r, record, q) ||
		 is_slow_copy(r, record, q)));
}

bool rda_copied_like_its_run(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = is_doubted(r) ? rda_window_find(&r->window, q->begin) : -1;
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	return record && record->seen && rda_copied_by_time(r, record, q);
}

/*
 * No path holds a copy back so long while its sender sends nothing. The first step of ConnectX's
 * timer is 17 ms.
 */
#define LATEST_COPY_NS INT64_C(16000000)

/* It has the identification of what passed before. */
static bool is_numbered_again(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, q->begin);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	return rda_copied_looks_so(record, q) && q->time_ns - record->last_ns >= LATEST_COPY_NS;
}

/*
 * The latest of all once more, if its sender counts: what passed since had never passed before, and
 * was sent before it, so that the path held that back for as long.
 */
static bool comes_with_late_ones(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	return record && record->ordinal + 1 < r->ordinal &&
	       q->ip_id == (uint16_t)r->order.latest &&
	       q->time_ns - r->progress.last_ns < RDA_COPY_NS &&
	       rda_sending_order_is_line(&r->order, q->ip_id, q->begin);
}

void rda_copied_number(struct rda_requester *r, const struct rda_request *q)
{
	if (is_numbered_again(r, q) && !comes_with_late_ones(r, q))
		rda_sending_order_again(&r->order);
}

int64_t rda_copied_place(struct rda_requester *r, const struct rda_request *q, int64_t place)
{
	uint64_t copied = r->rare->counts.packets[RDA_REQUEST_MIRRORED];

	/* where the network copies, which is no mirror, that is what came: however late */
	if (place != r->order.latest || (copied && copied < r->news / 2) ||
	    q->begin != MIN(r->progress.acked, r->progress.incomplete) || !is_numbered_again(r, q))
		return place;
	rda_sending_order_again(&r->order);
	return RDA_ORDER_UNKNOWN;
}

/*
 * All that was seen of the run at hand, which a NAK, an RNR NAK or a missing answer asked for, lies
 * behind what that names, one here and one there: they may be copies of what had passed, and the
 * requester have never got the NAK. So may what comes behind one that seems to be asked for again,
 * and does not follow it, or not at once.
 */
static bool lacks_what_was_asked(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_past_run *run = rda_past_run_newest(r);

	if (!run)
		return false;
	return r->rare->run.ordinal == r->ordinal
		       ? r->rare->run.begin > run->low
		       : r->rare->run.doubted &&
				 (q->begin != r->rare->run.reached ||
				  q->time_ns - r->progress.last_ns >= RDA_MIRROR_NS);
}

/* The run at hand begins with it, and its own answer had passed: what others wait for is not why.
 */
static bool begins_with_answered(const struct rda_requester *r, const struct rda_sent *record)
{
	return r->rare->run.ordinal == r->ordinal && record && record->roles & RDA_ROLE_ANSWERED &&
	       record->begin + record->answered >= record->end;
}

/*
 * So late a copy may come. The newest packet, once more and alone, may take its time where others
 * are copies, or may be: no timer that is in use fires sooner.
 */
static int64_t latest_copy(const struct rda_requester *r, const struct rda_request *q)
{
	bool some = are_some_copied(r) ||
		    (r->rare->counts.doubts.copies && rda_requester_copied_seldom(r));
	bool alone = q->end == r->progress.next && r->rare->run.ordinal == r->ordinal;

	return some && alone ? RDA_SILENCE_NS : RDA_COPY_NS;
}

bool rda_copied_perhaps(const struct rda_requester *r, const struct rda_request *q,
			const struct rda_sent *record)
{
	enum rda_trigger why = (enum rda_trigger)r->run.trigger;

	/* what passed behind its answer seems to wait, though it does not */
	int64_t incomplete = r->heard->answers.ahead ? INT64_MAX : r->progress.incomplete;
	/* what followed tells that an answer is missing: not so where all of them passed by now, or
	 * had when the run began, which makes READs wait again */
	bool no_cause =
		why == RDA_TRIGGER_TIMEOUT || why == RDA_TRIGGER_UNEXPLAINED ||
		(why == RDA_TRIGGER_RNR && r->rare->run.early) ||
		(why == RDA_TRIGGER_IMPLIED &&
		 (q->begin < MAX(r->rare->run.answered, MIN(r->progress.acked, incomplete)) ||
		  begins_with_answered(r, record)));

	if (rda_sending_order_is_known(&r->order) ||
	    (!no_cause && !(record && lacks_what_was_asked(r, q))))
		return false;
	if (!record)
		return !r->progress.acked_frame ||
		       (q->begin < r->progress.acked &&
			q->time_ns - r->progress.acked_ns < RDA_COPY_NS);
	return rda_copied_looks_so(record, q) && q->time_ns - record->last_ns < latest_copy(r, q);
}

/* It leaps over what the run at hand has not shown, or goes on behind one that did, and looks
 * like what had its PSN shortly before. `alone`: it does not go on where the run has come to. */
static bool leaps(struct rda_requester *r, const struct rda_request *q,
		  const struct rda_sent *record, bool alone)
{
	bool on = alone ? r->rare->run.ordinal != r->ordinal : q->begin == r->rare->run.leapt_to;
	bool copy = on && rda_copied_looks_so(record, q) &&
		    q->time_ns - record->last_ns < RDA_COPY_NS &&
		    !rda_sending_order_is_known(&r->order);

	rda_requester_rare(r)->run.leapt_to = copy ? q->end : 0;
	return copy;
}

bool rda_copied_proves_nothing(struct rda_requester *r, const struct rda_request *q,
			       const struct rda_sent *record, bool alone, bool doubted)
{
	return leaps(r, q, record, alone) ||
	       (doubted &&
		((alone && r->run.trigger == RDA_TRIGGER_UNEXPLAINED) ||
		 r->run.trigger == RDA_TRIGGER_NAK || r->run.trigger == RDA_TRIGGER_RNR));
}

bool rda_copied_or_begun_late(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, q->begin);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);
	bool elsewhere =
		rda_requester_overtakes(r) || r->rare->counts.packets[RDA_REQUEST_MIRRORED];

	return elsewhere && rda_copied_looks_so(record, q) &&
	       q->time_ns - record->last_ns < RDA_COPY_NS && !rda_sending_order_is_known(&r->order);
}

bool rda_copied_late_in_run(const struct rda_requester *r, const struct rda_sent *record,
			    const struct rda_request *q)
{
	if (!record->skipped || r->rare->due.trigger != RDA_TRIGGER_NONE)
		return false;
	if (r->run.trigger == RDA_TRIGGER_NONE)
		return rda_requester_overtakes(r) &&
		       q->time_ns - r->progress.last_ns < RDA_SHORTEST_TIMER_NS;
	return q->begin < r->run.next && q->time_ns - r->progress.last_ns < RDA_NAK_STALE_NS;
}

bool rda_copied_late_original(const struct rda_requester *r, const struct rda_sent *record,
			      const struct rda_request *q)
{
	bool is_next = r->run.trigger != RDA_TRIGGER_NONE && q->begin == r->run.next;

	return record->seen && record->sent > record->seen && !record->filled && !is_next &&
	       r->rare->due.trigger == RDA_TRIGGER_NONE &&
	       q->begin < MIN(r->progress.acked, r->progress.incomplete) &&
	       q->time_ns - record->last_ns < RDA_COPY_NS;
}

bool rda_copied_before_the_first(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t silent_ns = q->time_ns - r->progress.last_ns;

	return !r->progress.acked_frame && q->begin < r->progress.acked &&
	       r->rare->due.trigger == RDA_TRIGGER_NONE && r->run.trigger == RDA_TRIGGER_NONE &&
	       (silent_ns < (rda_requester_overtakes(r) ? RDA_NAK_STALE_NS : RDA_COPY_NS) ||
		(silent_ns >= RDA_NAK_STALE_NS && silent_ns < RDA_HELD_BACK_NS &&
		 rda_sending_order_is_before(&r->order, q->ip_id, q->begin)));
}

void rda_copied_note(struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	if (record)
		rda_requester_rare(r)->copied_at = record->ordinal;
}

void rda_copies_by_time(struct rda_flow *flow, uint64_t place)
{
	struct rda_flow_rare *rare = rda_flow_make_rare(flow);
	const struct rda_flow_alike *alike = &rare->alike[rda_copies_kind(RDA_ROLE_REQUEST)];

	rare->copies.elsewhere += alike->refused_place == place && alike->refused_elsewhere;
	for (unsigned i = 0; i < RDA_FLOW_IDS; i++) {
		flow->quiet[i] = 0;
		if (flow->peer)
			flow->peer->quiet[i] = 0;
	}
}
