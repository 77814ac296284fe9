/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/finish.h"

#include "analyzer/engine/ending.h"
#include "analyzer/engine/result_state.h"

struct finished {
	struct rda_ending ending;
	struct rda_result *result;
};

/* By engine, of those that were finished. */
static GHashTable *all;

static void finished_free(void *item)
{
	struct finished *finished = item;

	rda_ending_cleanup(&finished->ending);
	rda_result_free(finished->result);
	g_free(finished);
}

static const struct finished *find(const struct rda_engine *engine)
{
	return all ? g_hash_table_lookup(all, engine) : NULL;
}

void rda_engine_finish(struct rda_engine *engine)
{
	struct finished *finished = g_new0(struct finished, 1);

	if (!all)
		all = g_hash_table_new_full(NULL, NULL, NULL, finished_free);
	rda_engine_end(engine);
	rda_ending_make(&finished->ending, engine);
	finished->result = rda_engine_result(engine);
	finished->result->judge.whole = finished->ending.judge.whole;
	g_hash_table_insert(all, engine, finished);
}

void rda_engine_drop(struct rda_engine *engine)
{
	if (all)
		g_hash_table_remove(all, engine);
	rda_engine_free(engine);
}

const struct rda_result *rda_engine_finished(const struct rda_engine *engine)
{
	return find(engine)->result;
}

const struct rda_capture *rda_engine_capture(const struct rda_engine *engine, unsigned index)
{
	return rda_result_capture(rda_engine_finished(engine), index);
}

unsigned rda_engine_capture_count(const struct rda_engine *engine)
{
	return rda_result_capture_count(rda_engine_finished(engine));
}

const struct rda_connection *rda_engine_connection(const struct rda_engine *engine, unsigned id)
{
	return &find(engine)->ending.pairs.connections[id];
}

unsigned rda_engine_connection_count(const struct rda_engine *engine)
{
	return find(engine)->ending.pairs.count;
}

unsigned rda_engine_groups_not_compared(const struct rda_engine *engine)
{
	return find(engine)->ending.pairs.groups_not_compared;
}

uint64_t rda_engine_flows_compared(const struct rda_engine *engine)
{
	return find(engine)->ending.pairs.compared;
}

const struct rda_host *rda_engine_host(const struct rda_engine *engine, unsigned index)
{
	return rda_result_host(rda_engine_finished(engine), index);
}

unsigned rda_engine_host_count(const struct rda_engine *engine)
{
	return rda_result_host_count(rda_engine_finished(engine));
}

const struct rda_finding *rda_engine_finding(const struct rda_engine *engine, unsigned index)
{
	return rda_result_finding(rda_engine_finished(engine), index);
}

unsigned rda_engine_finding_count(const struct rda_engine *engine)
{
	return rda_result_finding_count(rda_engine_finished(engine));
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
	return rda_key_ledger_at(engine->key_ledger, index);
}

unsigned rda_engine_key_count(const struct rda_engine *engine)
{
	return rda_result_key_count(rda_engine_finished(engine));
}

struct rda_endpoint rda_engine_key_user(const struct rda_engine *engine,
					const struct rda_memory_key *key, unsigned index)
{
	const struct rda_result *result = rda_engine_finished(engine);

	return *rda_result_key_user(result, rda_result_key(result, key->index), index);
}

uint64_t rda_engine_keys_not_kept(const struct rda_engine *engine)
{
	return rda_result_keys_not_kept(rda_engine_finished(engine));
}

struct rda_verdict rda_engine_verdict(const struct rda_engine *engine, unsigned capture,
				      const struct rda_meta *meta, const struct rda_frame *frame,
				      const struct rda_packet *packet)
{
	return rda_result_verdict(rda_engine_finished(engine), capture, meta, frame, packet);
}

struct rda_verdict rda_engine_place_of(const struct rda_engine *engine,
				       const struct rda_flow_key *key)
{
	return rda_result_place_of(rda_engine_finished(engine), key);
}

uint32_t rda_engine_connection_of(const struct rda_engine *engine, const struct rda_flow *flow)
{
	return find(engine)->ending.pairs.seats[flow->index].connection;
}

const struct rda_judge *rda_engine_judge(const struct rda_engine *engine)
{
	const struct finished *finished = find(engine);

	return finished ? &finished->result->judge : &engine->judge;
}
