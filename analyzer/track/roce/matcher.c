/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of unpaired flows: those between two hosts with one UDP source port, and all those between
 * two hosts. A flow stands in both until it is paired.
 */
#include "analyzer/track/roce/matcher.h"

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

struct group {
	struct group_key key;	/* first: the table's key */
	GPtrArray *unpaired[2]; /* struct rda_flow, by direction */
};

void rda_matcher_init(struct rda_matcher *matcher, uint64_t seed)
{
	memset(matcher, 0, sizeof(*matcher));
	rda_table_init(&matcher->groups, sizeof(struct group_key), sizeof(struct group), seed);
}

static void cleanup_group(void *item)
{
	struct group *group = item;

	for (unsigned i = 0; i < 2; i++)
		if (group->unpaired[i])
			g_ptr_array_free(group->unpaired[i], TRUE);
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
	struct group *group;
	bool made;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.low, upward ? &flow->key.source : &flow->key.destination, sizeof(key.low));
	memcpy(&key.high, upward ? &flow->key.destination : &flow->key.source, sizeof(key.high));
	key.carrier = flow->key.carrier;
	key.by_port = by_port;
	key.source_port = by_port ? flow->source_port : 0;
	key.tap = flow->key.tap;
	group = rda_table_get(&matcher->groups, &key, &made);
	if (made) {
		group->unpaired[0] = g_ptr_array_new();
		group->unpaired[1] = g_ptr_array_new();
	}
	return group;
}

/* What can find no peer any more makes room. */
static void drop_closed(GPtrArray *flows)
{
	for (guint i = flows->len; i > 0; i--)
		if (rda_flow_rare(flows->pdata[i - 1])->closed_place)
			g_ptr_array_remove_index_fast(flows, i - 1);
}

void rda_matcher_add(struct rda_matcher *matcher, struct rda_flow *flow)
{
	for (unsigned by_port = 0; by_port < 2; by_port++) {
		GPtrArray *flows =
			group_of(matcher, flow, by_port != 0)->unpaired[rda_flow_is_upward(flow)];

		if (by_port && !flow->source_port_known)
			continue;
		if (flows->len >= RDA_MATCHER_GROUP_MAX)
			drop_closed(flows);
		if (flows->len < RDA_MATCHER_GROUP_MAX)
			g_ptr_array_add(flows, flow);
		else
			matcher->not_kept++;
	}
}

static void forget(struct rda_matcher *matcher, struct rda_flow *flow)
{
	for (unsigned by_port = 0; by_port < 2; by_port++)
		g_ptr_array_remove(
			group_of(matcher, flow, by_port != 0)->unpaired[rda_flow_is_upward(flow)],
			flow);
}

static void join(struct rda_matcher *matcher, struct rda_flow *a, struct rda_flow *b,
		 enum rda_paired_by by)
{
	a->peer = b;
	b->peer = a;
	a->paired_by = b->paired_by = (uint8_t)by;
	if (a->ulp || b->ulp)
		a->ulp = b->ulp = a->ulp ? a->ulp : b->ulp;
	forget(matcher, a);
	forget(matcher, b);
}

/* The one flow of the other direction whose QPN makes the source port. */
static struct rda_flow *by_product(const GPtrArray *others, const struct rda_flow *flow)
{
	struct rda_flow *found = NULL;

	for (guint i = 0; i < others->len; i++) {
		struct rda_flow *other = others->pdata[i];

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

/* The one flow of the other direction whose requests the response fits; or fits best. */
static struct rda_flow *by_response(const GPtrArray *others, const struct rda_flow *flow,
				    const struct rda_packet *response)
{
	struct rda_flow *found[] = {NULL, NULL, NULL};
	unsigned count[] = {0, 0, 0};

	for (guint i = 0; i < others->len; i++) {
		struct rda_flow *other = others->pdata[i];
		enum rda_fit fit;

		if (other->transport != flow->transport || !other->account || other->pair ||
		    rda_flow_rare(other)->closed_place)
			continue;
		fit = rda_fit_of(other->account, response);
		found[fit] = other;
		count[fit]++;
	}
	if (count[RDA_FIT_WELL] + count[RDA_FIT_MAY] == 1)
		return found[count[RDA_FIT_WELL] ? RDA_FIT_WELL : RDA_FIT_MAY];
	return count[RDA_FIT_WELL] == 1 ? found[RDA_FIT_WELL] : NULL;
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
		join(matcher, flow, peer, flow->pair->by);
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
	if (peer && rda_flow_rare(peer)->before == before->peer && !peer->peer && !peer->pair)
		join(matcher, flow, peer, before->paired_by);
}

void rda_matcher_try(struct rda_matcher *matcher, const struct rda_flows *flows,
		     struct rda_flow *flow, const struct rda_packet *response)
{
	unsigned back = !rda_flow_is_upward(flow);
	struct rda_flow *peer;

	if (rda_matcher_try_pair(matcher, flows, flow))
		return;
	/* later ones may tell more, and are asked less and less often */
	if (++flow->tries > RDA_MATCHER_TRIES && flow->tries & (flow->tries - 1))
		return;
	if (flow->source_port_known) {
		peer = by_product(group_of(matcher, flow, true)->unpaired[back], flow);
		if (peer) {
			join(matcher, flow, peer, RDA_PAIRED_BY_SOURCE_PORT);
			return;
		}
	}
	peer = by_response(group_of(matcher, flow, false)->unpaired[back], flow, response);
	if (peer)
		join(matcher, flow, peer, RDA_PAIRED_BY_RESPONSES);
}

/* ---- fewer ----------------------------------------------------------------------------------- */

static bool sift_group(const void *item, void *moved)
{
	const struct group *group = item;
	guint left = 0;

	for (unsigned i = 0; i < 2; i++) {
		GPtrArray *flows = group->unpaired[i];
		guint to = 0;

		for (guint j = 0; j < flows->len; j++) {
			const struct rda_flow *flow = flows->pdata[j];

			if (((const uint32_t *)moved)[flow->index] != RDA_GONE)
				flows->pdata[to++] = flows->pdata[j];
		}
		g_ptr_array_set_size(flows, (gint)to);
		left += to;
	}
	return left > 0;
}

static void drop_group(void *item, void *moved)
{
	(void)moved;
	cleanup_group(item);
	g_free(item);
}

void rda_matcher_sift(struct rda_matcher *matcher, const uint32_t *moved)
{
	rda_table_sift(&matcher->groups, sift_group, drop_group, (void *)(uintptr_t)moved);
}

/* A group, its two lists, and some flows in them. */
enum { BYTES_OF_GROUP = 450 };

uint64_t rda_matcher_bytes(const struct rda_matcher *matcher)
{
	return (uint64_t)matcher->groups.count * BYTES_OF_GROUP;
}
