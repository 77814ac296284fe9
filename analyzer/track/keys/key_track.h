/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the packets of a flow to events of memory keys. Each request that names a key is told when
 * it is first seen, waits in its flow's queue, and is settled by what the responder says:
 *
 *     request --> ASKED --> queue --- acknowledged --> WORKED
 *                                 \-- NAK ----------> REFUSED
 *
 * What is known of the keys themselves is the ledger's (key_ledger.h).
 */
#ifndef RDA_KEY_TRACK_H
#define RDA_KEY_TRACK_H

#include "analyzer/track/event.h"
#include "analyzer/track/keys/key_event.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/setup/cm_track.h"

struct rda_key_track;

void rda_key_track_free(struct rda_key_track *track); /* may be NULL */

/* A packet that is no copy and not damaged, after the account of its flow took it. */
struct rda_key_at {
	const struct rda_frame *frame;
	const struct rda_packet *packet;
	uint64_t place;
	struct rda_flow *flow;
	struct rda_flow *asker;		   /* of a response: whose requests it answers, or NULL */
	const struct rda_request *request; /* of a reliable service; else NULL */
	enum rda_request_kind kind;	   /* of it */
	uint64_t original;		   /* the place of the packet that it repeats, or 0 */
	const struct rda_key_sink *sink;
	const struct rda_meta *meta;
	bool credible; /* its bytes may be what was sent */
	bool checked;  /* its ICRC fits: they are */
};

/* Whether a packet is a request that names a key. */
static inline bool rda_key_is_named(const struct rda_packet *packet)
{
	return packet->present & (RDA_HAS(RETH) | RDA_HAS(ATOMICETH) | RDA_HAS(IETH));
}

void rda_key_track_request(const struct rda_key_at *at);

/* A response to a flow with a track, or one with an AETH to nobody that is known. */
void rda_key_track_response(const struct rda_key_at *at);

/* The first packet of a SEND, with payload. */
void rda_key_track_message(const struct rda_key_at *at);

/* A message of connection management. */
void rda_key_track_cm(const struct rda_key_at *at, const struct rda_cm_step *step);

/* A flow of which no more comes: whatever it asked for is done, or never will be. May be NULL. */
void rda_key_track_over(const struct rda_flow *flow, uint64_t place,
			const struct rda_key_sink *sink);

/* ACK, NAK_FATAL; before the response that they are of. */
void rda_key_track_event(struct rda_flow *asker, const struct rda_event *event);

/* All packets were seen: what is left of a flow. */
void rda_key_track_end(const struct rda_flow *flow, const struct rda_key_sink *sink);

/* About what a track takes; NULL: nothing. */
uint64_t rda_key_track_bytes(const struct rda_key_track *track);

#endif
