/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trigger of a NAK; arrival.h has the reasoning.
 */
#include "analyzer/track/roce/arrival.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/run.h"
#include "dissectors/opcode.h"

#include <glib.h>

/* Runs so far, up to the one at hand. */
static uint32_t runs_of(const struct rda_requester *r)
{
	return r->rare->past ? (uint32_t)r->rare->past->count : 0;
}

/* The run of the first request behind a place, at the earliest: so many had begun. */
static uint32_t run_behind(const struct rda_requester *r, uint64_t place)
{
	const struct rda_past_runs *past = r->rare->past;
	uint64_t count = past ? past->count : 0;

	for (; count > 0 && count + RDA_PAST_RUNS > past->count; count--) {
		const struct rda_past_run *run = &past->runs[(count - 1) % RDA_PAST_RUNS];

		if (run->frame <= place + 1 || run->behind <= place)
			break;
	}
	return (uint32_t)count;
}

/* No run sends a PSN twice; and of those behind a place only the one at hand shows this one. */
static bool is_shown_once(const struct rda_requester *r, const struct rda_sent *record,
			  uint64_t place)
{
	uint32_t run = run_behind(r, place);

	return place + 1 >= r->rare->run.frame || run >= runs_of(r) ||
	       (record->over == runs_of(r) && run + 1 >= runs_of(r));
}

/*
 * A copy that the network made of what had come ahead may have come in its turn. A mirror copies
 * all, up to the one that it copied last: others are to come.
 */
static bool may_take_copies(const struct rda_requester *r)
{
	uint64_t until = r->rare->copied_at ? r->rare->copied_at : r->ordinal;

	return rda_requester_overtakes(r) &&
	       r->rare->counts.packets[RDA_REQUEST_MIRRORED] <=
		       MAX(1, until / RDA_PACKETS_FOR_A_COPY); /* one alone is no mirror's */
}

/*
 * The first appearance of a request behind a place, at the earliest: `place` where those between
 * the first and the latest are not known. Or NEVER.
 */
static uint64_t appears_behind(const struct rda_requester *r, const struct rda_sent *record,
			       uint64_t place)
{
	bool once = is_shown_once(r, record, place) && !rda_sending_order_is_broken(&r->order) &&
		    !r->rare->counts.packets[RDA_REQUEST_REORDERED];

	if (!record->seen || record->last_frame <= place)
		return RDA_ARRIVAL_NEVER;
	if (record->first_frame > place)
		return record->first_frame;
	if (record->copied && may_take_copies(r)) /* nor are places of copies */
		return place;
	return record->seen == 2 || once ? record->last_frame : place;
}

/* When it passed last; of what never did, when that was known. */
static int64_t passed_ns(const struct rda_sent *record)
{
	return record->seen ? record->last_ns : record->sent_ns;
}

/* When what a NAK names passed, or what shows that this is missing, whichever was later. */
static int64_t shown_ns(const struct rda_requester *r, int64_t index)
{
	int64_t time_ns = passed_ns(rda_window_at(&r->window, index));

	return index + 1 < (int64_t)r->window.count
		       ? MAX(time_ns, passed_ns(rda_window_at(&r->window, index + 1)))
		       : time_ns;
}

/* A new request has passed since the silence, and an answer to that takes just so long: those that
 * are late follow each other. */
static bool answers_new(const struct rda_requester *r, int64_t time_ns)
{
	const struct rda_sent *newest = rda_window_at(&r->window, r->window.count - 1);
	int64_t took_ns = time_ns - newest->last_ns;

	return newest->first_frame > r->rare->run.silent_frame && r->rtt.smooth_ns &&
	       took_ns >= r->rtt.smooth_ns / 2 &&
	       took_ns <= MAX(RDA_REACTION_MIN_NS, r->rtt.smooth_ns);
}

/*
 * Where answers go on, one by one, with what had passed before the silence they may all be late, if
 * they take longer than answers do. READs are answered in turn: each takes longer than the one
 * before.
 */
static bool answers_are_late(const struct rda_requester *r, int64_t psn, int64_t time_ns)
{
	int64_t index = rda_window_find(&r->window, psn);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	return r->progress.acked > r->rare->run.silent_begin &&
	       r->progress.acked_frame > r->rare->run.silent_frame && record &&
	       !(record->roles & RDA_ROLE_READ) &&
	       time_ns - shown_ns(r, index) > MAX(RDA_REACTION_MIN_NS, r->rtt.smooth_ns) &&
	       !answers_new(r, time_ns);
}

/*
 * When the PSN of record `index` was expected: behind what precedes it, and the NAKs before, and
 * `place`.
 */
static uint64_t expected_from(const struct rda_arrival_naks *naks, const struct rda_requester *r,
			      int64_t index, int64_t psn, uint64_t place)
{
	uint64_t from = naks->from;

	if (r->rare->counts.selective_repeat) /* what is ahead was taken */
		return 0;
	if (naks->trigger != RDA_ARRIVAL_NEVER)
		from = naks->trigger;
	if (psn > naks->psn && naks->taken != RDA_ARRIVAL_NEVER)
		from = MAX(from, naks->taken - 1);
	from = MAX(from, place);
	place = index > 0 ? appears_behind(r, rda_window_at(&r->window, index - 1), from)
			  : RDA_ARRIVAL_NEVER;
	return place == RDA_ARRIVAL_NEVER ? from : place;
}

/*
 * All that was not acknowledged when record `index` first passed had passed in order before it, and
 * no NAK says that a part of it was lost: then this one was expected, or what precedes it was lost.
 */
static bool passed_in_turn(const struct rda_arrival_naks *naks, const struct rda_requester *r,
			   int64_t index)
{
	const struct rda_sent *record = rda_window_at(&r->window, index), *before;
	bool known = r->progress.acked_frame && r->progress.acked_frame < record->first_frame;
	int64_t acked = known ? r->progress.acked : INT64_MIN;

	if (naks->psn != INT64_MIN && naks->psn >= acked)
		return false;
	for (; index > 0 && record->begin > acked; record = before) {
		before = rda_window_at(&r->window, --index);
		if (!before->seen || before->first_frame > record->first_frame)
			return false;
	}
	return record->begin <= acked ||
	       (r->begun.first_ns == RDA_NEVER_NS && record->begin == r->begun.first);
}

/*
 * By when its PSN was expected for certain: all appearances of what precedes it had passed, or
 * those before its acknowledgment.
 */
static uint64_t expected_by(const struct rda_arrival_naks *naks, const struct rda_requester *r,
			    int64_t index, int64_t psn)
{
	const struct rda_sent *before = index > 0 ? rda_window_at(&r->window, index - 1) : NULL;

	if (r->rare->counts.selective_repeat || (index >= 0 && passed_in_turn(naks, r, index)))
		return 0;
	/* what precedes the first request passed before the capture began */
	if (index == 0 && psn == r->begun.first && !r->begun.is_behind)
		return 0;
	if (!before || !before->seen)
		return RDA_ARRIVAL_NEVER;
	if (psn > r->progress.acked || before->last_frame < r->progress.acked_frame)
		return before->last_frame;
	return before->seen == 2 ? before->first_frame : r->progress.acked_frame;
}

RDA_COLD void rda_arrival_over(struct rda_requester *r, int64_t begin, int64_t end)
{
	int64_t index = begin < end ? rda_window_find(&r->window, begin) : -1;

	for (; index >= 0 && index < (int64_t)r->window.count; index++) {
		struct rda_sent *record = rda_window_at(&r->window, index);

		if (record->begin >= end)
			return;
		record->over = runs_of(r) + 1;
	}
}

/*
 * Whatever the NAK at hand answers, its run shows the PSN: that is not known of a second NAK for
 * it, nor where requests overtake each other, as they do behind the tap when what the NAK before
 * named has come without being sent again.
 */
static bool is_shown(const struct rda_arrival_naks *naks, const struct rda_requester *r,
		     const struct rda_sent *record, int64_t psn)
{
	bool in_turn = naks->psn == INT64_MIN || naks->taken != RDA_ARRIVAL_NEVER;
	uint32_t run = run_behind(r, naks->from);

	return naks->trigger != RDA_ARRIVAL_NEVER && naks->psn != psn && in_turn &&
	       record->begin == psn && record->over <= run &&
	       run_behind(r, record->first_frame - 1) <= run && !rda_requester_overtakes(r);
}

/* What the NAK at hand, of record `index`, answers. */
static void find_trigger(struct rda_arrival_naks *naks, const struct rda_requester *r,
			 int64_t index)
{
	uint32_t count = 0;

	naks->trigger = RDA_ARRIVAL_NEVER;
	naks->ahead = INT64_MIN;
	for (int64_t i = index + 1; index >= 0 && i < (int64_t)r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);
		uint64_t place = appears_behind(r, record, naks->from);

		if (place == RDA_ARRIVAL_NEVER)
			continue;
		naks->trigger = MIN(naks->trigger, place);
		naks->ahead = record->begin;
		count += record->seen;
	}
	if (count > 1)
		naks->ahead = INT64_MIN;
}

bool rda_arrival_was_dropped(const struct rda_arrival *arrival, const struct rda_sent *record)
{
	return record->begin == arrival->naks.ahead && record->seen == 1 &&
	       !(record->roles & RDA_ROLE_ANSWERED);
}

/* What passed before `place` is answered. */
static void take_nak(struct rda_arrival_naks *naks, const struct rda_requester *r, int64_t psn,
		     uint64_t place)
{
	int64_t index = rda_window_find(&r->window, psn);

	naks->from = expected_from(naks, r, index, psn, place);
	naks->until = expected_by(naks, r, index, psn);
	find_trigger(naks, r, index);
	naks->shown = index >= 0 && is_shown(naks, r, rda_window_at(&r->window, index), psn);
	naks->psn = psn;
	naks->taken = RDA_ARRIVAL_NEVER;
	if (index >= 0 && naks->trigger != RDA_ARRIVAL_NEVER)
		naks->taken = appears_behind(r, rda_window_at(&r->window, index), naks->trigger);
}

/* Behind the latest silence: what passed before this place was answered in it. 0: there was none.
 */
static uint64_t silence_before(const struct rda_requester *r, int64_t psn)
{
	bool silence = r->rare->run.silent_frame && psn >= r->rare->run.silent_begin;

	return silence ? r->rare->run.silent_frame - 1 : 0;
}

void rda_arrival_nak(struct rda_arrival *arrival, const struct rda_requester *r, int64_t psn,
		     int64_t time_ns)
{
	uint64_t place = silence_before(r, psn);

	take_nak(&arrival->late, r, psn, 0);
	if (place && answers_are_late(r, psn, time_ns))
		arrival->naks = arrival->late;
	else
		take_nak(&arrival->naks, r, psn, place);
}

/*
 * Which request the RNR NAK at hand answers, at the earliest: of those that were put off before,
 * the one behind.
 */
static uint64_t put_off(const struct rda_arrival_naks *naks, const struct rda_requester *r,
			const struct rda_sent *record, int64_t psn)
{
	if (!record)
		return RDA_ARRIVAL_NEVER;
	return naks->psn == psn && naks->taken != RDA_ARRIVAL_NEVER && naks->taken > naks->from
		       ? naks->taken
		       : appears_behind(r, record, naks->from);
}

/* The request that is taken may have passed before the RNR NAK. */
static void take_rnr(struct rda_arrival_naks *naks, const struct rda_requester *r, int64_t psn,
		     uint64_t behind)
{
	const struct rda_sent *record = rda_window_of(&r->window, psn);
	uint64_t place;

	if (naks->trigger != RDA_ARRIVAL_NEVER)
		naks->from = naks->trigger;
	naks->from = MAX(naks->from, behind);
	place = put_off(naks, r, record, psn);
	naks->trigger = naks->taken = RDA_ARRIVAL_NEVER;
	if (place != RDA_ARRIVAL_NEVER)
		naks->taken = appears_behind(r, record, place);
	naks->psn = psn;
	naks->ahead = INT64_MIN;
}

void rda_arrival_rnr(struct rda_arrival *arrival, const struct rda_requester *r, int64_t psn,
		     int64_t time_ns)
{
	uint64_t place = silence_before(r, psn);

	take_rnr(&arrival->late, r, psn, 0);
	if (place && answers_are_late(r, psn, time_ns))
		arrival->naks = arrival->late;
	else
		take_rnr(&arrival->naks, r, psn, place);
}

static bool is_lost_at(const struct rda_arrival_naks *naks, uint64_t place)
{
	return place > naks->from && place > naks->until && place < naks->trigger;
}

bool rda_arrival_is_lost(const struct rda_arrival *arrival, const struct rda_sent *record)
{
	const struct rda_arrival_naks *naks = &arrival->naks;

	if (!record->seen || naks->trigger == RDA_ARRIVAL_NEVER)
		return false;
	return naks->shown ||
	       (naks->until != RDA_ARRIVAL_NEVER &&
		(is_lost_at(naks, record->first_frame) || is_lost_at(naks, record->last_frame)));
}
