/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops on which something happened to packets, handed to the checks. See fates.h.
 */
#include "analyzer/taps/fates.h"

#include "analyzer/checks/hop/hop.h"
#include "analyzer/engine/later.h"
#include "analyzer/engine/result.h"

#include <glib.h>

enum { NEARLY_ALL_PERCENT = 95 };

static bool is_same_direction(const struct rda_hop *a, const struct rda_hop *b)
{
	return a->connection == b->connection && a->flow == b->flow;
}

/* Where nearly none fits at the second tap, what it checks by is what is wrong: as F02 judges. */
static uint64_t damaged_of(const struct rda_hop *hop)
{
	uint64_t came = hop->packets - hop->lost;

	return hop->icrc_broken * 100 < came * NEARLY_ALL_PERCENT ? hop->icrc_broken : 0;
}

/* How many timers may have fired for what happened there. */
static uint64_t timers_of(const struct rda_hop *hop)
{
	return hop->ordered ? MAX(hop->stalls, hop->requests_gone) : 0;
}

/* What came behind damage in a field that tells packets apart seems to be lost, and to appear. */
static uint64_t certain_of(const struct rda_hop *hop)
{
	return hop->watched ? hop->lost_new - MIN(hop->lost_new, hop->appeared) : 0;
}

static bool is_told(const struct rda_hop *hop)
{
	return hop->ordered && (hop->lost || damaged_of(hop) || hop->reordered ||
				hop->dscp_changed || hop->ce_set || hop->duplicated);
}

/* Whether on no hop of its connection more happened that makes timers fire. */
static bool is_most(const struct rda_taps *taps, const struct rda_hop *hop)
{
	uint32_t count;
	const struct rda_hop *hops = rda_taps_hops(taps, hop->connection, &count);

	for (uint32_t i = 0; i < count; i++)
		if (timers_of(&hops[i]) > timers_of(hop) ||
		    (hops + i < hop && timers_of(&hops[i]) == timers_of(hop)))
			return false;
	return true;
}

/* Whether its direction passes the told tap before it, where it begins, or the other way round. */
static bool is_beside_told(const struct rda_taps *taps, const struct rda_hop *hop, bool behind)
{
	uint32_t told = taps->tap_of[hop->connection], count;
	const struct rda_hop *hops = rda_taps_hops(taps, hop->connection, &count);

	for (uint32_t i = 0; i < count; i++) {
		bool on_that_side = behind ? hops + i <= hop : hops + i >= hop;

		if (on_that_side && is_same_direction(&hops[i], hop) &&
		    (behind ? hops[i].from : hops[i].to) == told)
			return true;
	}
	return false;
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
		.is_before = is_beside_told(taps, hop, false),
		.is_behind = is_beside_told(taps, hop, true),
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
		.stalls = hop->stalls,
		.requests_gone = hop->requests_gone,
		.certain = certain_of(hop),
		.damaged_is_sure = !hop->broken_before && !(hop->unsure & 1u << RDA_HOP_DAMAGED),
		.reclassed_is_sure = !(hop->unsure & 1u << RDA_HOP_RECLASSED),
		.marked_is_sure = !(hop->unsure & 1u << RDA_HOP_MARKED),
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
