/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory keys of a ledger as values. See key_facts.h.
 */
#include "analyzer/facts/key_facts.h"

#include <glib.h>
#include <string.h>

const struct rda_key_troubles *rda_key_troubles(const struct rda_key_facts *facts)
{
	static const struct rda_key_troubles none;

	return facts->troubles ? facts->troubles : &none;
}

static struct rda_key_troubles *troubles_of(const struct rda_key_rare *rare)
{
	struct rda_key_troubles *troubles;

	if (!rare->refused && !rare->invalidated.place && !rare->used_after_invalidate)
		return NULL;
	troubles = g_new0(struct rda_key_troubles, 1);
	troubles->refused = rare->refused;
	if (rare->refusals)
		troubles->refusals = *rare->refusals;
	troubles->invalidated_place = rare->invalidated.place;
	troubles->used_after_invalidate = rare->used_after_invalidate;
	return troubles;
}

static void take_key(struct rda_key_facts *facts, const struct rda_memory_key *key)
{
	*facts = (struct rda_key_facts){
		.id = key->id,
		.stag = key->stag,
		.user_count = key->user_count,
		.more_users = key->more_users_seen,
		.bytes = key->bytes,
		.has_range = key->has_range,
		.low = key->low,
		.last = key->last,
		.first_place = key->first_place,
		.troubles = troubles_of(key->rare),
		.users = g_new(uint32_t, key->user_count),
	};
	memcpy(facts->asked, key->asked, sizeof(facts->asked));
	for (uint32_t i = 0; i < key->user_count; i++)
		facts->users[i] = rda_key_user(key, i)->flow;
}

struct rda_key_facts *rda_key_facts_of(struct rda_key_ledger *ledger, bool spent)
{
	uint32_t count = rda_key_ledger_count(ledger);
	struct rda_key_facts *facts = g_new(struct rda_key_facts, count);

	for (uint32_t i = 0; i < count; i++) {
		take_key(&facts[i], rda_key_ledger_at(ledger, i));
		if (spent)
			rda_key_ledger_spend(ledger, i);
	}
	return facts;
}

void rda_key_facts_free(struct rda_key_facts *facts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		g_free(facts[i].users);
		g_free(facts[i].troubles);
	}
	g_free(facts);
}
