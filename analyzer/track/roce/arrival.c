/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trigger of a NAK; arrival.h has the reasoning.
 */
#include "analyzer/track/roce/arrival.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/run.h"
#include "dissectors/opcode.h"

#include <glib.h>

/*
 * The first appearance of a request behind a place, at the earliest: `place` where those between
 * the first and the latest are not known. Or NEVER.
 */
static uint64_t appears_behind(const struct rda_requester *r, const struct rda_sent *record,
			       uint64_t place)
{
	/* no run sends a PSN twice */
	bool once = place + 1 >= r->rare->run.frame && !rda_sending_order_is_broken(&r->order) &&
		    !r->rare->counts.packets[RDA_REQUEST_REORDERED];

	if (!record->seen || record->last_frame <= place)
		return RDA_ARRIVAL_NEVER;
	if (record->first_frame > place)
		return record->first_frame;
	return record->seen == 2 || once ? record->last_frame : place;
}

/* When the PSN of record `index` was expected: behind what precedes it, and the NAKs before. */
static uint64_t expected_from(const struct rda_arrival *arrival, const struct rda_requester *r,
			      int64_t index, int64_t psn)
{
	uint64_t from = arrival->from, place = RDA_ARRIVAL_NEVER;

	if (r->rare->counts.selective_repeat) /* what is ahead was taken */
		return 0;
	if (arrival->trigger != RDA_ARRIVAL_NEVER)
		from = arrival->trigger;
	if (psn > arrival->psn && arrival->taken != RDA_ARRIVAL_NEVER)
		from = MAX(from, arrival->taken - 1);
	/* what passed before a long silence was answered then */
	if (r->rare->run.silent_frame && psn >= r->rare->run.silent_begin)
		from = MAX(from, r->rare->run.silent_frame - 1);
	if (index > 0)
		place = appears_behind(r, rda_window_at(&r->window, index - 1), from);
	return place == RDA_ARRIVAL_NEVER ? from : place;
}

/*
 * All that was not acknowledged when record `index` first passed had passed in order before it, and
 * no NAK says that a part of it was lost: then this one was expected, or what precedes it was lost.
 */
static bool passed_in_turn(const struct rda_arrival *arrival, const struct rda_requester *r,
			   int64_t index)
{
	const struct rda_sent *record = rda_window_at(&r->window, index), *before;
	bool known = r->progress.acked_frame && r->progress.acked_frame < record->first_frame;
	int64_t acked = known ? r->progress.acked : INT64_MIN;

	if (arrival->psn != INT64_MIN && arrival->psn >= acked)
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
static uint64_t expected_by(const struct rda_arrival *arrival, const struct rda_requester *r,
			    int64_t index, int64_t psn)
{
	const struct rda_sent *before = index > 0 ? rda_window_at(&r->window, index - 1) : NULL;

	if (r->rare->counts.selective_repeat || (index >= 0 && passed_in_turn(arrival, r, index)))
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

/* Runs so far, up to the one at hand. */
static uint32_t runs_of(const struct rda_requester *r)
{
	return r->rare->past ? (uint32_t)r->rare->past->count : 0;
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

/*
 * Whatever the NAK at hand answers, its run shows the PSN: that is not known of a second NAK for
 * it, nor where requests overtake each other, as they do behind the tap when what the NAK before
 * named has come without being sent again.
 */
static bool is_shown(const struct rda_arrival *arrival, const struct rda_requester *r,
		     const struct rda_sent *record, int64_t psn)
{
	bool in_turn = arrival->psn == INT64_MIN || arrival->taken != RDA_ARRIVAL_NEVER;

	return arrival->trigger != RDA_ARRIVAL_NEVER && arrival->psn != psn && in_turn &&
	       record->begin == psn && record->over <= run_behind(r, arrival->from) &&
	       !rda_requester_overtakes(r);
}

/* What the NAK at hand, of record `index`, answers. */
static void find_trigger(struct rda_arrival *arrival, const struct rda_requester *r, int64_t index)
{
	uint32_t count = 0;

	arrival->trigger = RDA_ARRIVAL_NEVER;
	arrival->ahead = INT64_MIN;
	for (int64_t i = index + 1; index >= 0 && i < (int64_t)r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);
		uint64_t place = appears_behind(r, record, arrival->from);

		if (place == RDA_ARRIVAL_NEVER)
			continue;
		arrival->trigger = MIN(arrival->trigger, place);
		arrival->ahead = record->begin;
		count += record->seen;
	}
	if (count > 1)
		arrival->ahead = INT64_MIN;
}

bool rda_arrival_was_dropped(const struct rda_arrival *arrival, const struct rda_sent *record)
{
	return record->begin == arrival->ahead && record->seen == 1 &&
	       !(record->roles & RDA_ROLE_ANSWERED);
}

void rda_arrival_nak(struct rda_arrival *arrival, const struct rda_requester *r, int64_t psn)
{
	int64_t index = rda_window_find(&r->window, psn);

	arrival->from = expected_from(arrival, r, index, psn);
	arrival->until = expected_by(arrival, r, index, psn);
	find_trigger(arrival, r, index);
	arrival->shown = index >= 0 && is_shown(arrival, r, rda_window_at(&r->window, index), psn);
	arrival->psn = psn;
	arrival->taken = RDA_ARRIVAL_NEVER;
	if (index >= 0 && arrival->trigger != RDA_ARRIVAL_NEVER)
		arrival->taken =
			appears_behind(r, rda_window_at(&r->window, index), arrival->trigger);
}

void rda_arrival_rnr(struct rda_arrival *arrival, int64_t psn)
{
	if (arrival->trigger != RDA_ARRIVAL_NEVER)
		arrival->from = arrival->trigger;
	arrival->trigger = arrival->taken = RDA_ARRIVAL_NEVER;
	arrival->psn = psn;
	arrival->ahead = INT64_MIN;
}

static bool is_lost_at(const struct rda_arrival *arrival, uint64_t place)
{
	return place > arrival->from && place > arrival->until && place < arrival->trigger;
}

bool rda_arrival_is_lost(const struct rda_arrival *arrival, const struct rda_sent *record)
{
	if (!record->seen || arrival->trigger == RDA_ARRIVAL_NEVER)
		return false;
	return arrival->shown ||
	       (arrival->until != RDA_ARRIVAL_NEVER && (is_lost_at(arrival, record->first_frame) ||
							is_lost_at(arrival, record->last_frame)));
}
