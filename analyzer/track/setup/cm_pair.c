/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a conversation tells by itself: whether it ties two QPs, whether it is over, and which of
 * its sides a flow is of.
 */
#include "analyzer/track/flow.h"
#include "analyzer/track/setup/cm_track.h"

#include <string.h>

bool rda_cm_is_tied(const struct rda_cm_pair *pair)
{
	return pair->sides[0].qpn != RDA_CM_QPN_UNKNOWN &&
	       pair->sides[1].qpn != RDA_CM_QPN_UNKNOWN &&
	       (pair->begun || pair->by == RDA_PAIRED_BY_EXCHANGE);
}

bool rda_cm_is_over(const struct rda_cm_pair *pair)
{
	return pair->rej.count || pair->sides[0].dreq.count || pair->sides[1].dreq.count;
}

bool rda_cm_set_up(const struct rda_flow *flow)
{
	return flow->pair && flow->pair->by == RDA_PAIRED_BY_CM && flow->pair->begun;
}

bool rda_cm_keeps_up(const struct rda_flow *flow)
{
	return rda_cm_set_up(flow) && !rda_cm_is_over(flow->pair);
}

static bool is_before(const struct rda_cm_moment *moment, const struct rda_flow *flow)
{
	return moment->count && moment->tap == flow->key.tap &&
	       moment->first_ns <= flow->first_time_ns;
}

bool rda_cm_was_over(const struct rda_cm_pair *pair, const struct rda_flow *flow)
{
	return is_before(&pair->rej, flow) || is_before(&pair->sides[0].dreq, flow) ||
	       is_before(&pair->sides[1].dreq, flow);
}

/* Both ends may be one host, and have one QPN even: then the passive side's is as good. */
const struct rda_cm_side *rda_cm_receiver(const struct rda_cm_pair *pair,
					  const struct rda_flow *flow)
{
	const struct rda_cm_side *active = &pair->sides[RDA_CM_ACTIVE];

	if (active->qpn == flow->key.dest_qp &&
	    memcmp(&active->address, &flow->key.destination, sizeof(active->address)) == 0)
		return active;
	return &pair->sides[RDA_CM_PASSIVE];
}

const struct rda_cm_side *rda_cm_sender(const struct rda_cm_pair *pair, const struct rda_flow *flow)
{
	return rda_cm_receiver(pair, flow) == &pair->sides[RDA_CM_ACTIVE]
		       ? &pair->sides[RDA_CM_PASSIVE]
		       : &pair->sides[RDA_CM_ACTIVE];
}

const struct rda_cm_limits *rda_cm_limits_of(const struct rda_flow *flow)
{
	return flow->pair ? &rda_cm_sender(flow->pair, flow)->limits : NULL;
}
