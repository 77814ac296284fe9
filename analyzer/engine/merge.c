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
#include "analyzer/facts/flow_facts.h"
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

static void join_capture(struct rda_capture *to, const struct rda_capture *from, bool joined)
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
	ADD(icrc[RDA_ICRC_GOOD]);
	if (joined) { /* else they are made anew */
		ADD(icrc[RDA_ICRC_BAD]);
		ADD(icrc[RDA_ICRC_ABSENT]);
	}
#undef ADD
	to->continues |= from->continues;
	to->back_ns = MAX(to->back_ns, from->back_ns);
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

			join_capture(&to->captures[i], from, part[p].joined != NULL);
			if (part[p].from->timed[i])
				rda_result_add_time(&to->captures[i], &to->timed[i],
						    from->first_time_ns, from->last_time_ns);
		}
}

/* ---- what is of one host pair ---------------------------------------------------------------- */

/*
 * The new indices of two lists that become one in order of place: `place` tells that of a member.
 * What is marked as left out stays so. Returns how many there are.
 */
static uint32_t interleave(const struct rda_part part[2], uint32_t *const to[2],
			   const uint32_t count[2],
			   uint64_t (*place)(const struct rda_result *from, uint32_t index))
{
	uint32_t i = 0, j = 0, next = 0;

	while (i < count[0] || j < count[1])
		if (i < count[0] && to[0][i] == RDA_LEFT_OUT)
			i++;
		else if (j < count[1] && to[1][j] == RDA_LEFT_OUT)
			j++;
		else if (j == count[1] ||
			 (i < count[0] && place(part[0].from, i) <= place(part[1].from, j)))
			to[0][i++] = next++;
		else
			to[1][j++] = next++;
	return next;
}

static uint64_t place_of_flow(const struct rda_result *from, uint32_t index)
{
	return from->flows[index]->known_place;
}

static uint64_t place_of_connection(const struct rda_result *from, uint32_t index)
{
	return from->flows[from->connections[index].flows[0]]->known_place;
}

static uint64_t place_of_conversation(const struct rda_result *from, uint32_t index)
{
	return from->conversations[index].said.place;
}

static void take_flows(struct rda_result *to, const struct rda_part *part)
{
	for (uint32_t i = 0; i < part->from->flow_count; i++) {
		struct rda_flow_facts *flow;

		if (part->flows[i] == RDA_LEFT_OUT)
			continue;
		flow = part->spent ? g_steal_pointer(&part->spent->flows[i])
				   : rda_flow_facts_copy(part->from->flows[i]);
		to->flows[part->flows[i]] = flow;
		flow->connection = part->connections[flow->connection];
		if (flow->conversation >= 0)
			flow->conversation = (int32_t)part->conversations[flow->conversation];
	}
	for (uint32_t i = 0; i < part->from->conversation_count; i++) {
		struct rda_conversation *conversation;

		if (part->conversations[i] == RDA_LEFT_OUT)
			continue;
		conversation = &to->conversations[part->conversations[i]];
		*conversation = part->from->conversations[i];
		if (conversation->said.carrier != RDA_CM_FLOW_NONE)
			conversation->said.carrier = part->flows[conversation->said.carrier];
	}
}

/* From the last on: `from` may be where they go to, as none goes to an earlier place. */
static void move_connections(struct rda_result *to, const struct rda_part *part,
			     const struct rda_connection_facts *from)
{
	for (uint32_t i = part->from->connection_count; i-- > 0;) {
		struct rda_connection_facts *connection;

		if (part->connections[i] == RDA_LEFT_OUT)
			continue;
		connection = &to->connections[part->connections[i]];
		*connection = from[i];
		connection->id = part->connections[i];
		for (unsigned side = 0; side < 2; side++)
			if (connection->flows[side] >= 0)
				connection->flows[side] =
					(int32_t)part->flows[connection->flows[side]];
	}
}

/* Where the larger part is spent its connections make room for the others between them: of all that
 * a result has it is the largest piece, and would be there twice. */
static void take_connections(struct rda_result *to, const struct rda_part part[2])
{
	bool second = part[1].from->connection_count > part[0].from->connection_count;
	const struct rda_part *larger = &part[second], *other = &part[!second];
	const struct rda_connection_facts *from = larger->from->connections;

	if (larger->spent)
		from = to->connections =
			g_renew(struct rda_connection_facts,
				g_steal_pointer(&larger->spent->connections), to->connection_count);
	else
		to->connections = g_new(struct rda_connection_facts, to->connection_count);
	move_connections(to, larger, from);
	move_connections(to, other, other->from->connections);
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
	to->conversations_not_kept = a->conversations_not_kept + b->conversations_not_kept;
	to->flows = g_new(struct rda_flow_facts *, to->flow_count);
	to->conversations = g_new(struct rda_conversation, to->conversation_count);
	take_flows(to, &part[0]);
	take_flows(to, &part[1]);
	take_connections(to, part);
	to->groups_not_compared = a->groups_not_compared + b->groups_not_compared;
	to->holds_not_kept = MAX(a->holds_not_kept, b->holds_not_kept); /* both saw all of them */
	to->retired = a->retired;
	to->retired.connections += b->retired.connections;
	to->retired.packets += b->retired.packets;
	to->retired.bytes += b->retired.bytes;
	to->retired.hosts += b->retired.hosts;
	to->retired.keys += b->retired.keys;
}

/* ---- ranked lists ---------------------------------------------------------------------------- */

/* Of equal ones the one that was completed earlier comes first. */
static bool is_slower(const struct rda_exchange *a, const struct rda_exchange *b)
{
	if (a->latency_ns != b->latency_ns)
		return a->latency_ns > b->latency_ns;
	return a->last_frame < b->last_frame;
}

static bool is_left_out(const struct rda_part *part, const struct rda_slow_facts *slow)
{
	return part->connections[slow->connection] == RDA_LEFT_OUT;
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
		const struct rda_slow_facts *next = first ? &a->slowest[i++] : &b->slowest[j++];
		struct rda_slow_facts *slow;

		if (is_left_out(&part[!first], next))
			continue;
		slow = &to->slowest[to->slowest_count++];
		*slow = *next;
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

/* What of a part is not told: its new index says so. */
static void leave_out(struct rda_part *part)
{
	const struct rda_result *from = part->from;
	const bool *told = part->joined ? part->joined->connections : NULL;

	for (uint32_t i = 0; i < from->conversation_count; i++)
		part->conversations[i] = told ? RDA_LEFT_OUT : 0;
	for (uint32_t i = 0; i < from->connection_count; i++)
		part->connections[i] = rda_part_tells(told, i) ? 0 : RDA_LEFT_OUT;
	for (uint32_t i = 0; i < from->flow_count; i++) {
		const struct rda_flow_facts *flow = from->flows[i];

		part->flows[i] = part->connections[flow->connection];
		if (part->flows[i] != RDA_LEFT_OUT && flow->conversation >= 0)
			part->conversations[flow->conversation] = 0;
	}
	for (uint32_t i = 0; i < from->conversation_count; i++) {
		uint32_t carrier = from->conversations[i].said.carrier;

		if (carrier != RDA_CM_FLOW_NONE && part->flows[carrier] != RDA_LEFT_OUT)
			part->conversations[i] = 0;
	}
}

static struct rda_part begin_part(const struct rda_result *from, const struct rda_joined *joined)
{
	struct rda_part part = {
		.from = from,
		.joined = joined,
		.flows = g_new(uint32_t, from->flow_count),
		.connections = g_new(uint32_t, from->connection_count),
		.hosts = g_new(uint32_t, from->host_count),
		.conversations = g_new(uint32_t, from->conversation_count),
	};

	leave_out(&part);
	return part;
}

static void end_part(struct rda_part *part)
{
	g_free(part->flows);
	g_free(part->connections);
	g_free(part->hosts);
	g_free(part->conversations);
}

/* All but findings, keys and what follows from all. */
static struct rda_result *put_together(struct rda_part part[2])
{
	struct rda_result *to = g_new0(struct rda_result, 1);

	join_captures(to, part);
	rda_merge_hosts(to, part);
	join_flows(to, part);
	join_slowest(to, part);
	join_icrc(to, part);
	rda_merge_ulps(to, part);
	return to;
}

/* What is made anew of both. */
static void free_derived(struct rda_result *spent)
{
	rda_ways_cleanup(&spent->ways);
	spent->ways = (struct rda_ways){0};
	rda_collectives_cleanup(&spent->collectives);
	spent->collectives = (struct rda_collectives){0};
	rda_congestion_facts_cleanup(&spent->congestion);
	spent->congestion = (struct rda_congestion_facts){0};
	g_free(g_steal_pointer(&spent->host_times));
	g_free(g_steal_pointer(&spent->capture_times));
}

/* What stands in the new one, but for findings and keys. */
static void free_taken(struct rda_result *spent)
{
	g_free(g_steal_pointer(&spent->connections));
	g_free(g_steal_pointer(&spent->flows));
	spent->flow_count = 0;
}

static struct rda_result *merge(struct rda_part part[2], struct rda_part_keys *keys)
{
	struct rda_result *to = put_together(part);

	for (unsigned p = 0; p < 2; p++)
		if (part[p].spent)
			free_taken(part[p].spent);
	rda_merge_findings(to, part, keys);
	for (unsigned p = 0; p < 2; p++) {
		rda_result_free(part[p].spent);
		end_part(&part[p]);
	}
	rda_result_settle(to);
	return to;
}

static struct rda_result *unite(struct rda_result *a, struct rda_result *b,
				struct rda_part_keys *keys)
{
	struct rda_part part[2] = {begin_part(a, NULL), begin_part(b, NULL)};

	part[0].spent = a;
	part[1].spent = b;
	free_derived(a);
	free_derived(b);
	return merge(part, keys);
}

/* The captures of one result are known by the first that it has read. */
static uint32_t scope_in(const struct rda_result *from, uint32_t capture)
{
	uint32_t first = 0;

	if (from->scopes)
		return from->scopes[capture];
	while (first < capture && from->captures[first].packets == 0)
		first++;
	return first;
}

static bool has_read(const struct rda_result *from, uint32_t capture)
{
	return capture < from->capture_count && from->captures[capture].packets > 0;
}

static void join_scopes(struct rda_result *to, const struct rda_part part[2])
{
	to->scopes = g_new(uint32_t, to->capture_count);
	for (uint32_t i = 0; i < to->capture_count; i++)
		to->scopes[i] = has_read(part[0].from, i)   ? scope_in(part[0].from, i)
				: has_read(part[1].from, i) ? scope_in(part[1].from, i)
							    : i;
}

/* Each capture was read by one of the two. */
static void join_stamps(struct rda_result *to, const struct rda_part part[2])
{
	to->stamps = g_new0(struct rda_stamps, to->capture_count + 1);
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t i = 0; i < part[p].from->capture_count; i++)
			if (has_read(part[p].from, i))
				to->stamps[i] = part[p].from->stamps[i];
}

/* Those of captures that were read by one of the two, in order. */
static void join_pausings(struct rda_result *to, const struct rda_part part[2])
{
	to->pausings = g_new(struct rda_pausing,
			     part[0].from->pausing_count + part[1].from->pausing_count);
	for (uint32_t i = 0; i < to->capture_count; i++)
		for (unsigned p = 0; p < 2; p++)
			for (uint32_t k = 0; k < part[p].from->pausing_count; k++)
				if (part[p].from->pausings[k].capture == i)
					to->pausings[to->pausing_count++] =
						part[p].from->pausings[k];
}

struct rda_result *rda_result_join(const struct rda_joined *a, const struct rda_joined *b)
{
	struct rda_part part[2] = {begin_part(a->result, a), begin_part(b->result, b)};
	struct rda_result *to = put_together(part);

	join_scopes(to, part);
	join_stamps(to, part);
	join_pausings(to, part);
	to->holds_not_kept = a->result->holds_not_kept + b->result->holds_not_kept;
	rda_join_keys(to, part);
	rda_join_findings(to, part);
	rda_result_settle_joined(to);
	end_part(&part[0]);
	end_part(&part[1]);
	return to;
}

struct rda_result *rda_result_merge(const struct rda_result *a, const struct rda_result *b)
{
	struct rda_part part[2] = {begin_part(a, NULL), begin_part(b, NULL)};

	return merge(part, NULL);
}

struct rda_result *rda_result_unite(struct rda_result *a, struct rda_result *b)
{
	return unite(a, b, NULL);
}

struct rda_result *rda_part_keys_unite(struct rda_part_keys *keys, struct rda_result *a,
				       struct rda_result *b)
{
	return unite(a, b, keys);
}
