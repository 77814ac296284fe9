/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an engine takes, about. Of many flows some are measured, and stand for the others.
 */
#include "analyzer/engine/budget.h"

#include "analyzer/base/cold.h"
#include "analyzer/engine/result_state.h"
#include "analyzer/engine/retire.h"
#include "analyzer/engine/state.h"
#include "analyzer/track/congestion/slowing.h"
#include "analyzer/track/roce/footprint.h"

/* What table and malloc add to an item of a table. */
enum { ITEM = 48 };

/* What a frame adds at most: a flow that is new, with its account, hosts, groups and findings. */
enum { OF_FRAME = 8192 };

/* Flows that are measured of many. */
enum { MEASURED = 4096 };

/* What the families watch of a flow, with its account and without; durations are counted besides.
 */
enum { WATCHED = 1500, WATCHED_ONE_WAY = 300 };

/* A finding with its words, and its copy in the result. */
enum { OF_FINDING = 2 * (sizeof(struct rda_finding) + 200 + ITEM) };

/* An address, its counters, those of the result, and where its time went. */
enum {
	OF_HOST = 2 * sizeof(struct rda_host) + sizeof(struct rda_nic) +
		  sizeof(struct rda_flow_time) + ITEM + 16,
};

/* A connection of iWARP (docs/architecture.md). */
enum { OF_STREAM = 4096 };

static uint32_t share(uint64_t memory, unsigned part, uint64_t each, uint32_t most)
{
	return (uint32_t)MIN(memory / part / each, most);
}

void rda_budget_limits(struct rda_config *config)
{
	uint64_t memory = config->memory;

	if (!memory)
		return;
	if (!config->keys_cap)
		config->keys_cap = share(memory, 16, RDA_KEY_BYTES + sizeof(struct rda_key_facts),
					 RDA_KEYS_MAX);
	if (!config->key_events_cap)
		config->key_events_cap = memory / 4;
	if (!config->iwarp_cap)
		config->iwarp_cap = share(memory, 4, OF_STREAM, RDA_IWARP_CONNECTIONS_MAX);
	if (!config->held_cap)
		config->held_cap = share(memory, 8, 1, RDA_IWARP_HELD_MAX);
}

void rda_budget_begin(struct rda_engine *engine)
{
	uint64_t memory = engine->config.memory;

	if (!memory)
		return;
	rda_cm_track_limit(engine->cm, share(memory, 8,
					     sizeof(struct rda_cm_pair) +
						     sizeof(struct rda_conversation) + 4 * ITEM,
					     RDA_CM_PAIRS_MAX));
	engine->judge.findings.most = share(memory, 8, OF_FINDING, RDA_FINDINGS_KEPT);
}

/* ---- measured -------------------------------------------------------------------------------- */

uint64_t rda_budget_of_flow(const struct rda_flow *flow)
{
	uint64_t bytes = rda_footprint_flow(flow) + rda_key_track_bytes(flow->keys) + ITEM +
			 sizeof(struct rda_flow_facts) + sizeof(struct rda_connection_facts) +
			 sizeof(struct rda_connection) + sizeof(struct rda_flow_time);
	const struct rda_mark_log *log = rda_flow_rare(flow)->mark_log;

	if (flow->rare)
		bytes += sizeof(struct rda_flow_troubles) + ITEM;
	if (flow->steps) /* and the result's copy */
		bytes += 2 * (sizeof(*flow->steps) + ITEM +
			      flow->steps->allocated * sizeof(*flow->steps->list));
	if (log)
		bytes += 2 * (sizeof(*log) + ITEM + log->allocated * sizeof(*log->list));
	bytes += rda_slowing_bytes(flow->slowing);
	if (flow->account) /* of its messages' latencies the result's copy */
		bytes += WATCHED + rda_messages_bytes(rda_account_messages(flow));
	return bytes + WATCHED_ONE_WAY + rda_check_time_bytes(flow);
}

static uint64_t of_flows(const struct rda_table *flows)
{
	uint32_t step = flows->count / MEASURED + 1, measured = 0;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < flows->count; i += step, measured++)
		bytes += rda_budget_of_flow(flows->items[i]);
	return measured ? bytes / measured * flows->count : 0;
}

/* With the frames behind those that a finding lists, where all are kept; and the result's copy. */
static uint64_t of_findings(const struct rda_findings *findings)
{
	uint64_t bytes = (uint64_t)findings->table.count * OF_FINDING;

	for (uint32_t i = 0; findings->keep_all && i < findings->table.count; i++) {
		const struct rda_finding *finding = findings->table.items[i];

		bytes += ((uint64_t)finding->more_allocated + finding->more_count) *
			 sizeof(*finding->more);
	}
	return bytes;
}

uint64_t rda_budget_used(const struct rda_engine *engine)
{
	return of_flows(&engine->flows.table) + (uint64_t)engine->hosts.count * OF_HOST +
	       (uint64_t)engine->icrc.table.count * 3 * (sizeof(struct rda_icrc_source) + ITEM) +
	       rda_matcher_bytes(&engine->matcher) + rda_cm_track_bytes(engine->cm) +
	       rda_key_ledger_bytes(engine->key_ledger) +
	       (engine->key_log ? rda_key_log_bytes(engine->key_log) : 0) +
	       of_findings(&engine->judge.findings);
}

/* ---- looks ----------------------------------------------------------------------------------- */

RDA_APART void rda_budget_look(struct rda_engine *engine, uint64_t looks)
{
	uint64_t memory = engine->config.memory, limit = memory / 4 * 3, used;

	if (!memory || engine->budget.left > looks) {
		engine->budget.left -= MIN(engine->budget.left, looks);
		return;
	}
	used = rda_budget_used(engine);
	if (used > limit)
		used = rda_retire(engine, memory / 2);
	/* the least that may be added, where what cannot go takes much */
	used = MIN(used, limit);
	engine->budget.left = (memory - used) / 2 / OF_FRAME / RDA_BUDGET_FRAMES + 1;
}
