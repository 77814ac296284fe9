/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader asks a report for. See choice.h.
 */
#include "analyzer/report/choice.h"

#include "analyzer/base/fetch.h"
#include "analyzer/facts/flow_facts.h"

#include <string.h>

bool rda_choice_is_part(const struct rda_choice *choice)
{
	return choice->has_connection || choice->host || choice->code;
}

static bool is_address(const struct rda_address *address, const char *text)
{
	char name[RDA_ADDRESS_TEXT];

	return g_ascii_strcasecmp(rda_address_text(name, address), text) == 0;
}

static bool is_between(const struct rda_connection_facts *connection, const char *host)
{
	return is_address(&connection->endpoints[0].address, host) ||
	       is_address(&connection->endpoints[1].address, host);
}

static bool is_check(const struct rda_finding *finding, const char *code)
{
	return strcmp(rda_check_row(finding->key.check)->code, code) == 0;
}

bool rda_choice_has_connection(const struct rda_choice *choice, const struct rda_result *result,
			       uint32_t connection)
{
	if (choice->has_connection && choice->connection != connection)
		return false;
	return !choice->host || is_between(rda_result_connection(result, connection), choice->host);
}

/* What of the flows of a connection that comes up is summed up. */
static void fetch_flows(const struct rda_result *result, uint32_t index)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow =
			rda_result_connection_count(result) - index > RDA_FETCH_ITEMS
				? rda_result_flow(
					  result,
					  rda_result_connection(result, index + RDA_FETCH_ITEMS),
					  side)
				: NULL;

		if (!flow)
			continue;
		rda_fetch(&flow->payload_bytes);
		rda_fetch(&flow->latencies);
	}
}

void rda_choice_each_flow(const struct rda_choice *choice, const struct rda_result *result,
			  rda_choice_take_flow *take, void *context)
{
	for (uint32_t i = 0; i < rda_result_connection_count(result); i++) {
		const struct rda_connection_facts *connection = rda_result_connection(result, i);

		fetch_flows(result, i);
		if (!rda_choice_has_connection(choice, result, i))
			continue;
		for (unsigned side = 0; side < 2; side++) {
			const struct rda_flow_facts *flow =
				rda_result_flow(result, connection, side);

			if (flow)
				take(context, connection, side, flow);
		}
	}
}

bool rda_choice_has_finding(const struct rda_choice *choice, const struct rda_result *result,
			    const struct rda_finding *finding)
{
	if (choice->code && !is_check(finding, choice->code))
		return false;
	if (finding->connection >= 0)
		return rda_choice_has_connection(choice, result, (uint32_t)finding->connection);
	if (choice->has_connection)
		return false;
	return !choice->host ||
	       (finding->key.subject.kind == RDA_SUBJECT_HOST &&
		is_address(&rda_result_host_of_index(result, finding->key.subject.index)->address,
			   choice->host));
}

bool rda_choice_has_packet(const struct rda_choice *choice, int32_t connection,
			   const struct rda_address *source, const struct rda_address *destination,
			   const char *const *codes, unsigned code_count)
{
	bool coded = !choice->code;

	for (unsigned i = 0; i < code_count; i++)
		coded |= choice->code && strcmp(codes[i], choice->code) == 0;
	if (choice->has_connection && connection != (int64_t)choice->connection)
		return false;
	return coded && (!choice->host || is_address(source, choice->host) ||
			 is_address(destination, choice->host));
}

char *rda_choice_why_not(const struct rda_choice *choice, const struct rda_result *result,
			 const char **option)
{
	unsigned count = rda_result_connection_count(result);
	bool found = !choice->host;

	*option = "--connection";
	if (choice->has_connection && choice->connection >= count)
		return count ? g_strdup_printf("there are 0 to %u", count - 1)
			     : g_strdup("there are none");
	*option = "--host";
	for (unsigned i = 0; i < rda_result_host_count(result) && !found; i++)
		found = is_address(&rda_result_host(result, i)->address, choice->host);
	return found ? NULL : g_strdup_printf("no RDMA host here is called %s", choice->host);
}

uint32_t *rda_choice_problems(const struct rda_result *result)
{
	unsigned count = rda_result_connection_count(result);
	uint32_t *problems = g_new(uint32_t, count + 1);

	for (unsigned i = 0; i < count; i++)
		problems[i] = RDA_CHOICE_HEALTHY;
	for (uint32_t i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (finding->connection >= 0 && finding->severity > RDA_SEVERITY_NOTE &&
		    problems[finding->connection] == RDA_CHOICE_HEALTHY)
			problems[finding->connection] = i;
	}
	return problems;
}

/* ---- order ----------------------------------------------------------------------------------- */

static uint64_t of_flow(const struct rda_flow_facts *flow, enum rda_sort sort)
{
	struct rda_latency latency;
	uint64_t longest;

	switch (sort) {
	case RDA_SORT_STALLED: return (uint64_t)rda_flow_stalled_ns(flow);
	case RDA_SORT_RESENT: return flow->requests[RDA_REQUEST_RESENT];
	case RDA_SORT_LOST:
		return rda_flow_troubles(flow)->lost_before + rda_flow_troubles(flow)->lost_after;
	case RDA_SORT_PACKETS: return flow->packets + rda_flow_troubles(flow)->copies.packets;
	case RDA_SORT_BYTES:
	case RDA_SORT_WORST: return flow->payload_bytes;
	case RDA_SORT_LATENCY: break;
	case RDA_SORT_ID: return 0;
	}
	latency = rda_flow_message_latency(flow);
	longest = (uint64_t)rda_latency_percentile(&latency, 99);
	rda_latency_cleanup(&latency);
	return longest;
}

struct weight {
	uint32_t problem, id;
	uint64_t most;
};

static int heavier_first(const void *a, const void *b)
{
	const struct weight *x = a, *y = b;

	if (x->problem != y->problem)
		return x->problem < y->problem ? -1 : 1;
	if (x->most != y->most)
		return x->most > y->most ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static struct weight weigh(const struct rda_choice *choice, const struct rda_result *result,
			   const uint32_t *problems, uint32_t id)
{
	const struct rda_connection_facts *connection = rda_result_connection(result, id);
	struct weight weight = {.id = id};

	if (choice->sort == RDA_SORT_WORST)
		weight.problem = problems[id];
	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);
		uint64_t more = flow ? of_flow(flow, (enum rda_sort)choice->sort) : 0;

		weight.most = choice->sort == RDA_SORT_LATENCY ? MAX(weight.most, more)
							       : weight.most + more;
	}
	return weight;
}

/* Those that findings of the chosen check are about; NULL: no check was chosen. g_free it. */
static bool *named_of(const struct rda_choice *choice, const struct rda_result *result)
{
	bool *named;

	if (!choice->code)
		return NULL;
	named = g_new0(bool, rda_result_connection_count(result) + 1);
	for (uint32_t i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (finding->connection >= 0 && is_check(finding, choice->code))
			named[finding->connection] = true;
	}
	return named;
}

GArray *rda_choice_connections(const struct rda_choice *choice, const struct rda_result *result,
			       const uint32_t *problems)
{
	GArray *weights = g_array_new(FALSE, FALSE, sizeof(struct weight));
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	bool *named = named_of(choice, result);

	for (uint32_t i = 0; i < rda_result_connection_count(result); i++) {
		fetch_flows(result, i);
		if (rda_choice_has_connection(choice, result, i) && (!named || named[i])) {
			struct weight weight = weigh(choice, result, problems, i);

			g_array_append_val(weights, weight);
		}
	}
	g_array_sort(weights, heavier_first);
	for (guint i = 0; i < weights->len; i++)
		g_array_append_val(ids, g_array_index(weights, struct weight, i).id);
	g_array_unref(weights);
	g_free(named);
	return ids;
}
