/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting uses of memory keys; key_ledger.h has the picture.
 */
#include "analyzer/track/keys/key_ledger.h"

#include <glib.h>
#include <string.h>

const char *rda_key_use_words(enum rda_key_use use)
{
	static const char *const words[] = {
#define RDA_U(ID, words, article) words,
		RDA_KEY_USES(RDA_U)
#undef RDA_U
			"SEND with Invalidate",
	};

	return words[use];
}

const char *rda_key_use_article(enum rda_key_use use)
{
	static const char *const words[] = {
#define RDA_U(ID, words, article) article,
		RDA_KEY_USES(RDA_U)
#undef RDA_U
			"a SEND with Invalidate",
	};

	return words[use];
}

void rda_key_ledger_init(struct rda_key_ledger *ledger, uint64_t seed, uint32_t cap)
{
	memset(ledger, 0, sizeof(*ledger));
	rda_table_init(&ledger->keys, sizeof(struct rda_key_id), sizeof(struct rda_memory_key),
		       seed);
	ledger->cap = cap ? cap : RDA_KEYS_MAX;
}

static void cleanup_key(void *item)
{
	struct rda_memory_key *key = item;

	rda_spans_cleanup(&key->ranges);
	g_free(key->more_users);
	g_free(key->recent);
	g_free(key->refusals);
}

void rda_key_ledger_cleanup(struct rda_key_ledger *ledger)
{
	rda_table_cleanup(&ledger->keys, cleanup_key);
}

static struct rda_key_id id_of(const struct rda_flow *flow, uint32_t key)
{
	struct rda_key_id id;

	memset(&id, 0, sizeof(id)); /* padding too: keys are compared as bytes */
	memcpy(&id.responder, &flow->key.destination, sizeof(id.responder));
	id.key = key;
	id.tap = flow->key.tap;
	return id;
}

struct rda_memory_key *rda_key_ledger_find(const struct rda_key_ledger *ledger,
					   const struct rda_flow *flow, uint32_t key)
{
	struct rda_key_id id = id_of(flow, key);

	return rda_table_find(&ledger->keys, &id);
}

struct rda_memory_key *rda_key_ledger_get(struct rda_key_ledger *ledger,
					  const struct rda_flow *flow, uint32_t key, bool *made)
{
	struct rda_key_id id = id_of(flow, key);
	struct rda_memory_key *item;

	*made = false;
	if (ledger->keys.count >= ledger->cap) {
		item = rda_table_find(&ledger->keys, &id);
		ledger->not_kept += item == NULL;
		return item;
	}
	item = rda_table_get(&ledger->keys, &id, made);
	if (*made) {
		item->index = ledger->keys.count - 1;
		item->responder = flow->receiver;
		rda_spans_init(&item->ranges);
	}
	return item;
}

static void note_user(struct rda_memory_key *key, const struct rda_flow *flow, uint64_t place)
{
	uint32_t others = key->user_count ? key->user_count - 1 : 0;

	if (key->first_user == flow)
		return;
	if (!key->first_user) {
		key->first_user = flow;
		key->user_count = 1;
		return;
	}
	for (uint32_t i = 0; i < others; i++)
		if (key->more_users[i] == flow)
			return;
	if (key->user_count == RDA_KEY_USERS_MAX) {
		key->more_users_seen = true;
		return;
	}
	if (!others)
		key->second_user_place = place;
	if ((others & (others - 1)) == 0) /* 0, or a power of two: full */
		key->more_users =
			g_renew(const struct rda_flow *, key->more_users, others ? 2 * others : 1);
	key->more_users[others] = flow;
	key->user_count++;
}

static void widen(struct rda_memory_key *key, uint64_t begin, uint64_t last)
{
	key->low = MIN(key->low, begin);
	key->last = MAX(key->last, last);
}

void rda_key_asked(struct rda_memory_key *key, const struct rda_flow *flow,
		   const struct rda_key_access *access)
{
	uint64_t last;

	note_user(key, flow, access->place);
	key->asked[access->use]++;
	key->bytes += access->use == RDA_KEY_USE_FLUSH ? 0 : access->length;
	if (!key->first_place)
		key->first_place = access->place;
	key->latest_place = access->place;
	if (!access->length || key->has_worked_range)
		return;
	last = rda_span_last(access->va, access->length);
	if (!key->has_range) {
		key->low = access->va;
		key->last = last;
	}
	widen(key, access->va, last);
	key->has_range = true;
}

void rda_key_worked(struct rda_memory_key *key, const struct rda_key_access *access)
{
	uint64_t last;

	if (!access->length)
		return;
	last = rda_span_last(access->va, access->length);
	key->worked[access->use]++;
	key->worked_place = access->place;
	if (!key->has_worked_range) { /* from now on, what was only asked for does not matter */
		key->low = access->va;
		key->last = last;
	}
	widen(key, access->va, last);
	key->has_range = key->has_worked_range = true;
	rda_spans_add(&key->ranges, access->va, last);
}

bool rda_key_refused(struct rda_memory_key *key, const struct rda_key_access *access)
{
	struct rda_key_refusals *refusals;

	key->refused++;
	if (!key->refusals)
		key->refusals = g_new0(struct rda_key_refusals, 1);
	refusals = key->refusals;
	for (uint32_t i = 0; i < refusals->count; i++)
		if (refusals->va[i] == access->va)
			return false;
	if (refusals->count < RDA_KEY_REFUSED_KEPT) {
		refusals->va[refusals->count] = access->va;
		refusals->place[refusals->count++] = access->place;
	}
	return true;
}
