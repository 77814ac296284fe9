/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops on which something happened to packets, handed to the checks. See fates.h.
 */
#include "analyzer/taps/fates.h"

#include "analyzer/checks/hop/hop.h"
#include "analyzer/engine/later.h"
#include "analyzer/engine/result.h"

#include <glib.h>

static bool is_same_direction(const struct rda_hop *a, const struct rda_hop *b)
{
	return a->connection == b->connection && a->flow == b->flow;
}

/* What made timers fire, of one kind of packets. */
static struct rda_hop_missed missed_of(const struct rda_hop *hop, enum rda_gap_kind kind)
{
	return (struct rda_hop_missed){
		.lost_stalls = hop->stalls[kind][0],
		.damaged_stalls = hop->stalls[kind][1],
		.lost_tries = hop->tries[kind][0],
		.damaged_tries = hop->tries[kind][1],
	};
}

/* What seems to be lost may have come damaged in what tells packets apart; and who has no undamaged
 * packets has no gap where one is missing. */
static uint64_t certain_of(const struct rda_hop *hop)
{
	bool blind = hop->came_damaged * 2 > hop->packets - hop->lost;
	uint64_t others = MAX(hop->appeared, hop->strays);

	return blind ? 0 : MIN(hop->proven, hop->lost_new - MIN(hop->lost_new, others));
}

/* Something happened there, and which tap comes first is known. */
static bool is_told(const struct rda_hop *hop)
{
	return hop->ordered && hop->shown;
}

/* How often requests of a flow, or the answers to them, were missed for long on a hop. */
static uint64_t stalls_for(const struct rda_hop *hop, unsigned asker)
{
	struct rda_hop_missed missed =
		missed_of(hop, hop->flow == asker ? RDA_GAP_REQUESTS : RDA_GAP_ANSWERS);

	return hop->ordered ? missed.lost_stalls + missed.damaged_stalls : 0;
}

/* Whether on no hop of its connection that happened more often. */
static bool is_most(const struct rda_taps *taps, const struct rda_hop *hop, unsigned asker)
{
	uint32_t count;
	const struct rda_hop *hops = rda_taps_hops(taps, hop->connection, &count);
	uint64_t stalls = stalls_for(hop, asker);

	for (uint32_t i = 0; i < count; i++)
		if (stalls_for(&hops[i], asker) > stalls ||
		    (hops + i < hop && stalls_for(&hops[i], asker) == stalls))
			return false;
	return true;
}

/* On all hops that requests of a flow pass, or that the answers do: of both a timer may have fired
 * once. */
static uint64_t all_stalls(const struct rda_taps *taps, const struct rda_hop *hop, unsigned asker)
{
	uint32_t count;
	const struct rda_hop *hops = rda_taps_hops(taps, hop->connection, &count);
	uint64_t all[2] = {0, 0};

	for (uint32_t i = 0; i < count; i++)
		all[hops[i].flow == asker] += stalls_for(&hops[i], asker);
	return MAX(all[0], all[1]);
}

/* Whether packets of its direction that pass one tap come to the other: from hop to hop, which are
 * in the order of the taps' numbers. */
static bool leads(const struct rda_taps *taps, const struct rda_hop *of, uint32_t from, uint32_t to)
{
	uint32_t count;
	const struct rda_hop *hops = rda_taps_hops(taps, of->connection, &count);

	for (uint32_t steps = 0; steps < count && from != to; steps++) {
		uint32_t i = 0;

		while (i < count && !(is_same_direction(&hops[i], of) && hops[i].ordered &&
				      hops[i].from == from))
			i++;
		if (i == count)
			return false;
		from = hops[i].to;
	}
	return from == to;
}

/* A class that differs: one packet whose class no checksum covers may be damaged. */
static bool is_sure(const struct rda_hop *hop, enum rda_hop_fate fate, uint64_t count)
{
	return hop->order_is_sure && !(hop->unsure & 1u << fate) && (count > 1 || !hop->unvouched);
}

static struct rda_hop_cases cases_of(const struct rda_hop *hop, enum rda_hop_fate fate,
				     uint64_t count)
{
	return (struct rda_hop_cases){
		.count = count,
		.places = hop->shown->places[fate],
		.place_count = hop->shown->counts[fate],
	};
}

static void add_way(const struct rda_taps *taps, struct rda_result *result,
		    const struct rda_hop *hop, uint32_t number)
{
	const int32_t *flows = rda_result_connection(result, hop->connection)->flows;
	uint32_t told = taps->tap_of[hop->connection];
	const struct rda_hop_way way = {
		.connection = hop->connection,
		.side = hop->flow,
		.flow = flows[hop->flow],
		.other = flows[!hop->flow],
		.sender = -1, /* the result knows it */
		.number = number,
		.requests = missed_of(hop, RDA_GAP_REQUESTS),
		.answers = missed_of(hop, RDA_GAP_ANSWERS),
		.most_requests = is_most(taps, hop, hop->flow),
		.most_answers = is_most(taps, hop, !hop->flow),
		.all_requests = all_stalls(taps, hop, hop->flow),
		.all_answers = all_stalls(taps, hop, !hop->flow),
		.is_before = leads(taps, hop, hop->to, told),
		.is_behind = leads(taps, hop, told, hop->from),
		.from = taps->taps[hop->from].name,
		.to = taps->taps[hop->to].name,
		.packets = hop->packets,
		.lost = cases_of(hop, RDA_HOP_LOST, hop->lost),
		.damaged = cases_of(hop, RDA_HOP_DAMAGED, hop->icrc_broken - hop->misread),
		.misread = cases_of(hop, RDA_HOP_MISREAD, hop->misread),
		.overtaken = cases_of(hop, RDA_HOP_OVERTAKEN, hop->reordered),
		.reclassed = cases_of(hop, RDA_HOP_RECLASSED, hop->dscp_changed),
		.marked = cases_of(hop, RDA_HOP_MARKED, hop->ce_set),
		.doubled = cases_of(hop, RDA_HOP_DOUBLED, hop->duplicated),
		.certain = certain_of(hop),
		.damaged_is_sure = hop->order_is_sure && !hop->broken_before &&
				   !(hop->unsure & 1u << RDA_HOP_DAMAGED),
		.reclassed_is_sure = is_sure(hop, RDA_HOP_RECLASSED, hop->dscp_changed),
		.marked_is_sure = is_sure(hop, RDA_HOP_MARKED, hop->ce_set),
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
