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
 * The ledger knows nothing but events (key_event.h). What of it is right or wrong is said by
 * checks/keys.
 */
#ifndef RDA_KEY_LEDGER_H
#define RDA_KEY_LEDGER_H

#include "analyzer/rda.h"
#include "analyzer/track/keys/key_event.h"
#include "analyzer/track/keys/memory_key.h"

/*
 * Keys that are kept. Storage registers anew for each command: 8192 regions with the 256 values of
 * their low byte are more than this, one host's working set is not. About 500 bytes each.
 */
#define RDA_KEYS_MAX 262144

struct rda_key_ledger;

/* `cap`: 0 for RDA_KEYS_MAX */
struct rda_key_ledger *rda_key_ledger_new(uint64_t seed, uint32_t cap);
void rda_key_ledger_free(struct rda_key_ledger *ledger); /* may be NULL */

/* What an event was to the ledger. */
struct rda_key_news {
	const struct rda_memory_key
		*key; /* NULL: the event names none, or there is no room for it */
	bool made;    /* ASKED: the key was not known before */
	bool is_new;  /* REFUSED: nothing was refused at this address before */
	/* WORKED, REFUSED, UNANSWERED: it came after the key was invalidated, and nothing told the
	 * key anew */
	bool after_invalidate;
	struct rda_key_told told; /* of a key that was made, or for after_invalidate */
};

/* Takes an event, in order of place. */
void rda_key_ledger_take(struct rda_key_ledger *ledger, const struct rda_key_event *event,
			 struct rda_key_news *news);

/* UNANSWERED and FAILED change nothing. */
void rda_key_ledger_look(const struct rda_key_ledger *ledger, const struct rda_key_event *event,
			 struct rda_key_news *news);

/* Data to a host, in which no key is looked for; between two events in any order. */
void rda_key_ledger_data(struct rda_key_ledger *ledger, uint32_t host, uint64_t place);

/* ---- views ----------------------------------------------------------------------------------- */

/* In order of the first use. */
uint32_t rda_key_ledger_count(const struct rda_key_ledger *ledger);
const struct rda_memory_key *rda_key_ledger_at(const struct rda_key_ledger *ledger, uint32_t index);

/* Frees one of which nothing is asked any more, of a ledger that is only freed then. */
void rda_key_ledger_spend(struct rda_key_ledger *ledger, uint32_t index);

/* NULL: never used. */
const struct rda_memory_key *rda_key_ledger_find(const struct rda_key_ledger *ledger,
						 uint32_t responder, uint32_t key, uint32_t tap);

/* The keys that a host gave out, in order of first use (rda_memory_key.next); *count of them. */
const struct rda_memory_key *rda_key_ledger_of(const struct rda_key_ledger *ledger, uint32_t host,
					       uint32_t *count);

/* Hosts have indices below this. */
uint32_t rda_key_ledger_hosts(const struct rda_key_ledger *ledger);

/* Uses of keys that there was no room for. */
uint64_t rda_key_ledger_not_kept(const struct rda_key_ledger *ledger);

/* Whether a request of a key that others use too may be under way at that time, unacknowledged. */
bool rda_key_is_under_way(const struct rda_key_ledger *ledger, const struct rda_key_recent *recent,
			  int64_t time_ns);

/* About what all of it takes; a key: itself, its recent uses, some ranges and users. */
#define RDA_KEY_BYTES UINT64_C(700)
uint64_t rda_key_ledger_bytes(const struct rda_key_ledger *ledger);

/*
 * All keys are forgotten, and what hosts were told up to `place`: hosts and flows may have other
 * indices from now on. What was not kept stays counted.
 */
void rda_key_ledger_forget(struct rda_key_ledger *ledger, uint64_t place);

#endif
