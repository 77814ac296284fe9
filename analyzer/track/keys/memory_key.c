/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is noted of a memory key; memory_key.h has the parts.
 */
#include "analyzer/track/keys/memory_key.h"

#include "analyzer/base/meta.h"

#include <glib.h>
#include <string.h>

static const struct rda_key_worked nothing_worked;
static const struct rda_key_rare nothing_rare;

const char *rda_key_use_words(enum rda_key_use use)
{
	static const char *const words[] = {
#define RDA_U(ID, words) words,
		RDA_KEY_USES(RDA_U)
#undef RDA_U
			"SEND with Invalidate",
	};

	return words[use];
}

void rda_memory_key_init(struct rda_memory_key *key, uint32_t index)
{
	key->index = index;
	key->worked = &nothing_worked;
	key->rare = &nothing_rare;
}

static struct rda_key_worked *worked_of(struct rda_memory_key *key)
{
	if (key->worked == &nothing_worked)
		key->worked = g_new0(struct rda_key_worked, 1);
	return (struct rda_key_worked *)(uintptr_t)key->worked;
}

struct rda_key_rare *rda_memory_key_rare(struct rda_memory_key *key)
{
	if (key->rare == &nothing_rare)
		key->rare = g_new0(struct rda_key_rare, 1);
	return (struct rda_key_rare *)(uintptr_t)key->rare;
}

void rda_memory_key_cleanup(struct rda_memory_key *key)
{
	if (key->worked != &nothing_worked) {
		rda_spans_cleanup(&worked_of(key)->ranges);
		g_free(worked_of(key));
	}
	if (key->rare != &nothing_rare) {
		g_free(key->rare->more_users);
		g_free(key->rare->recent);
		g_free(key->rare->refusals);
		g_free(rda_memory_key_rare(key));
	}
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* One that is neither the first nor known. */
static void add_user(struct rda_memory_key *key, struct rda_key_user user, uint64_t place)
{
	uint32_t others = key->user_count - 1u;
	struct rda_key_rare *rare = rda_memory_key_rare(key);

	if (!rare->second_user_place && user.qp != key->first_user.qp)
		rare->second_user_place = place;
	if ((others & (others - 1)) == 0) /* 0, or a power of two: full */
		rare->more_users =
			g_renew(struct rda_key_user, rare->more_users, others ? 2 * others : 1);
	rare->more_users[others] = user;
	key->user_count++;
}

bool rda_memory_key_is_shared(const struct rda_memory_key *key)
{
	const struct rda_key_user *first = NULL;

	for (uint32_t i = 0; i < key->user_count; i++) {
		const struct rda_key_user *user = rda_key_user(key, i);

		if (!user->doubted && first && user->qp != first->qp)
			return true;
		if (!user->doubted && !first)
			first = user;
	}
	return false;
}

static void believe_user(struct rda_memory_key *key, uint32_t index)
{
	if (index == 0)
		key->first_user.doubted = false;
	else
		rda_memory_key_rare(key)->more_users[index - 1].doubted = false;
}

/* The packet that proves that a second QP uses the key stands for what only seemed to. */
static void note_proof(struct rda_memory_key *key, bool was_shared, uint64_t place)
{
	if (!was_shared && rda_memory_key_is_shared(key))
		rda_memory_key_rare(key)->second_user_place = place;
}

/* A WRITE or READ of no bytes needs no key: UCX and others flush a QP with one, of key 0. */
static bool is_of_nothing(const struct rda_key_event *event)
{
	return !event->length &&
	       (event->use == RDA_KEY_USE_WRITE || event->use == RDA_KEY_USE_READ);
}

static void note_user(struct rda_memory_key *key, const struct rda_key_event *event, uint32_t qp)
{
	/* one packet that no ICRC vouches for may be another QP's, damaged; two are not so alike */
	const struct rda_key_user user = {event->flow, event->requester, qp,
					  (event->doubt & (RDA_KEY_DOUBTED | RDA_KEY_UNCHECKED)) !=
						  0};

	if (!key->user_count) {
		key->first_user = user;
		key->first_needs_none = is_of_nothing(event);
		key->user_count = 1;
		key->stag = event->stag;
		return;
	}
	if (is_of_nothing(event))
		return;
	if (key->first_needs_none) {
		key->first_user = user;
		key->first_needs_none = false;
		return;
	}
	for (uint32_t i = 0; i < key->user_count; i++)
		if (rda_key_user(key, i)->flow == user.flow) {
			if (rda_key_user(key, i)->doubted && !(event->doubt & RDA_KEY_DOUBTED)) {
				bool shared = rda_memory_key_is_shared(key);

				believe_user(key, i);
				note_proof(key, shared, event->asked_place);
			}
			return;
		}
	if (key->user_count == RDA_KEY_USERS_MAX) {
		key->more_users_seen = true;
	} else {
		bool shared = rda_memory_key_is_shared(key);

		add_user(key, user, event->asked_place);
		note_proof(key, shared, event->asked_place);
	}
}

uint32_t rda_memory_key_qps(const struct rda_memory_key *key)
{
	uint32_t qps = 0;

	for (uint32_t i = 0; i < key->user_count; i++) {
		uint32_t before = 0;

		while (rda_key_user(key, before)->qp != rda_key_user(key, i)->qp)
			before++;
		qps += before == i;
	}
	return qps;
}

static void widen(struct rda_memory_key *key, uint64_t begin, uint64_t last)
{
	key->low = MIN(key->low, begin);
	key->last = MAX(key->last, last);
}

void rda_memory_key_asked(struct rda_memory_key *key, const struct rda_key_event *access,
			  uint32_t qp)
{
	uint64_t last;

	note_user(key, access, qp);
	if (access->use < RDA_KEY_USE_COUNT) /* an invalidation that is refused is no access */
		key->asked[access->use]++;
	key->bytes += access->use == RDA_KEY_USE_FLUSH ? 0 : access->length;
	if (!key->first_place)
		key->first_place = access->asked_place;
	key->latest_place = access->asked_place;
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

void rda_memory_key_worked(struct rda_memory_key *key, const struct rda_key_event *access)
{
	struct rda_key_worked *worked;
	uint64_t last;

	if (!access->length)
		return;
	worked = worked_of(key);
	last = rda_span_last(access->va, access->length);
	worked->count[access->use]++;
	worked->place = access->asked_place;
	if (!key->has_worked_range) { /* from now on, what was only asked for does not matter */
		key->low = access->va;
		key->last = last;
	}
	widen(key, access->va, last);
	key->has_range = key->has_worked_range = true;
	rda_spans_add(&worked->ranges, access->va, last);
}

bool rda_memory_key_refused(struct rda_memory_key *key, const struct rda_key_event *access)
{
	struct rda_key_rare *rare = rda_memory_key_rare(key);
	struct rda_key_refusals *refusals;

	rare->refused++;
	if (!rare->refusals)
		rare->refusals = g_new0(struct rda_key_refusals, 1);
	refusals = rare->refusals;
	for (uint32_t i = 0; i < refusals->count; i++)
		if (refusals->va[i] == access->va)
			return false;
	if (refusals->count < RDA_KEY_REFUSED_KEPT) {
		refusals->va[refusals->count] = access->va;
		refusals->place[refusals->count++] = access->asked_place;
	}
	return true;
}

void rda_memory_key_at_once(struct rda_memory_key *key, const struct rda_key_event *access)
{
	struct rda_key_rare *rare;

	if (key->user_count < 2 || !access->length || !access->answers)
		return;
	rare = rda_memory_key_rare(key);
	if (!rare->recent)
		rare->recent = g_new0(struct rda_key_recent, RDA_KEY_RECENT + 1);
	if (rare->recent[RDA_KEY_RECENT].place) {
		rare->recent[rare->recent_next] = rare->recent[RDA_KEY_RECENT];
		rare->recent_next = (rare->recent_next + 1) % RDA_KEY_RECENT;
	}
	rare->recent[RDA_KEY_RECENT] = (struct rda_key_recent){
		.begin = access->va,
		.last = rda_span_last(access->va, access->length),
		.psn = access->psn,
		.place = access->asked_place,
		.until_ns = rda_ns_sum(access->time_ns, access->wait_ns),
		.flow = access->flow,
		.use = access->use,
	};
}

void rda_memory_key_again(struct rda_memory_key *key, const struct rda_key_event *access)
{
	struct rda_key_recent *recent = key->rare->recent;

	for (uint32_t i = 0; recent && i <= RDA_KEY_RECENT; i++)
		if (recent[i].flow == access->flow && recent[i].psn == access->psn)
			recent[i].until_ns = rda_ns_sum(access->time_ns, access->wait_ns);
}

void rda_memory_key_given_back(struct rda_memory_key *key, const struct rda_key_event *event)
{
	struct rda_key_recent *recent = key->rare->recent;

	for (uint32_t i = 0; recent && i <= RDA_KEY_RECENT; i++)
		if (recent[i].flow == event->flow && recent[i].psn < event->psn)
			recent[i].passed = true;
}

void rda_memory_key_passed(struct rda_memory_key *key, const struct rda_key_event *access)
{
	struct rda_key_recent *recent = key->rare->recent;

	for (uint32_t i = 0; recent && i <= RDA_KEY_RECENT; i++)
		if (recent[i].flow == access->flow && recent[i].psn == access->psn)
			recent[i].passed = true;
}

void rda_memory_key_invalidate(struct rda_memory_key *key, const struct rda_key_event *event)
{
	struct rda_key_invalidation *invalidated = &rda_memory_key_rare(key)->invalidated;

	key->invalid = true;
	invalidated->place = event->asked_place;
	invalidated->by = event->flow;
	if (event->stag)
		return;
	invalidated->acked = event->place;
	invalidated->psn = event->psn;
	if (key->worked->place) /* what it is good for next is another region */
		rda_spans_cleanup(&worked_of(key)->ranges);
}
