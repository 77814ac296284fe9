/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the checks of memory keys look at, and what they remember of the capture. They know events
 * of keys and the ledger only (track/keys), so that events of several engines can be judged as one
 * (rda_judge_keys).
 */
#ifndef RDA_CHECKS_KEYS_STATE_H
#define RDA_CHECKS_KEYS_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/keys/key_ledger.h"

#include <string.h>

/* Distinct keys, or addresses, that one host is refused before it is a scan. */
#define RDA_KEY_SCAN 8

/* Numbers of the CM that are kept of a host. */
#define RDA_KEY_NUMBERS_MAX 1024

/* An event, what it was to the ledger, and the key that it names (NULL: none that is kept). */
struct rda_key_case {
	struct rda_judge *judge;
	const struct rda_key_event *event;
	const struct rda_key_news *news;
	const struct rda_memory_key *key;
};

/* The operation that an event is about, by its own name. */
static inline const char *rda_key_operation(const struct rda_key_event *event)
{
	if (event->atomic_write) /* the name behind that of the service */
		return strchr(rda_opcode(RDA_OPCODE(RC, ATOMIC_WRITE))->name, ' ') + 1;
	return rda_key_use_words((enum rda_key_use)event->use);
}

/* What was refused to a host. */
struct rda_key_scan {
	uint32_t keys;	     /* that never worked */
	uint32_t latest_key; /* of these */
	uint64_t places[RDA_KEY_SCAN];
};

/* A REQ or REP of a host. */
struct rda_key_number {
	uint32_t qpn, psn;
};

struct rda_key_host {
	uint32_t host;			/* first: the table's key; rda_host.index */
	struct rda_key_scan *scan;	/* owned; NULL: nothing was refused to it */
	struct rda_key_number *numbers; /* owned */
	uint32_t number_count, numbers_allocated;
	uint64_t number_place; /* of the first */
	bool more_numbers;     /* than are kept */
};

/* SENDs with Invalidate of keys that nobody had named, of one flow. */
struct rda_key_unknown {
	uint32_t flow; /* first: the table's key */
	uint32_t key, count;
	uint64_t place; /* of the first */
};

struct rda_keys_state {
	struct rda_table hosts;	  /* struct rda_key_host */
	struct rda_table unknown; /* struct rda_key_unknown */
};

/* What a case is about: the flow that asks, the host of its sender. */
static inline struct rda_subject rda_key_flow(const struct rda_key_case *c)
{
	return (struct rda_subject){RDA_SUBJECT_FLOW, c->event->flow};
}

static inline struct rda_subject rda_key_host_of(uint32_t host)
{
	return (struct rda_subject){RDA_SUBJECT_HOST, host};
}

static inline struct rda_finding *rda_key_finding(const struct rda_key_case *c,
						  enum rda_check check, uint64_t place)
{
	return rda_finding_add(&c->judge->findings, check, rda_key_flow(c), place);
}

/*
 * A case that a request or its refusal shows. Where no ICRC vouches for one of these (`unsure`,
 * enum rda_key_doubt) damage may have made it, and it is suspected; where that may be the very case
 * (`mild`), it is milder, too.
 */
struct rda_finding *rda_key_finding_by(const struct rda_key_case *c, enum rda_check check,
				       uint64_t place, unsigned unsure, unsigned mild);

/* ---- by event, and once all packets were seen ------------------------------------------------ */

/* Where requesters learnt their keys: the first request that names a key; CONTRADICTS. */
void rda_keys_told_new(const struct rda_key_case *c);
void rda_keys_told_otherwise(const struct rda_key_case *c);

/* SEND with Invalidate, and what is done with the key afterwards: one of a key that was not in the
 * ledger; one that was answered by a fatal NAK; WORKED, UNANSWERED, FAILED. */
void rda_keys_invalidate_new(const struct rda_key_case *c);
void rda_keys_invalidate_refused(const struct rda_key_case *c);
void rda_keys_invalidate_used(const struct rda_key_case *c);
void rda_keys_invalidate_unanswered(const struct rda_key_case *c);
void rda_keys_invalidate_failed(const struct rda_key_case *c);
void rda_keys_invalidate_end(struct rda_judge *judge);

/* Accesses that the responder refused: REFUSED. */
void rda_keys_refused(const struct rda_key_case *c);
void rda_keys_refused_end(struct rda_judge *judge);

/* Keys that several QPs use, and the memory behind keys: ASKED, of an access. */
void rda_keys_shared_access(const struct rda_key_case *c);
void rda_keys_shared_end(struct rda_judge *judge);

/* Numbers that can be guessed: NUMBER, QPNs and starting PSNs of REQs and REPs. */
void rda_keys_guess_number(const struct rda_key_case *c);
void rda_keys_guess_end(struct rda_judge *judge);

#endif
