/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a connection was captured in both directions, from its start, without gaps, uncut.
 */
#include "analyzer/track/seen.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account.h"

static bool is_unbroken(const struct rda_flow *flow)
{
	return rda_account_counts(flow)->lost_by_capture == 0 &&
	       rda_account_response_counts(flow)->lost_by_capture == 0;
}

/* MPA's start frames are iWARP's connection management. */
static uint8_t seen_of_streams(const struct rda_flow *const *flows)
{
	uint8_t seen = RDA_SEEN_UNBROKEN;

	for (unsigned i = 0; i < 2; i++) {
		if (flows[i] && flows[i]->from_start)
			seen |= RDA_SEEN_CM | RDA_SEEN_START;
		if (flows[i] && flows[i]->stream_holes)
			seen &= (uint8_t)~RDA_SEEN_UNBROKEN;
	}
	return seen;
}

/* What set up the connection, if it was captured; NULL: it was not. */
static const struct rda_cm_pair *set_up(const struct rda_connection *connection)
{
	const struct rda_flow *const *flows = connection->flows;

	return flows[0] && flows[0]->pair ? flows[0]->pair : flows[1] ? flows[1]->pair : NULL;
}

/* Whether no request before the first one that was captured can have been sent. */
static bool is_from_start(const struct rda_flow *flow, const struct rda_cm_pair *pair)
{
	int32_t agreed;

	if (!flow || !flow->request_packets)
		return true;
	agreed = rda_cm_sender(pair, flow)->first_psn;
	if (agreed < 0 || rda_psn_widen(agreed, flow->first_psn) <= agreed)
		return true;
	/* it came later, again: the first was lost */
	return flow->account &&
	       rda_ranges_has(&flow->requests,
			      rda_psn_widen(rda_psn_first(flow->first_psn), (uint32_t)agreed));
}

uint8_t rda_seen_of(const struct rda_connection *connection)
{
	const struct rda_flow *const *flows = connection->flows;
	const struct rda_cm_pair *pair = set_up(connection);
	uint8_t seen = 0;

	if (flows[0] && flows[1])
		seen |= RDA_SEEN_BOTH;
	if (connection->carrier == RDA_CARRIER_IWARP)
		seen |= seen_of_streams(flows);
	else if (is_unbroken(flows[0]) && is_unbroken(flows[1]))
		seen |= RDA_SEEN_UNBROKEN;
	if (!(flows[0] && flows[0]->cut) && !(flows[1] && flows[1]->cut))
		seen |= RDA_SEEN_WHOLE;
	if (pair && pair->by == RDA_PAIRED_BY_CM)
		seen |= RDA_SEEN_CM;
	if (pair && is_from_start(flows[0], pair) && is_from_start(flows[1], pair))
		seen |= RDA_SEEN_START;
	return seen;
}
