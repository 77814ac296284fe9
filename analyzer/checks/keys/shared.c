/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses of several QPs to one place at once, and what the ledger as a whole tells.
 *
 *     QP 1   WRITE 0x1000-0x10ff |------------| ACK
 *     QP 2           WRITE 0x1080-0x117f |------------| ACK      which one is last? (K13)
 *
 * An access is compared with the latest RDA_KEY_RECENT of the same key only, and only when more
 * than one QP uses it.
 */
#include "analyzer/checks/keys/state.h"

#include <glib.h>
#include <stdlib.h>

/* A key that is good for more than this is good for more than one application's buffers. */
#define WHOLE_MEMORY (UINT64_C(1) << 30)

/* Regions that begin next after one, to look for those that overlap it: more is a lattice. */
enum { NEIGHBOURS = 8 };

/* Below this address no process has memory: the region counts from 0. */
enum { ZERO_BASED = 4096 };

/* ---- at once ----------------------------------------------------------------------------------
 */

/* Which check two accesses to one place are a case of; RDA_CHECK_COUNT: of none. */
static enum rda_check check_of(enum rda_key_use one, enum rda_key_use two)
{
	bool write = one == RDA_KEY_USE_WRITE || two == RDA_KEY_USE_WRITE;
	enum rda_key_use other = one == RDA_KEY_USE_WRITE ? two : one;

	if (!write)
		return RDA_CHECK_COUNT; /* READs do no harm, ATOMICs are made for it */
	switch (other) {
	case RDA_KEY_USE_WRITE: return RDA_CHECK_K13;
	case RDA_KEY_USE_READ: return RDA_CHECK_K14;
	case RDA_KEY_USE_ATOMIC: return RDA_CHECK_K15;
	default: return RDA_CHECK_COUNT;
	}
}

/* K13, K14, K15 */
static void compare(const struct rda_key_case *c, uint64_t last,
		    const struct rda_key_recent *recent)
{
	const struct rda_key_event *now = c->event;
	enum rda_check check;
	struct rda_finding *f;

	if (!recent->place || recent->flow == now->flow || recent->last < now->va ||
	    last < recent->begin)
		return;
	check = check_of(now->use, recent->use);
	if (check == RDA_CHECK_COUNT ||
	    !rda_key_is_under_way(c->judge->key_ledger, recent, now->time_ns))
		return;
	f = rda_key_finding(c, check, now->place);
	rda_finding_frame(f, recent->place);
	rda_finding_say(f,
			check == RDA_CHECK_K13	 ? RDA_SAY_K13_AT_ONCE
			: check == RDA_CHECK_K14 ? RDA_SAY_K14_AT_ONCE
						 : RDA_SAY_K15_AT_ONCE,
			RDA_ARG_WORD("operation", rda_key_use_words(now->use)),
			RDA_ARG_NUMBER("length", now->length), RDA_ARG_MEMORY("address", now->va),
			RDA_ARG_KEY("rkey", now->key), RDA_ARG_FRAME("request_frame", now->place),
			RDA_ARG_WORD("other_operation", rda_key_use_words(recent->use)),
			RDA_ARG_NUMBER("other_length", recent->last - recent->begin + 1),
			RDA_ARG_MEMORY("other_address", recent->begin),
			RDA_ARG_FRAME("other_frame", recent->place));
}

void rda_keys_shared_access(const struct rda_key_case *c)
{
	const struct rda_memory_key *key = c->key;

	if (key->user_count < 2 || !c->event->length || !c->event->answers)
		return;
	for (uint32_t i = 0; i < RDA_KEY_RECENT; i++)
		compare(c, rda_span_last(c->event->va, c->event->length), &key->rare->recent[i]);
}

/* ---- the whole ledger ------------------------------------------------------------------------ */

/* K11 */
static void key_shared(struct rda_judge *judge, const struct rda_memory_key *key)
{
	bool hosts = false;
	struct rda_finding *f;

	if (!key->rare->second_user_place)
		return;
	for (uint32_t i = 1; i < key->user_count; i++)
		hosts = hosts || rda_key_user(key, i)->host != key->first_user.host;
	f = rda_finding_add_proof(&judge->findings, RDA_CHECK_K11,
				  rda_memory_key_is_shared(key) ? RDA_PROOF_PROVEN
								: RDA_PROOF_SUSPECTED,
				  rda_key_host_of(key->id.responder), key->rare->second_user_place);
	rda_finding_say(f, RDA_SAY_K11_SHARED, RDA_ARG_KEY("rkey", key->id.key),
			RDA_ARG_ADDRESS("host", rda_judge_address(judge, key->id.responder)),
			RDA_ARG_NUMBER("qps", rda_memory_key_qps(key)),
			RDA_ARG_FLAG("or_more", key->more_users_seen),
			RDA_ARG_FLAG("several_hosts", hosts),
			RDA_ARG_FLAG("writes", key->worked->count[RDA_KEY_USE_WRITE]),
			RDA_ARG_FRAME("second_frame", key->rare->second_user_place));
}

/* K12 */
static void whole_memory_window(struct rda_judge *judge, const struct rda_memory_key *key)
{
	if (!key->has_worked_range || key->last - key->low < WHOLE_MEMORY)
		return;
	/* registered anew, perhaps elsewhere: the range is that of several regions */
	if (key->rare->invalidated.place)
		return;
	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_K12,
					rda_key_host_of(key->id.responder), key->first_place),
			RDA_SAY_K12_WINDOW, RDA_ARG_KEY("rkey", key->id.key),
			RDA_ARG_ADDRESS("host", rda_judge_address(judge, key->id.responder)),
			RDA_ARG_MEMORY("first_address", key->low),
			RDA_ARG_MEMORY("last_address", key->last),
			RDA_ARG_NUMBER("span_mib", (key->last - key->low) >> 20));
}

static int compare_low(const void *a, const void *b)
{
	const struct rda_memory_key *one = *(struct rda_memory_key *const *)a;
	const struct rda_memory_key *two = *(struct rda_memory_key *const *)b;

	if (one->low != two->low)
		return one->low < two->low ? -1 : 1;
	return one->index < two->index ? -1 : one->index > two->index;
}

/* Both were in use at some time. */
static bool at_one_time(const struct rda_memory_key *one, const struct rda_memory_key *two)
{
	return one->id.tap == two->id.tap && one->first_place <= two->latest_place &&
	       two->first_place <= one->latest_place;
}

/* K18 */
static void two_keys_one_address(struct rda_judge *judge, uint32_t host)
{
	uint32_t given, count = 0;
	const struct rda_memory_key *key = rda_key_ledger_of(judge->key_ledger, host, &given);
	const struct rda_memory_key **keys = g_new(const struct rda_memory_key *, given);

	for (; key; key = key->next)
		if (key->has_worked_range && key->low >= ZERO_BASED &&
		    !key->rare->invalidated.place)
			keys[count++] = key;
	if (count)
		qsort(keys, count, sizeof(struct rda_memory_key *), compare_low);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = i + 1; j < count && j <= i + NEIGHBOURS; j++) {
			const struct rda_memory_key *one = keys[i], *two = keys[j];

			if (two->low > one->last)
				break;
			if (!at_one_time(one, two))
				continue;
			rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_K18,
							rda_key_host_of(host),
							MAX(one->first_place, two->first_place)),
					RDA_SAY_K18_TWO, RDA_ARG_KEY("rkey", one->id.key),
					RDA_ARG_KEY("other_rkey", two->id.key),
					RDA_ARG_ADDRESS("host", rda_judge_address(judge, host)),
					RDA_ARG_MEMORY("address", two->low));
		}
	g_free(keys);
}

void rda_keys_shared_end(struct rda_judge *judge)
{
	const struct rda_key_ledger *ledger = judge->key_ledger;

	for (uint32_t i = 0; i < rda_key_ledger_count(ledger); i++) {
		key_shared(judge, rda_key_ledger_at(ledger, i));
		whole_memory_window(judge, rda_key_ledger_at(ledger, i));
	}
	for (uint32_t i = 0; i < rda_key_ledger_hosts(ledger); i++)
		two_keys_one_address(judge, i);
}
