/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other reasons for what seems to be a run of resends. See run_doubt.h; which reason is the most
 * likely: run_reason.c.
 */
#include "analyzer/track/roce/run_doubt.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/copied.h"
#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/run.h"

#include <glib.h>

/* It may be the run at hand, with what lies between lost on its way here. */
static bool goes_forward(const struct rda_requester *r, const struct rda_request *q)
{
	return r->run.trigger != RDA_TRIGGER_NONE && q->begin >= r->run.next;
}

/* Requests overtook each other, or may have, and nothing tells the order of sending. Those that
 * fill the hole at hand do not count. */
static bool has_lost_order(const struct rda_requester *r)
{
	uint64_t filled = (uint64_t)(r->rare->filling.next - r->rare->filling.begin);

	return (r->rare->filling.doubted ||
		r->rare->counts.packets[RDA_REQUEST_REORDERED] > filled ||
		rda_sending_order_is_broken(&r->order)) &&
	       !rda_sending_order_is_known(&r->order);
}

bool rda_run_may_follow_older(const struct rda_requester *r, int64_t psn)
{
	int64_t index = rda_window_find(&r->window, psn - 1);

	return index >= 0 && rda_window_at(&r->window, index)->roles & RDA_ROLE_ANSWERED;
}

bool rda_run_begins_again(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	return record && record->ordinal + 1 == r->ordinal && r->run.trigger != RDA_TRIGGER_NONE &&
	       q->time_ns - record->last_ns < RDA_TIMER_IN_USE_NS;
}

void rda_run_copied(struct rda_requester *r, const struct rda_request *q, uint64_t ordinal)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	if (!record || record->ordinal >= ordinal || q->time_ns - record->last_ns < RDA_MIRROR_NS)
		return;
	rda_requester_rare(r)->copy =
		(struct rda_older_copy){r->ordinal, q->end, (q->roles & RDA_ROLE_ANSWERED) != 0};
}

/* The first packet of the run: what filled a hole in front of this one, perhaps. */
static uint64_t first_of(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_hole_filling *filling = &r->rare->filling;
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);
	bool filled = filling->begin != filling->next && filling->begin == q->begin;

	return filled && record ? record->ordinal : r->ordinal;
}

/* What precedes it has just passed once more, as a copy, and this looks as what had passed, too:
 * all of them may be a run that began before. */
static bool goes_on_with_copies(const struct rda_requester *r, const struct rda_request *q)
{
	return rda_filling_follows_copy(r, q) &&
	       rda_copied_looks_so(rda_window_of(&r->window, q->begin), q);
}

/*
 * What passed just before it seemed to be a copy of what precedes it, or of an older READ or
 * ATOMIC, behind which a run goes on with what is not acknowledged: the run may have begun there.
 */
static bool may_follow_copied(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_older_copy *copy = &r->rare->copy;

	return (copy->ordinal && copy->ordinal + 1 == first_of(r, q) &&
		(copy->asks || copy->end == q->begin)) ||
	       goes_on_with_copies(r, q);
}

/*
 * A requester that obeys a NAK goes back to the READ or ATOMIC before that which still waits for
 * its answer. This run does not: that answer, which came meanwhile, may have been missed, and the
 * run have begun for it.
 */
static bool passes_over_older(const struct rda_requester *r, const struct rda_request *q)
{
	return r->rare->due.waits && q->begin >= r->rare->due.psn;
}

/* It goes back to a READ or ATOMIC, and a later answer has passed, or was overtaken on its way
 * here: that may be why. */
static bool may_be_implied(const struct rda_requester *r, const struct rda_request *q)
{
	if (r->rare->due.trigger != RDA_TRIGGER_NAK)
		return false;
	return rda_run_may_follow_older(r, q->begin) || may_follow_copied(r, q) ||
	       passes_over_older(r, q) ||
	       (rda_run_asks_again(r, q) &&
		(MAX(r->heard->answers.next, r->heard->answers.run_next) > q->begin ||
		 rda_requester_overtakes(r)));
}

/*
 * An answer was missing before the NAK came, and has passed since. Who had begun to go back for it
 * goes back to what waits when it does, which the NAK names too; and that may be lost behind.
 */
static bool may_be_made_up_for(const struct rda_requester *r, const struct rda_request *q)
{
	return r->rare->due.trigger == RDA_TRIGGER_NAK &&
	       rda_unobeyed_implied(&r->rare->unobeyed, q->begin,
				    rda_meta_ns_before(q->time_ns, rda_requester_prompt(r)));
}

/* The NAK comes just behind the run that began with what it asks for, and this looks as that did,
 * or is acknowledged and forgotten since: a mirror may show both once more. */
static bool may_be_mirrored(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	if (r->rare->due.trigger != RDA_TRIGGER_NAK || !r->rare->due.obeyed)
		return false;
	if (!record)
		return rda_past_run_began(r, q->begin, q->time_ns);
	return rda_copied_looks_so(record, q) && q->time_ns - record->last_ns < RDA_MIRROR_NS;
}

/* It goes back below the NAK, to a READ or ATOMIC that has its answer, sent so long ago that a
 * timer may have fired before the NAK came. */
static bool goes_too_far_back(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	return r->rare->due.trigger == RDA_TRIGGER_NAK && q->begin < r->rare->due.psn && record &&
	       record->begin < r->progress.incomplete &&
	       q->time_ns - record->last_ns >= RDA_TIMER_IN_USE_NS;
}

/* It obeyed another NAK so much sooner that a timer may have fired meanwhile, of 2^10 units. */
static bool takes_long(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t wait_ns = q->time_ns - r->rare->due.ns;

	return r->rare->due.trigger == RDA_TRIGGER_NAK && wait_ns > RDA_REACTION_MIN_NS &&
	       r->rare->run.obeyed_ns && wait_ns > rda_ns_times(r->rare->run.obeyed_ns, 4);
}

/* The latest run left it out, also where that is over, or the run at hand had it before what was
 * seen first, and it comes late: nothing tells the order of sending. */
static bool was_left_out(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	if (!record || q->begin >= r->run.next || rda_sending_order_is_known(&r->order))
		return false;
	return record->skipped ||
	       (r->run.trigger != RDA_TRIGGER_NONE && record->ordinal < r->rare->run.ordinal &&
		rda_past_run_has_counted(r, NULL, record));
}

/* It has just passed, for the first time, in a run that went back further: right behind that its
 * original may come late, which nothing has shown. */
static bool may_be_original(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	return record && record->seen == 1 && record->sent > 1 &&
	       record->ordinal + 1 == r->ordinal && record->ordinal > r->rare->run.ordinal &&
	       r->run.trigger != RDA_TRIGGER_NONE && !rda_sending_order_is_known(&r->order);
}

/* The run before left it out, and new ones followed: it may be of that run, and come late. */
static bool may_be_left_out(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	return record && record->skipped && r->run.trigger == RDA_TRIGGER_NONE &&
	       r->rare->run.ns != RDA_NEVER_NS && q->time_ns - r->rare->run.ns < RDA_NAK_STALE_NS &&
	       !rda_sending_order_is_known(&r->order);
}

/* It precedes all that passed, and nothing was answered: the first packet here may have overtaken
 * it, instead of being sent again for a NAK. */
static bool may_be_late(const struct rda_requester *r, const struct rda_request *q)
{
	return !r->progress.acked_frame && q->begin < r->begun.first &&
	       rda_window_find(&r->window, q->begin) < 0 && !rda_sending_order_is_known(&r->order);
}

/* The run at hand went on behind it just before without showing it, and nothing has asked for it.
 */
static bool may_be_of_latest(const struct rda_requester *r, const struct rda_request *q,
			     enum rda_trigger trigger)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);
	bool asked = trigger != RDA_TRIGGER_UNEXPLAINED && trigger != RDA_TRIGGER_TIMEOUT;

	return !asked && r->run.trigger != RDA_TRIGGER_NONE && record &&
	       q->begin > r->rare->run.begin && q->begin < r->run.next &&
	       record->ordinal < r->rare->run.ordinal && !rda_sending_order_is_known(&r->order) &&
	       q->time_ns - r->progress.last_ns < RDA_TIMER_IN_USE_NS;
}

/* It was the last to pass, just now: the network may have copied it, and the run before goes on. */
static bool comes_twice(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	return rda_copied_looks_so(record, q) && first_of(r, q) == r->ordinal &&
	       record->ordinal + 1 == r->ordinal && q->time_ns - record->last_ns < RDA_MIRROR_NS &&
	       !rda_sending_order_is_known(&r->order);
}

/* It passed once, as it was sent again, and nothing asks for it once more: sooner than any timer
 * fires its original may come late, or that was the original. */
static bool may_be_either(const struct rda_requester *r, const struct rda_request *q, bool due)
{
	const struct rda_sent *record = rda_window_of(&r->window, q->begin);

	return !due && record && record->seen == 1 && record->sent > 1 &&
	       q->time_ns - record->last_ns < RDA_TIMER_IN_USE_NS &&
	       !rda_sending_order_is_known(&r->order);
}

void rda_run_begins_late(struct rda_requester *r, const struct rda_request *q, bool due,
			 enum rda_trigger trigger)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);

	rare->run.first = due && may_be_late(r, q);
	rare->run.late = rare->run.first || (due && may_be_left_out(r, q)) ||
			 may_be_of_latest(r, q, trigger);
	rare->counts.doubts.firsts +=
		rare->run.first || comes_twice(r, q) || may_be_either(r, q, due);
}

bool rda_run_goes_on_at_once(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, q->begin);

	return index >= 0 && rda_window_at(&r->window, index)->seen &&
	       q->begin == r->rare->run.reached &&
	       q->time_ns - r->rare->run.ns < RDA_TIMER_IN_USE_NS &&
	       /* else what came first is answered, and a run began just behind it */
	       r->heard->answers.run_next < r->rare->run.begin;
}

void rda_run_shows_again(struct rda_requester *r, const struct rda_request *q)
{
	struct rda_requester_rare *rare;

	if (!r->rare->run.first || r->rare->run.late || q->begin != r->rare->run.begin)
		return;
	rare = rda_requester_rare(r);
	rare->run.first = false;
	rare->counts.doubts.firsts++;
}

int64_t rda_run_behind_damaged(const struct rda_requester *r, int64_t psn)
{
	for (unsigned i = 0; i < r->unplaced; i++) {
		const struct rda_sent *record = rda_window_of(&r->window, psn);

		psn = record && record->seen ? record->end : psn + 1;
	}
	return psn;
}

/* It begins behind what was asked for: what lies between was lost, or this is of another run, the
 * beginning of which comes late, or came before the capture. */
static bool may_begin_late(const struct rda_requester *r, const struct rda_request *q)
{
	return q->begin > rda_run_behind_damaged(r, r->rare->due.psn);
}

int64_t rda_run_waits_until(const struct rda_requester *r, int64_t time_ns)
{
	const struct rda_resend_cause *due = &r->rare->due;

	if (due->trigger == RDA_TRIGGER_NONE)
		return RDA_NEVER_NS;
	if (due->trigger != RDA_TRIGGER_RNR)
		return due->rnr_ns;
	return time_ns - due->ns <=
			       rda_ns_sum(rda_requester_patience(r), rda_ns_times(due->wait_ns, 2))
		       ? due->ns + due->wait_ns
		       : RDA_NEVER_NS;
}

/* It begins when the wait is over that an RNR NAK asked for, before the NAK came: that may be why,
 * as what the RNR NAK named was acknowledged meanwhile, or does not pass here. Or it goes back to a
 * READ or ATOMIC before that, whose answer the RNR NAK says to have been sent, too. */
static bool may_end_wait(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;

	return due->trigger == RDA_TRIGGER_NAK && due->rnr_ns != RDA_NEVER_NS &&
	       (q->begin < due->psn || q->time_ns > due->rnr_ns - RDA_MIRROR_NS);
}

/*
 * The NAK came when nothing had passed for long, and the run so soon behind it as none that obeyed
 * one: where the tap shows requests later than answers it answers the run, which a timer began.
 */
static bool may_answer_the_run(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;
	int64_t wait_ns = q->time_ns - due->ns;

	return due->trigger == RDA_TRIGGER_NAK && wait_ns < RDA_MIRROR_NS &&
	       wait_ns < r->rare->run.obeyed_ns / 4 &&
	       due->ns - r->progress.last_ns >= RDA_TIMER_IN_USE_NS;
}

bool rda_run_is_doubted(const struct rda_requester *r, const struct rda_request *q)
{
	return has_lost_order(r) || goes_forward(r, q) || was_left_out(r, q) ||
	       may_be_original(r, q) || may_be_implied(r, q) || goes_too_far_back(r, q) ||
	       takes_long(r, q) || may_begin_late(r, q) || may_end_wait(r, q) ||
	       may_be_made_up_for(r, q) || may_be_mirrored(r, q) || may_answer_the_run(r, q);
}

bool rda_run_is_early(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;

	return due->trigger == RDA_TRIGGER_RNR &&
	       q->time_ns - due->ns < due->wait_ns - RDA_MIRROR_NS;
}

void rda_run_fills(struct rda_requester *r, const struct rda_sent *record)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;

	if (record->seen)
		run->filled = 0;
	else
		run->filled++;
}

/* The run at hand has come to what passed before it began, and the latest of it never had. */
static bool ends_with_firsts(const struct rda_requester *r)
{
	const struct rda_sent *record = rda_window_of(&r->window, r->run.next);

	return r->rare->run.filled && record && record->seen &&
	       record->ordinal < r->rare->run.ordinal && !rda_sending_order_is_known(&r->order);
}

void rda_run_leaves_out(struct rda_requester *r)
{
	struct rda_requester_rare *rare;

	if (!ends_with_firsts(r))
		return;
	rare = rda_requester_rare(r);
	rare->counts.doubts.firsts += rare->run.filled;
	rare->run.filled = 0;
}

void rda_run_gives_way(struct rda_requester *r)
{
	rda_run_leaves_out(r);
	rda_requester_rare(r)->run.filled = 0;
}

bool rda_account_run_ends_with_firsts(const struct rda_account *account)
{
	return ends_with_firsts(&account->requester);
}

bool rda_account_run_begins_here(const struct rda_account *account)
{
	const struct rda_requester *r = &account->requester;

	return !rda_requester_overtakes(r) ||
	       (rda_sending_order_is_known(&r->order) && r->order.latest - r->order.before == 1);
}
