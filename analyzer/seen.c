/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a connection was captured in both directions, from its start, without gaps, uncut.
 */
#include "analyzer/seen.h"

#include "analyzer/account.h"

static bool is_unbroken(const struct rda_flow *flow)
{
	const struct rda_account *account = flow ? flow->account : NULL;

	return !account || (account->requester.lost_by_capture == 0 &&
			    account->responder.responses_lost_by_capture == 0);
}

/* The two ends that a CM exchange tied together. */
static bool is_managed(const struct rda_connection *connection, const struct rda_cm_track *cm)
{
	const struct rda_endpoint *ends = connection->endpoints;
	const struct rda_cm_end *end = rda_cm_track_find(cm, &ends[1].address, ends[1].qpn);

	return end && end->peer_qpn == ends[0].qpn;
}

uint8_t rda_seen_of(const struct rda_connection *connection, const struct rda_cm_track *cm)
{
	const struct rda_flow *const *flows = connection->flows;
	uint8_t seen = 0;

	if (flows[0] && flows[1])
		seen |= RDA_SEEN_BOTH;
	if (is_unbroken(flows[0]) && is_unbroken(flows[1]))
		seen |= RDA_SEEN_UNBROKEN;
	if (!(flows[0] && flows[0]->cut) && !(flows[1] && flows[1]->cut))
		seen |= RDA_SEEN_WHOLE;
	if (is_managed(connection, cm))
		seen |= RDA_SEEN_CM | RDA_SEEN_START;
	return seen;
}
