/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taps of one traffic put together. See network.h.
 */
#include "analyzer/taps/network.h"

#include "analyzer/base/sets.h"
#include "analyzer/engine/result.h"
#include "analyzer/taps/network_part.h"

#include <glib.h>
#include <string.h>

/* ---- views of one connection ----------------------------------------------------------------- */

static void unite_views(struct rda_network *n)
{
	for (uint32_t x = 0; x < n->count; x++)
		for (uint32_t c = 0; c < rda_result_connection_count(n->taps[x].result); c++)
			for (unsigned side = 0; side < 2; side++) {
				int32_t flow =
					rda_result_connection(n->taps[x].result, c)->flows[side];

				for (uint32_t y = x + 1; flow >= 0 && y < n->count; y++) {
					uint32_t peer =
						rda_network_peer_of(n, x, y, (uint32_t)flow);

					if (peer != RDA_PASSAGE_NO_FLOW)
						rda_sets_join(
							n->views, n->base[x] + c,
							n->base[y] +
								rda_result_flow_at(
									n->taps[y].result, peer)
									->connection);
				}
			}
}

/* ---- hops ------------------------------------------------------------------------------------ */

/* Between the two another tap saw the flow: the hops are those to it and from it. */
static bool is_long_way(const struct rda_network *n, uint32_t x, uint32_t y, uint32_t flow)
{
	for (uint32_t z = 0; z < n->count; z++) {
		uint32_t at =
			z == x || z == y ? RDA_PASSAGE_NO_FLOW : rda_network_peer_of(n, x, z, flow);
		const struct rda_hop *one, *two;

		if (at == RDA_PASSAGE_NO_FLOW)
			continue;
		one = rda_network_hop_at(n, x, z, flow);
		two = rda_network_hop_at(n, z, y, at);
		if (one && one->ordered && two && two->ordered)
			return true;
	}
	return false;
}

/* The side of the told view from which packets of a flow come. */
static uint8_t side_of(const struct rda_network_tap *told, uint32_t connection,
		       const struct rda_flow_facts *flow)
{
	const struct rda_connection_facts *of = rda_result_connection(told->result, connection);

	for (uint8_t side = 0; side < 2; side++) {
		const struct rda_flow_facts *own = rda_network_flow_at(told, connection, side);

		if (own && own->key.dest_qp == flow->key.dest_qp &&
		    memcmp(&own->key.source, &flow->key.source, sizeof(flow->key.source)) == 0)
			return side;
	}
	return memcmp(&of->endpoints[0].address, &flow->key.source, sizeof(flow->key.source)) != 0;
}

/* Requests of a flow that were lost before the tap that a hop leads to, as what that tap saw alone
 * proves, and that were not lost before the other one already, perhaps. */
static uint64_t proven_at(const struct rda_network *n, uint32_t x, uint32_t y, uint32_t flow)
{
	const struct rda_between *between =
		x < y ? rda_network_between_of(n, x, y) : rda_network_between_of(n, y, x);
	uint32_t peer = rda_network_peer_of(n, x, y, flow);
	uint64_t proven, before;

	if (peer == RDA_PASSAGE_NO_FLOW || !rda_clocks_known(&between->clocks))
		return 0;
	proven = rda_result_lost_before(n->taps[y].result, peer).proven;
	before = rda_result_lost_before(n->taps[x].result, flow).all;
	return proven - MIN(proven, before);
}

/* A tap that did not see what others saw of packets that had passed it misses packets. */
static void distrust(const struct rda_network *n, GArray *hops, guint first)
{
	bool *misses = g_new0(bool, n->count);
	uint32_t number = n->taps[0].number;

	for (guint i = first; i < hops->len; i++) {
		const struct rda_hop *hop = &g_array_index(hops, struct rda_network_hop, i).hop;

		misses[hop->from - number] |= hop->appeared > 0;
		misses[hop->to - number] |= hop->missed > 0;
	}
	for (guint i = first; i < hops->len; i++) {
		struct rda_hop *hop = &g_array_index(hops, struct rda_network_hop, i).hop;

		hop->proven = misses[hop->to - number] ? 0 : hop->proven;
	}
	g_free(misses);
}

static void take_hop(struct rda_network *n, const struct rda_network_told *told, uint32_t x,
		     uint32_t y, uint32_t c, unsigned side, GArray *hops)
{
	int32_t flow = rda_result_connection(n->taps[x].result, c)->flows[side];
	struct rda_hop *hop = flow < 0 ? NULL : rda_network_hop_at(n, x, y, (uint32_t)flow);
	const struct rda_network_told *view = &told[rda_sets_of(n->views, n->base[x] + c)];
	const struct rda_network_tap *tap = &n->taps[view->tap];
	struct rda_network_hop found;

	if (!hop || is_long_way(n, x, y, (uint32_t)flow))
		return;
	found.hop = *hop;
	hop->delay = (struct rda_latency){.count = 0}; /* it is moved, and: */
	hop->shown = NULL;
	found.hop.proven = hop->ordered ? proven_at(n, x, y, (uint32_t)flow) : 0;
	found.hop.from = n->taps[x].number;
	found.hop.to = n->taps[y].number;
	found.hop.flow = side_of(tap, view->connection, rda_network_flow_at(&n->taps[x], c, side));
	found.place = rda_network_place_of(tap, view->connection);
	g_array_append_val(hops, found);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static int64_t floor_of(double value)
{
	int64_t whole = (int64_t)CLAMP(value, -RDA_CLOCKS_FAR, RDA_CLOCKS_FAR);

	return whole - ((double)whole > value);
}

static void tell_clock(struct rda_tap *tap, const struct rda_clocks *clocks)
{
	tap->clock = clocks->state;
	if (!rda_clocks_known(clocks))
		return;
	tap->offset_ns = (struct rda_taps_bounds){
		true, true, clocks->base_ns + floor_of(rda_clocks_least(clocks, 0)),
		clocks->base_ns + floor_of(rda_clocks_most(clocks, 0)) + 1};
	tap->drift_ppb = (struct rda_taps_bounds){
		clocks->b_min * 1e9 >= -RDA_CLOCKS_FAR, clocks->b_max * 1e9 <= RDA_CLOCKS_FAR,
		floor_of(clocks->b_min * 1e9), floor_of(clocks->b_max * 1e9) + 1};
}

/* ---------------------------------------------------------------------------------------------- */

/* Of each flow of a tap the other direction; the caller's. */
static uint32_t *backs_of(const struct rda_network_tap *tap)
{
	uint32_t count = rda_result_flow_count(tap->result);
	uint32_t *backs = g_new(uint32_t, count + 1);

	for (uint32_t i = 0; i < count; i++) {
		const int32_t *flows =
			rda_result_connection(tap->result,
					      rda_result_flow_at(tap->result, i)->connection)
				->flows;
		int32_t back = flows[flows[0] == (int32_t)i];

		backs[i] = back < 0 ? RDA_PASSAGE_NO_FLOW : (uint32_t)back;
	}
	return backs;
}

/* Of each flow of a tap; the caller's. */
static struct rda_lost_before *losses_of(const struct rda_network_tap *tap)
{
	uint32_t count = rda_result_flow_count(tap->result);
	struct rda_lost_before *lost = g_new(struct rda_lost_before, count + 1);

	for (uint32_t i = 0; i < count; i++)
		lost[i] = rda_result_lost_before(tap->result, i);
	return lost;
}

static struct rda_between_tap between_tap(const struct rda_network_tap *tap)
{
	struct rda_between_tap of = {.passages = tap->passages,
				     .flow_count = rda_result_flow_count(tap->result)};
	bool any = false;

	for (unsigned i = 0; i < rda_result_capture_count(tap->result); i++) {
		const struct rda_capture *capture = rda_result_capture(tap->result, i);

		if (!capture->packets)
			continue;
		of.first_ns =
			any ? MIN(of.first_ns, capture->first_time_ns) : capture->first_time_ns;
		of.last_ns = any ? MAX(of.last_ns, capture->last_time_ns) : capture->last_time_ns;
		any = true;
	}
	if (tap->passages->not_kept) /* what comes behind is as if it had not been captured */
		of.last_ns = tap->passages->packets[tap->passages->count - 1].time_ns;
	tap->facts->not_compared = tap->passages->not_kept;
	return of;
}

/* Packets of tap x that a tap has which they pass behind y; the caller's. */
static uint8_t *beyond(const struct rda_network *n, uint32_t x, uint32_t y)
{
	const struct rda_passages *passages = n->taps[x].passages;
	uint8_t *bits = g_new0(uint8_t, passages->count / 8 + 1);

	for (uint32_t z = 0; z < n->count; z++) {
		struct rda_between *seen, *ways;

		if (z == x || z == y)
			continue;
		seen = rda_network_between_of(n, MIN(x, z), MAX(x, z));
		ways = rda_network_between_of(n, MIN(y, z), MAX(y, z));
		for (uint32_t i = 0; i < passages->count; i++)
			if (seen->seen[x > z][i / 8] >> i % 8 & 1 &&
			    rda_routes_way(&ways->routes, &passages->packets[i]) ==
				    (y < z ? 1 : -1))
				bits[i / 8] |= (uint8_t)(1u << i % 8);
	}
	return bits;
}

static void free_between(struct rda_between *all, const struct rda_network *n)
{
	for (uint32_t x = 0; x < n->count; x++)
		for (uint32_t y = x + 1; y < n->count; y++)
			rda_between_cleanup(&all[x * n->count + y],
					    rda_result_flow_count(n->taps[x].result),
					    rda_result_flow_count(n->taps[y].result));
	g_free(all);
}

/* Each two taps; `known`: the others are known from before, and what they have counts. */
static void compare_taps(struct rda_network *n, const struct rda_between_tap *taps, bool known)
{
	struct rda_between *all = g_new0(struct rda_between, n->count * n->count);

	for (uint32_t x = 0; x < n->count; x++)
		for (uint32_t y = x + 1; y < n->count; y++) {
			struct rda_between_tap one = taps[x], two = taps[y];
			uint8_t *there = known ? beyond(n, x, y) : NULL;
			uint8_t *back = known ? beyond(n, y, x) : NULL;

			one.beyond = there;
			two.beyond = back;
			rda_between_find(&all[x * n->count + y], &one, &two);
			g_free(there);
			g_free(back);
		}
	if (known)
		free_between(n->between, n);
	n->between = all;
}

static void begin(struct rda_network *n)
{
	struct rda_between_tap *taps = g_new(struct rda_between_tap, n->count);
	uint32_t **backs = g_new(uint32_t *, n->count);
	struct rda_lost_before **lost = g_new(struct rda_lost_before *, n->count);

	n->base = g_new(uint32_t, n->count);
	for (uint32_t x = 0; x < n->count; x++) {
		n->base[x] = n->nodes;
		n->nodes += rda_result_connection_count(n->taps[x].result);
		taps[x] = between_tap(&n->taps[x]);
		taps[x].back = backs[x] = backs_of(&n->taps[x]);
		taps[x].lost = lost[x] = losses_of(&n->taps[x]);
	}
	n->views = g_new(uint32_t, n->nodes + 1);
	rda_sets_init(n->views, n->nodes);
	compare_taps(n, taps, false);
	if (n->count > 2)
		compare_taps(n, taps, true);
	for (uint32_t y = 1; y < n->count; y++)
		tell_clock(n->taps[y].facts, &rda_network_between_of(n, 0, y)->clocks);
	for (uint32_t x = 0; x < n->count; x++) {
		g_free(backs[x]);
		g_free(lost[x]);
	}
	g_free(backs);
	g_free(lost);
	g_free(taps);
}

static void end(struct rda_network *n)
{
	free_between(n->between, n);
	g_free(n->base);
	g_free(n->views);
}

struct rda_network_found rda_network_found_new(void)
{
	return (struct rda_network_found){
		g_array_new(FALSE, FALSE, sizeof(struct rda_network_hop)),
		g_array_new(FALSE, FALSE, sizeof(struct rda_network_waits)),
		g_array_new(FALSE, FALSE, sizeof(struct rda_network_part))};
}

void rda_network_found_cleanup(struct rda_network_found *found)
{
	g_array_free(found->hops, TRUE);
	g_array_free(found->waits, TRUE);
	g_array_free(found->parts, TRUE);
}

void rda_network_find(struct rda_network_tap *taps, uint32_t count,
		      const struct rda_network_found *found)
{
	struct rda_network n = {.taps = taps, .count = count};
	struct rda_network_told *told;
	guint first = found->hops->len;

	begin(&n);
	unite_views(&n);
	told = rda_network_choose_views(&n);
	rda_network_choose_hosts(&n);
	for (uint32_t x = 0; x < count; x++)
		for (uint32_t y = 0; y < count; y++)
			for (uint32_t c = 0;
			     x != y && c < rda_result_connection_count(taps[x].result); c++)
				for (unsigned side = 0; side < 2; side++)
					take_hop(&n, told, x, y, c, side, found->hops);
	distrust(&n, found->hops, first);
	for (uint32_t x = 0; x < count; x++)
		rda_network_waits(&n, x, found);
	g_free(told);
	end(&n);
}
