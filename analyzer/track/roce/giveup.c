/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of resends and RNR NAKs, as they pass; giveup.h has the idea.
 */
#include "analyzer/track/roce/giveup.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"

#include <glib.h>
#include <string.h>

/* A timer that is told from a reaction to an answer: no host takes so long to react to one. */
#define REACTION_MOST_NS 6000000

/* A copy of an RNR NAK, by the network or a mirror, comes within this time. */
#define COPY_NS 1000000

const struct rda_giveup *rda_giveup_of(const struct rda_flow *flow)
{
	return flow->account ? flow->account->requester.rare->giveup : NULL;
}

/* ---- runs of resends ------------------------------------------------------------------------- */

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

bool rda_giveup_is_passed_over(const struct rda_account *account, const struct rda_retries *g)
{
	const struct rda_sent *record = rda_account_sent(account, g->psn);

	return record && record->roles & RDA_ROLE_ANSWERED &&
	       account->requester.progress.incomplete <= g->psn &&
	       rda_account_waits_at(account, g->psn);
}

/*
 * No progress since the latest run; with one direction only the PSN tells. A READ or ATOMIC that
 * never passed before, and does in the run, lowers what is incomplete: that is none.
 */
static bool goes_on(const struct rda_flow *asker, const struct rda_retries *g,
		    const struct rda_event *event)
{
	const struct rda_requester *r = &asker->account->requester;

	if (!g->tries.count || g->answered || g->incomplete < r->progress.incomplete ||
	    (g->acked != r->progress.acked && !rda_giveup_is_passed_over(asker->account, g)))
		return false;
	return g->psn == event->psn || (asker->peer && g->incomplete == r->progress.incomplete);
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
	const struct rda_sent *record = rda_window_of(&r->window, event->psn);

	return record && record->roles & RDA_ROLE_ANSWERED &&
	       event->time_ns - record->last_ns >= REACTION_MOST_NS;
}

/* The same of anything else that was answered: behind such a silence its timer sends it again. */
static bool is_again(const struct rda_requester *r, const struct rda_event *event)
{
	const struct rda_sent *record = rda_window_of(&r->window, event->psn);

	return record && event->trigger == RDA_TRIGGER_TIMEOUT &&
	       event->wait_ns >= REACTION_MOST_NS && !r->rare->run.doubted &&
	       event->time_ns - record->last_ns >= REACTION_MOST_NS;
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

static void begin(struct rda_giveup *giveup, const struct rda_flow *asker,
		  const struct rda_event *event)
{
	const struct rda_requester *r = &asker->account->requester;
	int64_t index = rda_window_find(&r->window, event->psn);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	const struct rda_retries *before = &giveup->retries;
	bool same = before->psn == event->psn && before->was_answered && before->answered;
	uint32_t answered = same ? before->answered_before + before->tries.count : 0;

	count_series(&giveup->timers, &giveup->retries, rda_cm_ack_timeout_of(asker));
	giveup->retries = (struct rda_retries){
		.answered_before = answered,
		.psn = event->psn,
		.acked = r->progress.acked,
		/* as it will be with the packet at hand */
		.incomplete = event->psn < r->progress.acked && is_read_again(r, event)
				      ? MIN(event->psn, r->progress.incomplete)
				      : r->progress.incomplete,
		.tries.armed_ns = armed_of(r, record, event),
		/* in full: of a READ of which a response is missing none was */
		.was_answered = (record ? record->end : event->psn + 1) <=
				MIN(r->progress.acked, r->progress.incomplete),
		.places = {record ? record->first_frame : 0},
	};
	giveup->retries.after_a_nak = !is_timeout(&giveup->retries, event);
}

/* A tap that shows requests later than answers shows the answer to this READ or ATOMIC before it,
 * which may be one of several. */
static bool has_just_been_answered(const struct rda_requester *r, const struct rda_event *event)
{
	const struct rda_sent *record = rda_window_of(&r->window, event->psn);

	if (!record)
		return false;
	return (record->answer_ns != RDA_NEVER_NS &&
		event->time_ns - record->answer_ns < RDA_MIRROR_NS) ||
	       (record->roles & RDA_ROLE_ANSWERED && r->heard->answers.next >= event->psn &&
		event->time_ns - r->heard->answers.next_ns < RDA_MIRROR_NS);
}

static void note_spent(struct rda_giveup *giveup, const struct rda_event *event)
{
	giveup->spent++;
	giveup->spent_by_naks += event->trigger == RDA_TRIGGER_NAK;
	giveup->spent_place = event->frame;
}

static void note_wait(struct rda_timer_waits *waits, int64_t wait_ns)
{
	waits->least_ns = waits->count ? MIN(waits->least_ns, wait_ns) : wait_ns;
	waits->most_ns = MAX(waits->most_ns, wait_ns);
	waits->count++;
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
	    !is_read_again(&asker->account->requester, event) &&
	    !is_again(&asker->account->requester, event))
		return; /* a late original or a copy: an ACK above it has answered it */
	if (event->trigger != RDA_TRIGGER_NAK)
		note_spent(giveup, event);
	if (event->trigger == RDA_TRIGGER_TIMEOUT && event->wait_ns >= RDA_TIMER_IN_USE_NS)
		note_wait(&giveup->waits, event->wait_ns);
	if (!goes_on(asker, g, event))
		begin(giveup, asker, event);
	g->incomplete = MIN(g->incomplete, progress->incomplete);
	g->acked = progress->acked;
	g->timeouts += is_timeout(g, event);
	rda_tries_add(&g->tries, event->time_ns);
	g->next = progress->next;
	g->last_place = event->frame;
	if (g->tries.count < RDA_RETRIES_KEPT)
		g->places[g->tries.count] = event->frame;
	g->answered |= has_just_been_answered(&asker->account->requester, event);
}

/* ---- RNR NAKs -------------------------------------------------------------------------------- */

static void end_stop(struct rda_stops *stops, int64_t time_ns, uint64_t place)
{
	int64_t took_ns = MAX(time_ns - stops->since_ns, 0); /* a clock may go backwards */

	if (!stops->open)
		return;
	stops->open = false;
	stops->count++;
	stops->total_ns = rda_ns_sum(stops->total_ns, took_ns);
	if (stops->count > 1 && took_ns <= stops->longest_ns)
		return;
	stops->longest_ns = took_ns;
	stops->longest_from = stops->since_place;
	stops->longest_until = place;
}

static bool is_answered(const struct rda_stops *stops, const struct rda_requester *r)
{
	return !stops->asks || r->progress.incomplete > stops->psn;
}

/* One for a later PSN than that at hand says that this was taken; one for what was taken is old. */
static void note_stop(struct rda_stops *stops, const struct rda_requester *r,
		      const struct rda_event *event)
{
	const struct rda_sent *record = rda_window_of(&r->window, event->psn);

	if (event->psn < MIN(r->progress.acked, r->progress.incomplete))
		return;
	if (event->psn > stops->psn && is_answered(stops, r))
		end_stop(stops, event->time_ns, event->frame);
	if (!stops->open) {
		stops->open = true;
		stops->asks = record && record->roles & RDA_ROLE_ANSWERED;
		stops->psn = event->psn;
		stops->since_ns = event->time_ns;
		stops->since_place = event->frame;
	}
	stops->latest_ns = event->time_ns;
	stops->latest_place = event->frame;
}

struct rda_stops rda_giveup_stops(const struct rda_giveup *giveup)
{
	struct rda_stops stops = giveup->put_off.stops;
	bool open = stops.open;

	end_stop(&stops, stops.latest_ns, stops.latest_place);
	stops.open = open;
	return stops;
}

static void note_rnr(struct rda_put_off *rnr, const struct rda_event *event, uint16_t ip_id)
{
	/* what is sent again sooner than was asked is a copy as well, or had been on its way */
	bool obeyed = rnr->resent_place > rnr->place &&
		      event->time_ns - rnr->time_ns >= rda_aeth_rnr_ns(rnr->syndrome);

	if (rnr->count && !obeyed && rnr->psn == event->psn && rnr->ip_id == ip_id &&
	    event->time_ns - rnr->time_ns < COPY_NS)
		return;
	if (!rnr->open || rnr->psn != event->psn) {
		rnr->first_ns = event->time_ns;
		rnr->first_syndrome = event->syndrome;
	}
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
	rnr->longest_ns = MAX(rnr->longest_ns, wait);
	rnr->way_ns = MAX(rnr->way_ns, wait - rda_aeth_rnr_ns(rnr->syndrome));
	if (event->trigger == RDA_TRIGGER_RNR) {
		rnr->obeyed++;
		rnr->late_ns = MAX(rnr->late_ns, wait - rda_aeth_rnr_ns(rnr->syndrome));
	}
	rnr->resent_place = event->frame;
	rnr->open = false;
	rnr->stops.latest_ns = event->time_ns;
	rnr->stops.latest_place = event->frame;
}

/* So many waits show how late their requester obeys RNR NAKs; and it may be by half more. */
enum { OBEYED_LEAST = 3 };

bool rda_giveup_may_be_put_off(const struct rda_giveup *giveup, int64_t wait_ns)
{
	const struct rda_put_off *rnr = &giveup->put_off;
	int64_t late_ns = wait_ns - rda_aeth_rnr_ns(rnr->syndrome);

	return rnr->obeyed >= OBEYED_LEAST && late_ns >= 0 &&
	       late_ns <= rda_ns_sum(rnr->late_ns, MAX(rnr->late_ns / 2, RDA_MIRROR_NS));
}

/* ---- both ------------------------------------------------------------------------------------ */

struct rda_tries rda_giveup_timer_tries(const struct rda_retries *g)
{
	struct rda_tries tries = g->tries;

	if (!g->after_a_nak || !tries.count)
		return tries;
	tries.armed_ns = tries.at_ns[0];
	tries.count--;
	memmove(tries.at_ns, tries.at_ns + 1, sizeof(tries.at_ns) - sizeof(tries.at_ns[0]));
	return tries;
}

void rda_giveup_take_back(struct rda_giveup *g)
{
	if (!g)
		return;
	g->retries = (struct rda_retries){0};
	g->timers = (struct rda_timer_counts){0};
	g->waits = (struct rda_timer_waits){0};
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
		note_stop(&account->requester.rare->giveup->put_off.stops, &account->requester,
			  event);
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
				   int64_t time_ns, uint64_t place)
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
	    psn < r->progress.next &&
	    !(psn > g->retries.psn && rda_giveup_is_passed_over(account, &g->retries)))
		g->retries.answered = true;
	if (has_aeth && r->progress.acked > g->put_off.psn)
		g->put_off.open = false;
	if (r->progress.acked > g->put_off.stops.psn && is_answered(&g->put_off.stops, r))
		end_stop(&g->put_off.stops, time_ns, place);
}

/* ---- the timer ------------------------------------------------------------------------------- */

struct rda_timer_counts rda_giveup_timers(const struct rda_flow *flow)
{
	const struct rda_giveup *g = rda_giveup_of(flow);
	struct rda_timer_counts timers = {0};

	if (!g)
		return timers;
	timers = g->timers;
	count_series(&timers, &g->retries, rda_cm_ack_timeout_of(flow));
	return timers;
}

bool rda_giveup_may_be_adaptive(const struct rda_flow *flow)
{
	const struct rda_giveup *g = rda_giveup_of(flow);

	return g && g->retries.tries.count && rda_schedule_may_be_adaptive(&g->retries.tries);
}
