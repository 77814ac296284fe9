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

const struct rda_host *rda_result_find_host(const struct rda_result *result,
					    const struct rda_address *address)
{
	return rda_host_find(result->hosts, result->sorted_hosts, result->host_count, address);
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
	return connection->flows[side] < 0 ? NULL : result->flows[connection->flows[side]];
}

struct rda_connection_times rda_result_connection_times(
	const struct rda_result *result, const struct rda_connection_facts *connection)
{
	struct rda_connection_times times = {INT64_MAX, INT64_MIN};

	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);

		if (!flow)
			continue;
		times.first_ns = MIN(times.first_ns, flow->first_time_ns);
		times.last_ns = MAX(times.last_ns, flow->last_time_ns);
	}
	return times;
}

const struct rda_retired *rda_result_retired(const struct rda_result *result)
{
	return &result->retired;
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

/* It would be told as proven, if the check were told. */
static bool is_proven(const struct rda_result *result, const struct rda_finding *finding)
{
	uint8_t needs = rda_check_row(finding->key.check)->needs;

	return finding->key.proof == RDA_PROOF_PROVEN && !finding->lowered &&
	       finding->connection >= 0 &&
	       !(needs & ~(unsigned)result->connections[finding->connection].seen);
}

static uint64_t number_of(const struct rda_finding *finding, const char *name)
{
	const struct rda_argument *number =
		finding ? rda_finding_find_argument(finding, name) : NULL;

	return number ? (uint64_t)number->number : 0;
}

struct rda_lost_before rda_result_lost_before(const struct rda_result *result, uint32_t flow)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, flow};
	struct rda_lost_before lost = {0};

	for (int proof = 0; proof < RDA_PROOF_COUNT; proof++) {
		const struct rda_finding *finding = rda_finding_find_as(
			&result->judge.findings, RDA_CHECK_S01,
			rda_check_row(RDA_CHECK_S01)->severity, (enum rda_proof)proof, subject);

		lost.all += number_of(finding, "lost") + number_of(finding, "missing") +
			    number_of(finding, "at_end");
		if (finding && is_proven(result, finding))
			lost.proven = number_of(finding, "lost");
	}
	return lost;
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
	const struct rda_flow_facts *flow = result->flows[key->users[index]];

	return &result->connections[flow->connection].endpoints[flow->side];
}

uint32_t rda_result_key_connection(const struct rda_result *result, const struct rda_key_facts *key,
				   unsigned index)
{
	return result->flows[key->users[index]]->connection;
}

uint64_t rda_result_keys_not_kept(const struct rda_result *result)
{
	return result->keys_not_kept;
}

unsigned rda_result_conversation_count(const struct rda_result *result)
{
	return result->conversation_count;
}

uint64_t rda_result_conversations_not_kept(const struct rda_result *result)
{
	return result->conversations_not_kept;
}

const struct rda_conversation *rda_result_conversation(const struct rda_result *result,
						       unsigned index)
{
	return &result->conversations[index];
}

const struct rda_flow_facts *rda_result_flow_at(const struct rda_result *result, uint32_t index)
{
	return result->flows[index];
}

uint32_t rda_result_flow_count(const struct rda_result *result)
{
	return result->flow_count;
}

unsigned rda_result_collective_count(const struct rda_result *result)
{
	return result->collectives.count;
}

const struct rda_collective *rda_result_collective(const struct rda_result *result, unsigned index)
{
	return &result->collectives.list[index];
}

unsigned rda_result_held_count(const struct rda_result *result)
{
	return result->congestion.held.count;
}

const struct rda_held_host *rda_result_held(const struct rda_result *result, unsigned index)
{
	return &result->congestion.held.list[index];
}

const struct rda_held_host *rda_result_held_by(const struct rda_result *result,
					       const struct rda_pausing *pausing, uint32_t *others)
{
	return rda_held_hosts_by(&result->congestion.held, pausing->sender, pausing->capture,
				 pausing->priority, others);
}

uint64_t rda_result_holds_not_kept(const struct rda_result *result)
{
	return result->holds_not_kept;
}

unsigned rda_result_pausing_count(const struct rda_result *result)
{
	return result->pausing_count;
}

const struct rda_pausing *rda_result_pausing(const struct rda_result *result, unsigned index)
{
	return &result->pausings[index];
}

unsigned rda_result_pacing_count(const struct rda_result *result)
{
	return result->congestion.pacings.count;
}

const struct rda_pacing *rda_result_pacing(const struct rda_result *result, unsigned index)
{
	return &result->congestion.pacings.list[index];
}

unsigned rda_result_slowdown_count(const struct rda_result *result)
{
	return result->congestion.slowed_count;
}

const struct rda_flow_facts *rda_result_slowdown(const struct rda_result *result, unsigned index)
{
	return result->flows[result->congestion.slowed[index]];
}

unsigned rda_result_way_count(const struct rda_result *result)
{
	return result->ways.count;
}

const struct rda_way *rda_result_way(const struct rda_result *result, unsigned index)
{
	return &result->ways.ways[index];
}

const struct rda_quality *rda_result_quality(const struct rda_result *result)
{
	return &result->quality;
}

bool rda_result_is_one_series(const struct rda_result *result)
{
	for (uint32_t i = 1; i < result->capture_count; i++)
		if (!result->captures[i].continues)
			return false;
	return true;
}

/* ---- flows by their keys --------------------------------------------------------------------- */

/* By all of the key but the life. */
static int compare_keys(const struct rda_flow_key *a, const struct rda_flow_key *b)
{
	return memcmp(a, b, offsetof(struct rda_flow_key, life));
}

/* The captures that one engine read, of several that are joined. */
static uint32_t scope_of(const struct rda_result *result, uint64_t place)
{
	return result->scopes ? result->scopes[rda_place_capture(place)] : 0;
}

static int compare_to(const struct rda_result *result, const struct rda_flow_facts *flow,
		      const struct rda_flow_key *key, uint32_t scope)
{
	uint32_t own = scope_of(result, flow->first_place);
	int order = compare_keys(&flow->key, key);

	return order ? order : (own > scope) - (own < scope);
}

static gint compare_flows(gconstpointer a, gconstpointer b, gpointer result)
{
	struct rda_flow_facts *const *flows = ((const struct rda_result *)result)->flows;
	const struct rda_flow_facts *one = flows[*(const uint32_t *)a];
	const struct rda_flow_facts *two = flows[*(const uint32_t *)b];
	int order = compare_to(result, one, &two->key, scope_of(result, two->first_place));

	return order ? order : (one->key.life > two->key.life) - (one->key.life < two->key.life);
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
 * The flow of a key in a scope that had begun at `place` and whose life is not above `life`; of
 * those the last one, or else the first. NULL: there is none.
 */
static const struct rda_flow_facts *find(const struct rda_result *result,
					 const struct rda_flow_key *key, uint32_t scope,
					 uint32_t life, uint64_t place)
{
	struct rda_flow_facts *const *flows = result->flows;
	uint32_t low = 0, high = result->flow_count, begin;

	if (!result->by_key)
		make_index((struct rda_result *)(void *)result); /* nothing that shows changes */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_to(result, flows[result->by_key[middle]], key, scope) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	begin = low;
	for (high = result->flow_count; low < high;) {
		uint32_t middle = low + (high - low) / 2;
		const struct rda_flow_facts *flow = flows[result->by_key[middle]];

		if (compare_to(result, flow, key, scope) == 0 && flow->key.life <= life &&
		    flow->first_place <= place)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > begin)
		low--;
	if (low == result->flow_count ||
	    compare_to(result, flows[result->by_key[low]], key, scope) != 0)
		return NULL;
	return flows[result->by_key[low]];
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
	return verdict_of(find(result, key, 0, key->life, UINT64_MAX), RDA_ICRC_NOT_CHECKABLE);
}

struct rda_verdict rda_result_place_in(const struct rda_result *result, uint32_t capture,
				       const struct rda_flow_key *key)
{
	uint32_t scope = scope_of(result, rda_place_id(capture, 0));

	return verdict_of(find(result, key, scope, key->life, UINT64_MAX), RDA_ICRC_NOT_CHECKABLE);
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
	return verdict_of(find(result, &flow_key, scope_of(result, rda_place_id(capture, 0)),
			       UINT32_MAX, rda_place_id(capture, meta->number)),
			  icrc);
}
