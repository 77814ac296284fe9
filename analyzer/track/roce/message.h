/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of one side of a reliable connection, from the first request packet of each to its
 * completion, and what that took:
 *
 *     SEND, WRITE         First ... Last  -->  the ACK (or what implies it) that covers the Last
 *     READ                Request         -->  the last response
 *     ATOMIC, FLUSH,      Request         -->  the response
 *     ATOMIC WRITE
 *
 * Nothing is kept of a message while it is outstanding but what the window (window.h) has: when the
 * responder's acknowledgments pass its records they come here, in order of PSN, each with the time
 * it was first sent and how often. What the window does not have (a packet that the capture missed,
 * or one of more than RDA_WINDOW_CAP outstanding) leaves its message without a latency: `not_timed`
 * counts those. READs and their like come from pending.c.
 *
 * UC and UD messages are not answered: they have no latency.
 */
#ifndef RDA_MESSAGE_H
#define RDA_MESSAGE_H

#include "analyzer/track/event.h"
#include "analyzer/track/flow.h"
#include "analyzer/base/latency.h"
#include "analyzer/track/roce/window.h"

/* The slowest acknowledgments that are remembered, with their frames. */
#define RDA_SLOW_ACKS 4

/* One message. */
struct rda_exchange {
	int64_t begin, end; /* PSNs, widened */
	int64_t start_ns, latency_ns;
	uint64_t first_frame, last_frame; /* of its first packet, of what completed it: places */
	uint64_t bytes;
	uint32_t resent; /* packets */
	uint8_t kind;	 /* enum rda_message */
};

/* An acknowledgment that took long. */
struct rda_slow_ack {
	int64_t latency_ns;
	uint64_t request_frame, ack_frame; /* places */
};

enum rda_assembly {
	RDA_ASSEMBLY_NONE, /* no message is open, or its First was not seen */
	RDA_ASSEMBLY_WHOLE,
	RDA_ASSEMBLY_TORN, /* some of it was not seen */
};

struct rda_messages {
	struct rda_exchange open; /* the SEND or WRITE whose packets are being settled */
	uint8_t assembly;	  /* enum rda_assembly: of it */
	int64_t next;		  /* PSN behind the latest record */
	uint64_t not_timed;	  /* messages that ended and were seen only in part */

	struct rda_latency latency[RDA_MESSAGE_COUNT];
	struct rda_latency first_response; /* of READs: from the request */
	struct rda_latency acks;     /* from a packet that asked for an ACK to the first ACK */
	struct rda_exchange slowest; /* valid if its latency_ns > 0 */
	struct rda_slow_ack slow_acks[RDA_SLOW_ACKS]; /* slowest first */
	uint8_t slow_ack_count;
};

void rda_messages_free(struct rda_messages *messages);

/*
 * `messages` in these: where the pointer to the messages of a requester is; NULL in it until there
 * is something to remember.
 */

/* A record of the window, acknowledged at `time_ns` by `frame`: all of them, in order of PSN. */
void rda_message_settled(struct rda_messages **messages, const struct rda_sent *record,
			 int64_t time_ns, uint64_t frame, const struct rda_event_sink *sink);

/* A READ, ATOMIC, FLUSH or ATOMIC WRITE got its (last) response; all but latency_ns is filled. */
void rda_message_answered(struct rda_messages **messages, const struct rda_exchange *exchange,
			  int64_t time_ns, const struct rda_event_sink *sink);

/* A READ got its first response after `latency_ns`. */
void rda_message_first_response(struct rda_messages **messages, int64_t latency_ns);

/*
 * An ACK covers this record, for the first time. Its latency counts only when it asked for one and
 * was sent once: else nobody can tell which of the packets was answered (Karn).
 */
void rda_message_acked(struct rda_messages **messages, const struct rda_sent *record,
		       int64_t time_ns, uint64_t frame);

/* The latencies of all kinds together. To be cleaned up by the caller. */
struct rda_latency rda_message_latency(const struct rda_messages *messages);

#endif
