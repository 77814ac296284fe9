/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reactions to gaps; reaction.h has the figure.
 */
#include "analyzer/track/roce/reaction.h"

#include "analyzer/base/latency.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/roce/account_parts.h"

#include <glib.h>

const struct rda_reactions *rda_reactions_of(const struct rda_flow *flow)
{
	return flow->account ? flow->account->requester.rare->reactions : NULL;
}

void rda_reactions_free(struct rda_reactions *reactions)
{
	if (!reactions)
		return;
	rda_latency_cleanup(&reactions->sent);
	rda_latency_cleanup(&reactions->obeyed);
	g_free(reactions);
}

/*
 * When the packet passed that showed the gap at `psn`: the next one behind it, if that was sent
 * once; else nobody knows at which of its transmissions the gap was there. RDA_NEVER_NS then.
 */
static int64_t shown_ns(const struct rda_requester *r, int64_t psn)
{
	int64_t index = rda_window_find(&r->window, psn);
	const struct rda_sent *ahead;

	if (index < 0 || index + 1 >= (int64_t)r->window.count)
		return RDA_NEVER_NS;
	ahead = rda_window_at(&r->window, index + 1);
	return ahead->seen == 1 && ahead->sent == 1 ? ahead->last_ns : RDA_NEVER_NS;
}

static void note_nak(struct rda_account *account, const struct rda_event *event)
{
	int64_t shown = shown_ns(&account->requester, event->psn);

	if (!account->requester.rare->reactions)
		rda_requester_rare(&account->requester)->reactions =
			g_new0(struct rda_reactions, 1);
	else if (account->requester.rare->reactions->psn == event->psn)
		return; /* once more: the first one counts */
	account->requester.rare->reactions->psn = event->psn;
	account->requester.rare->reactions->nak_ns = event->time_ns;
	account->requester.rare->reactions->open = true;
	/* rxe sends one behind an RNR NAK, which no gap is the reason of */
	if (shown != RDA_NEVER_NS && event->time_ns >= shown &&
	    !(account->responder.rare->rnr.open && account->responder.rare->rnr.psn == event->psn))
		rda_latency_add(&account->requester.rare->reactions->sent, event->time_ns - shown);
}

static void note_resend(struct rda_reactions *reactions, const struct rda_event *event)
{
	int64_t wait_ns = event->time_ns - reactions->nak_ns;

	if (event->trigger == RDA_TRIGGER_NAK && event->wait_ns >= 0)
		rda_latency_add(&reactions->obeyed, event->wait_ns);
	if (event->trigger == RDA_TRIGGER_TIMEOUT && reactions->open &&
	    event->psn < reactions->psn && wait_ns >= RDA_TIMER_IN_USE_NS) {
		reactions->unheard_ns =
			reactions->unheard ? MIN(reactions->unheard_ns, wait_ns) : wait_ns;
		reactions->unheard++;
	}
	reactions->open = false;
}

void rda_reaction_event(struct rda_flow *asker, const struct rda_event *event)
{
	struct rda_account *account = asker->account;

	if (event->kind == RDA_EVENT_NAK_SEQUENCE)
		note_nak(account, event);
	else if (account->requester.rare->reactions)
		note_resend(account->requester.rare->reactions, event);
}

bool rda_reactions_may_be_timers(const struct rda_reactions *reactions)
{
	return reactions && reactions->unheard && reactions->obeyed.count &&
	       reactions->obeyed.min >= MAX(reactions->unheard_ns / 2, RDA_TIMER_IN_USE_NS);
}
