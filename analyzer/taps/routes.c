/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of two taps. See routes.h.
 */
#include "analyzer/taps/routes.h"

#include "analyzer/track/roce/icrc_source.h"
#include "analyzer/track/roce/request.h"

#include <glib.h>

void rda_routes_init(struct rda_routes *routes)
{
	*routes = (struct rda_routes){.latest = NULL};
	rda_table_init(&routes->table, sizeof(uint64_t), sizeof(struct rda_routes_pair), 0);
}

void rda_routes_cleanup(struct rda_routes *routes)
{
	rda_table_cleanup(&routes->table, NULL);
}

static int64_t difference(const struct rda_routes_of *of, uint32_t i)
{
	return of->y->packets[of->to_y[i]].time_ns - of->x->packets[i].time_ns;
}

/* What a router between the two has done. */
static int way_by_ttl(const struct rda_passage *x, const struct rda_passage *y)
{
	if (!x->ttl || !y->ttl || x->torn || y->torn || x->ttl == y->ttl)
		return 0;
	return (x->ttl > y->ttl) == x->forward ? 1 : -1;
}

static void vote(struct rda_routes_pair *route)
{
	int64_t apart = route->latest[1] - route->latest[0];

	route->votes += (apart > 0) - (apart < 0);
	route->counted++;
	route->wide += apart >= RDA_MIRROR_NS || apart <= -RDA_MIRROR_NS;
}

void rda_routes_find(struct rda_routes *routes, const struct rda_routes_of *of)
{
	for (uint32_t i = 0; i < of->x->count; i++) {
		const struct rda_passage *packet = &of->x->packets[i];
		struct rda_routes_pair *route;

		if (!rda_passage_is_matched(of->to_y[i]))
			continue;
		route = rda_table_get(&routes->table, &packet->pair, NULL);
		route->told += way_by_ttl(packet, &of->y->packets[of->to_y[i]]);
		if (of->far_apart)
			continue;
		route->latest[packet->forward] = difference(of, i);
		route->any[packet->forward] = true;
		if (route->any[0] && route->any[1])
			vote(route);
	}
}

struct rda_routes_pair *rda_routes_at(struct rda_routes *routes, uint64_t pair)
{
	if (!routes->latest || routes->latest_pair != pair) {
		routes->latest = rda_table_find(&routes->table, &pair);
		routes->latest_pair = pair;
	}
	return routes->latest;
}

/* Whether a request passed the tap that the other one lacks, though it was capturing. */
static bool is_lacking(const struct rda_routes_lost *of, uint32_t i)
{
	const struct rda_passage *packet = &of->from->packets[i];

	return i >= of->first && i <= of->last && packet->answered && !packet->damaged &&
	       packet->flow != RDA_PASSAGE_NO_FLOW && !rda_passage_is_matched(of->match[i]) &&
	       of->peer[packet->flow] != RDA_PASSAGE_NO_FLOW;
}

void rda_routes_tell_by_losses(struct rda_routes *routes, const struct rda_routes_lost *of)
{
	bool *done = g_new0(bool, of->flow_count + 1);

	for (uint32_t i = 0; of->lost && of->lost_there && i < of->from->count; i++) {
		const struct rda_passage *packet = &of->from->packets[i];
		struct rda_routes_pair *route;

		if (!is_lacking(of, i) || done[packet->flow])
			continue;
		done[packet->flow] = true;
		route = rda_routes_at(routes, packet->pair);
		if (route &&
		    of->lost_there[of->peer[packet->flow]].proven > of->lost[packet->flow].all)
			route->told += packet->forward ? of->way : -of->way;
	}
	g_free(done);
}

bool rda_routes_are_sure(struct rda_routes *routes, const struct rda_passage *packet)
{
	const struct rda_routes_pair *route = rda_routes_at(routes, packet->pair);

	return route && (route->told || route->wide * 2 > route->counted);
}

int rda_routes_way(struct rda_routes *routes, const struct rda_passage *packet)
{
	const struct rda_routes_pair *route = rda_routes_at(routes, packet->pair);
	int64_t found = !route ? 0 : route->told ? route->told : route->votes;
	int way = (found > 0) - (found < 0);

	return packet->forward ? way : -way;
}

/* Routes of one direction only: a packet above the line passed x first. */
void rda_routes_settle(struct rda_routes *routes, const struct rda_routes_of *of,
		       const struct rda_clocks *clocks)
{
	for (uint32_t i = 0; i < of->x->count && rda_clocks_known(clocks); i++) {
		const struct rda_passage *packet = &of->x->packets[i];
		struct rda_routes_pair *route = rda_routes_at(routes, packet->pair);
		int64_t t = packet->time_ns - clocks->origin_ns;
		double d;

		if (!rda_passage_is_matched(of->to_y[i]) || !route ||
		    (route->any[0] && route->any[1]))
			continue;
		d = (double)(difference(of, i) - clocks->base_ns);
		route->above += d > rda_clocks_most(clocks, t);
		route->below += d < rda_clocks_least(clocks, t);
	}
	for (uint32_t i = 0; i < routes->table.count; i++) {
		struct rda_routes_pair *route = routes->table.items[i];

		if (route->any[0] && route->any[1])
			continue;
		if (!route->above != !route->below) /* all on one side */
			route->votes = (route->above ? 1 : -1) * (route->any[1] ? 1 : -1);
	}
}

bool rda_routes_lack_checksums(const struct rda_routes_pair *route, bool forward)
{
	uint64_t fit = route->fit[forward], unfit = route->unfit[forward], all = fit + unfit;

	return unfit && (!fit || (all >= RDA_ICRC_ABSENT_PACKETS &&
				  unfit * 100 >= all * RDA_ICRC_ABSENT_PERCENT));
}
