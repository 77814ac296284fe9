/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What few requesters have, or none before its first answer: constants that all others read, and
 * what is made of them by the first that writes. See requester.h.
 */
#include "analyzer/track/roce/reaction.h"
#include "analyzer/track/roce/run.h"

#include <glib.h>

const struct rda_requester_rare rda_requester_ordinary = {
	.run.ns = RDA_NEVER_NS,
	.lost = INT64_MIN,
	.lowest = INT64_MAX,
	.blind_ns = RDA_NEVER_NS,
	.due = {.trigger = RDA_TRIGGER_NONE},
	.due_before = {.trigger = RDA_TRIGGER_NONE},
};

const struct rda_requester_heard rda_requester_unheard = {
	.answers = {.overtaken_ns = RDA_NEVER_NS,
		    .overtaken_before_ns = RDA_NEVER_NS,
		    .cut_ns = RDA_NEVER_NS},
};

struct rda_requester_heard *rda_requester_make_heard(struct rda_requester *r)
{
	struct rda_requester_heard *heard = g_memdup2(r->heard, sizeof(*heard));

	r->heard = heard;
	return heard;
}

void rda_requester_free_rare(struct rda_requester *r)
{
	if (r->rare == &rda_requester_ordinary)
		return;
	rda_past_runs_free(r);
	g_free(r->rare->doubted);
	g_free(r->rare->log);
	g_free(r->rare->giveup);
	rda_reactions_free(r->rare->reactions);
	g_free((void *)r->rare);
}

struct rda_requester_rare *rda_requester_make_rare(struct rda_requester *r)
{
	struct rda_requester_rare *rare = g_memdup2(r->rare, sizeof(*rare));

	r->rare = rare;
	return rare;
}
