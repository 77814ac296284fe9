/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as bytes. See result_pack.h. What is made anew of the merged ones (times of hosts, memory
 * keys, what is ranked) stays behind.
 */
#include "analyzer/engine/result_pack.h"

#include "analyzer/engine/result_state.h"
#include "analyzer/track/roce/icrc_source.h"

#include <glib.h>

#define PACK(pack, member) rda_pack_bytes((pack), &(member), sizeof(member))

static void pack_counts(struct rda_pack *pack, struct rda_result *r)
{
	PACK(pack, r->capture_count);
	PACK(pack, r->host_count);
	PACK(pack, r->connection_count);
	PACK(pack, r->flow_count);
	PACK(pack, r->conversation_count);
	PACK(pack, r->slowest);
	PACK(pack, r->slowest_count);
	PACK(pack, r->ulp_count);
	PACK(pack, r->slow_command_count);
	PACK(pack, r->ulps_not_followed);
	PACK(pack, r->keys_not_kept);
	PACK(pack, r->conversations_not_kept);
	PACK(pack, r->holds_not_kept);
	PACK(pack, r->keys_cap);
	PACK(pack, r->groups_not_compared);
	PACK(pack, r->retired);
}

static void pack_slowdown(struct rda_pack *pack, struct rda_slowdown *slowdown)
{
	rda_pack_block(pack, &slowdown->list, slowdown->kept, sizeof(*slowdown->list));
	rda_latency_pack(pack, &slowdown->half);
	rda_latency_pack(pack, &slowdown->back);
}

static void pack_latency(struct rda_pack *pack, struct rda_latency **latency)
{
	rda_pack_block(pack, latency, 1, sizeof(**latency));
	if (*latency)
		rda_latency_pack(pack, *latency);
}

static void pack_flow(struct rda_pack *pack, struct rda_flow_facts *flow)
{
	rda_pack_block(pack, &flow->time, 1, sizeof(*flow->time));
	rda_pack_block(pack, &flow->held, RDA_HELD_KINDS, sizeof(*flow->held));
	rda_pack_block(pack, &flow->steps, 1, sizeof(*flow->steps));
	if (flow->steps)
		rda_pack_block(pack, &flow->steps->list, flow->steps->count,
			       sizeof(*flow->steps->list));
	rda_pack_block(pack, &flow->mark_log, 1, sizeof(*flow->mark_log));
	if (flow->mark_log)
		rda_pack_block(pack, &flow->mark_log->list, flow->mark_log->count,
			       sizeof(*flow->mark_log->list));
	rda_pack_block(pack, &flow->slowdown, 1, sizeof(*flow->slowdown));
	if (flow->slowdown)
		pack_slowdown(pack, flow->slowdown);
	rda_pack_block(pack, &flow->troubles, 1, sizeof(*flow->troubles));
	rda_pack_block(pack, &flow->other_messages, RDA_MESSAGE_COUNT,
		       sizeof(*flow->other_messages));
	rda_pack_block(pack, &flow->latencies, 1, sizeof(*flow->latencies));
	if (!flow->latencies)
		return;
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		pack_latency(pack, &flow->latencies->kinds[i]);
	pack_latency(pack, &flow->latencies->first_response);
	rda_latency_pack(pack, &flow->latencies->acks);
}

static void pack_lists(struct rda_pack *pack, struct rda_result *r)
{
	rda_pack_block(pack, &r->captures, r->capture_count, sizeof(*r->captures));
	rda_pack_block(pack, &r->timed, r->capture_count, sizeof(*r->timed));
	rda_pack_block(pack, &r->hosts, r->host_count, sizeof(*r->hosts));
	rda_pack_block(pack, &r->connections, r->connection_count, sizeof(*r->connections));
	rda_pack_block(pack, &r->conversations, r->conversation_count, sizeof(*r->conversations));
	rda_pack_block(pack, &r->flows, r->flow_count, sizeof(*r->flows));
	for (uint32_t i = 0; i < r->connection_count; i++)
		rda_pack_literal(pack, &r->connections[i].application);
	for (uint32_t i = 0; i < r->flow_count; i++) {
		rda_pack_block(pack, &r->flows[i], 1, sizeof(*r->flows[i]));
		pack_flow(pack, r->flows[i]);
	}
	rda_pack_block(pack, &r->nics, r->host_count, sizeof(*r->nics));
	for (uint32_t i = 0; i < r->host_count; i++) {
		rda_latency_pack(pack, &r->nics[i].nak_sent);
		rda_latency_pack(pack, &r->nics[i].nak_obeyed);
	}
}

/* ---- upper layers ---------------------------------------------------------------------------- */

static void pack_operation(struct rda_pack *pack, struct rda_ulp_operation *operation)
{
	rda_pack_literal(pack, &operation->name);
	rda_latency_pack(pack, &operation->latency);
	rda_latency_pack(pack, &operation->before);
	rda_latency_pack(pack, &operation->data);
	rda_latency_pack(pack, &operation->after);
}

static void pack_ulp(struct rda_pack *pack, struct rda_ulp_facts *ulp)
{
	rda_pack_block(pack, &ulp->operations, ulp->operation_count, sizeof(*ulp->operations));
	for (uint32_t i = 0; i < ulp->operation_count; i++)
		pack_operation(pack, &ulp->operations[i]);
	rda_pack_block(pack, &ulp->statuses, ulp->status_count, sizeof(*ulp->statuses));
	for (uint32_t i = 0; i < ulp->status_count; i++) {
		rda_pack_literal(pack, &ulp->statuses[i].operation);
		rda_pack_literal(pack, &ulp->statuses[i].words);
	}
	rda_pack_block(pack, &ulp->ports, ulp->port_count, sizeof(*ulp->ports));
}

static void pack_ulps(struct rda_pack *pack, struct rda_result *r)
{
	rda_pack_block(pack, &r->ulps, r->ulp_count, sizeof(*r->ulps));
	for (uint32_t i = 0; i < r->ulp_count; i++)
		pack_ulp(pack, &r->ulps[i]);
	for (uint32_t i = 0; i < r->slow_command_count; i++) {
		PACK(pack, r->slow_commands[i]);
		rda_pack_literal(pack, &r->slow_commands[i].operation);
		rda_pack_literal(pack, &r->slow_commands[i].status_words);
	}
}

/* ---------------------------------------------------------------------------------------------- */

/* One that is written, or that is initialised and read. */
static void pack_all(struct rda_pack *pack, struct rda_result *r)
{
	pack_counts(pack, r);
	pack_lists(pack, r);
	pack_ulps(pack, r);
	rda_pack_table(pack, &r->icrc_ways, NULL);
	rda_key_log_pack(pack, &r->key_log);
	rda_judge_pack(pack, &r->judge);
}

void rda_result_pack(struct rda_pack *pack, const struct rda_result *result)
{
	pack_all(pack, (struct rda_result *)(void *)result); /* writing changes nothing */
}

struct rda_result *rda_result_unpack(struct rda_pack *pack)
{
	struct rda_result *result = g_new0(struct rda_result, 1);

	rda_judge_init(&result->judge, 0);
	rda_table_init(&result->icrc_ways, sizeof(struct rda_icrc_key),
		       sizeof(struct rda_icrc_source), 0);
	rda_table_init(&result->icrc_senders, sizeof(struct rda_icrc_key),
		       sizeof(struct rda_icrc_source), 0);
	pack_all(pack, result);
	return result;
}
