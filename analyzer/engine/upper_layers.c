/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets to upper layers; see upper_layers.h.
 */
#include "analyzer/engine/upper_layers.h"

#include "analyzer/checks/ulp/ulp.h"

/* A command of an upper layer was answered. */
static void take_answer(void *context, const struct rda_ulp_answer *answer)
{
	struct rda_engine *engine = context;

	rda_check_ulp_answer(&engine->judge, answer);
}

void rda_upper_layers_init(struct rda_engine *engine, uint64_t seed)
{
	rda_ulps_init(&engine->ulps, seed);
	engine->ulps.answered = take_answer;
	engine->ulps.context = engine;
}

void rda_upper_layers_packet(struct rda_engine *engine, const struct rda_at *at)
{
	const struct rda_ulp_at ulp_at = {at->meta, at->frame,	 at->packet, at->place,
					  at->flow, at->request, at->kind,   at->original};

	if (at->request)
		rda_ulp_roce(&engine->ulps, &ulp_at);
}

void rda_upper_layers_done(struct rda_engine *engine, struct rda_flow *asker,
			   const struct rda_event *event)
{
	rda_slowest_take(&engine->slowest, event->exchange, asker);
	if (asker->ulp && event->message == RDA_MESSAGE_READ)
		rda_ulp_roce_read_done(asker, event);
}
