/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two taps held against each other. See between.h.
 */
#include "analyzer/taps/between.h"

#include "analyzer/taps/changes.h"
#include "analyzer/taps/gaps.h"
#include "analyzer/taps/missing.h"

#include <glib.h>
#include <string.h>

/* 36 years: sums of three such differences fit in 64 bits. */
#define FAR_NS (INT64_C(1) << 60)

struct work {
	struct rda_between *to;
	const struct rda_passages *side[2];
	const struct rda_between_tap *tap[2];
	uint32_t *match[2];	    /* of each packet of x that of y, of each of y that of x */
	bool *sure;		    /* of each packet of x that is matched: no other is like it */
	bool far_apart;		    /* times are so far apart that nothing is made of them */
	uint32_t first[2], last[2]; /* packets of x, of y, that are matched: from the first on */
	struct rda_missing *missing[2]; /* of x that y lacks, of y that x lacks */
};

static int64_t difference(const struct work *w, uint32_t i)
{
	return w->side[1]->packets[w->match[0][i]].time_ns - w->side[0]->packets[i].time_ns;
}

static bool is_matched(const struct work *w, unsigned side, uint32_t i)
{
	return rda_passage_is_matched(w->match[side][i]);
}

static bool is_far(int64_t a, int64_t b)
{
	uint64_t apart = a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;

	return apart > FAR_NS;
}

/* Whether clocks of the two, or times of one, are farther apart than FAR_NS. */
static bool are_far_apart(const struct work *w)
{
	int64_t first_ns = w->tap[0]->first_ns;

	for (unsigned side = 0; side < 2; side++) {
		if (is_far(w->tap[side]->first_ns, first_ns) ||
		    is_far(w->tap[side]->last_ns, first_ns))
			return true;
		for (uint32_t i = 0; i < w->side[side]->count; i++)
			if (is_far(w->side[side]->packets[i].time_ns, first_ns))
				return true;
	}
	return false;
}

/* ---- the order of the taps ------------------------------------------------------------------- */

static struct rda_routes_of routes_of(const struct work *w)
{
	return (struct rda_routes_of){w->side[0], w->side[1], w->match[0], w->far_apart};
}

static struct rda_routes_pair *route_of(const struct work *w, const struct rda_passage *packet)
{
	return rda_routes_at(&w->to->routes, packet->pair);
}

static int way_of(const struct work *w, const struct rda_passage *packet)
{
	return rda_routes_way(&w->to->routes, packet);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static void find_clocks(struct work *w)
{
	struct rda_clocks *clocks = &w->to->clocks;
	bool coarse = w->side[0]->coarse || w->side[1]->coarse;
	struct rda_clock_point *points;
	uint32_t count = 0;

	if (w->far_apart || !w->to->matched) {
		clocks->state = w->far_apart ? RDA_CLOCK_FAR_APART : RDA_CLOCK_NOT_COMPARED;
		return;
	}
	points = g_new(struct rda_clock_point, w->to->matched);
	clocks->origin_ns = INT64_MAX;
	for (uint32_t i = 0; i < w->side[0]->count; i++)
		if (is_matched(w, 0, i) && w->side[0]->packets[i].time_ns < clocks->origin_ns) {
			clocks->origin_ns = w->side[0]->packets[i].time_ns;
			clocks->base_ns = difference(w, i);
		}
	for (uint32_t i = 0; i < w->side[0]->count; i++) {
		const struct rda_passage *packet = &w->side[0]->packets[i];
		int way = is_matched(w, 0, i) ? way_of(w, packet) : 0;

		if (way)
			points[count++] = (struct rda_clock_point){
				packet->time_ns - clocks->origin_ns,
				difference(w, i) - clocks->base_ns, way > 0};
	}
	rda_clocks_find(clocks, points, count, coarse ? 1000 : 1);
	g_free(points);
}

/* ---- flows ----------------------------------------------------------------------------------- */

/* The tap that a packet passes first: 0 x, 1 y. */
static unsigned from_of(const struct work *w, const struct rda_passage *packet)
{
	return way_of(w, packet) < 0;
}

static struct rda_hop *hop_of(const struct work *w, unsigned side, uint32_t i)
{
	const struct rda_passage *packet = &w->side[side]->packets[i];

	if (packet->flow == RDA_PASSAGE_NO_FLOW || from_of(w, packet) != side ||
	    !route_of(w, packet))
		return NULL;
	return &w->to->hops[side][packet->flow];
}

/* Whether the other tap was capturing when a packet passed this one: it saw earlier and later ones,
 * or its clock says so. */
static bool is_covered(const struct work *w, unsigned side, uint32_t i)
{
	const struct rda_clocks *clocks = &w->to->clocks;
	const struct rda_between_tap *other = w->tap[!side];
	int64_t time_ns = w->side[side]->packets[i].time_ns, t;
	double low, high;

	if (i >= w->first[side] && i <= w->last[side])
		return true;
	if (!rda_clocks_known(clocks))
		return false;
	t = time_ns - clocks->origin_ns - (side ? clocks->base_ns : 0);
	low = rda_clocks_least(clocks, t);
	high = rda_clocks_most(clocks, t);
	if (side == 0)
		return (double)(time_ns - other->first_ns + clocks->base_ns) + low >= 0 &&
		       (double)(time_ns - other->last_ns + clocks->base_ns) + high <= 0;
	return (double)(time_ns - other->first_ns - clocks->base_ns) - high >= 0 &&
	       (double)(time_ns - other->last_ns - clocks->base_ns) - low <= 0;
}

static void add_delay(const struct work *w, struct rda_hop *hop, unsigned side, uint32_t i)
{
	const struct rda_clocks *clocks = &w->to->clocks;
	uint32_t x = side ? w->match[1][i] : i;
	int64_t t = w->side[0]->packets[x].time_ns - clocks->origin_ns;
	double low, high, d;

	if (!rda_clocks_known(clocks) || !hop->ordered)
		return;
	low = rda_clocks_least(clocks, t);
	high = rda_clocks_most(clocks, t);
	d = (double)(difference(w, x) - clocks->base_ns) - (low + high) / 2;
	rda_latency_add(&hop->delay, (int64_t)(side ? -d : d));
	hop->error_ns = MAX(hop->error_ns, (int64_t)((high - low) / 2) + 1);
}

static void find_peers(const struct work *w)
{
	for (uint32_t i = 0; i < w->side[0]->count; i++) {
		uint32_t x = w->side[0]->packets[i].flow, y;

		if (!is_matched(w, 0, i) || x == RDA_PASSAGE_NO_FLOW)
			continue;
		y = w->side[1]->packets[w->match[0][i]].flow;
		if (y == RDA_PASSAGE_NO_FLOW)
			continue;
		w->to->peer[0][x] = y;
		w->to->peer[1][y] = x;
	}
}

static void compare(const struct work *w, struct rda_hop *hop, struct rda_gaps *gaps, unsigned side,
		    uint32_t i)
{
	const struct rda_passage *from = &w->side[side]->packets[i];
	const struct rda_passage *to = &w->side[!side]->packets[w->match[side][i]];

	const struct rda_passed passed = {from, to, w->sure[side ? w->match[1][i] : i],
					  rda_missing_is_delivered(w->missing[side], i)};

	switch (rda_changes_note(hop, &passed)) {
	case RDA_CAME_WHOLE: rda_gaps_came(gaps, hop, from); break;
	case RDA_CAME_BROKEN: rda_gaps_gone(gaps, hop, from, true); break;
	case RDA_CAME_DAMAGED: break; /* it is nothing to its receiver */
	}
	add_delay(w, hop, side, i);
}

/* What fits at the second tap of what came there, by sender and receiver. */
static void find_fitting(const struct work *w, unsigned side)
{
	for (uint32_t i = 0; i < w->side[side]->count; i++) {
		const struct rda_passage *packet = &w->side[side]->packets[i], *to;
		struct rda_hop *hop = is_matched(w, side, i) ? hop_of(w, side, i) : NULL;
		struct rda_routes_pair *route = hop ? route_of(w, packet) : NULL;

		if (!hop)
			continue;
		to = &w->side[!side]->packets[w->match[side][i]];
		route->fit[packet->forward] += to->checked;
		route->unfit[packet->forward] += to->damaged;
		hop->came_damaged += to->damaged;
	}
}

/* What is known of a flow while its packets are looked at. */
struct sent {
	struct rda_gaps gaps;
	bool lost; /* its latest packets were */
};

static void count_matched(struct work *w, struct rda_hop *hop, struct sent *sent, unsigned side,
			  uint32_t i)
{
	hop->packets++;
	if (sent->lost)
		rda_hop_show(hop, RDA_HOP_LOST, w->side[!side]->packets[w->match[side][i]].place);
	sent->lost = false;
	compare(w, hop, &sent->gaps, side, i);
}

/* It came, as others know, and the second tap missed it, or it went round; or it was lost. */
static void count_missing(const struct work *w, struct rda_hop *hop, struct sent *sent,
			  unsigned side, uint32_t i)
{
	const struct rda_passage *packet = &w->side[side]->packets[i];

	hop->packets++;
	if (rda_missing_passed(w->missing[side], i)) {
		hop->missed++;
		rda_gaps_came(&sent->gaps, hop, packet);
		return;
	}
	hop->lost++;
	rda_hop_show(hop, RDA_HOP_LOST, packet->place);
	sent->lost = true;
	rda_gaps_gone(&sent->gaps, hop, packet, false);
}

static void count_sent(struct work *w, unsigned side)
{
	uint32_t flows = w->tap[side]->flow_count;
	struct sent *sent = g_new0(struct sent, flows + 1);

	for (uint32_t i = 0; i < w->side[side]->count; i++) {
		const struct rda_passage *packet = &w->side[side]->packets[i];
		struct rda_hop *hop = hop_of(w, side, i);

		if (!hop)
			continue;
		hop->ordered = way_of(w, packet) != 0;
		hop->order_is_sure = rda_routes_are_sure(&w->to->routes, packet);
		hop->strays = route_of(w, packet)->strays[!side][packet->forward];
		hop->icrc_absent = rda_routes_lack_checksums(route_of(w, packet), packet->forward);
		hop->broken_before += packet->damaged;
		if (is_matched(w, side, i)) {
			count_matched(w, hop, &sent[packet->flow], side, i);
		} else if (rda_missing_is_mirrored(w->missing[side], i)) {
			continue;
		} else if (is_covered(w, side, i)) {
			count_missing(w, hop, &sent[packet->flow], side, i);
		} else {
			hop->not_compared++;
			rda_gaps_unknown(&sent[packet->flow].gaps);
		}
	}
	for (uint32_t i = 0; i < flows; i++)
		rda_gaps_end(&sent[i].gaps, &w->to->hops[side][i]);
	g_free(sent);
}

/* Damaged packets that the other tap has not: they may be any of those that are missing here, as
 * what tells packets apart, their flow among it, may be what is damaged. */
static void find_strays(struct work *w)
{
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t i = 0; i < w->side[side]->count; i++) {
			const struct rda_passage *packet = &w->side[side]->packets[i];
			bool stray = packet->damaged && !is_matched(w, side, i);

			if (stray && route_of(w, packet))
				route_of(w, packet)->strays[side][packet->forward]++;
		}
}

/* A request of a flow that lost some. */
struct asked {
	uint32_t flow, psn, index;
};

static int compare_asked(const void *one, const void *two)
{
	const struct asked *a = one, *b = two;

	if (a->flow != b->flow)
		return a->flow < b->flow ? -1 : 1;
	if (a->psn != b->psn)
		return a->psn < b->psn ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Of lost requests those whose PSN had not come through before: by flow, PSN, and as they passed.
 * A PSN that comes again after 16 million others counts as the same. */
static void count_new(struct work *w, unsigned side)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct asked));
	bool came = false;

	for (uint32_t i = 0; i < w->side[side]->count; i++) {
		const struct rda_passage *packet = &w->side[side]->packets[i];
		const struct rda_hop *hop = packet->answered ? hop_of(w, side, i) : NULL;
		struct asked one = {packet->flow, packet->sequence, i};

		if (hop && hop->lost)
			g_array_append_val(all, one);
	}
	g_array_sort(all, compare_asked);
	for (guint k = 0; k < all->len; k++) {
		const struct asked *one = &g_array_index(all, struct asked, k);

		if (k == 0 || one[-1].flow != one->flow || one[-1].psn != one->psn)
			came = false;
		if (is_matched(w, side, one->index))
			came = true;
		else if (!came && is_covered(w, side, one->index) &&
			 !rda_missing_is_mirrored(w->missing[side], one->index) &&
			 !rda_missing_passed(w->missing[side], one->index))
			w->to->hops[side][one->flow].lost_new++;
	}
	g_array_free(all, TRUE);
}

/* At the tap that packets pass second: what is overtaken, doubled, or was never seen before. */
static void count_arrived(struct work *w, unsigned from)
{
	unsigned side = !from;
	uint32_t *latest = g_new0(uint32_t, w->tap[from]->flow_count + 1);

	for (uint32_t i = 0; i < w->side[side]->count; i++) {
		const struct rda_passage *packet = &w->side[side]->packets[i];
		uint32_t flow = packet->flow == RDA_PASSAGE_NO_FLOW
					? RDA_PASSAGE_NO_FLOW
					: w->to->peer[side][packet->flow];
		struct rda_hop *hop;
		uint32_t sent;

		if (from_of(w, packet) != from || flow == RDA_PASSAGE_NO_FLOW)
			continue;
		hop = &w->to->hops[from][flow];
		if (!is_matched(w, side, i)) {
			if (!is_covered(w, side, i))
				continue;
			if (w->match[side][i] != RDA_PASSAGE_NONE && !packet->damaged) {
				hop->duplicated++;
				rda_hop_show(hop, RDA_HOP_DOUBLED, packet->place);
			} else {
				hop->appeared++;
			}
			continue;
		}
		sent = w->match[side][i] + 1;
		if (sent < latest[flow]) {
			hop->reordered++;
			rda_hop_show(hop, RDA_HOP_OVERTAKEN,
				     w->side[from]->packets[sent - 1].place);
			rda_hop_show(hop, RDA_HOP_OVERTAKEN, packet->place);
		}
		latest[flow] = MAX(latest[flow], sent);
	}
	g_free(latest);
}

static void find_covered(struct work *w)
{
	for (unsigned side = 0; side < 2; side++) {
		w->first[side] = w->side[side]->count;
		for (uint32_t i = 0; i < w->side[side]->count; i++) {
			if (!is_matched(w, side, i))
				continue;
			w->first[side] = MIN(w->first[side], i);
			w->last[side] = i;
		}
	}
}

static void find_missing(struct work *w, unsigned side)
{
	w->missing[side] = rda_missing_new(&(struct rda_missing_of){
		.from = w->side[side],
		.to = w->side[!side],
		.match = w->match[side],
		.match_back = w->match[!side],
		.flow_count = w->tap[side]->flow_count,
		.back = w->tap[side]->back,
		.peer_back = w->to->peer[!side],
		.beyond = w->tap[side]->beyond,
	});
}

static void tell_by_losses(const struct work *w, unsigned side)
{
	const struct rda_routes_lost lost = {
		.from = w->side[side],
		.match = w->match[side],
		.lost = w->tap[side]->lost,
		.lost_there = w->tap[!side]->lost,
		.peer = w->to->peer[side],
		.flow_count = w->tap[side]->flow_count,
		.first = w->first[side],
		.last = w->last[side],
		.way = side ? -1 : 1,
	};

	rda_routes_tell_by_losses(&w->to->routes, &lost);
}

static void begin(struct work *w)
{
	for (unsigned side = 0; side < 2; side++) {
		uint32_t count = w->tap[side]->flow_count;

		w->to->hops[side] = g_new0(struct rda_hop, count + 1);
		w->to->peer[side] = g_new(uint32_t, count + 1);
		memset(w->to->peer[side], 0xff, sizeof(uint32_t) * (count + 1));
		for (uint32_t i = 0; i < count; i++)
			w->to->hops[side][i].error_ns = -1;
		w->to->seen[side] = rda_passages_seen(w->match[side], w->side[side]->count);
	}
	rda_routes_init(&w->to->routes);
}

static void end(struct work *w)
{
	for (unsigned side = 0; side < 2; side++) {
		rda_missing_free(w->missing[side]);
		g_free(w->match[side]);
	}
	g_free(w->sure);
}

void rda_between_find(struct rda_between *between, const struct rda_between_tap *x,
		      const struct rda_between_tap *y)
{
	struct work w = {.to = between, .side = {x->passages, y->passages}, .tap = {x, y}};
	struct rda_routes_of of;

	*between = (struct rda_between){.matched = 0};
	between->matched =
		rda_passages_match(x->passages, y->passages, &w.match[0], &w.match[1], &w.sure);
	w.far_apart = are_far_apart(&w);
	begin(&w);
	of = routes_of(&w);
	rda_routes_find(&between->routes, &of);
	find_covered(&w);
	find_peers(&w);
	for (unsigned side = 0; side < 2; side++)
		tell_by_losses(&w, side);
	find_clocks(&w);
	rda_routes_settle(&between->routes, &of, &between->clocks);
	find_strays(&w);
	for (unsigned side = 0; side < 2; side++) {
		find_missing(&w, side);
		find_fitting(&w, side);
	}
	for (unsigned side = 0; side < 2; side++) {
		count_sent(&w, side);
		count_new(&w, side);
	}
	for (unsigned side = 0; side < 2; side++)
		count_arrived(&w, side);
	end(&w);
}

void rda_between_cleanup(struct rda_between *between, uint32_t x_flows, uint32_t y_flows)
{
	const uint32_t counts[] = {x_flows, y_flows};

	for (unsigned side = 0; side < 2; side++) {
		for (uint32_t i = 0; between->hops[side] && i < counts[side]; i++)
			rda_hop_cleanup(&between->hops[side][i]);
		g_free(between->hops[side]);
		g_free(between->peer[side]);
		g_free(between->seen[side]);
	}
	rda_routes_cleanup(&between->routes);
}
