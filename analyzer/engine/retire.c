/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who goes, what is left of it, and the new indices of who stays. See retire.h.
 */
#include "analyzer/engine/retire.h"

#include "analyzer/base/assert.h"
#include "analyzer/engine/ending.h"
#include "analyzer/engine/state.h"

#include <stdlib.h>
#include <string.h>

/* Flows that stay or go together: a connection, and all lives of its QPs. */
struct group {
	uint32_t head; /* index of a flow of it: where its sums are */
	bool pinned;
	int64_t last_ns;
	uint64_t bytes;
};

struct retiring {
	struct rda_engine *engine;
	struct rda_pairs pairs;
	struct group *groups;	 /* by index of the flow */
	uint32_t *flows, *hosts; /* new indices, or RDA_GONE */
	bool *gone;		 /* connections */
	bool *hosts_stay;
	struct rda_table icrc_senders; /* as they are judged by now */
	struct rda_table icrc_left;    /* what is left of the ways that go */
};

static struct rda_flow *flow_at(const struct retiring *r, uint32_t index)
{
	return r->engine->flows.table.items[index];
}

/* ---- groups ---------------------------------------------------------------------------------- */

static uint32_t head_of(struct group *groups, uint32_t index)
{
	while (groups[index].head != index) {
		groups[index].head = groups[groups[index].head].head;
		index = groups[index].head;
	}
	return index;
}

static void unite(struct retiring *r, const struct rda_flow *a, const struct rda_flow *b)
{
	uint32_t one = head_of(r->groups, a->index), two = head_of(r->groups, b->index);

	r->groups[MAX(one, two)].head = MIN(one, two);
}

static bool is_slow(const struct rda_slowest *slowest, const struct rda_flow *flow)
{
	for (uint32_t i = 0; i < slowest->count; i++)
		if (slowest->messages[i].flow == flow)
			return true;
	return false;
}

static bool is_pinned(const struct retiring *r, const struct rda_flow *flow)
{
	return flow->key.carrier == RDA_CARRIER_IWARP || flow->ulp ||
	       is_slow(&r->engine->slowest, flow);
}

static void make_groups(struct retiring *r)
{
	uint32_t count = r->engine->flows.table.count;

	r->groups = g_new(struct group, count);
	for (uint32_t i = 0; i < count; i++)
		r->groups[i] = (struct group){.head = i, .last_ns = INT64_MIN};
	for (uint32_t i = 0; i < r->pairs.count; i++)
		if (r->pairs.connections[i].flows[1])
			unite(r, r->pairs.connections[i].flows[0],
			      r->pairs.connections[i].flows[1]);
	for (uint32_t i = 0; i < count; i++) {
		struct rda_flow *flow = flow_at(r, i);

		if (rda_flow_rare(flow)->before)
			unite(r, flow, flow->rare->before);
		if (flow->peer)
			unite(r, flow, flow->peer);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct group *group = &r->groups[head_of(r->groups, i)];
		const struct rda_flow *flow = flow_at(r, i);

		group->pinned |= is_pinned(r, flow);
		group->last_ns = MAX(group->last_ns, flow->last_time_ns);
		group->bytes += rda_budget_of_flow(flow);
	}
}

static int by_use(const void *one, const void *two)
{
	const struct group *a = *(struct group *const *)one, *b = *(struct group *const *)two;

	if (a->pinned != b->pinned)
		return a->pinned ? -1 : 1;
	if (a->last_ns != b->last_ns)
		return a->last_ns > b->last_ns ? -1 : 1;
	return a->head > b->head ? -1 : 1;
}

/*
 * Marks the groups that stay: those in use last, as far as there is room. Returns what the others
 * take.
 */
static uint64_t choose(struct retiring *r, uint64_t room)
{
	uint32_t count = r->engine->flows.table.count, heads = 0;
	struct group **order = g_new(struct group *, count);
	uint64_t gone = 0;
	bool full = false;

	for (uint32_t i = 0; i < count; i++)
		if (head_of(r->groups, i) == i)
			order[heads++] = &r->groups[i];
	qsort(order, heads, sizeof(*order), by_use);
	for (uint32_t i = 0; i < heads; i++) {
		full |= order[i]->bytes > room;
		if (!full)
			room -= order[i]->bytes;
		order[i]->pinned |= !full;
		gone += order[i]->pinned ? 0 : order[i]->bytes;
	}
	g_free(order);
	return gone;
}

/* ---- indices --------------------------------------------------------------------------------- */

static void find_flows(struct retiring *r)
{
	uint32_t count = r->engine->flows.table.count, left = 0;

	r->flows = g_new(uint32_t, count);
	r->gone = g_new0(bool, r->pairs.count);
	r->hosts_stay = g_new0(bool, r->engine->hosts.count);
	for (uint32_t i = 0; i < count; i++) {
		const struct rda_flow *flow = flow_at(r, i);
		bool stays = r->groups[head_of(r->groups, i)].pinned;

		RDA_ASSERT(r->pairs.seats[i].connection < r->pairs.count);
		r->flows[i] = stays ? left++ : RDA_GONE;
		if (stays)
			r->hosts_stay[flow->sender->index] = r->hosts_stay[flow->receiver->index] =
				true;
		else
			r->gone[r->pairs.seats[i].connection] = true;
	}
}

static void find_hosts(struct retiring *r)
{
	uint32_t left = 0;

	r->hosts = g_new(uint32_t, r->engine->hosts.count);
	for (uint32_t i = 0; i < r->engine->hosts.count; i++)
		r->hosts[i] = r->hosts_stay[i] ? left++ : RDA_GONE;
}

/* ---- what is left of it ---------------------------------------------------------------------- */

static void judge(struct retiring *r)
{
	struct rda_engine *engine = r->engine;
	struct rda_capture *captures = rda_ending_all_frames(
		(const struct rda_capture *)(const void *)engine->captures->data, engine);
	struct rda_host *hosts = g_new(struct rda_host, engine->hosts.count);
	const struct rda_moved moved = {.flows = r->flows, .hosts = r->hosts};
	struct rda_whole whole = {
		.flows = &engine->flows.table,
		.hosts = &engine->hosts,
		.host_of = hosts,
		.cm = engine->cm,
		.connections = r->pairs.connections,
		.connection_count = r->pairs.count,
		.seats = r->pairs.seats,
		.captures = captures,
		.capture_count = engine->captures->len,
		.icrc_senders = &r->icrc_senders,
	};

	for (uint32_t i = 0; i < engine->hosts.count; i++)
		hosts[i] = *(const struct rda_host *)engine->hosts.items[i];
	for (uint32_t i = 0; i < engine->flows.table.count; i++)
		if (r->flows[i] == RDA_GONE)
			rda_ending_given_up(flow_at(r, i), flow_at(r, i)->sender, &whole);
	rda_judge_retire(&engine->judge, &whole, r->gone, &moved);
	g_free(captures);
	g_free(hosts);
}

static void count(struct retiring *r)
{
	struct rda_retired *retired = &r->engine->retired;

	for (uint32_t i = 0; i < r->pairs.count; i++)
		retired->connections += r->gone[i];
	for (uint32_t i = 0; i < r->engine->hosts.count; i++)
		retired->hosts += !r->hosts_stay[i];
	retired->keys += rda_key_ledger_count(r->engine->key_ledger);
	for (uint32_t i = 0; i < r->engine->flows.table.count; i++) {
		const struct rda_flow *flow = flow_at(r, i);

		if (r->flows[i] != RDA_GONE)
			continue;
		retired->packets += flow->packets;
		retired->bytes += flow->bytes;
		rda_ending_flow(flow, flow->sender, flow->receiver);
	}
}

/* ---- the others ------------------------------------------------------------------------------ */

static bool way_stays(const void *item, void *context)
{
	const struct rda_icrc_source *way = item;
	const struct retiring *r = context;
	const struct rda_host *sender = rda_table_find(&r->engine->hosts, &way->key.source);
	const struct rda_host *receiver = rda_table_find(&r->engine->hosts, &way->key.receiver);

	return sender && receiver && r->hosts_stay[sender->index] && r->hosts_stay[receiver->index];
}

static void drop_way(void *item, void *context)
{
	const struct rda_icrc_source *way = item;
	struct retiring *r = context;
	const struct rda_host *sender = rda_table_find(&r->engine->hosts, &way->key.source);
	const struct rda_host *receiver = rda_table_find(&r->engine->hosts, &way->key.receiver);

	rda_icrc_leave(&r->icrc_left, way, &r->icrc_senders, sender && r->hosts_stay[sender->index],
		       receiver && r->hosts_stay[receiver->index]);
	g_free(item);
}

static void sift_ways(struct retiring *r)
{
	struct rda_table *ways = &r->engine->icrc.table;

	rda_table_init(&r->icrc_left, ways->key_size, ways->item_size, ways->seed);
	rda_icrc_ways_went(&r->engine->icrc);
	rda_table_sift(ways, way_stays, drop_way, r);
	rda_icrc_join(ways, &r->icrc_left);
	rda_table_cleanup(&r->icrc_left, NULL);
}

static bool host_stays(const void *item, void *context)
{
	return ((const struct retiring *)context)
		->hosts_stay[((const struct rda_host *)item)->index];
}

static void drop_host(void *item, void *context)
{
	(void)context;
	g_free(item);
}

static void forget_flow(struct rda_flow *flow)
{
	rda_judge_forget(flow);
}

/*
 * The indices by which events of keys were told are those of before. Whoever takes the events of
 * parts has taken those (part_keys.h); elsewhere nothing is kept of them any more.
 */
static void close_keys(struct rda_engine *engine)
{
	if (engine->config.part)
		rda_key_log_close(engine->key_log, engine->place + 1);
	else
		rda_key_log_free(g_steal_pointer(&engine->key_log));
	rda_key_ledger_forget(engine->key_ledger, engine->place);
}

static void sift(struct retiring *r)
{
	struct rda_engine *engine = r->engine;

	close_keys(engine);
	rda_matcher_sift(&engine->matcher, r->flows);
	rda_cm_track_sift(engine->cm, r->flows);
	rda_copies_move(engine->copies, r->flows);
	for (uint32_t i = 0; i < engine->ulps.slowest_count; i++)
		engine->ulps.slowest_flow[i] = r->flows[engine->ulps.slowest_flow[i]];
	sift_ways(r);
	rda_ahead_forget(engine);
	rda_flows_sift(&engine->flows, r->flows, forget_flow);
	rda_table_sift(&engine->hosts, host_stays, drop_host, r);
	for (uint32_t i = 0; i < engine->hosts.count; i++)
		((struct rda_host *)engine->hosts.items[i])->index = i;
	engine->flow = NULL;
}

/* Those that were chosen go. */
static void go(struct retiring *r)
{
	find_flows(r);
	find_hosts(r);
	rda_icrc_senders(&r->icrc_senders, &r->engine->icrc.table);
	count(r);
	judge(r);
	sift(r);
	rda_table_cleanup(&r->icrc_senders, NULL);
	g_free(r->flows);
	g_free(r->hosts);
	g_free(r->gone);
	g_free(r->hosts_stay);
}

uint64_t rda_retire(struct rda_engine *engine, uint64_t bytes)
{
	struct retiring r = {.engine = engine};
	uint64_t used = rda_budget_used(engine), others = used, gone;

	rda_pair_flows(&r.pairs, &engine->flows.table);
	make_groups(&r);
	for (uint32_t i = 0; i < engine->flows.table.count; i++)
		if (r.groups[i].head == i)
			others -= MIN(others, r.groups[i].bytes);
	/* hosts and whatever else goes with flows shrinks as they do */
	gone = choose(&r, used ? (uint64_t)((double)(used - others) / (double)used * (double)bytes)
			       : 0);
	if (gone > used / RDA_RETIRE_LEAST)
		go(&r);
	rda_pairs_cleanup(&r.pairs);
	g_free(r.groups);
	return gone > used / RDA_RETIRE_LEAST ? rda_budget_used(engine) : used;
}
