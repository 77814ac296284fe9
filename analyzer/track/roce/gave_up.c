/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Silence that is too long, of each kind; gave_up.h has the figures.
 */
#include "analyzer/track/roce/gave_up.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"

#include <glib.h>

/* Instants this close to each other are told as one. */
#define SAME_TIME_NS 1000000

/* Where no timer was agreed on: who obeyed RNR NAKs before got the next one, too, if it is silent
 * so long. */
#define OBEYED_SILENCE_NS 200000000

/* So many waits of a timer tell that it is constant, if the longest is at most so many per cent of
 * the shortest: no two steps of ConnectX's ladder that follow each other are so much alike. */
enum { ALIKE_LEAST = 2, ALIKE_PERCENT = 115 };

/* Who was put off and does not come back in so many times the wait comes no more, in per cent. */
enum { OVER_PERCENT = 300 };

/* time > limit * percent / 100, of any times */
static bool exceeds(int64_t time, int64_t limit, int percent)
{
	return time / percent > limit / 100;
}

/*
 * Where only one direction was captured, answers may have come unseen: a request that is sent again
 * once or twice and then no more may be done, even if CM allows no more. Not so when it was sent
 * again and again.
 */
enum { RUNS_ALONE = 3 };

/*
 * What was answered here, and is sent again so often all the same, or oftener: the answer did not
 * reach who asked. Once may be a copy by the network. Nothing is proven: it may have come late.
 */
enum { ANSWERED_LEAST = 2 };

static bool may_be_answered(const struct rda_flow *flow, const struct rda_retries *g)
{
	const struct rda_requester *r = &flow->account->requester;

	if (g->was_answered && g->answered_before + g->tries.count < ANSWERED_LEAST)
		return true;
	/* more was answered behind what waits: where the capture missed responses of this
	 * connection it may have missed those, too */
	if (rda_account_response_counts(flow)->lost_by_capture && r->progress.acked > g->psn)
		return true;
	if (g->incomplete < r->progress.incomplete ||
	    (g->acked != r->progress.acked && !rda_giveup_is_passed_over(flow->account, g)))
		return true;
	return !flow->peer && (r->progress.next > g->next || g->tries.count < RUNS_ALONE);
}

/*
 * No timer fires within this time: what is sent again sooner tells nothing of one. Where nobody
 * says how long it is, the shortest that is in use has 2^10 units.
 */
static int64_t least_timer_of(const struct rda_flow *flow)
{
	int told = rda_cm_ack_timeout_of(flow);

	return told > 0 ? MIN(rda_cm_time_ns((unsigned)told), RDA_REACTION_MIN_NS)
			: RDA_REACTION_MIN_NS;
}

/* Behind this time it answered what the other side asks: who has given up answers nothing. Where
 * nothing of that side was captured, what it sent besides requests are answers. */
static bool answers_behind(const struct rda_flow *flow, int64_t time_ns)
{
	const struct rda_account *asked = flow->peer ? flow->peer->account : NULL;
	const struct rda_answers *answers = asked ? &asked->requester.heard->answers : NULL;

	if (!flow->peer)
		return flow->last_time_ns > MAX(time_ns, flow->account->requester.progress.last_ns);
	return answers && answers->next && answers->next_ns > time_ns;
}

/* Half as long again, as timers of hosts are late, too. */
static int64_t and_half(int64_t ns)
{
	return rda_ns_sum(ns, ns / 2);
}

/* Its timer took so long so far, and may take as long again; no longer than CM allows it to. */
static int64_t may_take_ns(const struct rda_flow *flow)
{
	int64_t taken_ns = and_half(rda_giveup_of(flow)->waits.most_ns);
	int told = rda_cm_ack_timeout_of(flow);

	return told > 0 ? MIN(taken_ns, rda_cm_longest_timer_ns((unsigned)told)) : taken_ns;
}

/*
 * A DREQ came during the retries: that ended them, unless all are spent and the last timer can have
 * expired before.
 */
static bool is_left_before(const struct rda_flow *flow, const struct rda_retries *g,
			   const struct rda_gave_up *as, int64_t left_ns)
{
	int64_t expires_ns = MAX(as->schedule.least_ns - SAME_TIME_NS, least_timer_of(flow));

	return left_ns != INT64_MAX &&
	       (!as->counted || left_ns < rda_ns_sum(g->tries.last_ns, expires_ns));
}

/* `until_ns`: the captures go on until then. */
static struct rda_gave_up after_retries(const struct rda_flow *flow, const struct rda_retries *g,
					const struct rda_cm_track *cm, int64_t until_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);
	int64_t left_ns = rda_cm_left_ns(cm, flow, g->tries.at_ns[0]);
	bool disconnected = left_ns != INT64_MAX;
	int64_t shortest_ns, longest_ns;
	struct rda_tries tries = rda_giveup_timer_tries(g);
	struct rda_schedule s = rda_schedule_of(&tries, rda_cm_ack_timeout_of(flow));
	struct rda_gave_up result = {
		.silence_ns = until_ns - flow->account->requester.progress.last_ns,
		.budget = limits && !g->was_answered ? limits->retry_count : -1,
		.schedule = s,
	};
	bool counted = result.counted = result.budget >= 0 && s.may_end &&
					(uint32_t)result.budget >= s.budget_least &&
					(uint32_t)result.budget <= s.budget_most;
	/* the count says that this was the last: the timer need not be expected to grow */
	int64_t patience_ns =
		counted && s.most_ns ? MIN(s.patience_ns, and_half(s.most_ns)) : s.patience_ns;
	int64_t least_ns = least_timer_of(flow);
	int64_t due_ns = MAX(patience_ns, least_ns);
	bool over = result.silence_ns > due_ns;

	rda_tries_waits(&g->tries, &shortest_ns, &longest_ns);
	if (!g->timeouts || longest_ns < least_ns || may_be_answered(flow, g) ||
	    is_left_before(flow, g, &result, left_ns))
		return result;
	if (!over && !disconnected) {
		if (flow->peer && tries.count >= RDA_RETRIES_MAX && !g->was_answered &&
		    result.silence_ns >= 0)
			result.kind = RDA_GIVEUP_GOES_ON;
		return result;
	}
	if (answers_behind(flow, rda_ns_sum(g->tries.last_ns, due_ns)) ||
	    (!counted && !disconnected && result.silence_ns <= may_take_ns(flow)))
		return result;
	if (s.may_end)
		result.kind = RDA_GIVEUP_RETRY;
	else if (s.timer != RDA_TIMER_ADAPTIVE)
		result.kind = RDA_GIVEUP_UNENDING;
	result.knows_time = result.kind == RDA_GIVEUP_RETRY && s.most_ns &&
			    s.most_ns < INT64_MAX / 4 && s.most_ns - s.least_ns <= SAME_TIME_NS;
	result.time_ns = g->tries.last_ns + s.least_ns;
	return result;
}

/*
 * By when its timer has fired, as it was seen to be constant, or takes the next step of a ladder
 * where the latest run can be one; INT64_MAX: it was not.
 */
static int64_t timer_shown(const struct rda_flow *flow, const struct rda_giveup *giveup)
{
	const struct rda_timer_waits *waits = &giveup->waits;
	int64_t step_ns = rda_giveup_may_be_adaptive(flow)
				  ? rda_schedule_of(&giveup->retries.tries, -1).patience_ns
				  : 0;

	if (waits->count < ALIKE_LEAST || exceeds(waits->most_ns, waits->least_ns, ALIKE_PERCENT))
		return INT64_MAX;
	return MAX(MAX(and_half(waits->most_ns), step_ns), least_timer_of(flow));
}

/*
 * A NAK is the last word, and was not obeyed: by when whoever did not get it would have sent again.
 * INT64_MAX: nothing tells.
 */
static int64_t due_after_a_nak(const struct rda_flow *flow, const struct rda_giveup *giveup)
{
	int64_t shown_ns = timer_shown(flow, giveup);

	if (!giveup->spent || shown_ns == INT64_MAX ||
	    giveup->nak_ns < flow->account->requester.progress.last_ns)
		return INT64_MAX;
	return rda_ns_sum(giveup->nak_ns, shown_ns);
}

/*
 * All that CM allows is spent, by NAKs among others: who sends nothing more has given up when its
 * timer fired once more, which nothing shows. A DREQ sooner than that has another reason; and one
 * that comes behind what a NAK had asked for, before the longest timer could fire, may have.
 */
static int64_t due_after_the_last(const struct rda_flow *flow, const struct rda_giveup *giveup,
				  const struct rda_cm_limits *limits, bool left)
{
	int64_t last_ns = flow->account->requester.progress.last_ns;
	int64_t due_ns, told_ns, shortest_ns, longest_ns;

	if (limits->ack_timeout <= 0 || limits->retry_count <= 0 ||
	    limits->retry_count >= RDA_RETRIES_MAX || !giveup->spent_by_naks ||
	    giveup->spent < (uint32_t)limits->retry_count)
		return INT64_MAX;
	rda_tries_waits(&giveup->retries.tries, &shortest_ns, &longest_ns);
	told_ns = MAX(rda_cm_time_ns((unsigned)limits->ack_timeout), least_timer_of(flow));
	if (left && giveup->nak_ns > last_ns)
		due_ns = told_ns;
	else
		due_ns =
			MIN(MAX(rda_cm_longest_timer_ns((unsigned)limits->ack_timeout), longest_ns),
			    MAX(timer_shown(flow, giveup), told_ns));
	return rda_ns_sum(MAX(last_ns, giveup->nak_ns), due_ns);
}

static struct rda_gave_up after_naks(const struct rda_flow *flow, const struct rda_giveup *giveup,
				     const struct rda_cm_track *cm, int64_t until_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);
	const struct rda_progress *progress = &flow->account->requester.progress;
	int64_t left_ns = rda_cm_left_ns(cm, flow, progress->last_ns);
	int64_t end_ns = MIN(until_ns, left_ns), due_ns;
	bool counted = limits && limits->retry_count >= 0; /* CM says nothing of the passive side */
	struct rda_gave_up result = {
		.silence_ns = end_ns - progress->last_ns,
		.budget = counted ? limits->retry_count : -1,
		.counted = counted,
		.timer_ns = counted ? rda_cm_time_ns((unsigned)limits->ack_timeout)
				    : giveup->waits.most_ns,
	};

	if (giveup->refused || !flow->peer || progress->acked >= progress->next)
		return result;
	due_ns = counted ? due_after_the_last(flow, giveup, limits, left_ns < until_ns)
			 : due_after_a_nak(flow, giveup);
	if (end_ns > due_ns && !answers_behind(flow, due_ns))
		result.kind = RDA_GIVEUP_NAKS;
	return result;
}

/*
 * Its timer, as it waits at most (four times what was agreed on), or as long as any is likely to
 * be, where it has shown nothing: until it fires, who did not get the RNR NAK is as silent as who
 * gave up.
 */
static int64_t longest_timer_of(const struct rda_flow *flow, const struct rda_put_off *rnr)
{
	int told = rda_cm_ack_timeout_of(flow);

	if (told > 0)
		return rda_cm_longest_timer_ns((unsigned)told);
	return rnr->longest_ns ? OBEYED_SILENCE_NS : RDA_CM_LONGEST_TIMER_NS;
}

/*
 * It was put off before and came back within a time that is known; now it sent others for much
 * longer, so this RNR NAK was lost behind.
 */
static bool has_sent_on(const struct rda_flow *flow, const struct rda_put_off *rnr)
{
	int64_t on_ns = flow->account->requester.progress.last_ns - rnr->time_ns;
	/* what it waited beyond what was asked: the way from here and back is in it */
	int64_t way_ns = MAX(rnr->longest_ns - rda_aeth_rnr_ns(rnr->syndrome), RDA_MIRROR_NS / 3);

	return rnr->longest_ns && exceeds(on_ns, MIN(way_ns, rnr->longest_ns), OVER_PERCENT);
}

static struct rda_gave_up after_rnr(const struct rda_flow *flow, const struct rda_put_off *rnr,
				    int64_t until_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);
	int64_t due = MAX(rda_aeth_rnr_ns(rnr->syndrome), rnr->longest_ns);
	/* what it sent since then was on its way, as the RNR NAK was */
	int64_t quiet_ns = until_ns - MAX(rnr->time_ns, flow->account->requester.progress.last_ns);
	struct rda_gave_up result = {
		.silence_ns = until_ns - rnr->time_ns,
		.budget = limits ? limits->rnr_retry_count : -1,
	};

	if (!exceeds(quiet_ns, due, OVER_PERCENT) || quiet_ns - due < RDA_REACTION_MIN_NS ||
	    result.budget == RDA_RETRIES_MAX || has_sent_on(flow, rnr) ||
	    answers_behind(flow, rda_ns_sum(rnr->time_ns, due)))
		return result;
	result.counted = result.budget >= 0 && rnr->same == (uint32_t)result.budget + 1;
	result.timer_over = quiet_ns > longest_timer_of(flow, rnr);
	if (result.counted || result.timer_over)
		result.kind = rnr->same > RDA_RETRIES_MAX ? RDA_GIVEUP_UNENDING : RDA_GIVEUP_RNR;
	result.unheeded = !result.kind && rnr->same <= RDA_RETRIES_MAX && rnr->longest_ns;
	return result;
}

struct rda_gave_up rda_gave_up(const struct rda_flow *flow, const struct rda_cm_track *cm,
			       const struct rda_capture *captures, uint32_t count)
{
	const struct rda_giveup *g = rda_giveup_of(flow);
	struct rda_gave_up gave_up = {.budget = -1};
	int64_t until_ns;

	if (g && g->put_off.open)
		return after_rnr(flow, &g->put_off,
				 rda_flow_until(flow, rda_captures_until(captures, count,
									 g->put_off.place)));
	if (!g || !g->spent_place)
		return gave_up;
	until_ns = rda_flow_until(flow, rda_captures_until(captures, count, g->spent_place));
	if (g->retries.tries.count && !g->retries.answered)
		gave_up = after_retries(flow, &g->retries, cm, until_ns);
	return gave_up.kind ? gave_up : after_naks(flow, g, cm, until_ns);
}
