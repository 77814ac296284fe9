/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M09, A16: retries until the end; track/roce/giveup.h knows when they are.
 */
#include "analyzer/checks/answer/giveup.h"

#include "analyzer/base/psn.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

/* Whether the latest NAK asks for a PSN below all that was sent here. */
static bool asks_for_older(const struct rda_flow *flow)
{
	const struct rda_nak_watch *nak = flow->watch.answer->nak;

	return nak && nak->place && nak->psn < rda_psn_first(flow->first_psn);
}

/* What the other side last said, as a sentence; to be freed. */
static char *last_word(const struct rda_flow *flow)
{
	const struct rda_progress *r = rda_account_progress(flow->account);
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
			rda_words_time(ago, rda_giveup_of(flow)->retries.last_ns - r->acked_ns));
	if (flow->receiver->packets_sent)
		return g_strdup("The other side never acknowledged anything here, though packets "
				"of that host were captured.");
	return g_strdup("Nothing at all of the other side was captured: it is gone, it cannot be "
			"reached, or its answers take another path.");
}

/* "20 ms", or "20 ms to 1.2 s" */
static char *intervals(const struct rda_retries *g)
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

	if (timeouts && timeouts->count <= rda_giveup_of(flow)->retries.timeouts)
		timeouts->severity = RDA_SEVERITY_NOTE;
}

/* M09: nothing answered, and the QP fell silent. */
static void retry_budget_spent(struct rda_judge *judge, const struct rda_flow *flow,
			       const struct rda_gave_up *gave_up)
{
	const struct rda_retries *g = &rda_giveup_of(flow)->retries;
	const struct rda_progress *r = rda_account_progress(flow->account);
	const struct rda_sent *record = rda_account_sent(flow->account, g->psn);
	struct rda_finding *finding =
		rda_find_as(&judge->findings, RDA_CHECK_M09, RDA_SEVERITY_ERROR,
			    gave_up->counted ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
			    rda_about_flow(flow), g->last_place);
	char took[RDA_WORDS_TEXT], silence[RDA_WORDS_TEXT];
	char *apart = intervals(g), *word = last_word(flow), *budget = by_cm(gave_up, "retry");

	for (uint32_t i = 0; i < RDA_RETRIES_KEPT; i++)
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
	const struct rda_put_off *rnr = &rda_giveup_of(flow)->put_off;
	const struct rda_sent *record = rda_account_sent(flow->account, rnr->psn);
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
