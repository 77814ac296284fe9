/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of a result. See result.h.
 */
#include "analyzer/engine/result_state.h"

#include "analyzer/track/flow.h"
#include "analyzer/track/roce/icrc_source.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

unsigned rda_result_capture_count(const struct rda_result *result)
{
	return result->capture_count;
}

const struct rda_capture *rda_result_capture(const struct rda_result *result, unsigned index)
{
	return &result->captures[index];
}

unsigned rda_result_host_count(const struct rda_result *result)
{
	return result->host_count;
}

const struct rda_host *rda_result_host(const struct rda_result *result, unsigned index)
{
	return &result->hosts[result->sorted_hosts[index]];
}

const struct rda_host *rda_result_host_of_index(const struct rda_result *result, uint32_t index)
{
	return &result->hosts[index];
}

const struct rda_flow_time *rda_result_host_time(const struct rda_result *result, uint32_t host)
{
	return &result->host_times[host];
}

const struct rda_flow_time *rda_result_capture_time(const struct rda_result *result,
						    unsigned capture)
{
	return &result->capture_times[capture];
}

const struct rda_nic *rda_result_nic(const struct rda_result *result, uint32_t host)
{
	return &result->nics[host];
}

unsigned rda_result_connection_count(const struct rda_result *result)
{
	return result->connection_count;
}

const struct rda_connection_facts *rda_result_connection(const struct rda_result *result,
							 unsigned id)
{
	return &result->connections[id];
}

const struct rda_flow_facts *rda_result_flow(const struct rda_result *result,
					     const struct rda_connection_facts *connection,
					     unsigned side)
{
	return connection->flows[side] < 0 ? NULL : &result->flows[connection->flows[side]];
}

unsigned rda_result_groups_not_compared(const struct rda_result *result)
{
	return result->groups_not_compared;
}

unsigned rda_result_finding_count(const struct rda_result *result)
{
	return result->judge.findings.ranked_count;
}

const struct rda_finding *rda_result_finding(const struct rda_result *result, unsigned index)
{
	return result->judge.findings.ranked[index];
}

uint64_t rda_result_findings_not_kept(const struct rda_result *result)
{
	return result->judge.findings.not_told;
}

uint64_t rda_result_withheld(const struct rda_result *result, enum rda_check check)
{
	return result->judge.withheld[check];
}

uint64_t rda_result_lowered(const struct rda_result *result, enum rda_check check)
{
	return result->judge.lowered[check];
}

unsigned rda_result_slow_message_count(const struct rda_result *result)
{
	return result->slowest_count;
}

const struct rda_slow_facts *rda_result_slow_message(const struct rda_result *result,
						     unsigned index)
{
	return &result->slowest[index];
}

unsigned rda_result_key_count(const struct rda_result *result)
{
	return result->key_count;
}

const struct rda_key_facts *rda_result_key(const struct rda_result *result, unsigned index)
{
	return &result->keys[index];
}

const struct rda_endpoint *rda_result_key_user(const struct rda_result *result,
					       const struct rda_key_facts *key, unsigned index)
{
	const struct rda_flow_facts *flow = &result->flows[key->users[index]];

	return &result->connections[flow->connection].endpoints[flow->side];
}

uint32_t rda_result_key_connection(const struct rda_result *result, const struct rda_key_facts *key,
				   unsigned index)
{
	return result->flows[key->users[index]].connection;
}

uint64_t rda_result_keys_not_kept(const struct rda_result *result)
{
	return result->keys_not_kept;
}

unsigned rda_result_conversation_count(const struct rda_result *result)
{
	return result->conversation_count;
}

const struct rda_conversation *rda_result_conversation(const struct rda_result *result,
						       unsigned index)
{
	return &result->conversations[index];
}

/* ---- flows by their keys --------------------------------------------------------------------- */

/* By all of the key but the life. */
static int compare_keys(const struct rda_flow_key *a, const struct rda_flow_key *b)
{
	return memcmp(a, b, offsetof(struct rda_flow_key, life));
}

static gint compare_flows(gconstpointer a, gconstpointer b, gpointer result)
{
	const struct rda_flow_facts *flows = ((const struct rda_result *)result)->flows;
	const struct rda_flow_key *one = &flows[*(const uint32_t *)a].key;
	const struct rda_flow_key *two = &flows[*(const uint32_t *)b].key;
	int order = compare_keys(one, two);

	return order ? order : (one->life > two->life) - (one->life < two->life);
}

static void make_index(struct rda_result *result)
{
	result->by_key = g_new(uint32_t, result->flow_count + 1);
	for (uint32_t i = 0; i < result->flow_count; i++)
		result->by_key[i] = i;
	g_qsort_with_data(result->by_key, (gint)result->flow_count, sizeof(*result->by_key),
			  compare_flows, result);
}

/*
 * The flow of a key that had begun at `place` and whose life is not above `life`; of those the last
 * one, or else the first. NULL: there is none.
 */
static const struct rda_flow_facts *find(const struct rda_result *result,
					 const struct rda_flow_key *key, uint32_t life,
					 uint64_t place)
{
	const struct rda_flow_facts *flows = result->flows;
	uint32_t low = 0, high = result->flow_count, begin;

	if (!result->by_key)
		make_index((struct rda_result *)(void *)result); /* nothing that shows changes */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_keys(&flows[result->by_key[middle]].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	begin = low;
	for (high = result->flow_count; low < high;) {
		uint32_t middle = low + (high - low) / 2;
		const struct rda_flow_facts *flow = &flows[result->by_key[middle]];

		if (compare_keys(&flow->key, key) == 0 && flow->key.life <= life &&
		    flow->first_place <= place)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > begin)
		low--;
	if (low == result->flow_count || compare_keys(&flows[result->by_key[low]].key, key) != 0)
		return NULL;
	return &flows[result->by_key[low]];
}

static struct rda_verdict verdict_of(const struct rda_flow_facts *flow, uint8_t icrc)
{
	if (!flow)
		return (struct rda_verdict){icrc, -1, -1};
	return (struct rda_verdict){icrc, (int32_t)flow->connection, (int8_t)flow->side};
}

struct rda_verdict rda_result_place_of(const struct rda_result *result,
				       const struct rda_flow_key *key)
{
	return verdict_of(find(result, key, key->life, UINT64_MAX), RDA_ICRC_NOT_CHECKABLE);
}

struct rda_verdict rda_result_verdict(const struct rda_result *result, unsigned capture,
				      const struct rda_meta *meta, const struct rda_frame *frame,
				      const struct rda_packet *packet)
{
	struct rda_flow_key flow_key;
	struct rda_icrc_key key;
	uint8_t icrc;

	if (packet->carrier == RDA_CARRIER_NONE || !rda_has(packet, BTH))
		return verdict_of(NULL, RDA_ICRC_NOT_CHECKABLE);
	rda_icrc_key_of(&key, capture, meta, packet);
	icrc = (uint8_t)rda_icrc_judge(rda_icrc_sender(&result->icrc_senders, &key),
				       rda_icrc_check(frame, packet));
	rda_flow_key_of(&flow_key, meta, packet);
	return verdict_of(find(result, &flow_key, UINT32_MAX, rda_place_id(capture, meta->number)),
			  icrc);
}
