/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of memory keys: who used which, for what, where, and how it ended.
 *
 *     (responder, r_key)   asked: 12 WRITEs, 3 READs, 61440 bytes     by A's QP 0x11, 0x15
 *                          worked: 0x7f00..-0x7f0f..                  refused: 1
 *                          invalidated at frame 80                    used after it: 0
 *
 * A key belongs to the responder that gave it out: the same number at another host is another key.
 * A request counts once, however often it was sent; it "worked" when the responder acknowledged it.
 * A request of no bytes has its key not looked at (IBTA vol 1, C9-88): it proves nothing, and only
 * counts.
 *
 * What of this is right or wrong is said by check_keys*.c.
 */
#ifndef RDA_KEY_LEDGER_H
#define RDA_KEY_LEDGER_H

#include "analyzer/track/flow.h"
#include "analyzer/track/keys/spans.h"
#include "analyzer/base/table.h"

/*
 * Keys that are kept. Storage registers anew for each command: 8192 regions with the 256 values of
 * their low byte are more than this, one host's working set is not. About 500 bytes each.
 */
#define RDA_KEYS_MAX 262144

/* QPs that are kept of a key. */
#define RDA_KEY_USERS_MAX 64

/* The latest accesses of a key that several QPs use: those that may still be under way. */
#define RDA_KEY_RECENT 8

/* Distinct addresses that are kept of those that were refused. */
#define RDA_KEY_REFUSED_KEPT 8

/* Kinds of access: RDA_KEY_USES(U): U(ID, "words", "with the article") */
#define RDA_KEY_USES(U)                                                                            \
	U(READ, "READ", "a READ")                                                                  \
	U(WRITE, "WRITE", "a WRITE")                                                               \
	U(ATOMIC, "ATOMIC", "an ATOMIC")                                                           \
	U(FLUSH, "FLUSH", "a FLUSH")

enum rda_key_use {
#define RDA_U(ID, words, article) RDA_KEY_USE_##ID,
	RDA_KEY_USES(RDA_U)
#undef RDA_U
		RDA_KEY_USE_COUNT,
	RDA_KEY_USE_INVALIDATE = RDA_KEY_USE_COUNT, /* a SEND with Invalidate: no access */
};

/* "WRITE", "a WRITE"; "an ATOMIC" */
const char *rda_key_use_words(enum rda_key_use use);
const char *rda_key_use_article(enum rda_key_use use);

struct rda_key_id {
	struct rda_address responder;
	uint32_t key;
	uint32_t tap; /* as flows are: another tap sees the same once more */
};

/* An access of a key that several QPs use. */
struct rda_key_recent {
	uint64_t begin, last; /* addresses */
	int64_t psn;
	uint64_t place;
	const struct rda_flow *flow;
	uint8_t use;
};

/* What was refused of a key. */
struct rda_key_refusals {
	uint64_t va[RDA_KEY_REFUSED_KEPT], place[RDA_KEY_REFUSED_KEPT];
	uint32_t count; /* of those */
};

struct rda_memory_key {
	struct rda_key_id id; /* first: the table's key */
	uint32_t index;	      /* in order of the first use */
	const struct rda_host *responder;
	struct rda_memory_key *next; /* of the same responder, in order of first use */

	const struct rda_flow *first_user;
	const struct rda_flow **more_users; /* owned; the others */
	uint32_t user_count;		    /* that are kept */
	bool more_users_seen;		    /* than are kept */
	uint64_t second_user_place;	    /* where it was first seen to be shared */

	uint64_t asked[RDA_KEY_USE_COUNT], worked[RDA_KEY_USE_COUNT];
	uint64_t bytes;	    /* of what was asked */
	uint64_t refused;   /* answered by a remote access error */
	uint64_t low, last; /* addresses asked for, if any had bytes; worked, once any has */
	bool has_range, has_worked_range;
	struct rda_spans ranges; /* that worked since it was last invalidated */

	uint64_t first_place, latest_place; /* of requests */
	uint64_t worked_place;		    /* the latest request that worked; 0 none */

	uint64_t invalidated_place; /* the latest SEND with Invalidate that was acknowledged */
	uint64_t invalidated_acked; /* the place of its acknowledgment */
	const struct rda_flow *invalidated_by;
	int64_t invalidated_psn;
	bool invalid; /* and not seen to be registered anew */
	uint64_t used_after_invalidate;
	uint8_t used_severity; /* of the finding about it; valid if there was such a use */

	uint64_t told_place; /* where the key was told to its first user, in clear; 0 nowhere */
	bool told_unknown;   /* not all that could have told it was looked at */

	struct rda_key_recent *recent; /* owned; a ring of RDA_KEY_RECENT; NULL: not shared */
	uint32_t recent_next;
	struct rda_key_refusals *refusals; /* owned; NULL: none */
};

struct rda_key_ledger {
	struct rda_table keys; /* struct rda_memory_key */
	uint64_t not_kept;     /* uses of keys that there was no room for */
	uint32_t cap;
};

/* `cap`: 0 for RDA_KEYS_MAX */
void rda_key_ledger_init(struct rda_key_ledger *ledger, uint64_t seed, uint32_t cap);
void rda_key_ledger_cleanup(struct rda_key_ledger *ledger);

/* The key of a flow's receiver; made when it is new, then *made. NULL: there is no room for it. */
struct rda_memory_key *rda_key_ledger_get(struct rda_key_ledger *ledger,
					  const struct rda_flow *flow, uint32_t key, bool *made);

/* Likewise, or NULL when it was never used. */
struct rda_memory_key *rda_key_ledger_find(const struct rda_key_ledger *ledger,
					   const struct rda_flow *flow, uint32_t key);

struct rda_key_access {
	uint64_t va;
	uint32_t length;
	uint8_t use;
	uint64_t place;
};

/* One request, the first time that it is seen. */
void rda_key_asked(struct rda_memory_key *key, const struct rda_flow *flow,
		   const struct rda_key_access *access);

/* It was acknowledged. */
void rda_key_worked(struct rda_memory_key *key, const struct rda_key_access *access);

/* It was refused. True when nothing was refused at this address before, as far as is kept. */
bool rda_key_refused(struct rda_memory_key *key, const struct rda_key_access *access);

static inline uint64_t rda_key_worked_count(const struct rda_memory_key *key)
{
	uint64_t sum = 0;

	for (unsigned use = 0; use < RDA_KEY_USE_COUNT; use++)
		sum += key->worked[use];
	return sum;
}

static inline const struct rda_flow *rda_key_user(const struct rda_memory_key *key, uint32_t index)
{
	return index ? key->more_users[index - 1] : key->first_user;
}

#endif
