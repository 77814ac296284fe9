/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two results of disjoint connections made one: numbers are added, lists are put in the order in
 * which one engine would have them, and indices follow. The order of the two does not matter.
 *
 * What belongs to one host pair (flows, connections, conversations, findings about them) is taken
 * over; what crosses host pairs is joined: captures by index, hosts by address, sources of ICRCs by
 * their keys, findings about a host or capture by check. Memory keys: merge_keys.c.
 */
#include "analyzer/engine/merge_part.h"
#include "analyzer/engine/result_ulp.h"
#include "analyzer/checks/judge.h"
#include "analyzer/facts/nic.h"
#include "analyzer/track/roce/icrc_source.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return !a || (b && b < a) ? b : a;
}

/* ---- captures -------------------------------------------------------------------------------- */

static bool has_link(const struct rda_capture *capture, uint16_t link)
{
	for (unsigned i = 0; i < capture->link_count; i++)
		if (capture->links[i] == link)
			return true;
	return false;
}

/* Links of both in order of their first frames, each once, as many as are kept. */
static void join_links(struct rda_capture *to, const struct rda_capture *from)
{
	struct rda_capture both = {.more_links = to->more_links || from->more_links};
	unsigned i = 0, j = 0;

	while (i < to->link_count || j < from->link_count) {
		bool first = j == from->link_count ||
			     (i < to->link_count && to->link_frames[i] < from->link_frames[j]);
		const struct rda_capture *of = first ? to : from;
		unsigned at = first ? i++ : j++;

		if (has_link(&both, of->links[at]))
			continue;
		if (both.link_count == RDA_LINKS_KEPT) {
			both.more_links = true;
			break;
		}
		both.link_frames[both.link_count] = of->link_frames[at];
		both.links[both.link_count++] = of->links[at];
	}
	memcpy(to->links, both.links, sizeof(to->links));
	memcpy(to->link_frames, both.link_frames, sizeof(to->link_frames));
	to->link_count = both.link_count;
	to->more_links = both.more_links;
}

static void join_capture(struct rda_capture *to, const struct rda_capture *from)
{
#define ADD(member) to->member += from->member
	ADD(packets);
	ADD(dropped);
	ADD(cut_by_snaplen);
	ADD(malformed);
	ADD(fragments);
	ADD(pause_frames);
	ADD(pfc_frames);
	ADD(vcrc_good);
	ADD(vcrc_bad);
	ADD(too_deep);
	ADD(gaps_given_up);
	ADD(not_followed);
	ADD(undecoded);
	for (unsigned i = 0; i < RDA_CARRIER_COUNT; i++)
		ADD(rdma_packets[i]);
	ADD(icrc[RDA_ICRC_NOT_CHECKABLE]);
	ADD(icrc[RDA_ICRC_GOOD]); /* the others are made anew */
#undef ADD
	to->first_cut = earlier(to->first_cut, from->first_cut);
	join_links(to, from);
}

/* Frames that other engines had count for the times too (rda_engine_elsewhere). */
static void join_captures(struct rda_result *to, const struct rda_part part[2])
{
	const struct rda_result *a = part[0].from, *b = part[1].from;

	to->capture_count = MAX(a->capture_count, b->capture_count);
	to->captures = g_new0(struct rda_capture, to->capture_count);
	to->timed = g_new0(bool, to->capture_count);
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t i = 0; i < part[p].from->capture_count; i++) {
			const struct rda_capture *from = &part[p].from->captures[i];

			join_capture(&to->captures[i], from);
			if (part[p].from->timed[i])
				rda_result_add_time(&to->captures[i], &to->timed[i],
						    from->first_time_ns, from->last_time_ns);
		}
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static uint64_t add_known(uint64_t a, uint64_t b)
{
	return a == RDA_UNKNOWN ? b : b == RDA_UNKNOWN ? a : a + b;
}

static void join_host(struct rda_host *to, const struct rda_host *from)
{
	to->packets_sent += from->packets_sent;
#define RDA_C(name) to->name = add_known(to->name, from->name);
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
}

/* A host's first packet: place, and whether it received it. */
struct first {
	uint64_t place;
	bool received;
};

static bool is_before(const struct first *a, const struct first *b)
{
	return a->place != b->place ? a->place < b->place : !a->received && b->received;
}

struct host_item {
	struct rda_address address; /* first: the table's key */
	struct rda_host host;
	struct first first;
};

static void note_first(struct rda_table *table, const struct rda_address *address, uint64_t place,
		       bool received)
{
	struct host_item *item = rda_table_find(table, address);
	const struct first first = {place, received};

	if (item && (!item->first.place || is_before(&first, &item->first)))
		item->first = first;
}

static int compare_first(const void *a, const void *b)
{
	const struct host_item *one = *(struct host_item *const *)a;
	const struct host_item *two = *(struct host_item *const *)b;

	return is_before(&one->first, &two->first) ? -1 : is_before(&two->first, &one->first);
}

static gint compare_addresses(gconstpointer a, gconstpointer b, gpointer hosts)
{
	const struct rda_host *one = &((const struct rda_host *)hosts)[*(const uint32_t *)a];
	const struct rda_host *two = &((const struct rda_host *)hosts)[*(const uint32_t *)b];

	return rda_host_compare(&one, &two);
}

static void gather_hosts(struct rda_table *table, const struct rda_result *from)
{
	for (uint32_t i = 0; i < from->host_count; i++) {
		bool made;
		struct host_item *item = rda_table_get(table, &from->hosts[i].address, &made);

		if (made)
			item->host = from->hosts[i];
		else
			join_host(&item->host, &from->hosts[i]);
		item->host.icrc_errors_received = 0; /* made anew */
	}
	for (uint32_t i = 0; i < from->flow_count; i++) {
		const struct rda_flow_facts *flow = &from->flows[i];

		note_first(table, &flow->key.source, flow->known_place, false);
		note_first(table, &flow->key.destination, flow->known_place, true);
	}
}

static void join_hosts(struct rda_result *to, struct rda_part part[2])
{
	struct host_item **items;
	struct rda_table table;

	rda_table_init(&table, sizeof(struct rda_address), sizeof(struct host_item), 0);
	gather_hosts(&table, part[0].from);
	gather_hosts(&table, part[1].from);
	to->host_count = table.count;
	to->hosts = g_new(struct rda_host, table.count);
	to->sorted_hosts = g_new(uint32_t, table.count);
	items = g_new(struct host_item *, table.count);
	for (uint32_t i = 0; i < table.count; i++)
		items[i] = table.items[i];
	if (table.count)
		qsort(items, table.count, sizeof(struct host_item *), compare_first);
	for (uint32_t i = 0; i < table.count; i++) {
		items[i]->host.index = to->sorted_hosts[i] = i;
		to->hosts[i] = items[i]->host;
	}
	g_qsort_with_data(to->sorted_hosts, (gint)table.count, sizeof(uint32_t), compare_addresses,
			  to->hosts);
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t i = 0; i < part[p].from->host_count; i++)
			part[p].hosts[i] = ((const struct host_item *)rda_table_find(
						    &table, &part[p].from->hosts[i].address))
						   ->host.index;
	g_free(items);
	rda_table_cleanup(&table, NULL);
}

static void join_nics(struct rda_result *to, const struct rda_part part[2])
{
	to->nics = g_new0(struct rda_nic, to->host_count);
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t i = 0; i < part[p].from->host_count; i++)
			rda_nic_merge(&to->nics[part[p].hosts[i]], &part[p].from->nics[i]);
}

/* ---- what is of one host pair ---------------------------------------------------------------- */

/*
 * The new indices of two lists that become one in order of place: `place` tells that of a member.
 * Returns how many there are.
 */
static uint32_t interleave(const struct rda_part part[2], uint32_t *const to[2],
			   const uint32_t count[2],
			   uint64_t (*place)(const struct rda_result *from, uint32_t index))
{
	uint32_t i = 0, j = 0;

	while (i < count[0] || j < count[1])
		if (j == count[1] ||
		    (i < count[0] && place(part[0].from, i) <= place(part[1].from, j))) {
			to[0][i] = i + j;
			i++;
		} else {
			to[1][j] = i + j;
			j++;
		}
	return i + j;
}

static uint64_t place_of_flow(const struct rda_result *from, uint32_t index)
{
	return from->flows[index].known_place;
}

static uint64_t place_of_connection(const struct rda_result *from, uint32_t index)
{
	return from->flows[from->connections[index].flows[0]].known_place;
}

static uint64_t place_of_conversation(const struct rda_result *from, uint32_t index)
{
	return from->conversations[index].said.place;
}

static void copy_flow(struct rda_flow_facts *to, const struct rda_flow_facts *from)
{
	*to = *from;
	to->time = g_memdup2(from->time, sizeof(*from->time));
	if (!from->latencies)
		return;
	to->latencies = g_new(struct rda_flow_latencies, 1);
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		rda_latency_copy(&to->latencies->kinds[i], &from->latencies->kinds[i]);
	rda_latency_copy(&to->latencies->first_response, &from->latencies->first_response);
	rda_latency_copy(&to->latencies->acks, &from->latencies->acks);
}

static void take_flows(struct rda_result *to, const struct rda_part *part)
{
	for (uint32_t i = 0; i < part->from->flow_count; i++) {
		struct rda_flow_facts *flow = &to->flows[part->flows[i]];

		copy_flow(flow, &part->from->flows[i]);
		flow->connection = part->connections[flow->connection];
		if (flow->conversation >= 0)
			flow->conversation = (int32_t)part->conversations[flow->conversation];
	}
	for (uint32_t i = 0; i < part->from->connection_count; i++) {
		struct rda_connection_facts *connection = &to->connections[part->connections[i]];

		*connection = part->from->connections[i];
		connection->id = part->connections[i];
		for (unsigned side = 0; side < 2; side++)
			if (connection->flows[side] >= 0)
				connection->flows[side] =
					(int32_t)part->flows[connection->flows[side]];
	}
	for (uint32_t i = 0; i < part->from->conversation_count; i++) {
		struct rda_conversation *conversation = &to->conversations[part->conversations[i]];

		*conversation = part->from->conversations[i];
		if (conversation->said.carrier != RDA_CM_FLOW_NONE)
			conversation->said.carrier = part->flows[conversation->said.carrier];
	}
}

static void join_flows(struct rda_result *to, const struct rda_part part[2])
{
	const struct rda_result *a = part[0].from, *b = part[1].from;

	to->flow_count = interleave(part, (uint32_t *[]){part[0].flows, part[1].flows},
				    (uint32_t[]){a->flow_count, b->flow_count}, place_of_flow);
	to->connection_count = interleave(
		part, (uint32_t *[]){part[0].connections, part[1].connections},
		(uint32_t[]){a->connection_count, b->connection_count}, place_of_connection);
	to->conversation_count = interleave(
		part, (uint32_t *[]){part[0].conversations, part[1].conversations},
		(uint32_t[]){a->conversation_count, b->conversation_count}, place_of_conversation);
	to->flows = g_new(struct rda_flow_facts, to->flow_count);
	to->connections = g_new(struct rda_connection_facts, to->connection_count);
	to->conversations = g_new(struct rda_conversation, to->conversation_count);
	take_flows(to, &part[0]);
	take_flows(to, &part[1]);
	to->groups_not_compared = a->groups_not_compared + b->groups_not_compared;
}

/* ---- ranked lists ---------------------------------------------------------------------------- */

/* Of equal ones the one that was completed earlier comes first. */
static bool is_slower(const struct rda_exchange *a, const struct rda_exchange *b)
{
	if (a->latency_ns != b->latency_ns)
		return a->latency_ns > b->latency_ns;
	return a->last_frame < b->last_frame;
}

static void join_slowest(struct rda_result *to, const struct rda_part part[2])
{
	const struct rda_result *a = part[0].from, *b = part[1].from;
	uint32_t i = 0, j = 0;

	while (to->slowest_count < RDA_SLOWEST_KEPT &&
	       (i < a->slowest_count || j < b->slowest_count)) {
		bool first = j == b->slowest_count ||
			     (i < a->slowest_count &&
			      !is_slower(&b->slowest[j].exchange, &a->slowest[i].exchange));
		struct rda_slow_facts *slow = &to->slowest[to->slowest_count++];

		*slow = first ? a->slowest[i++] : b->slowest[j++];
		slow->connection = part[!first].connections[slow->connection];
	}
}

static void join_icrc(struct rda_result *to, const struct rda_part part[2])
{
	rda_table_init(&to->icrc_ways, sizeof(struct rda_icrc_key), sizeof(struct rda_icrc_source),
		       0);
	rda_icrc_join(&to->icrc_ways, &part[0].from->icrc_ways);
	rda_icrc_join(&to->icrc_ways, &part[1].from->icrc_ways);
}

/* ---------------------------------------------------------------------------------------------- */

static struct rda_result *merge(const struct rda_result *a, const struct rda_result *b,
				struct rda_part_keys *keys)
{
	struct rda_result *to = g_new0(struct rda_result, 1);
	struct rda_part part[2] = {{.from = a}, {.from = b}};

	for (unsigned p = 0; p < 2; p++) {
		part[p].flows = g_new(uint32_t, part[p].from->flow_count);
		part[p].connections = g_new(uint32_t, part[p].from->connection_count);
		part[p].hosts = g_new(uint32_t, part[p].from->host_count);
		part[p].conversations = g_new(uint32_t, part[p].from->conversation_count);
	}
	join_captures(to, part);
	join_hosts(to, part);
	join_nics(to, part);
	join_flows(to, part);
	join_slowest(to, part);
	join_icrc(to, part);
	rda_merge_ulps(to, part);
	rda_merge_findings(to, part, keys);
	rda_result_settle(to);
	for (unsigned p = 0; p < 2; p++) {
		g_free(part[p].flows);
		g_free(part[p].connections);
		g_free(part[p].hosts);
		g_free(part[p].conversations);
	}
	return to;
}

struct rda_result *rda_result_merge(const struct rda_result *a, const struct rda_result *b)
{
	return merge(a, b, NULL);
}

struct rda_result *rda_part_keys_merge(struct rda_part_keys *keys, const struct rda_result *a,
				       const struct rda_result *b)
{
	return merge(a, b, keys);
}
