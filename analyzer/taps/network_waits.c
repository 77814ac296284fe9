/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the answers to told connections' requests were while these waited: which taps tell it, and
 * the sums. See network.h; one wait: residence.c.
 */
#include "analyzer/facts/time_facts.h"
#include "analyzer/taps/network_part.h"
#include "analyzer/taps/residence.h"
#include "analyzer/track/roce/time_sums.h"

/* The last tap on the way of a flow from tap x, which saw its answers too; RDA_PASSAGE_NONE: none
 * that is known to be behind it, with a clock that is known. */
static uint32_t last_tap(const struct rda_network *n, uint32_t x, uint32_t flow, uint32_t back)
{
	uint32_t last = RDA_PASSAGE_NONE, most = 0;

	for (uint32_t y = 0; y < n->count; y++) {
		const struct rda_hop *hop = x == y ? NULL : rda_network_hop_at(n, x, y, flow);
		const struct rda_between *between;
		uint32_t before;

		if (!hop || !hop->ordered || !hop->order_is_sure ||
		    rda_network_peer_of(n, x, y, flow) == RDA_PASSAGE_NO_FLOW ||
		    rda_network_peer_of(n, x, y, back) == RDA_PASSAGE_NO_FLOW)
			continue;
		between = x < y ? rda_network_between_of(n, x, y) : rda_network_between_of(n, y, x);
		before = rda_network_taps_before(n, y, rda_network_peer_of(n, x, y, flow));
		if (rda_clocks_known(&between->clocks) && before > most) {
			last = y;
			most = before;
		}
	}
	return last;
}

/* A direction of a told connection of tap x, and where its waits are told. */
struct asked {
	uint32_t x, y, connection;
	uint8_t side;
};

static void take_waits(const struct rda_network *n, const struct rda_residence *residence,
		       const struct asked *of, const struct rda_network_found *found)
{
	const struct rda_network_tap *tap = &n->taps[of->x];
	const struct rda_connection_facts *connection =
		rda_result_connection(tap->result, of->connection);
	uint32_t flow = (uint32_t)connection->flows[of->side];
	const struct rda_flow_time *time = rda_result_flow_at(tap->result, flow)->time;
	struct rda_network_waits all = {.place = rda_network_place_of(tap, of->connection)};
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct rda_residence_part));

	all.waits.flow = of->side;
	all.waits.from = tap->number;
	all.waits.to = n->taps[of->y].number;
	all.waits.unknown_ns = rda_residence_flow(residence, flow,
						  (uint32_t)connection->flows[1 - of->side], parts);
	for (guint i = 0; i < parts->len; i++) {
		const struct rda_residence_part *part =
			&g_array_index(parts, struct rda_residence_part, i);
		const struct rda_passage_wait *wait = &tap->passages->waits[part->wait];
		struct rda_time_told told = {.cause = wait->cause, .depth = wait->depth};
		struct rda_network_part one = {
			{0, of->side, wait->begin_ns, part->network_ns, part->responder_ns},
			all.place};

		all.waits.network_ns += part->network_ns;
		all.waits.responder_ns += part->responder_ns;
		if (rda_time_facts_cause(time, &told) == RDA_TIME_WAITING)
			g_array_append_val(found->parts, one);
	}
	all.waits.unknown_ns -= all.waits.network_ns + all.waits.responder_ns;
	if (all.waits.network_ns || all.waits.responder_ns || all.waits.unknown_ns)
		g_array_append_val(found->waits, all);
	g_array_free(parts, TRUE);
}

/* Directions of told connections of a tap whose time is known, with the last tap of each. */
static GArray *find_asked(const struct rda_network *n, uint32_t x)
{
	const struct rda_result *result = n->taps[x].result;
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct asked));

	for (uint32_t c = 0; c < rda_result_connection_count(result); c++)
		for (uint8_t side = 0; n->taps[x].connections[c] && side < 2; side++) {
			const struct rda_flow_facts *flow =
				rda_network_flow_at(&n->taps[x], c, side);
			const int32_t *flows = rda_result_connection(result, c)->flows;
			struct asked one = {x, RDA_PASSAGE_NONE, c, side};

			if (flow && flow->time && flow->request_packets && flows[1 - side] >= 0)
				one.y = last_tap(n, x, (uint32_t)flows[side],
						 (uint32_t)flows[1 - side]);
			if (one.y != RDA_PASSAGE_NONE)
				g_array_append_val(all, one);
		}
	return all;
}

void rda_network_waits(const struct rda_network *n, uint32_t x,
		       const struct rda_network_found *found)
{
	GArray *asked = find_asked(n, x);

	for (uint32_t y = 0; y < n->count && asked->len; y++) {
		struct rda_residence *residence = NULL;

		for (guint i = 0; i < asked->len; i++) {
			const struct asked *one = &g_array_index(asked, struct asked, i);

			if (one->y != y)
				continue;
			if (!residence)
				residence = rda_residence_new(
					&(struct rda_residence_taps){
						n->taps[x].passages, n->taps[y].passages,
						x < y ? &rda_network_between_of(n, x, y)->clocks
						      : &rda_network_between_of(n, y, x)->clocks,
						x > y},
					rda_result_flow_count(n->taps[x].result));
			take_waits(n, residence, one, found);
		}
		if (residence)
			rda_residence_free(residence);
	}
	g_array_free(asked, TRUE);
}
