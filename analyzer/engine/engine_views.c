/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Views on what the checks learnt, of the finished engine.
 */
#include "analyzer/engine/state.h"

#include "analyzer/checks/keys/state.h"

struct rda_verdict rda_engine_place_of(const struct rda_engine *engine,
				       const struct rda_flow_key *key)
{
	const struct rda_table *flows = rda_engine_judge(engine)->whole.flows;
	const struct rda_flow *flow = rda_table_find(flows, key);
	struct rda_verdict verdict = {RDA_ICRC_NOT_CHECKABLE, -1, -1};

	if (flow) {
		verdict.connection = flow->connection;
		verdict.flow = flow->side;
	}
	return verdict;
}

const struct rda_finding *rda_engine_finding(const struct rda_engine *engine, unsigned index)
{
	return rda_engine_judge(engine)->findings.ranked[index];
}

unsigned rda_engine_finding_count(const struct rda_engine *engine)
{
	return rda_engine_judge(engine)->findings.ranked_count;
}

const struct rda_slow_message *rda_engine_slow_message(const struct rda_engine *engine,
						       unsigned index)
{
	return &engine->slowest.messages[index];
}

unsigned rda_engine_slow_message_count(const struct rda_engine *engine)
{
	return engine->slowest.count;
}

const struct rda_memory_key *rda_engine_key(const struct rda_engine *engine, unsigned index)
{
	return rda_engine_judge(engine)->keys->ledger.keys.items[index];
}

unsigned rda_engine_key_count(const struct rda_engine *engine)
{
	return rda_engine_judge(engine)->keys->ledger.keys.count;
}

struct rda_endpoint rda_engine_key_user(const struct rda_engine *engine,
					const struct rda_memory_key *key, unsigned index)
{
	const struct rda_flow *flow = rda_key_user(key, index);

	return rda_engine_connection(engine, (unsigned)flow->connection)->endpoints[flow->side];
}

const struct rda_cm_pair *rda_engine_conversation(const struct rda_engine *engine, unsigned index)
{
	return rda_cm_track_at(rda_engine_judge(engine)->whole.cm, index);
}

unsigned rda_engine_conversation_count(const struct rda_engine *engine)
{
	return rda_engine_judge(engine)->whole.cm->pairs.count;
}

uint64_t rda_engine_keys_not_kept(const struct rda_engine *engine)
{
	return rda_engine_judge(engine)->keys->ledger.not_kept;
}
