/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A memory key as the ledger (key_ledger.h) keeps it: who used it, for what, what of that worked or
 * was refused, and how it was invalidated.
 *
 * Most keys are used by one QP and work or go unanswered, so what worked, and what is rare, are
 * blocks of their own: until there is anything, a key points to constants that all keys share.
 */
#ifndef RDA_MEMORY_KEY_H
#define RDA_MEMORY_KEY_H

#include "analyzer/rda.h"
#include "analyzer/track/keys/key_event.h"
#include "analyzer/track/keys/spans.h"

/* QPs that are kept of a key. */
#define RDA_KEY_USERS_MAX 64

/* The latest accesses of a key that several QPs use: those that may still be under way. */
#define RDA_KEY_RECENT 8

/* "WRITE" */
const char *rda_key_use_words(enum rda_key_use use);

/* A flow that used a key. */
struct rda_key_user {
	uint32_t flow, host; /* rda_flow.index, and rda_host.index of its sender */
	uint32_t qp;  /* the flow of the QP's first life that is known: of one QP all are equal */
	bool doubted; /* no request of it is known to have been sent so */
};

/* An access of a key that several QPs use. */
struct rda_key_recent {
	uint64_t begin, last; /* addresses */
	int64_t psn;
	uint64_t place;	  /* 0: none */
	int64_t until_ns; /* who has no answer by then, and lives, sent it again */
	uint32_t flow;
	uint8_t use;
	bool passed; /* acknowledged, or in part; or what goes on behind it gave the key back */
};

/* The latest SEND with Invalidate that was acknowledged. */
struct rda_key_invalidation {
	uint64_t place; /* 0: there was none */
	uint64_t acked; /* the place of its acknowledgment */
	int64_t psn;
	uint32_t by; /* rda_flow.index; valid with a place */
};

struct rda_key_worked {
	uint64_t count[RDA_KEY_USE_COUNT];
	uint64_t place;		 /* the latest request that worked; 0 none */
	struct rda_spans ranges; /* that worked since it was last invalidated */
};

/* What several users, refusals and invalidations make of a key. */
struct rda_key_rare {
	struct rda_key_user *more_users; /* owned; those behind the first */
	uint64_t second_user_place;	 /* where it was first seen to be shared by QPs; 0: never */
	uint64_t refused;		 /* answered by a remote access error */
	struct rda_key_invalidation invalidated;
	uint64_t used_after_invalidate;
	/* owned; a ring of RDA_KEY_RECENT, behind it the access at hand; NULL: not shared */
	struct rda_key_recent *recent;
	uint8_t recent_next;
	struct rda_key_refusals *refusals; /* owned; NULL: none */
};

struct rda_memory_key {
	struct rda_key_id id;	     /* first: the table's key */
	uint32_t index;		     /* in order of the first use */
	struct rda_memory_key *next; /* of the same responder, in order of first use; no STags */

	struct rda_key_user first_user; /* valid if user_count > 0 */
	uint8_t user_count;		/* that are kept */
	bool more_users_seen : 1;	/* than are kept */
	bool stag : 1;			/* its first user is a flow of iWARP */
	bool first_needs_none : 1;	/* that asked for no bytes: the next one takes its place */
	bool has_range : 1, has_worked_range : 1;
	bool invalid : 1;      /* and not seen to be registered anew */
	bool used_unknown : 1; /* before the first use after it was invalidated it may have been
				  told anew, unseen */
	bool told_unknown : 1; /* not all that could have told it was looked at */

	uint64_t asked[RDA_KEY_USE_COUNT];
	uint64_t bytes;	    /* of what was asked */
	uint64_t low, last; /* addresses asked for, if any had bytes; worked, once any has */
	uint64_t first_place, latest_place; /* of requests */
	uint64_t told_place; /* where the key was told to its first user, in clear; 0 nowhere */

	const struct rda_key_worked *worked; /* owned, or a constant */
	const struct rda_key_rare *rare;     /* owned, or a constant */
};

/* One of which the table has filled the ID and zeroed the rest. */
void rda_memory_key_init(struct rda_memory_key *key, uint32_t index);
void rda_memory_key_cleanup(struct rda_memory_key *key);

/* What is rare of it, to be written. */
struct rda_key_rare *rda_memory_key_rare(struct rda_memory_key *key);

/* A request asks, of a QP (rda_key_user.qp); what it asked was done. */
void rda_memory_key_asked(struct rda_memory_key *key, const struct rda_key_event *access,
			  uint32_t qp);
void rda_memory_key_worked(struct rda_memory_key *key, const struct rda_key_event *access);

/* It was refused. True when nothing was refused at this address before, as far as is kept. */
bool rda_memory_key_refused(struct rda_memory_key *key, const struct rda_key_event *access);

/* An access that may be under way beside those of others; that was sent again; that is
 * acknowledged, or in part; a SEND with Invalidate of the same flow, which those before it are over
 * with. */
void rda_memory_key_at_once(struct rda_memory_key *key, const struct rda_key_event *access);
void rda_memory_key_again(struct rda_memory_key *key, const struct rda_key_event *access);
void rda_memory_key_passed(struct rda_memory_key *key, const struct rda_key_event *access);
void rda_memory_key_given_back(struct rda_memory_key *key, const struct rda_key_event *event);

void rda_memory_key_invalidate(struct rda_memory_key *key, const struct rda_key_event *event);

static inline const struct rda_key_user *rda_key_user(const struct rda_memory_key *key,
						      uint32_t index)
{
	return index ? &key->rare->more_users[index - 1] : &key->first_user;
}

/* QPs that are kept of a key; a QP that was set up anew is one. */
uint32_t rda_memory_key_qps(const struct rda_memory_key *key);

/* Several QPs use it for certain: of a host without good ICRCs one packet may be another's,
 * damaged.
 */
bool rda_memory_key_is_shared(const struct rda_memory_key *key);

#endif
