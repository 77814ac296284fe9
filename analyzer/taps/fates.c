/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops on which something happened to packets, handed to the checks. See fates.h.
 */
#include "analyzer/taps/fates.h"

#include "analyzer/checks/hop/hop.h"
#include "analyzer/engine/later.h"
#include "analyzer/engine/result.h"

static bool is_same_direction(const struct rda_hop *a, const struct rda_hop *b)
{
	return a->connection == b->connection && a->flow == b->flow;
}

/* Of packets that the second tap has no undamaged one of, what it checks by is what is wrong. */
static uint64_t damaged_of(const struct rda_hop *hop)
{
	return hop->icrc_broken < hop->packets - hop->lost ? hop->icrc_broken : 0;
}

static uint64_t gone_of(const struct rda_hop *hop)
{
	return hop->ordered ? hop->lost + damaged_of(hop) : 0;
}

static bool is_told(const struct rda_hop *hop)
{
	return hop->ordered && (gone_of(hop) || hop->reordered || hop->dscp_changed ||
				hop->ce_set || hop->duplicated);
}

/* Whether on no hop of its connection more was lost. */
static bool is_most(const struct rda_taps *taps, const struct rda_hop *hop)
{
	uint32_t count;
	const struct rda_hop *hops = rda_taps_hops(taps, hop->connection, &count);

	for (uint32_t i = 0; i < count; i++)
		if (gone_of(&hops[i]) > gone_of(hop) ||
		    (hops + i < hop && gone_of(&hops[i]) == gone_of(hop)))
			return false;
	return true;
}

static struct rda_hop_cases cases_of(const struct rda_hop *hop, enum rda_hop_fate fate,
				     uint64_t count)
{
	return (struct rda_hop_cases){
		.count = count,
		.places = hop->shown ? hop->shown->places[fate] : NULL,
		.place_count = hop->shown ? hop->shown->counts[fate] : 0,
	};
}

static void add_way(const struct rda_taps *taps, struct rda_result *result,
		    const struct rda_hop *hop, uint32_t number)
{
	const int32_t *flows = rda_result_connection(result, hop->connection)->flows;
	const struct rda_hop_way way = {
		.connection = hop->connection,
		.side = hop->flow,
		.flow = flows[hop->flow],
		.other = flows[!hop->flow],
		.sender = -1, /* the result knows it */
		.number = number,
		.is_most = is_most(taps, hop),
		.is_behind = hop->from == taps->tap_of[hop->connection],
		.from = taps->taps[hop->from].name,
		.to = taps->taps[hop->to].name,
		.packets = hop->packets,
		.lost = cases_of(hop, RDA_HOP_LOST, hop->lost),
		.damaged = cases_of(hop, RDA_HOP_DAMAGED, damaged_of(hop)),
		.overtaken = cases_of(hop, RDA_HOP_OVERTAKEN, hop->reordered),
		.reclassed = cases_of(hop, RDA_HOP_RECLASSED, hop->dscp_changed),
		.marked = cases_of(hop, RDA_HOP_MARKED, hop->ce_set),
		.doubled = cases_of(hop, RDA_HOP_DOUBLED, hop->duplicated),
		.lost_last = hop->lost_last,
		.certain = hop->watched ? hop->lost_new : 0,
		.broken_before = hop->broken_before > 0,
		.dscp = hop->dscp,
		.other_dscp = hop->other_dscp,
	};

	rda_result_add_way(result, &way);
}

void rda_taps_fates(const struct rda_taps *taps, struct rda_result *result)
{
	uint32_t number = 0;

	for (uint32_t i = 0; i < taps->hop_count; i++) {
		const struct rda_hop *hop = &taps->hops[i];

		if (i && !is_same_direction(hop, hop - 1))
			number = 0;
		if (is_told(hop))
			add_way(taps, result, hop, number++);
	}
	rda_result_found_later(result);
}
