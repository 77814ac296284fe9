/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the messages of one side took, whatever carries them: what roce/message.c and
 * iwarp/rdmap_track.c fill and everybody may read; and the slowest of all.
 */
#ifndef RDA_MESSAGES_H
#define RDA_MESSAGES_H

#include "analyzer/base/latency.h"
#include "analyzer/rda.h"
#include "analyzer/track/flow.h"

/* The slowest acknowledgments that are remembered, with their frames. */
#define RDA_SLOW_ACKS 4

/* An acknowledgment that took long. */
struct rda_slow_ack {
	int64_t latency_ns;
	uint64_t request_frame, ack_frame; /* places */
	int64_t time_ns;		   /* of the ACK */
};

struct rda_messages {
	uint64_t not_timed; /* messages that ended and were seen only in part */
	struct rda_latency *latency[RDA_MESSAGE_COUNT]; /* owned; NULL: none of that kind */
	struct rda_latency *first_response; /* owned; of READs: from the request; NULL: none */
	struct rda_latency acks;     /* from a packet that asked for an ACK to the first ACK */
	struct rda_exchange slowest; /* valid if its latency_ns > 0 */
	struct rda_slow_ack slow_acks[RDA_SLOW_ACKS]; /* slowest first */
	uint8_t slow_ack_count;
};

void rda_messages_free(struct rda_messages *messages);

/* About what they take; NULL: nothing. */
uint64_t rda_messages_bytes(const struct rda_messages *messages);

/* One was completed; a READ got its first response. */
void rda_messages_add(struct rda_messages *messages, enum rda_message kind, int64_t latency_ns);
void rda_messages_add_first(struct rda_messages *messages, int64_t latency_ns);

/* How long those of a kind took; the first responses of READs. Not NULL. */
const struct rda_latency *rda_messages_of(const struct rda_messages *messages,
					  enum rda_message kind);
const struct rda_latency *rda_messages_first(const struct rda_messages *messages);

struct rda_slow_message {
	struct rda_exchange exchange;
	const struct rda_flow *flow; /* of its requester */
};

/* The slowest messages of all, slowest first; of equal ones the earlier. */
struct rda_slowest {
	struct rda_slow_message messages[RDA_SLOWEST_KEPT];
	uint32_t count;
};

/* A message that was completed. */
void rda_slowest_take(struct rda_slowest *slowest, const struct rda_exchange *exchange,
		      const struct rda_flow *flow);

#endif
