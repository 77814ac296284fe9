/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result, made of an engine's ending: what the engine would change or free later is copied, and
 * pointers become indices. What is asked of a result stands in result_views.c.
 */
#include "analyzer/engine/result_state.h"

#include "analyzer/base/address.h"
#include "analyzer/base/fetch.h"
#include "analyzer/checks/capture/clock.h"
#include "analyzer/checks/congestion/state.h"
#include "analyzer/engine/ending.h"
#include "analyzer/engine/result_flows.h"
#include "analyzer/engine/result_ulp.h"
#include "analyzer/facts/key_facts.h"
#include "analyzer/facts/nic.h"
#include "analyzer/facts/time_facts.h"
#include "analyzer/track/roce/footprint.h"
#include "analyzer/track/roce/icrc_source.h"

#include <stdlib.h>
#include <string.h>

static void take_hosts(struct rda_result *result, const struct rda_engine *engine)
{
	const struct rda_host **sorted = g_new(const struct rda_host *, engine->hosts.count);

	result->host_count = engine->hosts.count;
	result->sorted_hosts = g_new(uint32_t, engine->hosts.count);
	for (uint32_t i = 0; i < result->host_count; i++)
		sorted[i] = engine->hosts.items[i];
	if (result->host_count)
		qsort(sorted, result->host_count, sizeof(struct rda_host *), rda_host_compare);
	for (uint32_t i = 0; i < result->host_count; i++)
		result->sorted_hosts[i] = sorted[i]->index;
	g_free(sorted);
}

/* Which flows it has, as their seats tell: by now they may be freed. */
static void seat_flows(struct rda_result *result, const struct rda_seat *seats)
{
	for (uint32_t i = 0; i < result->flow_count; i++)
		result->connections[seats[i].connection].flows[seats[i].side] = (int32_t)i;
}

static void take_connections(struct rda_result *result, const struct rda_pairs *pairs)
{
	result->connection_count = pairs->count;
	result->groups_not_compared = pairs->groups_not_compared;
	result->connections = g_new(struct rda_connection_facts, pairs->count);
	for (uint32_t i = 0; i < pairs->count; i++) {
		const struct rda_connection *from = &pairs->connections[i];

		result->connections[i] = (struct rda_connection_facts){
			.id = from->id,
			.carrier = from->carrier,
			.service = from->service,
			.paired_by = from->paired_by,
			.seen = from->seen,
			.path_mtu = from->path_mtu,
			.endpoints = {from->endpoints[0], from->endpoints[1]},
			.flows = {-1, -1},
			.application = from->application,
		};
	}
	seat_flows(result, pairs->seats);
}

static void take_nics(struct rda_result *result, const struct rda_engine *engine)
{
	result->nics = g_new0(struct rda_nic, result->host_count);
	for (uint32_t i = 0; i < engine->flows.table.count; i++) {
		const struct rda_flow *flow = engine->flows.table.items[i];

		rda_nic_add_flow(&result->nics[flow->sender->index],
				 &result->nics[flow->receiver->index], flow);
	}
}

static void take_conversations(struct rda_result *result, const struct rda_engine *engine)
{
	const struct rda_cm_track *cm = engine->cm;

	result->conversation_count = rda_cm_track_count(cm);
	result->conversations_not_kept =
		rda_cm_track_not_kept(cm) + rda_exchanges_not_kept(engine->exchanges);
	result->conversations = g_new0(struct rda_conversation, rda_cm_track_count(cm));
	for (uint32_t i = 0; i < rda_cm_track_count(cm); i++) {
		const struct rda_cm_pair *pair = rda_cm_track_at(cm, i);
		struct rda_conversation *to = &result->conversations[i];

		to->said = *pair;
		to->said.earlier = NULL;
		to->has_active = pair->flows[RDA_CM_ACTIVE] != NULL || pair->retired;
		for (unsigned side = 0; side < 2; side++) {
			to->is_connected |= pair->retired ||
					    (pair->flows[side] && pair->flows[side]->pair == pair);
			to->said.flows[side] = NULL;
		}
	}
}

void rda_result_take_keys(struct rda_result *result, struct rda_key_ledger *ledger, bool spent)
{
	result->keys_not_kept = rda_key_ledger_not_kept(ledger);
	result->key_count = rda_key_ledger_count(ledger);
	result->keys = rda_key_facts_of(ledger, spent);
}

/* Where the last events of a flow are kept. */
struct key_end {
	struct rda_key_log *log;
	uint64_t first_place; /* of the flow */
};

static void keep_end(void *context, const struct rda_key_event *event)
{
	const struct key_end *end = context;

	rda_key_log_event(end->log, RDA_KEY_LOG_ENDED | end->first_place, event);
}

static uint64_t uses_of(const struct rda_result *result)
{
	uint64_t uses = result->keys_not_kept;

	for (uint32_t i = 0; i < result->key_count; i++)
		for (unsigned use = 0; use < RDA_KEY_USE_COUNT; use++)
			uses += result->keys[i].asked[use];
	return uses;
}

/* What was kept of the events of keys, and what is said of keys if no more packets come. */
static struct rda_key_log *key_log_of(const struct rda_engine *engine)
{
	struct key_end end;
	const struct rda_key_sink sink = {keep_end, &end};

	end.log = rda_key_log_copy(engine->key_log);
	for (uint32_t i = 0; i < engine->flows.table.count; i++) {
		const struct rda_flow *flow = engine->flows.table.items[i];

		end.first_place = flow->first_place;
		rda_key_track_end(flow, &sink);
	}
	return end.log;
}

static void take_slowest(struct rda_result *result, const struct rda_slowest *slowest,
			 const struct rda_seat *seats)
{
	result->slowest_count = slowest->count;
	for (uint32_t i = 0; i < slowest->count; i++) {
		const struct rda_slow_message *from = &slowest->messages[i];
		const struct rda_seat *seat = &seats[from->flow->index];

		result->slowest[i] =
			(struct rda_slow_facts){from->exchange, seat->connection, seat->side};
	}
}

static void take_icrc(struct rda_result *result, const struct rda_table *ways)
{
	rda_table_init(&result->icrc_ways, sizeof(struct rda_icrc_key),
		       sizeof(struct rda_icrc_source), ways->seed);
	rda_icrc_join(&result->icrc_ways, ways);
}

static void take_judgement(struct rda_result *result, struct rda_judge *ending)
{
	const struct rda_moved nothing = {0};

	rda_judge_init(&result->judge, ending->findings.table.seed);
	rda_findings_cleanup(&result->judge.findings);
	result->judge.findings = ending->findings; /* with all that it owns */
	rda_judge_join(&result->judge, ending, &nothing);
}

/* Failed ICRCs count as bad or absent for their captures, as their senders are judged. */
static void settle_icrc(const struct rda_table *ways, const struct rda_table *senders,
			struct rda_capture *captures, struct rda_host *hosts,
			const uint32_t *sorted, uint32_t host_count)
{
	for (uint32_t i = 0; i < ways->count; i++) {
		const struct rda_icrc_source *way = ways->items[i];
		struct rda_capture *capture = &captures[way->key.capture];
		struct rda_host *receiver =
			rda_host_find(hosts, sorted, host_count, &way->key.receiver);
		enum rda_icrc_verdict verdict = rda_icrc_judge(rda_icrc_sender(senders, &way->key),
							       RDA_ICRC_CHECK_MISMATCH);
		uint64_t once = way->damaged; /* the receiver got a copy once */

		capture->icrc[verdict] += way->mismatched + way->mismatched_copies;
		capture->icrc[RDA_ICRC_BAD] += way->damaged;
		if (verdict == RDA_ICRC_BAD)
			once += way->mismatched;
		if (receiver)
			receiver->icrc_errors_received += once;
	}
}

/* What of a flow that comes up is looked at. */
static void fetch_time(const struct rda_result *result, uint32_t i)
{
	rda_fetch_item(result->flows, i, result->flow_count, 0);
	rda_fetch_item(result->flows, i, result->flow_count,
		       offsetof(struct rda_flow_facts, request_packets));
	rda_fetch_item(result->flows, i, result->flow_count, offsetof(struct rda_flow_facts, time));
	if (result->flow_count - i > RDA_FETCH_ITEMS / 2)
		rda_fetch_lines(result->flows[i + RDA_FETCH_ITEMS / 2]->time, 3);
}

void rda_result_sum_times(struct rda_result *result)
{
	const struct rda_host *latest[2] = {NULL, NULL}; /* flows come by pairs of hosts */

	g_free(result->host_times);
	g_free(result->capture_times);
	result->host_times = g_new0(struct rda_flow_time, result->host_count);
	result->capture_times = g_new0(struct rda_flow_time, result->capture_count);
	for (uint32_t i = 0; i < result->flow_count; i++) {
		const struct rda_flow_facts *flow = result->flows[i];
		const struct rda_host *host;

		fetch_time(result, i);
		if (!flow->request_packets || !flow->time)
			continue;
		host = latest[i % 2];
		if (!host || rda_address_compare(&host->address, &flow->key.source) != 0)
			host = latest[i % 2] = rda_host_find(result->hosts, result->sorted_hosts,
							     result->host_count, &flow->key.source);
		if (host)
			rda_time_facts_add(&result->host_times[host->index], flow->time);
		rda_time_facts_add(&result->capture_times[rda_place_capture(flow->first_place)],
				   flow->time);
	}
}

static bool is_at_the_time(const struct rda_result *result,
			   const struct rda_connection_facts *connection,
			   const struct rda_capture *capture)
{
	struct rda_connection_times times = rda_result_connection_times(result, connection);

	return capture->packets && times.first_ns <= capture->last_time_ns &&
	       times.last_ns >= capture->first_time_ns;
}

/* What the capturing program dropped may be of any connection that is in its capture. */
static void note_drops(struct rda_result *result)
{
	for (uint32_t i = 0; i < result->capture_count; i++)
		for (uint32_t k = 0; result->captures[i].dropped && k < result->connection_count;
		     k++)
			if (is_at_the_time(result, &result->connections[k], &result->captures[i]))
				result->connections[k].seen &= (uint8_t)~RDA_SEEN_UNBROKEN;
}

static void take_stamps(struct rda_result *result)
{
	result->stamps = g_new(struct rda_stamps, result->capture_count + 1);
	for (uint32_t i = 0; i < result->capture_count; i++)
		result->stamps[i] = rda_capture_stamps(&result->judge, i);
}

/* Made up time stamps tell nothing of any connection that is in their capture. */
static void note_made_up(struct rda_result *result)
{
	for (uint32_t i = 0; i < result->capture_count; i++)
		for (uint32_t k = 0; result->stamps[i].made_up && k < result->connection_count; k++)
			if (is_at_the_time(result, &result->connections[k], &result->captures[i]))
				result->connections[k].seen &= (uint8_t)~RDA_SEEN_TIMES;
}

static void take_quality(struct rda_result *result)
{
	const struct rda_quality_sources of = {
		.captures = result->captures,
		.stamps = result->stamps,
		.connections = result->connections,
		.flows = result->flows,
		.capture_count = result->capture_count,
		.connection_count = result->connection_count,
	};

	rda_quality_of(&result->quality, &of);
}

static void take_ways(struct rda_result *result)
{
	rda_ways_of(&result->ways, result->flows, result->flow_count, result->connections);
}

static void take_collectives(struct rda_result *result)
{
	rda_collectives_of(&result->collectives, result->flows, result->flow_count,
			   result->connections);
}

static void take_pausings(struct rda_result *result)
{
	result->pausings =
		rda_pauses_list(&result->judge, result->captures, &result->pausing_count);
}

static void take_congestion(struct rda_result *result)
{
	rda_congestion_facts_of(&result->congestion, result->flows, result->flow_count);
}

void rda_result_settle(struct rda_result *result)
{
	const struct rda_overall overall = {
		.ways = &result->ways,
		.collectives = &result->collectives,
		.congestion = &result->congestion,
		.captures = result->captures,
		.hosts = result->hosts,
		.sorted_hosts = result->sorted_hosts,
		.flows = result->flows,
		.connections = result->connections,
		.conversations = result->conversations,
		.capture_count = result->capture_count,
		.host_count = result->host_count,
		.flow_count = result->flow_count,
		.connection_count = result->connection_count,
		.conversation_count = result->conversation_count,
		.icrc_senders = &result->icrc_senders,
	};

	take_ways(result);
	take_collectives(result);
	take_congestion(result);
	take_pausings(result);
	note_drops(result);
	take_stamps(result);
	note_made_up(result);
	rda_icrc_senders(&result->icrc_senders, &result->icrc_ways);
	settle_icrc(&result->icrc_ways, &result->icrc_senders, result->captures, result->hosts,
		    result->sorted_hosts, result->host_count);
	rda_judge_overall(&result->judge, &overall);
	rda_result_sum_times(result);
	take_quality(result);
}

void rda_result_settle_joined(struct rda_result *result)
{
	rda_icrc_senders(&result->icrc_senders, &result->icrc_ways);
	rda_findings_rank(&result->judge.findings);
	rda_result_sum_times(result);
	take_ways(result);
	take_collectives(result);
	take_congestion(result);
	take_quality(result);
}

/* `spent`: no more is asked of the engine than to be freed. */
static struct rda_result *result_of(struct rda_engine *engine, bool spent)
{
	struct rda_result *result = g_new0(struct rda_result, 1);
	struct rda_ending ending;

	rda_ending_make(&ending, engine);
	take_hosts(result, engine);
	take_nics(result, engine);
	take_conversations(result, engine);
	take_slowest(result, &engine->slowest, ending.pairs.seats);
	rda_result_take_ulps(result, engine, &ending);
	if (engine->key_log)
		result->key_log = key_log_of(engine);
	rda_result_take_flows(result, engine, &ending.pairs, spent);
	take_connections(result, &ending.pairs); /* where flows were */
	rda_pairs_cleanup(&ending.pairs);
	rda_result_take_keys(result, engine->key_ledger, spent);
	if (!result->key_log)
		result->key_log = rda_key_log_of_nothing(uses_of(result));
	result->keys_cap = engine->config.keys_cap;
	result->retired = engine->retired;
	result->holds_not_kept = rda_holds_not_kept(engine->holds);
	take_icrc(result, &engine->icrc.table);
	result->capture_count = engine->captures->len;
	result->captures = g_steal_pointer(&ending.captures);
	result->timed = g_steal_pointer(&ending.timed);
	result->hosts = g_steal_pointer(&ending.hosts);
	take_judgement(result, &ending.judge);
	if (spent)
		rda_engine_free(engine);
	rda_result_settle(result);
	return result;
}

struct rda_result *rda_engine_result(const struct rda_engine *engine)
{
	return result_of((struct rda_engine *)(void *)engine, false); /* nothing changes */
}

/* What of flows only packets ask. */
static void spend_flows(struct rda_flows *flows)
{
	const struct rda_table *table = &flows->table;

	rda_flows_spend(flows);
	for (uint32_t i = 0; i < table->count; i++) {
		const struct rda_flow *flow = table->items[i];

		rda_fetch_item(table->items, i, table->count, offsetof(struct rda_flow, account));
		rda_footprint_spend(flow->account);
	}
}

struct rda_result *rda_engine_spend(struct rda_engine *engine)
{
	/* what only packets ask */
	rda_matcher_cleanup(&engine->matcher);
	rda_matcher_init(&engine->matcher, 0);
	rda_copies_free(g_steal_pointer(&engine->copies));
	spend_flows(&engine->flows);
	return result_of(engine, true);
}

void rda_result_free(struct rda_result *result)
{
	if (!result)
		return;
	for (uint32_t i = 0; i < result->flow_count; i++)
		rda_flow_facts_free(result->flows[i]);
	rda_key_facts_free(result->keys, result->key_count);
	rda_key_log_free(result->key_log);
	rda_result_free_ulps(result);
	rda_judge_cleanup(&result->judge, NULL);
	rda_table_cleanup(&result->icrc_ways, NULL);
	rda_table_cleanup(&result->icrc_senders, NULL);
	g_free(result->captures);
	g_free(result->timed);
	g_free(result->stamps);
	rda_ways_cleanup(&result->ways);
	rda_collectives_cleanup(&result->collectives);
	rda_congestion_facts_cleanup(&result->congestion);
	g_free(result->pausings);
	for (uint32_t i = 0; i < result->host_count; i++)
		rda_nic_cleanup(&result->nics[i]);
	g_free(result->nics);
	g_free(result->host_times);
	g_free(result->capture_times);
	g_free(result->hosts);
	g_free(result->connections);
	g_free(result->flows);
	g_free(result->conversations);
	g_free(result->sorted_hosts);
	g_free(result->scopes);
	g_free(result->by_key);
	g_free(result);
}
