/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M09, A16: retries until the end.
 */
#include "analyzer/checks/answer/giveup.h"

#include "analyzer/base/psn.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

/*
 * Timers that fire within these percent of each other are one timer; then it is over when it did
 * not fire for so long. A timer that backs off may double each time.
 */
enum { STEADY_PERCENT = 150, OVER_STEADY_PERCENT = 150, OVER_PERCENT = 300 };

/* ---- runs of resends ------------------------------------------------------------------------- */

static void note_interval(struct rda_giveup_watch *g, int64_t interval)
{
	g->shortest_ns = g->longest_ns ? MIN(g->shortest_ns, interval) : interval;
	g->longest_ns = MAX(g->longest_ns, interval);
}

/* No progress since the latest run; with one direction only the PSN tells. */
static bool goes_on(const struct rda_at *at, const struct rda_giveup_watch *g,
		    const struct rda_event *event)
{
	const struct rda_requester *r = rda_asked(at);

	if (!g->runs || g->acked != r->acked || g->incomplete != r->incomplete)
		return false;
	return at->asker->peer || g->psn == event->psn;
}

static void begin(struct rda_giveup_watch *g, const struct rda_at *at,
		  const struct rda_event *event)
{
	const struct rda_requester *r = rda_asked(at);
	int64_t index = rda_window_find(&r->window, event->psn);

	*g = (struct rda_giveup_watch){
		.psn = event->psn,
		.acked = r->acked,
		.incomplete = r->incomplete,
		.first_ns = event->time_ns,
	};
	if (index >= 0)
		g->places[0] = rda_window_at(&r->window, index)->first_frame;
	if (event->trigger == RDA_TRIGGER_TIMEOUT && event->wait_ns > 0)
		g->wait_ns = event->wait_ns;
}

void rda_giveup_event(const struct rda_at *at, struct rda_answer_watch *watch,
		      const struct rda_event *event)
{
	struct rda_giveup_watch *g = watch->giveup;

	if (event->trigger == RDA_TRIGGER_RNR || event->trigger == RDA_TRIGGER_UNEXPLAINED)
		return;
	if (!g)
		g = watch->giveup = g_new0(struct rda_giveup_watch, 1);
	if (goes_on(at, g, event))
		note_interval(g, event->time_ns - g->last_ns);
	else
		begin(g, at, event);
	g->runs++;
	g->timeouts += event->trigger == RDA_TRIGGER_TIMEOUT;
	g->last_ns = event->time_ns;
	g->next = rda_asked(at)->next;
	g->last_place = event->frame;
	if (g->runs < RDA_RUNS_KEPT)
		g->places[g->runs] = event->frame;
}

void rda_giveup_response(const struct rda_at *at, struct rda_giveup_watch *g, int64_t psn)
{
	bool positive =
		!rda_has(at->packet, AETH) || rda_aeth_kind(&at->packet->aeth) == RDA_AETH_ACK;

	/* an ACK of what was acknowledged before answers the resend, and is no progress */
	if (positive && psn >= g->psn && psn < rda_asked(at)->next)
		g->runs = 0;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

int64_t rda_watched_until(const struct rda_whole *whole, uint64_t place)
{
	uint32_t index = rda_place_capture(place);
	int64_t until;

	if (index >= whole->capture_count)
		return 0;
	until = whole->captures[index].last_time_ns;
	for (index++; index < whole->capture_count; index++) {
		const struct rda_capture *next = &whole->captures[index];

		if (!next->packets || !rda_is_next_file(until, next->first_time_ns))
			break;
		until = MAX(until, next->last_time_ns);
	}
	return until;
}

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

static bool may_be_answered(const struct rda_flow *flow, const struct rda_giveup_watch *g,
			    bool counted)
{
	const struct rda_requester *r = &flow->account->requester;

	if (g->acked != r->acked || g->incomplete != r->incomplete)
		return true;
	return !flow->peer && (r->next > g->next || (!counted && g->runs < RUNS_ALONE));
}

/* Another run would have begun by now. */
static bool is_over(const struct rda_giveup_watch *g, int64_t silence)
{
	int64_t longest = MAX(g->longest_ns, g->wait_ns);
	bool steady = g->runs > 2 && !exceeds(longest, g->shortest_ns, STEADY_PERCENT);

	return exceeds(silence, longest, steady ? OVER_STEADY_PERCENT : OVER_PERCENT);
}

bool rda_disconnected(const struct rda_flow *flow, const struct rda_cm_track *cm, int64_t after)
{
	const struct rda_cm_pair *pair = rda_cm_track_pair(cm, flow);

	for (unsigned i = 0; pair && i < G_N_ELEMENTS(pair->sides); i++) {
		const struct rda_cm_moment *dreq = &pair->sides[i].dreq;

		if (dreq->count && dreq->first_ns > after)
			return true;
	}
	return false;
}

static struct rda_gave_up judge_retries(const struct rda_flow *flow, const struct rda_whole *whole,
					const struct rda_giveup_watch *g)
{
	const struct rda_requester *r = &flow->account->requester;
	const struct rda_cm_limits *limits = rda_limits_of(flow, whole->cm);
	bool disconnected = rda_disconnected(flow, whole->cm, g->first_ns);
	struct rda_gave_up result = {
		.silence_ns = rda_watched_until(whole, g->last_place) - r->last_ns,
		.budget = limits ? limits->retry_count : -1,
	};
	bool counted = result.budget >= 0 && g->runs == (uint32_t)result.budget;

	if (!g->timeouts || may_be_answered(flow, g, counted))
		return result;
	if (disconnected && !counted)
		return result; /* they took leave while it retried: that ended it */
	if (!is_over(g, result.silence_ns) && !disconnected)
		return result;
	result.kind = g->runs > RDA_RETRIES_MAX ? RDA_GIVEUP_UNENDING : RDA_GIVEUP_RETRY;
	result.counted = counted;
	return result;
}

static struct rda_gave_up judge_rnr(const struct rda_flow *flow, const struct rda_whole *whole,
				    const struct rda_rnr_watch *rnr)
{
	const struct rda_cm_limits *limits = rda_limits_of(flow, whole->cm);
	int64_t due = MAX(rda_aeth_rnr_ns(rnr->syndrome), rnr->longest_ns);
	struct rda_gave_up result = {
		.silence_ns = rda_watched_until(whole, rnr->place) - rnr->time_ns,
		.budget = limits ? limits->rnr_retry_count : -1,
	};

	if (!exceeds(result.silence_ns, due, OVER_PERCENT) || result.budget == RDA_RETRIES_MAX)
		return result;
	result.kind = rnr->same > RDA_RETRIES_MAX ? RDA_GIVEUP_UNENDING : RDA_GIVEUP_RNR;
	result.counted = result.budget >= 0 && rnr->same == (uint32_t)result.budget + 1;
	return result;
}

struct rda_gave_up rda_gave_up(const struct rda_flow *flow, const struct rda_whole *whole)
{
	const struct rda_answer_watch *watch = flow->watch.answer;

	if (watch && flow->account && watch->rnr && watch->rnr->open)
		return judge_rnr(flow, whole, watch->rnr);
	if (watch && flow->account && watch->giveup && watch->giveup->runs)
		return judge_retries(flow, whole, watch->giveup);
	return (struct rda_gave_up){.budget = -1};
}

/* ---- findings -------------------------------------------------------------------------------- */

static const struct rda_sent *record_of(const struct rda_requester *r, int64_t psn)
{
	int64_t index = rda_window_find(&r->window, psn);

	return index < 0 ? NULL : rda_window_at(&r->window, index);
}

/* Whether the latest NAK asks for a PSN below all that was sent here. */
static bool asks_for_older(const struct rda_flow *flow)
{
	const struct rda_nak_watch *nak = flow->watch.answer->nak;

	return nak && nak->place && nak->psn < rda_psn_first(flow->first_psn);
}

/* What the other side last said, as a sentence; to be freed. */
static char *last_word(const struct rda_flow *flow)
{
	const struct rda_requester *r = &flow->account->requester;
	const struct rda_answer_watch *watch = flow->watch.answer;
	int64_t first = rda_psn_first(flow->first_psn);
	char ago[RDA_WORDS_TEXT];

	if (asks_for_older(flow))
		return g_strdup_printf(
			"The other side asks for PSN %u, %" PRId64
			" below the first that was sent here: the two do not agree on the "
			"starting PSN.",
			rda_psn_narrow(watch->nak->psn), first - watch->nak->psn);
	if (watch->nak && watch->nak->dead)
		return g_strdup_printf("The other side had refused PSN %u with NAK 0x%02x.",
				       rda_psn_narrow(watch->nak->dead_psn),
				       (unsigned)watch->nak->syndrome);
	if (r->acked_frame)
		return g_strdup_printf(
			"The latest that the other side acknowledged is PSN %u, %s before.",
			rda_psn_narrow(r->acked - 1),
			rda_words_time(ago, watch->giveup->last_ns - r->acked_ns));
	if (flow->receiver->packets_sent)
		return g_strdup("The other side never acknowledged anything here, though packets "
				"of that host were captured.");
	return g_strdup("Nothing at all of the other side was captured: it is gone, it cannot be "
			"reached, or its answers take another path.");
}

/* "20 ms", or "20 ms to 1.2 s" */
static char *intervals(const struct rda_giveup_watch *g)
{
	char shortest[RDA_WORDS_TEXT], longest[RDA_WORDS_TEXT];

	rda_words_time(shortest, g->runs > 1 ? g->shortest_ns : g->wait_ns);
	rda_words_time(longest, g->runs > 1 ? g->longest_ns : g->wait_ns);
	return g_strcmp0(shortest, longest) == 0 ? g_strdup(shortest)
						 : g_strdup_printf("%s to %s", shortest, longest);
}

static const char *verdict(const struct rda_gave_up *gave_up)
{
	return gave_up->counted ? "The sender gave up" : "It looks as if the sender gave up";
}

/* What CM says of it, to be added to a sentence and freed. */
static char *by_cm(const struct rda_gave_up *gave_up, const char *count)
{
	if (gave_up->budget < 0)
		return g_strdup("");
	return g_strdup_printf(gave_up->counted ? ", as CM's %s count of %d says"
						: ", though CM's %s count is %d",
			       count, gave_up->budget);
}

void rda_giveup_tells_of_timeouts(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_finding *timeouts =
		rda_found(&judge->findings, RDA_CHECK_S04, rda_about_flow(flow));

	if (timeouts && timeouts->count <= flow->watch.answer->giveup->timeouts)
		timeouts->severity = RDA_SEVERITY_NOTE;
}

/* M09: nothing answered, and the QP fell silent. */
static void retry_budget_spent(struct rda_judge *judge, const struct rda_flow *flow,
			       const struct rda_gave_up *gave_up)
{
	const struct rda_giveup_watch *g = flow->watch.answer->giveup;
	const struct rda_requester *r = &flow->account->requester;
	const struct rda_sent *record = record_of(r, g->psn);
	struct rda_finding *finding =
		rda_find_as(&judge->findings, RDA_CHECK_M09, RDA_SEVERITY_ERROR,
			    gave_up->counted ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
			    rda_about_flow(flow), g->last_place);
	char took[RDA_WORDS_TEXT], silence[RDA_WORDS_TEXT];
	char *apart = intervals(g), *word = last_word(flow), *budget = by_cm(gave_up, "retry");

	for (uint32_t i = 0; i < RDA_RUNS_KEPT; i++)
		rda_finding_frame(finding, g->places[i]);
	rda_finding_frame(finding, r->acked_frame);
	if (asks_for_older(flow))
		rda_finding_frame(finding, flow->watch.answer->nak->place);
	finding->cost_ns = record ? g->last_ns - record->first_ns : g->last_ns - g->first_ns;
	rda_say(finding,
		"PSN %u (%s) was sent %" PRIu32
		" times, %s apart, %s in all, and not answered; then nothing more "
		"was sent for the %s until the capture ends. %s: \"transport retry "
		"counter exceeded\" (status 12)%s. %s",
		rda_psn_narrow(g->psn),
		record && record->roles ? rda_opcode(record->opcode)->name : "not remembered",
		g->runs + 1, apart, rda_words_time(took, finding->cost_ns),
		rda_words_time(silence, gave_up->silence_ns), verdict(gave_up), budget, word);
	g_free(apart);
	g_free(budget);
	g_free(word);
	rda_giveup_tells_of_timeouts(judge, flow);
}

/* A16: put off until the QP gave up. */
static void rnr_budget_spent(struct rda_judge *judge, const struct rda_flow *flow,
			     const struct rda_gave_up *gave_up)
{
	const struct rda_rnr_watch *rnr = flow->watch.answer->rnr;
	const struct rda_sent *record = record_of(&flow->account->requester, rnr->psn);
	struct rda_finding *finding =
		rda_find_as(&judge->findings, RDA_CHECK_A16, RDA_SEVERITY_ERROR,
			    gave_up->counted ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
			    rda_about_flow(flow), rnr->place);
	char silence[RDA_WORDS_TEXT], asked[RDA_WORDS_TEXT], *budget = by_cm(gave_up, "RNR retry");

	if (record)
		rda_finding_frame(finding, record->last_frame);
	rda_say(finding,
		"PSN %u was put off by %" PRIu32
		" RNR NAK%s, the last with a wait of %s, and was not sent again in the %s until "
		"the capture ends. %s: \"RNR retry counter exceeded\" (status "
		"13)%s.",
		rda_psn_narrow(rnr->psn), rnr->same, rda_words_plural(rnr->same),
		rda_words_time(asked, rda_aeth_rnr_ns(rnr->syndrome)),
		rda_words_time(silence, gave_up->silence_ns), verdict(gave_up), budget);
	g_free(budget);
}

void rda_giveup_end(struct rda_judge *judge, const struct rda_flow *flow,
		    const struct rda_gave_up *gave_up)
{
	if (gave_up->kind == RDA_GIVEUP_RETRY)
		retry_budget_spent(judge, flow, gave_up);
	else if (gave_up->kind == RDA_GIVEUP_RNR)
		rnr_budget_spent(judge, flow, gave_up);
}
