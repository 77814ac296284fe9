/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retries until the end; giveup.h has the figure.
 */
#include "analyzer/track/roce/giveup.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"

#include <glib.h>

/* A timer that is told from a reaction to an answer: no host takes so long to react to one. */
#define REACTION_MOST_NS 6000000

/* Instants this close to each other are told as one. */
#define SAME_TIME_NS 1000000

/* A copy of an RNR NAK, by the network or a mirror, comes within this time. */
#define COPY_NS 1000000

/* Where no timer was agreed on: who obeyed RNR NAKs before got the next one, too, if it is silent
 * so long. */
#define OBEYED_SILENCE_NS 200000000

/* Who was put off and does not come back in so many times the wait comes no more, in per cent. */
enum { OVER_PERCENT = 300 };

const struct rda_giveup *rda_giveup_of(const struct rda_flow *flow)
{
	return flow->account ? flow->account->requester.rare->giveup : NULL;
}

/* ---- runs of resends ------------------------------------------------------------------------- */

static int told_timeout(const struct rda_flow *flow)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);

	return limits ? limits->ack_timeout : -1;
}

/* What a series tells of its timer. */
static void count_series(struct rda_timer_counts *timers, const struct rda_retries *g,
			 int ack_timeout)
{
	struct rda_schedule schedule;

	if (g->tries.count < 2 || g->timeouts < g->tries.count)
		return;
	schedule = rda_schedule_of(&g->tries, ack_timeout);
	timers->series[schedule.timer]++;
	timers->adaptive += schedule.adaptive;
	if (schedule.regular_ns)
		timers->regular_ns = schedule.regular_ns;
}

/* No progress since the latest run; with one direction only the PSN tells. */
static bool goes_on(const struct rda_flow *asker, const struct rda_retries *g,
		    const struct rda_event *event)
{
	const struct rda_requester *r = &asker->account->requester;

	if (!g->tries.count || g->answered || g->acked != r->progress.acked ||
	    g->incomplete != r->progress.incomplete)
		return false;
	return asker->peer || g->psn == event->psn;
}

/* The timer runs since what is sent again was first sent, or since later progress. */
static int64_t armed_of(const struct rda_requester *r, const struct rda_sent *record,
			const struct rda_event *event)
{
	int64_t since = record ? record->sent_ns : event->time_ns - MAX(event->wait_ns, 0);

	if (r->progress.acked_frame)
		since = MAX(since, r->progress.acked_ns);
	if (r->stall.progressed)
		since = MAX(since, r->stall.progress_ns);
	return MIN(since, event->time_ns);
}

/*
 * A READ or ATOMIC whose answers have all passed, and so late that it is no copy of the network's:
 * they were lost behind, and who asked still waits.
 */
static bool is_read_again(const struct rda_requester *r, const struct rda_event *event)
{
	int64_t index = rda_window_find(&r->window, event->psn);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	return record && record->roles & RDA_ROLE_ANSWERED &&
	       event->time_ns - record->last_ns >= REACTION_MOST_NS;
}

static void begin(struct rda_giveup *giveup, const struct rda_flow *asker,
		  const struct rda_event *event)
{
	const struct rda_requester *r = &asker->account->requester;
	int64_t index = rda_window_find(&r->window, event->psn);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	count_series(&giveup->timers, &giveup->retries, told_timeout(asker));
	giveup->retries = (struct rda_retries){
		.psn = event->psn,
		.acked = r->progress.acked,
		/* as it will be with the packet at hand */
		.incomplete = event->psn < r->progress.acked && is_read_again(r, event)
				      ? MIN(event->psn, r->progress.incomplete)
				      : r->progress.incomplete,
		.tries.armed_ns = armed_of(r, record, event),
		.places = {record ? record->first_frame : 0},
	};
}

/*
 * A timer began the run, and not an answer that came so long before: after READ responses that were
 * all seen nothing tells the two apart but time.
 */
static bool is_timeout(const struct rda_retries *g, const struct rda_event *event)
{
	int64_t since = g->tries.count ? g->tries.last_ns : g->tries.armed_ns;

	return event->trigger == RDA_TRIGGER_TIMEOUT ||
	       (event->trigger == RDA_TRIGGER_IMPLIED &&
		event->time_ns - since >= REACTION_MOST_NS);
}

/* A tap that shows requests later than answers shows the answer to this READ or ATOMIC before it.
 */
static bool has_just_been_answered(const struct rda_requester *r, const struct rda_event *event)
{
	const struct rda_sent *record = rda_window_of(&r->window, event->psn);

	return record && record->roles & RDA_ROLE_ANSWERED &&
	       r->heard->answers.next >= event->psn &&
	       event->time_ns - r->heard->answers.next_ns < RDA_MIRROR_NS;
}

static void note_spent(struct rda_giveup *giveup, const struct rda_event *event)
{
	giveup->spent++;
	giveup->spent_by_naks += event->trigger == RDA_TRIGGER_NAK;
	giveup->spent_place = event->frame;
}

static void note_run(const struct rda_flow *asker, struct rda_giveup *giveup,
		     const struct rda_event *event)
{
	const struct rda_progress *progress = &asker->account->requester.progress;
	struct rda_retries *g = &giveup->retries;

	if (event->trigger == RDA_TRIGGER_RNR || event->trigger == RDA_TRIGGER_UNEXPLAINED)
		return;
	if (event->trigger == RDA_TRIGGER_NAK)
		note_spent(giveup, event); /* whatever a later NAK has acknowledged meanwhile */
	if (event->psn < MIN(progress->acked, progress->incomplete) &&
	    !is_read_again(&asker->account->requester, event))
		return; /* a late original or a copy: an ACK above it has answered it */
	if (event->trigger != RDA_TRIGGER_NAK)
		note_spent(giveup, event);
	if (!goes_on(asker, g, event))
		begin(giveup, asker, event);
	g->timeouts += is_timeout(g, event);
	rda_tries_add(&g->tries, event->time_ns);
	g->next = progress->next;
	g->last_place = event->frame;
	if (g->tries.count < RDA_RETRIES_KEPT)
		g->places[g->tries.count] = event->frame;
	g->answered |= has_just_been_answered(&asker->account->requester, event);
}

/* ---- RNR NAKs -------------------------------------------------------------------------------- */

static void note_rnr(struct rda_put_off *rnr, const struct rda_event *event, uint16_t ip_id)
{
	/* what is sent again sooner than was asked is a copy as well, or had been on its way */
	bool obeyed = rnr->resent_place > rnr->place &&
		      event->time_ns - rnr->time_ns >= rda_aeth_rnr_ns(rnr->syndrome);

	if (rnr->count && !obeyed && rnr->psn == event->psn && rnr->ip_id == ip_id &&
	    event->time_ns - rnr->time_ns < COPY_NS)
		return;
	rnr->same = rnr->count && rnr->psn == event->psn ? rnr->same + 1 : 1;
	rnr->count++;
	rnr->open = true;
	rnr->psn = event->psn;
	rnr->syndrome = event->syndrome;
	rnr->time_ns = event->time_ns;
	rnr->place = event->frame;
	rnr->ip_id = ip_id;
}

static void note_resent(struct rda_put_off *rnr, const struct rda_event *event)
{
	int64_t wait = event->time_ns - rnr->time_ns;

	if (!rnr->open)
		return;
	rnr->waited_ns += wait;
	rnr->longest_ns = MAX(rnr->longest_ns, wait);
	rnr->way_ns = MAX(rnr->way_ns, wait - rda_aeth_rnr_ns(rnr->syndrome));
	rnr->resent_place = event->frame;
	rnr->open = false;
}

/* ---- both ------------------------------------------------------------------------------------ */

void rda_giveup_take_back(struct rda_giveup *g)
{
	if (!g)
		return;
	g->retries = (struct rda_retries){0};
	g->timers = (struct rda_timer_counts){0};
	g->spent = g->spent_by_naks = 0;
	g->spent_place = 0;
}

void rda_giveup_event(struct rda_flow *asker, const struct rda_event *event, uint16_t ip_id)
{
	struct rda_account *account = asker->account;

	if (!account->requester.rare->giveup) {
		rda_requester_rare(&account->requester)->giveup = g_new0(struct rda_giveup, 1);
		account->requester.rare->giveup->answered = rda_account_answered(account);
		account->requester.rare->giveup->nak_ns = RDA_NEVER_NS;
	}
	if (event->kind == RDA_EVENT_RNR) {
		note_rnr(&account->requester.rare->giveup->put_off, event, ip_id);
		return;
	}
	note_resent(&account->requester.rare->giveup->put_off, event);
	note_run(asker, account->requester.rare->giveup, event);
}

/* What an answer tells of retries that are spent. */
static void note_answer(struct rda_giveup *g, const struct rda_account *account,
			const struct rda_packet *packet, int64_t time_ns)
{
	int64_t answered = rda_account_answered(account);
	bool has_aeth = rda_has(packet, AETH);
	bool is_nak = has_aeth && rda_aeth_kind(&packet->aeth) == RDA_AETH_NAK;

	if ((!has_aeth || rda_aeth_kind(&packet->aeth) == RDA_AETH_ACK) && answered > g->answered)
		g->spent = g->spent_by_naks = 0;
	g->answered = answered;
	if (is_nak && packet->aeth.syndrome == RDA_SYNDROME_NAK_SEQUENCE)
		g->nak_ns = time_ns;
	g->refused |= is_nak && packet->aeth.syndrome != RDA_SYNDROME_NAK_SEQUENCE;
}

RDA_APART void rda_giveup_response(struct rda_flow *asker, const struct rda_packet *packet,
				   int64_t time_ns)
{
	struct rda_account *account = asker->account;
	const struct rda_requester *r = &account->requester;
	struct rda_giveup *g = account->requester.rare->giveup;
	bool has_aeth = rda_has(packet, AETH);
	int64_t psn = rda_psn_widen(r->progress.acked, packet->bth.psn);

	if (!g)
		return;
	note_answer(g, account, packet, time_ns);
	/* an ACK of what was acknowledged before answers the resend, and is no progress */
	if ((!has_aeth || rda_aeth_kind(&packet->aeth) == RDA_AETH_ACK) && psn >= g->retries.psn &&
	    psn < r->progress.next)
		g->retries.answered = true;
	if (has_aeth && r->progress.acked > g->put_off.psn)
		g->put_off.open = false;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* time > limit * percent / 100, of any times */
static bool exceeds(int64_t time, int64_t limit, int percent)
{
	return time / percent > limit / 100;
}

/*
 * Where only one direction was captured, answers may have come unseen: a request that is sent again
 * once or twice and then no more may be done. Not so when it was sent as often as CM allows, or
 * again and again.
 */
enum { RUNS_ALONE = 3 };

static bool may_be_answered(const struct rda_flow *flow, const struct rda_retries *g, bool counted)
{
	const struct rda_requester *r = &flow->account->requester;

	if (g->acked != r->progress.acked || g->incomplete != r->progress.incomplete)
		return true;
	return !flow->peer &&
	       (r->progress.next > g->next || (!counted && g->tries.count < RUNS_ALONE));
}

/*
 * No timer fires within this time: what is sent again sooner tells nothing of one. Where nobody
 * says how long it is, the shortest that is in use has 2^10 units.
 */
static int64_t least_timer_of(const struct rda_flow *flow)
{
	int told = told_timeout(flow);

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

/* `until_ns`: the captures go on until then. */
static struct rda_gave_up after_retries(const struct rda_flow *flow, const struct rda_retries *g,
					const struct rda_cm_track *cm, int64_t until_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);
	bool disconnected = rda_cm_disconnected(cm, flow, g->tries.at_ns[0]);
	int64_t shortest_ns, longest_ns;
	struct rda_schedule s = rda_schedule_of(&g->tries, told_timeout(flow));
	struct rda_gave_up result = {
		.silence_ns = until_ns - flow->account->requester.progress.last_ns,
		.budget = limits ? limits->retry_count : -1,
		.schedule = s,
	};
	bool counted = result.budget >= 0 && s.may_end &&
		       (uint32_t)result.budget >= s.budget_least &&
		       (uint32_t)result.budget <= s.budget_most;
	/* the count says that this was the last: the timer need not be expected to grow */
	int64_t patience_ns = counted && s.most_ns
				      ? MIN(s.patience_ns, rda_ns_sum(s.most_ns, s.most_ns / 2))
				      : s.patience_ns;
	int64_t least_ns = least_timer_of(flow);
	bool over = result.silence_ns > MAX(patience_ns, least_ns);

	rda_tries_waits(&g->tries, &shortest_ns, &longest_ns);
	if (!g->timeouts || longest_ns < least_ns || may_be_answered(flow, g, counted))
		return result;
	if (disconnected && !counted)
		return result; /* a DREQ came during the retries: that ended them */
	if ((!over && !disconnected) ||
	    answers_behind(flow, rda_ns_sum(g->tries.last_ns, MAX(patience_ns, least_ns))))
		return result;
	if (s.may_end)
		result.kind = RDA_GIVEUP_RETRY;
	else if (s.timer != RDA_TIMER_ADAPTIVE)
		result.kind = RDA_GIVEUP_UNENDING;
	result.counted = counted;
	result.knows_time = result.kind == RDA_GIVEUP_RETRY && s.most_ns &&
			    s.most_ns < INT64_MAX / 4 && s.most_ns - s.least_ns <= SAME_TIME_NS;
	result.time_ns = g->tries.last_ns + s.least_ns;
	return result;
}

/*
 * All that CM allows is spent, by NAKs among others: who sends nothing more has given up when its
 * timer fired once more, which nothing shows. A DREQ sooner than that has another reason; and one
 * that comes behind what a NAK had asked for, before the longest timer could fire, may have.
 */
static struct rda_gave_up after_naks(const struct rda_flow *flow, const struct rda_giveup *giveup,
				     const struct rda_cm_track *cm, int64_t until_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);
	const struct rda_progress *progress = &flow->account->requester.progress;
	int64_t since_ns = MAX(progress->last_ns, giveup->nak_ns), shortest_ns, longest_ns;
	int64_t left_ns = rda_cm_left_ns(cm, flow, progress->last_ns);
	int64_t end_ns = MIN(until_ns, left_ns), due_ns;
	struct rda_gave_up result = {
		.silence_ns = end_ns - progress->last_ns,
		.budget = limits ? limits->retry_count : -1,
	};

	if (!limits || limits->ack_timeout <= 0 || result.budget <= 0 ||
	    result.budget >= RDA_RETRIES_MAX || giveup->spent < (uint32_t)result.budget ||
	    !giveup->spent_by_naks || giveup->refused || !flow->peer ||
	    progress->acked >= progress->next)
		return result;
	rda_tries_waits(&giveup->retries.tries, &shortest_ns, &longest_ns);
	if (left_ns < until_ns && giveup->nak_ns > progress->last_ns)
		due_ns = MAX(rda_cm_time_ns((unsigned)limits->ack_timeout), least_timer_of(flow));
	else
		due_ns = MAX(rda_cm_longest_timer_ns((unsigned)limits->ack_timeout), longest_ns);
	due_ns = rda_ns_sum(since_ns, due_ns);
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
	int told = told_timeout(flow);

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
	if (result.counted || quiet_ns > longest_timer_of(flow, rnr))
		result.kind = rnr->same > RDA_RETRIES_MAX ? RDA_GIVEUP_UNENDING : RDA_GIVEUP_RNR;
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

/* ---- the timer ------------------------------------------------------------------------------- */

struct rda_timer_counts rda_giveup_timers(const struct rda_flow *flow)
{
	const struct rda_giveup *g = rda_giveup_of(flow);
	struct rda_timer_counts timers = {0};

	if (!g)
		return timers;
	timers = g->timers;
	count_series(&timers, &g->retries, told_timeout(flow));
	return timers;
}

bool rda_giveup_may_be_adaptive(const struct rda_flow *flow)
{
	const struct rda_giveup *g = rda_giveup_of(flow);

	return g && g->retries.tries.count && rda_schedule_may_be_adaptive(&g->retries.tries);
}
