/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of an engine's flows. Those of a connection are freed, if the engine is spent, as soon
 * as its facts are made: what the one took has room for the other, so that a result needs no memory
 * beside the engine. See result_flows.h.
 */
#include "analyzer/engine/result_flows.h"

#include "analyzer/checks/answer/reads.h"
#include "analyzer/checks/congestion/state.h"
#include "analyzer/track/setup/cm_track.h"

#include <glib.h>

static void take_classes(struct rda_flow_facts *facts, const struct rda_flow *flow,
			 const struct rda_flow *back)
{
	const struct rda_cnp_classes cnps = rda_congestion_cnp_classes_of(flow, back);

	facts->classes = rda_congestion_classes_of(flow);
	if (!cnps.first_place)
		return;
	if (!facts->troubles)
		facts->troubles = g_new0(struct rda_flow_troubles, 1);
	facts->troubles->cnp_classes = cnps;
}

/* Its capture's clock was, whichever engine has the frames that tell. */
static bool is_set_back(const struct rda_engine *engine, const struct rda_flow *flow)
{
	uint32_t capture = rda_place_capture(flow->first_place);

	return rda_was_set_back(
		MAX(g_array_index(engine->captures, struct rda_capture, capture).back_ns,
		    g_array_index(engine->others, struct rda_others_frames, capture).back_ns));
}

static struct rda_flow_facts *facts_of(const struct rda_engine *engine,
				       const struct rda_connection *connection, unsigned side)
{
	const struct rda_flow *flow = connection->flows[side];
	struct rda_flow_facts *facts = g_new(struct rda_flow_facts, 1);

	rda_flow_facts_of(facts, flow);
	facts->set_back = is_set_back(engine, flow);
	if (facts->set_back)
		g_clear_pointer(&facts->time, g_free);
	facts->connection = connection->id;
	facts->side = (uint8_t)side;
	facts->part = engine->config.part_number;
	facts->number = flow->number;
	if (!engine->config.count_only) /* nothing was looked at */
		take_classes(facts, flow, connection->flows[!side]);
	if (flow->pair) {
		facts->conversation = (int32_t)rda_cm_track_index(flow->pair);
		facts->conversation_side =
			rda_cm_sender(flow->pair, flow) == &flow->pair->sides[RDA_CM_PASSIVE];
	}
	if (flow->peer && (flow->account || flow->watch.answer))
		facts->reads_most = rda_reads_most(flow);
	return facts;
}

/* Flows that other connections' flows know, be it as a life before, by index; g_free it. */
static bool *flows_of_others(const struct rda_table *flows, const struct rda_seat *seats)
{
	bool *of_others = g_new0(bool, flows->count);

	for (uint32_t i = 0; i < flows->count; i++) {
		const struct rda_flow *flow = flows->items[i];

		rda_fetch_item(flows->items, i, flows->count, offsetof(struct rda_flow, rare));
		rda_fetch_item(flows->items, i, flows->count, offsetof(struct rda_flow, peer));

		if (rda_flow_rare(flow)->latest || rda_flow_rare(flow)->before)
			of_others[flow->index] = true;
		if (flow->peer &&
		    seats[flow->peer->index].connection != seats[flow->index].connection)
			of_others[flow->peer->index] = of_others[flow->index] = true;
	}
	return of_others;
}

/* Of a connection whose facts are made, if nobody asks for them any more. */
static void free_flows(const struct rda_flow *const flows[2], struct rda_table *table,
		       const bool *of_others)
{
	for (unsigned side = 0; side < 2; side++)
		if (flows[side] && of_others[flows[side]->index])
			return;
	for (unsigned side = 0; side < 2; side++) {
		struct rda_flow *flow =
			flows[side] ? rda_table_steal(table, flows[side]->index) : NULL;

		if (!flow)
			continue;
		rda_judge_forget(flow);
		rda_flow_cleanup(flow);
		g_free(flow);
	}
}

/* Those of a connection that comes up, then what these point to. */
static void fetch_flows(const struct rda_pairs *pairs, uint32_t index)
{
	for (unsigned side = 0; side < 2; side++) {
		if (pairs->count - index > RDA_FETCH_ITEMS)
			rda_fetch_lines(pairs->connections[index + RDA_FETCH_ITEMS].flows[side],
					sizeof(struct rda_flow) / RDA_FETCH_LINE + 1);
		if (pairs->count - index > RDA_FETCH_ITEMS / 2)
			rda_judge_fetch(
				pairs->connections[index + RDA_FETCH_ITEMS / 2].flows[side]);
	}
}

void rda_result_take_flows(struct rda_result *result, struct rda_engine *engine,
			   const struct rda_pairs *pairs, bool spent)
{
	struct rda_table *table = &engine->flows.table;
	bool *of_others = flows_of_others(table, pairs->seats);

	result->flow_count = table->count;
	result->flows = g_new(struct rda_flow_facts *, result->flow_count);
	for (uint32_t i = 0; i < pairs->count; i++) {
		const struct rda_flow *const *flows = pairs->connections[i].flows;

		fetch_flows(pairs, i);
		for (unsigned side = 0; side < 2; side++)
			if (flows[side])
				result->flows[flows[side]->index] =
					facts_of(engine, &pairs->connections[i], side);
		if (spent)
			free_flows(flows, table, of_others);
	}
	g_free(of_others);
}
