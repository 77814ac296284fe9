/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops that lost packets, handed to the check. See loss.h.
 */
#include "analyzer/taps/loss.h"

#include "analyzer/checks/hop/hop.h"
#include "analyzer/engine/later.h"
#include "analyzer/engine/result.h"

static bool lost_some(const struct rda_hop *hop)
{
	return hop->ordered && hop->lost;
}

static bool is_same_direction(const struct rda_hop *a, const struct rda_hop *b)
{
	return a->connection == b->connection && a->flow == b->flow;
}

/* Whether no hop of its connection lost more. */
static bool is_most(const struct rda_taps *taps, const struct rda_hop *hop)
{
	uint32_t count;
	const struct rda_hop *hops = rda_taps_hops(taps, hop->connection, &count);

	for (uint32_t i = 0; i < count; i++) {
		bool more = hops + i < hop ? hops[i].lost >= hop->lost : hops[i].lost > hop->lost;

		if (lost_some(&hops[i]) && more)
			return false;
	}
	return true;
}

void rda_taps_loss(const struct rda_taps *taps, struct rda_result *result)
{
	uint32_t number = 0;

	for (uint32_t i = 0; i < taps->hop_count; i++) {
		const struct rda_hop *hop = &taps->hops[i];
		const int32_t *flows = rda_result_connection(result, hop->connection)->flows;
		struct rda_hop_loss loss = {
			.connection = hop->connection,
			.side = hop->flow,
			.flow = flows[hop->flow],
			.other = flows[!hop->flow],
			.is_most = is_most(taps, hop),
			.is_behind = hop->from == taps->tap_of[hop->connection],
			.from = taps->taps[hop->from].name,
			.to = taps->taps[hop->to].name,
			.packets = hop->packets,
			.lost = hop->lost,
			.certain = hop->watched ? hop->lost_new : 0,
			.places = hop->places,
			.place_count = hop->place_count,
		};

		if (i && !is_same_direction(hop, hop - 1))
			number = 0;
		if (!lost_some(hop))
			continue;
		loss.number = number++;
		rda_result_add_loss(result, &loss);
	}
	rda_result_found_later(result);
}
