/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who asked, and who left: the memory of group M.
 */
#include "analyzer/checks/management/state.h"

#include <glib.h>
#include <string.h>

struct sidr_key {
	struct rda_address asker;
	uint32_t id;
};

struct sidr {
	struct sidr_key key; /* first: the table's key; there is nothing else to say */
};

/* Who ended the last connection to a service. */
struct left_key {
	struct rda_address leaver, other;
	uint64_t service_id;
};

struct left {
	struct left_key key; /* first: the table's key */
	const struct rda_cm_moment *dreq;
};

struct rda_management_state {
	struct rda_table sidrs;
	struct rda_table lefts;
	struct rda_neighbours neighbours;
};

struct rda_management_state *rda_management_state_new(uint64_t hash_seed)
{
	struct rda_management_state *state = g_new0(struct rda_management_state, 1);

	rda_table_init(&state->sidrs, sizeof(struct sidr_key), sizeof(struct sidr), hash_seed);
	rda_table_init(&state->lefts, sizeof(struct left_key), sizeof(struct left), hash_seed);
	rda_neighbours_init(&state->neighbours, hash_seed);
	return state;
}

void rda_management_state_free(struct rda_management_state *state)
{
	rda_table_cleanup(&state->sidrs, NULL);
	rda_table_cleanup(&state->lefts, NULL);
	rda_neighbours_cleanup(&state->neighbours);
	g_free(state);
}

struct rda_neighbours *rda_management_neighbours(struct rda_management_state *state)
{
	return &state->neighbours;
}

/* ---- flows ----------------------------------------------------------------------------------- */

struct rda_management_watch *rda_management_watch(struct rda_flow *flow)
{
	if (!flow->watch.management)
		flow->watch.management = g_new0(struct rda_management_watch, 1);
	return flow->watch.management;
}

void rda_management_watch_free(struct rda_flow *flow)
{
	g_free(flow->watch.management);
	flow->watch.management = NULL;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static struct sidr_key sidr_key(const struct rda_address *asker, uint32_t id)
{
	struct sidr_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.asker, asker, sizeof(key.asker));
	key.id = id;
	return key;
}

void rda_management_sidr_ask(struct rda_judge *judge, const struct rda_address *asker, uint32_t id)
{
	struct sidr_key key = sidr_key(asker, id);

	if (judge->management->sidrs.count < RDA_SIDR_MAX)
		rda_table_get(&judge->management->sidrs, &key, NULL);
}

/* Past the limit nobody knows. */
bool rda_management_sidr_asked(const struct rda_judge *judge, const struct rda_address *asker,
			       uint32_t id)
{
	struct sidr_key key = sidr_key(asker, id);

	return judge->management->sidrs.count >= RDA_SIDR_MAX ||
	       rda_table_find(&judge->management->sidrs, &key);
}

static struct left_key left_key(const struct rda_address *leaver, const struct rda_address *other,
				uint64_t service_id)
{
	struct left_key key;

	memset(&key, 0, sizeof(key));
	memcpy(&key.leaver, leaver, sizeof(key.leaver));
	memcpy(&key.other, other, sizeof(key.other));
	key.service_id = service_id;
	return key;
}

void rda_management_leave(const struct rda_at *at)
{
	const struct rda_cm_pair *pair = at->step->pair;
	struct left_key key;
	struct left *left;

	if (!pair || !at->step->fresh || !pair->begun)
		return;
	key = left_key(&at->packet->source, &at->packet->destination, pair->service_id);
	left = rda_table_get(&at->judge->management->lefts, &key, NULL);
	left->dreq = &pair->sides[at->step->sender].dreq;
}

const struct rda_cm_moment *rda_management_left_before(const struct rda_judge *judge,
						       const struct rda_address *leaver,
						       const struct rda_address *other,
						       uint64_t service_id)
{
	struct left_key key = left_key(leaver, other, service_id);
	const struct left *left = rda_table_find(&judge->management->lefts, &key);

	return left ? left->dreq : NULL;
}
