/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of unpaired flows: those between two hosts with one UDP source port, and all those between
 * two hosts. A flow stands in both until it is paired.
 */
#include "analyzer/track/roce/matcher.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/connection.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/fit.h"
#include "analyzer/track/roce/source_port.h"

#include <glib.h>
#include <string.h>

struct group_key {
	struct rda_address low, high;
	uint8_t carrier;
	bool by_port;
	uint16_t source_port; /* if by_port */
	uint32_t tap;
};

/* Unpaired flows of one direction. Most groups have one, which needs no block. */
struct flow_list {
	union {
		struct rda_flow *one;	/* while `room` is 0 */
		struct rda_flow **many; /* owned */
	};
	uint32_t count, room;
};

struct group {
	struct group_key key;	      /* first: the table's key */
	struct flow_list unpaired[2]; /* by direction */
	uint64_t flows;		      /* that ever stood in it */
	/* pairs between two hosts of which both directions have one UDP source port, or not */
	uint64_t equal_ports, other_ports;
	/* joined by nothing but answers while no others stood in it; NULL: there is none. Of flows
	 * between two hosts */
	struct rda_flow *joined;
};

/* ---- lists ----------------------------------------------------------------------------------- */

static struct rda_flow *flow_at(const struct flow_list *list, uint32_t index)
{
	return list->room ? list->many[index] : list->one;
}

static void set_flow(struct flow_list *list, uint32_t index, struct rda_flow *flow)
{
	if (list->room)
		list->many[index] = flow;
	else
		list->one = flow;
}

static void add_flow(struct flow_list *list, struct rda_flow *flow)
{
	struct rda_flow *first = list->one;

	if (list->count && !list->room) {
		list->room = 2;
		list->many = g_new(struct rda_flow *, list->room);
		list->many[0] = first;
	} else if (list->count && list->count == list->room) {
		list->room *= 2;
		list->many = g_renew(struct rda_flow *, list->many, list->room);
	}
	set_flow(list, list->count++, flow);
}

/* Keeps the others in their order. */
static void remove_flow(struct flow_list *list, const struct rda_flow *flow)
{
	uint32_t to = 0;

	for (uint32_t i = 0; i < list->count; i++)
		if (flow_at(list, i) != flow)
			set_flow(list, to++, flow_at(list, i));
	list->count = to;
}

/* ---- groups ---------------------------------------------------------------------------------- */

void rda_matcher_init(struct rda_matcher *matcher, uint64_t seed)
{
	memset(matcher, 0, sizeof(*matcher));
	rda_table_init(&matcher->groups, sizeof(struct group_key), sizeof(struct group), seed);
}

static void cleanup_group(void *item)
{
	struct group *group = item;

	for (unsigned i = 0; i < 2; i++)
		if (group->unpaired[i].room)
			g_free(group->unpaired[i].many);
}

void rda_matcher_cleanup(struct rda_matcher *matcher)
{
	rda_table_cleanup(&matcher->groups, cleanup_group);
}

static struct group *group_of(struct rda_matcher *matcher, const struct rda_flow *flow,
			      bool by_port)
{
	bool upward = rda_flow_is_upward(flow);
	struct group_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.low, upward ? &flow->key.source : &flow->key.destination, sizeof(key.low));
	memcpy(&key.high, upward ? &flow->key.destination : &flow->key.source, sizeof(key.high));
	key.carrier = flow->key.carrier;
	key.by_port = by_port;
	key.source_port = by_port ? flow->source_port : 0;
	key.tap = flow->key.tap;
	return rda_table_get(&matcher->groups, &key, NULL);
}

/* What can find no peer any more makes room. */
static void drop_closed(struct flow_list *flows)
{
	uint32_t to = 0;

	for (uint32_t i = 0; i < flows->count; i++)
		if (!rda_flow_rare(flow_at(flows, i))->closed_place)
			set_flow(flows, to++, flow_at(flows, i));
	flows->count = to;
}

/* One more came that they may answer, or be answered by: they are tried anew. */
static void try_again(const struct flow_list *flows)
{
	for (uint32_t i = 0; i < flows->count; i++)
		flow_at(flows, i)->tries = 0;
}

static void set_among_others(struct rda_flow *flow)
{
	flow->among_others = flow->peer->among_others = true;
}

/* A pair that seemed to be the only one between the two hosts is not. */
static void count_flow(struct group *group)
{
	group->flows++;
	if (group->joined)
		set_among_others(group->joined);
	group->joined = NULL;
}

RDA_APART void rda_matcher_add(struct rda_matcher *matcher, struct rda_flow *flow)
{
	struct group *group = group_of(matcher, flow, false);

	count_flow(group);
	try_again(&group->unpaired[!rda_flow_is_upward(flow)]);
	for (unsigned by_port = 0; by_port < 2; by_port++) {
		struct flow_list *flows;

		if (by_port)
			group = group_of(matcher, flow, true);
		flows = &group->unpaired[rda_flow_is_upward(flow)];
		if (by_port && !flow->source_port_known)
			continue;
		if (flows->count >= RDA_MATCHER_GROUP_MAX)
			drop_closed(flows);
		if (flows->count < RDA_MATCHER_GROUP_MAX)
			add_flow(flows, flow);
		else
			matcher->not_kept++;
	}
}

static void forget(struct group *group, const struct rda_flow *flow)
{
	remove_flow(&group->unpaired[rda_flow_is_upward(flow)], flow);
}

/* Two flows, each of which goes back where the other comes from, are paired. */
static void forget_both(struct rda_matcher *matcher, struct group *group, const struct rda_flow *a,
			const struct rda_flow *b)
{
	struct group *by_port = group_of(matcher, a, true);

	forget(group, a);
	forget(group, b);
	forget(by_port, a);
	if (b->source_port != a->source_port)
		by_port = group_of(matcher, b, true);
	forget(by_port, b);
}

/* It answered before its peer was found, or answers came damaged: nothing was held against the
 * other's requests. `at_hand`: answers that will be. */
static void miss_answers(const struct rda_flow *flow, struct rda_flow *peer, uint64_t at_hand)
{
	bool answered = rda_flow_answers(flow)->packets > at_hand || rda_flow_rare(flow)->damaged;

	if (answered && peer->account)
		rda_account_joined(peer->account);
}

static void count_ports(struct group *group, const struct rda_flow *a, const struct rda_flow *b)
{
	if (!a->source_port_known || !b->source_port_known)
		return;
	*(a->source_port == b->source_port ? &group->equal_ports : &group->other_ports) += 1;
}

/* `a` is the one that has a packet at hand; `group`, of all between their two hosts. */
static void join(struct rda_matcher *matcher, struct group *group, struct rda_flow *a,
		 struct rda_flow *b, enum rda_paired_by by)
{
	miss_answers(a, b, 1);
	miss_answers(b, a, 0);
	count_ports(group, a, b);
	a->peer = b;
	b->peer = a;
	a->paired_by = b->paired_by = (uint8_t)by;
	if (a->ulp || b->ulp)
		a->ulp = b->ulp = a->ulp ? a->ulp : b->ulp;
	forget_both(matcher, group, a, b);
}

static void join_by_response(struct rda_matcher *matcher, struct group *group,
			     struct rda_flow *flow, struct rda_flow *peer)
{
	join(matcher, group, flow, peer, RDA_PAIRED_BY_RESPONSES);
	if (group->flows > 2 || matcher->sifted)
		set_among_others(flow);
	else
		group->joined = flow;
}

/* The one flow of the other direction whose QPN makes the source port. */
static struct rda_flow *by_product(const struct flow_list *others, const struct rda_flow *flow)
{
	struct rda_flow *found = NULL;

	for (uint32_t i = 0; i < others->count; i++) {
		struct rda_flow *other = flow_at(others, i);

		if (other->transport != flow->transport || other->pair ||
		    rda_flow_rare(other)->closed_place ||
		    rda_source_port_of_qps(flow->key.dest_qp, other->key.dest_qp) !=
			    flow->source_port)
			continue;
		if (found)
			return NULL;
		found = other;
	}
	return found;
}

/* One of these bears the port, and is not paired. */
static bool has_partner(struct rda_matcher *matcher, const struct rda_flow *flow)
{
	const struct flow_list *back =
		&group_of(matcher, flow, true)->unpaired[!rda_flow_is_upward(flow)];

	for (uint32_t i = 0; i < back->count; i++)
		if (flow_at(back, i)->transport == flow->transport &&
		    !rda_flow_rare(flow_at(back, i))->closed_place)
			return true;
	return false;
}

/*
 * Their UDP source ports tell that two flows are not of one QP: one of them has it in common with
 * another flow that goes back, or all pairs of the two hosts so far had one port in both
 * directions. What fits besides fits by chance, as where all QPs begin at one PSN, and the answers
 * of some are shown before what they answer.
 */
static bool are_strangers(struct rda_matcher *matcher, const struct group *group,
			  const struct rda_flow *flow, const struct rda_flow *other)
{
	if (!rda_flow_ports_differ(flow, other))
		return false;
	return (group->equal_ports && !group->other_ports) || has_partner(matcher, flow) ||
	       has_partner(matcher, other);
}

/* The one flow of the other direction whose requests the response fits; or fits best. */
static struct rda_flow *by_response(struct rda_matcher *matcher, const struct group *group,
				    const struct rda_flow *flow, const struct rda_packet *response)
{
	const struct flow_list *others = &group->unpaired[!rda_flow_is_upward(flow)];
	struct rda_flow *found[RDA_FIT_WELL + 1] = {NULL};
	unsigned count[RDA_FIT_WELL + 1] = {0}, others_may;

	for (uint32_t i = 0; i < others->count; i++) {
		struct rda_flow *other = flow_at(others, i);
		enum rda_fit fit;

		if (other->transport != flow->transport || !other->account || other->pair ||
		    rda_flow_rare(other)->closed_place ||
		    are_strangers(matcher, group, flow, other))
			continue;
		fit = rda_fit_of(other->account, response);
		found[fit] = other;
		count[fit]++;
	}
	others_may = count[RDA_FIT_MAY] + count[RDA_FIT_OPEN];
	if (count[RDA_FIT_WELL])
		return count[RDA_FIT_WELL] == 1 && !count[RDA_FIT_OPEN] ? found[RDA_FIT_WELL]
									: NULL;
	return others_may == 1 ? found[count[RDA_FIT_MAY] ? RDA_FIT_MAY : RDA_FIT_OPEN] : NULL;
}

/* The other direction of a flow as it is now, to a QP; NULL: it was not seen. */
static struct rda_flow *reverse(const struct rda_flows *flows, const struct rda_flow *flow,
				uint32_t dest_qp)
{
	struct rda_flow_key key;

	rda_flow_reverse_key(&key, flow, dest_qp, flow->key.tap);
	return rda_flows_latest(flows, &key);
}

bool rda_matcher_try_pair(struct rda_matcher *matcher, const struct rda_flows *flows,
			  struct rda_flow *flow)
{
	struct rda_flow *peer;

	if (!flow->pair)
		return false;
	peer = reverse(flows, flow, rda_cm_sender(flow->pair, flow)->qpn);
	if (peer && peer != flow && !peer->peer && peer->pair == flow->pair)
		join(matcher, group_of(matcher, flow, false), flow, peer, flow->pair->by);
	return true;
}

void rda_matcher_follow(struct rda_matcher *matcher, const struct rda_flows *flows,
			struct rda_flow *flow)
{
	const struct rda_flow *before = rda_flow_rare(flow)->before;
	struct rda_flow *peer;

	if (flow->pair || !before || !before->peer)
		return;
	peer = reverse(flows, flow, before->peer->key.dest_qp);
	if (!peer || rda_flow_rare(peer)->before != before->peer || peer->peer || peer->pair)
		return;
	join(matcher, group_of(matcher, flow, false), flow, peer, before->paired_by);
	if (before->among_others)
		set_among_others(flow);
}

RDA_APART void rda_matcher_try(struct rda_matcher *matcher, const struct rda_flows *flows,
			       struct rda_flow *flow, const struct rda_packet *response)
{
	unsigned back = !rda_flow_is_upward(flow);
	struct rda_flow *peer;
	struct group *group;

	if (rda_matcher_try_pair(matcher, flows, flow))
		return;
	/* later ones may tell more, and are asked less and less often */
	if (++flow->tries > RDA_MATCHER_TRIES && flow->tries & (flow->tries - 1))
		return;
	group = group_of(matcher, flow, false);
	if (flow->source_port_known) {
		peer = by_product(&group_of(matcher, flow, true)->unpaired[back], flow);
		if (peer) {
			join(matcher, group, flow, peer, RDA_PAIRED_BY_SOURCE_PORT);
			return;
		}
	}
	peer = by_response(matcher, group, flow, response);
	if (peer)
		join_by_response(matcher, group, flow, peer);
}

/* ---- fewer ----------------------------------------------------------------------------------- */

static void sift_list(struct flow_list *flows, const uint32_t *moved)
{
	uint32_t to = 0;

	for (uint32_t i = 0; i < flows->count; i++)
		if (moved[flow_at(flows, i)->index] != RDA_GONE)
			set_flow(flows, to++, flow_at(flows, i));
	flows->count = to;
}

static bool sift_group(const void *item, void *moved)
{
	struct group *group = (struct group *)(uintptr_t)item;

	for (unsigned i = 0; i < 2; i++)
		sift_list(&group->unpaired[i], moved);
	if (group->joined && ((const uint32_t *)moved)[group->joined->index] == RDA_GONE)
		group->joined = NULL;
	return group->unpaired[0].count + group->unpaired[1].count > 0 || group->joined;
}

static void drop_group(void *item, void *moved)
{
	(void)moved;
	cleanup_group(item);
	g_free(item);
}

void rda_matcher_sift(struct rda_matcher *matcher, const uint32_t *moved)
{
	matcher->sifted = true;
	rda_table_sift(&matcher->groups, sift_group, drop_group, (void *)(uintptr_t)moved);
}

/* A group with its place in the table, and some flows in it. */
enum { BYTES_OF_GROUP = 200 };

uint64_t rda_matcher_bytes(const struct rda_matcher *matcher)
{
	return (uint64_t)matcher->groups.count * BYTES_OF_GROUP;
}
