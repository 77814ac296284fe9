/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of the checks of memory keys: connections of host 1 (the requester) with host 2
 * (the responder), accesses on them, and what was found.
 */
#ifndef RDA_TEST_KEYS_FEED_H
#define RDA_TEST_KEYS_FEED_H

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"

struct rda_keys_feed {
	struct rda_feed feed;
	uint32_t link;	   /* connection at hand: 0, 1, ... */
	uint32_t psn;	   /* of the latest request on it */
	uint32_t told_psn; /* of what the responder tells next */
	uint32_t msn;	   /* of the latest acknowledgment */
	uint8_t client;	   /* its host */
};

void rda_keys_begin(struct rda_keys_feed *keys);
/* The engine has seen all. */
void rda_keys_finish(struct rda_keys_feed *keys);
void rda_keys_end(struct rda_keys_feed *keys);

/* A connection of its own, made by CM, from a client host; later calls are about it. */
void rda_keys_connect(struct rda_keys_feed *keys, uint32_t link, uint8_t client);

/* One request packet, at the next PSN. */
void rda_keys_access(struct rda_keys_feed *keys, uint8_t opcode, uint64_t va, uint32_t rkey,
		     uint32_t length);
void rda_keys_invalidate(struct rda_keys_feed *keys, uint32_t rkey);

/* Payload that the responder sends to the client. */
void rda_keys_tell(struct rda_keys_feed *keys, const uint8_t *bytes, uint32_t length);

/* To the latest request: an ACK that counts it, or a NAK. */
void rda_keys_ack(struct rda_keys_feed *keys);
void rda_keys_nak(struct rda_keys_feed *keys, uint8_t syndrome);

/* To the latest request, an ATOMIC: its result. */
void rda_keys_result(struct rda_keys_feed *keys, uint64_t value);

/* Cases of a check, of all severities; and whether one of its texts has these words. */
uint64_t rda_keys_count(const struct rda_keys_feed *keys, enum rda_check check);
bool rda_keys_says(const struct rda_keys_feed *keys, enum rda_check check, const char *words);

#endif
