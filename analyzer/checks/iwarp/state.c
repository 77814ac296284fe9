/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A case of iWARP, from both sides of its connection.
 */
#include "analyzer/checks/iwarp/state.h"

#include <glib.h>

struct rda_iwarp_case rda_iwarp_case_of(struct rda_judge *judge, const struct rda_iwarp_at *at)
{
	const struct rda_iwarp_side *side = &at->connection->sides[at->side];
	const struct rda_iwarp_side *other = &at->connection->sides[1 - at->side];
	struct rda_flow *flow = side->flow;

	if (!flow->watch.iwarp)
		flow->watch.iwarp = g_new0(struct rda_iwarp_watch, 1);
	return (struct rda_iwarp_case){
		.judge = judge,
		.at = at,
		.side = side,
		.other = other,
		.flow = flow,
		.peer = other->flow,
		.watch = flow->watch.iwarp,
	};
}

void rda_iwarp_watch_free(struct rda_flow *flow)
{
	g_free(flow->watch.iwarp);
	flow->watch.iwarp = NULL;
}

struct rda_finding *rda_iwarp_find(const struct rda_iwarp_case *c, enum rda_check check,
				   uint64_t place)
{
	return rda_finding_add(&c->judge->findings, check, rda_about_flow(c->flow), place);
}

struct rda_finding *rda_iwarp_find_as(const struct rda_iwarp_case *c, enum rda_check check,
				      enum rda_severity severity, enum rda_proof proof,
				      uint64_t place)
{
	return rda_finding_add_as(&c->judge->findings, check, severity, proof,
				  rda_about_flow(c->flow), place);
}
