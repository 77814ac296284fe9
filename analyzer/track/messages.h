/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the messages of one side took, whatever carries them: what roce/message.c and
 * iwarp/rdmap_track.c fill and everybody may read.
 */
#ifndef RDA_MESSAGES_H
#define RDA_MESSAGES_H

#include "analyzer/rda.h"
#include "analyzer/base/latency.h"
#include "analyzer/track/flow.h"

/* The slowest acknowledgments that are remembered, with their frames. */
#define RDA_SLOW_ACKS 4

/* An acknowledgment that took long. */
struct rda_slow_ack {
	int64_t latency_ns;
	uint64_t request_frame, ack_frame; /* places */
};

struct rda_messages {
	uint64_t not_timed; /* messages that ended and were seen only in part */
	struct rda_latency latency[RDA_MESSAGE_COUNT];
	struct rda_latency first_response; /* of READs: from the request */
	struct rda_latency acks;     /* from a packet that asked for an ACK to the first ACK */
	struct rda_exchange slowest; /* valid if its latency_ns > 0 */
	struct rda_slow_ack slow_acks[RDA_SLOW_ACKS]; /* slowest first */
	uint8_t slow_ack_count;
};

void rda_messages_free(struct rda_messages *messages);

/* The latencies of all kinds together. To be cleaned up by the caller. */
struct rda_latency rda_message_latency(const struct rda_messages *messages);

#endif
