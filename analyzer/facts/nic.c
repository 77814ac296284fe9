/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of what flows tell of NICs, and what they come to.
 */
#include "analyzer/facts/nic.h"

#include "analyzer/base/latency.h"
#include "analyzer/track/messages.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/giveup.h"
#include "analyzer/track/roce/reaction.h"

#include <glib.h>

/* Timers that are apart by no more than these per cent are told as one. */
enum { SAME_TIMER_PERCENT = 125 };

/* Requests that ask for an ACK are so much more than ACKs, one of so many: those are merged. */
enum { MERGED_PART = 10 };

static void add_timer(struct rda_nic *nic, int64_t least_ns, int64_t most_ns)
{
	if (!most_ns)
		return;
	nic->timer_least_ns = nic->timer_most_ns ? MIN(nic->timer_least_ns, least_ns) : least_ns;
	nic->timer_most_ns = MAX(nic->timer_most_ns, most_ns);
}

static void add_account(struct rda_nic *nic, const struct rda_flow *flow)
{
	const struct rda_request_counts *counts = rda_account_counts(flow);
	struct rda_timer_counts timers = rda_giveup_timers(flow);
	uint64_t runs = 0;

	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		runs += counts->resends[i];
	for (unsigned i = 0; i < RDA_TIMER_COUNT; i++)
		nic->timers[i] += timers.series[i];
	add_timer(nic, timers.regular_ns, timers.regular_ns);
	nic->selective += counts->selective_repeat;
	/* a run of more than its first packet */
	nic->go_back_n += !counts->selective_repeat && counts->packets[RDA_REQUEST_RESENT] > runs;
}

void rda_nic_add_flow(struct rda_nic *asker, struct rda_nic *answerer, const struct rda_flow *flow)
{
	const struct rda_reactions *reactions = rda_reactions_of(flow);
	const struct rda_messages *messages = rda_account_messages(flow);

	if (!rda_account_is_whole(flow))
		return;
	add_account(asker, flow);
	if (messages && messages->acks.count) {
		answerer->acks += rda_flow_answers(flow->peer)->acks;
		answerer->acked += messages->acks.count;
	}
	if (!reactions)
		return;
	rda_latency_merge(&answerer->nak_sent, &reactions->sent);
	if (!rda_reactions_may_be_timers(reactions)) {
		rda_latency_merge(&asker->nak_obeyed, &reactions->obeyed);
		return;
	}
	asker->perhaps_timeouts += reactions->obeyed.count;
	asker->perhaps_unheard += rda_flow_rare(flow->peer)->naks[RDA_NAK_SEQUENCE];
}

void rda_nic_merge(struct rda_nic *nic, const struct rda_nic *from)
{
	for (unsigned i = 0; i < RDA_TIMER_COUNT; i++)
		nic->timers[i] += from->timers[i];
	add_timer(nic, from->timer_least_ns, from->timer_most_ns);
	nic->go_back_n += from->go_back_n;
	nic->selective += from->selective;
	nic->perhaps_unheard += from->perhaps_unheard;
	nic->perhaps_timeouts += from->perhaps_timeouts;
	nic->acks += from->acks;
	nic->acked += from->acked;
	rda_latency_merge(&nic->nak_sent, &from->nak_sent);
	rda_latency_merge(&nic->nak_obeyed, &from->nak_obeyed);
}

void rda_nic_cleanup(struct rda_nic *nic)
{
	rda_latency_cleanup(&nic->nak_sent);
	rda_latency_cleanup(&nic->nak_obeyed);
}

/* ---- what it comes to ------------------------------------------------------------------------ */

uint8_t rda_nic_timer(const struct rda_nic *nic)
{
	/* who climbs a ladder, or goes on for ever, does not always come that far */
	if (nic->timers[RDA_TIMER_ADAPTIVE])
		return RDA_TIMER_ADAPTIVE;
	if (nic->timers[RDA_TIMER_ENDLESS])
		return RDA_TIMER_ENDLESS;
	if (nic->timers[RDA_TIMER_GROWING] > nic->timers[RDA_TIMER_CONSTANT])
		return RDA_TIMER_GROWING;
	return nic->timers[RDA_TIMER_CONSTANT] ? RDA_TIMER_CONSTANT : RDA_TIMER_UNKNOWN;
}

int64_t rda_nic_timer_ns(const struct rda_nic *nic)
{
	return nic->timer_most_ns / SAME_TIMER_PERCENT <= nic->timer_least_ns / 100
		       ? nic->timer_least_ns
		       : 0;
}

const char *rda_nic_recovery(const struct rda_nic *nic)
{
	return nic->selective ? "selective" : nic->go_back_n ? "go-back-n" : NULL;
}

const char *rda_nic_acknowledges(const struct rda_nic *nic)
{
	if (!nic->acked)
		return NULL;
	return nic->acked > nic->acks + nic->acks / MERGED_PART ? "merged" : "each";
}
