/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is remembered of a flow for its memory keys: for the files of this folder only.
 */
#ifndef RDA_KEY_TRACK_STATE_H
#define RDA_KEY_TRACK_STATE_H

#include "analyzer/track/keys/key_event.h"
#include "analyzer/track/keys/key_queue.h"

struct rda_flow;

/* STags that are remembered to be invalidated, of each direction: an application has few between
 * two messages of its peer. */
#define RDA_STAGS_INVALIDATED_KEPT 8

struct rda_stag_invalidated {
	uint32_t stag;
	uint64_t place; /* of the SEND with Invalidate; 0: none */
	uint64_t sends; /* messages that the STag's owner had sent by then */
};

/* What only NAKs, failed invalidations and iWARP make. */
struct rda_key_track_rare {
	bool nak_due; /* a fatal NAK came, and its request is still in the queue */
	uint8_t nak_syndrome;
	int64_t nak_psn;
	int64_t refused_psn; /* the latest that was told; -1: none */

	/* a SEND with Invalidate that was acknowledged, and not completed; 0: none */
	uint64_t failed_place, failed_acked;
	int64_t failed_psn;
	uint32_t failed_key;

	uint32_t stags_next;
	struct rda_stag_invalidated *stags; /* owned; a ring; NULL: none was invalidated */
	/* by these the same request came once each, as mirrors show it on both sides of a hop */
	struct rda_key_path ways[2];
	bool two_ways; /* they are valid */
};

struct rda_key_track {
	struct rda_key_queue queue;
	int64_t acked;			 /* what of the queue was looked at */
	int64_t ack_psn;		 /* the latest ACK in order of PSN; valid if ack_known */
	uint32_t ack_msn;		 /* the same */
	uint32_t datagram_psn;		 /* of the latest access without acknowledgments (UC, RD) */
	struct rda_key_track_rare *rare; /* owned; NULL: nothing of it */
	bool paired;			 /* was told */
	bool ack_known;
	bool msn_counts; /* it was seen to advance: some responders always send the same */
	bool datagram_known;
	bool broken; /* iWARP: FPDUs of the flow are missing */
};

/* Made when there is none. */
struct rda_key_track *rda_key_track_of(struct rda_flow *flow);
struct rda_key_track_rare *rda_key_track_rare(struct rda_key_track *track);

/* An event of a flow without more in it. */
struct rda_key_event rda_key_event_of(enum rda_key_event_kind kind, const struct rda_flow *flow,
				      uint64_t place);

#endif
