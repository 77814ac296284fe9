/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retries until the end; giveup.h has the figure.
 */
#include "analyzer/track/roce/giveup.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account_parts.h"

#include <glib.h>

/*
 * Timers that fire within these percent of each other are one timer; then it is over when it did
 * not fire for so long. A timer that backs off may double each time.
 */
enum { STEADY_PERCENT = 150, OVER_STEADY_PERCENT = 150, OVER_PERCENT = 300 };

/* The shortest ACK timeout that a QP can have (IBTA vol 1, 11.6.2: 4.096 us times a power of two).
 */
#define TIMER_LEAST_NS 4096

/* A copy of an RNR NAK, by the network or a mirror, comes within this time. */
#define COPY_NS 1000000

const struct rda_giveup *rda_giveup_of(const struct rda_flow *flow)
{
	return flow->account ? flow->account->giveup : NULL;
}

/* ---- runs of resends ------------------------------------------------------------------------- */

static void note_interval(struct rda_retries *g, int64_t interval)
{
	g->shortest_ns = g->longest_ns ? MIN(g->shortest_ns, interval) : interval;
	g->longest_ns = MAX(g->longest_ns, interval);
}

/* No progress since the latest run; with one direction only the PSN tells. */
static bool goes_on(const struct rda_flow *asker, const struct rda_retries *g,
		    const struct rda_event *event)
{
	const struct rda_requester *r = &asker->account->requester;

	if (!g->runs || g->acked != r->progress.acked || g->incomplete != r->progress.incomplete)
		return false;
	return asker->peer || g->psn == event->psn;
}

static void begin(struct rda_retries *g, const struct rda_requester *r,
		  const struct rda_event *event)
{
	int64_t index = rda_window_find(&r->window, event->psn);

	*g = (struct rda_retries){
		.psn = event->psn,
		.acked = r->progress.acked,
		.incomplete = r->progress.incomplete,
		.first_ns = event->time_ns,
	};
	if (index >= 0)
		g->places[0] = rda_window_at(&r->window, index)->first_frame;
	if (event->trigger == RDA_TRIGGER_TIMEOUT && event->wait_ns > 0)
		g->wait_ns = event->wait_ns;
}

static void note_run(const struct rda_flow *asker, struct rda_retries *g,
		     const struct rda_event *event)
{
	const struct rda_progress *progress = &asker->account->requester.progress;

	if (event->trigger == RDA_TRIGGER_RNR || event->trigger == RDA_TRIGGER_UNEXPLAINED)
		return;
	if (event->psn < MIN(progress->acked, progress->incomplete))
		return; /* a late original or a copy: an ACK above it has answered it */
	if (goes_on(asker, g, event))
		note_interval(g, event->time_ns - g->last_ns);
	else
		begin(g, &asker->account->requester, event);
	g->runs++;
	g->timeouts += event->trigger == RDA_TRIGGER_TIMEOUT;
	g->last_ns = event->time_ns;
	g->next = asker->account->requester.progress.next;
	g->last_place = event->frame;
	if (g->runs < RDA_RETRIES_KEPT)
		g->places[g->runs] = event->frame;
}

/* ---- RNR NAKs -------------------------------------------------------------------------------- */

static void note_rnr(struct rda_put_off *rnr, const struct rda_event *event, uint16_t ip_id)
{
	if (rnr->open && rnr->psn == event->psn && rnr->ip_id == ip_id &&
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
	rnr->resent_place = event->frame;
	rnr->open = false;
}

/* ---- both ------------------------------------------------------------------------------------ */

void rda_giveup_event(struct rda_flow *asker, const struct rda_event *event, uint16_t ip_id)
{
	struct rda_account *account = asker->account;

	if (!account->giveup)
		account->giveup = g_new0(struct rda_giveup, 1);
	if (event->kind == RDA_EVENT_RNR) {
		note_rnr(&account->giveup->put_off, event, ip_id);
		return;
	}
	note_resent(&account->giveup->put_off, event);
	note_run(asker, &account->giveup->retries, event);
}

void rda_giveup_response(struct rda_flow *asker, const struct rda_packet *packet)
{
	struct rda_account *account = asker->account;
	const struct rda_requester *r = &account->requester;
	struct rda_giveup *g = account->giveup;
	bool has_aeth = rda_has(packet, AETH);
	int64_t psn = rda_psn_widen(r->progress.acked, packet->bth.psn);

	if (!g)
		return;
	/* an ACK of what was acknowledged before answers the resend, and is no progress */
	if ((!has_aeth || rda_aeth_kind(&packet->aeth) == RDA_AETH_ACK) && psn >= g->retries.psn &&
	    psn < r->progress.next)
		g->retries.runs = 0;
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
	return !flow->peer && (r->progress.next > g->next || (!counted && g->runs < RUNS_ALONE));
}

/* Another run would have begun by now. */
static bool is_over(const struct rda_retries *g, int64_t silence)
{
	int64_t longest = MAX(g->longest_ns, g->wait_ns);
	bool steady = g->runs > 2 && !exceeds(longest, g->shortest_ns, STEADY_PERCENT);

	return longest >= TIMER_LEAST_NS &&
	       exceeds(silence, longest, steady ? OVER_STEADY_PERCENT : OVER_PERCENT);
}

/* `until_ns`: the captures go on until then. */
static struct rda_gave_up after_retries(const struct rda_flow *flow, const struct rda_retries *g,
					const struct rda_cm_track *cm, int64_t until_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);
	bool disconnected = rda_cm_disconnected(cm, flow, g->first_ns);
	struct rda_gave_up result = {
		.silence_ns = until_ns - flow->account->requester.progress.last_ns,
		.budget = limits ? limits->retry_count : -1,
	};
	bool counted = result.budget >= 0 && g->runs == (uint32_t)result.budget;

	if (!g->timeouts || may_be_answered(flow, g, counted))
		return result;
	if (disconnected && !counted)
		return result; /* a DREQ came during the retries: that ended them */
	if (!is_over(g, result.silence_ns) && !disconnected)
		return result;
	result.kind = g->runs > RDA_RETRIES_MAX ? RDA_GIVEUP_UNENDING : RDA_GIVEUP_RETRY;
	result.counted = counted;
	return result;
}

static struct rda_gave_up after_rnr(const struct rda_flow *flow, const struct rda_put_off *rnr,
				    int64_t until_ns)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);
	int64_t due = MAX(rda_aeth_rnr_ns(rnr->syndrome), rnr->longest_ns);
	struct rda_gave_up result = {
		.silence_ns = until_ns - rnr->time_ns,
		.budget = limits ? limits->rnr_retry_count : -1,
	};

	if (!exceeds(result.silence_ns, due, OVER_PERCENT) || result.budget == RDA_RETRIES_MAX)
		return result;
	result.kind = rnr->same > RDA_RETRIES_MAX ? RDA_GIVEUP_UNENDING : RDA_GIVEUP_RNR;
	result.counted = result.budget >= 0 && rnr->same == (uint32_t)result.budget + 1;
	return result;
}

struct rda_gave_up rda_gave_up(const struct rda_flow *flow, const struct rda_cm_track *cm,
			       const struct rda_capture *captures, uint32_t count)
{
	const struct rda_giveup *g = rda_giveup_of(flow);

	if (g && g->put_off.open)
		return after_rnr(flow, &g->put_off,
				 rda_captures_until(captures, count, g->put_off.place));
	if (g && g->retries.runs)
		return after_retries(flow, &g->retries, cm,
				     rda_captures_until(captures, count, g->retries.last_place));
	return (struct rda_gave_up){.budget = -1};
}
