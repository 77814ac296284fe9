/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the checks of memory keys (check_keys*.c) remember, of the capture and of a flow.
 */
#ifndef RDA_CHECKS_KEYS_STATE_H
#define RDA_CHECKS_KEYS_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/keys/clear_text.h"
#include "analyzer/track/keys/key_queue.h"

/* Distinct keys, or addresses, that one host is refused before it is a scan. */
#define RDA_KEY_SCAN 8

/* Numbers of the CM that are kept of a host. */
#define RDA_KEY_NUMBERS_MAX 1024

/* What was refused to a host. */
struct rda_key_scan {
	uint32_t keys; /* that never worked */
	uint64_t places[RDA_KEY_SCAN];
};

/* A REQ or REP of a host. */
struct rda_key_number {
	uint32_t qpn, psn;
};

struct rda_key_host {
	struct rda_memory_key *first_key, *last_key; /* that it gave out, in order of first use */
	uint32_t key_count;
	struct rda_key_scan *scan;	/* owned; NULL: nothing was refused to it */
	struct rda_key_number *numbers; /* owned */
	uint32_t number_count, numbers_allocated;
	uint64_t number_place; /* of the first */
	bool more_numbers;     /* than are kept */
};

struct rda_keys_state {
	struct rda_key_ledger ledger;
	struct rda_clear_text clear;
	struct rda_key_host *hosts; /* owned; by rda_host.index */
	uint32_t host_count;
};

struct rda_keys_watch {
	struct rda_memory_key *latest; /* that the flow used */
	struct rda_key_queue queue;
	int64_t acked; /* what of the queue was looked at */

	bool nak_due; /* a fatal NAK came, and its request is still in the queue */
	uint8_t nak_syndrome;
	int64_t nak_psn;
	int64_t refused_psn; /* the latest that was told */

	bool ack_known; /* the latest ACK in order of PSN: */
	int64_t ack_psn;
	uint32_t ack_msn;
	bool msn_counts; /* it was seen to advance: some responders always send the same */

	/* a SEND with Invalidate that was acknowledged, and not completed; 0: none */
	uint64_t failed_place, failed_acked;
	int64_t failed_psn;
	uint32_t failed_key;

	uint64_t unknown_place; /* a SEND with Invalidate of a key that nobody had named; 0: none */
	uint32_t unknown_key;
	uint32_t unknown_count;

	uint32_t datagram_psn; /* of the latest access without acknowledgments (UC, RD) */
	bool datagram_known;
};

struct rda_keys_state *rda_keys_state_new(uint64_t hash_seed);
void rda_keys_state_free(struct rda_keys_state *keys);

/* Made when there is none; good until that of another host is asked for. */
struct rda_key_host *rda_keys_host(struct rda_keys_state *keys, const struct rda_host *host);

/* Made when there is none. */
struct rda_keys_watch *rda_keys_watch(struct rda_flow *flow);
void rda_keys_watch_free(struct rda_flow *flow); /* there need be none */

#endif
