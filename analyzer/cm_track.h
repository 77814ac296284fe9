/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What connection management said: which two QPs a REQ and its REP tie together.
 *
 *     A: REQ(local comm ID a, QPN p) ->
 *                 <- B: REP(local comm ID b, remote comm ID a, QPN q)      =>  A:p - B:q
 *
 * The handshake's times, refusals and negotiated limits are judged elsewhere.
 */
#ifndef RDA_CM_TRACK_H
#define RDA_CM_TRACK_H

#include "analyzer/table.h"
#include "dissectors/mad.h"

/*
 * What the exchange allows one end as a requester; -1: not known. Retries are what its QP was given
 * on Linux: the active side takes the retry count and the ACK timeout of its own REQ, which are
 * those that it tells the other; RNR retries are what the other side tells it.
 */
struct rda_cm_limits {
	int8_t retry_count;	/* resends without progress */
	int8_t rnr_retry_count; /* likewise after RNR NAKs; 7: without end */
	int8_t ack_timeout;	/* the timer's exponent: 4.096 us * 2^n; 0: no timer */
	int16_t reads;		/* READs and ATOMICs under way: its depth, the other's resources */
};

/* A REQ that was seen, by its sender and communication ID. */
struct rda_cm_request_key {
	struct rda_address active;
	uint32_t comm_id;
};

struct rda_cm_request {
	struct rda_cm_request_key key; /* first: the table's key */
	struct rda_address passive;
	uint32_t qpn;	  /* of the active side */
	uint8_t path_mtu; /* coded as in the REQ; 0 where it was cut */
	struct rda_cm_limits
		limits;		  /* of both sides; but for RNR retries of the passive one only */
	int16_t resources, depth; /* READs that it serves, and asks for; -1 unknown */
};

/* One end of an established pair: who listens on this QP, and who is its peer. */
struct rda_cm_end_key {
	struct rda_address address;
	uint32_t qpn;
};

struct rda_cm_end {
	struct rda_cm_end_key key; /* first: the table's key */
	struct rda_address peer;
	uint32_t peer_qpn;
	uint32_t path_mtu; /* bytes; 0 unknown */
	struct rda_cm_limits limits;
};

struct rda_cm_track {
	struct rda_table requests; /* struct rda_cm_request */
	struct rda_table ends;	   /* struct rda_cm_end; the latest pair of a QP */
};

void rda_cm_track_init(struct rda_cm_track *track, uint64_t seed);
void rda_cm_track_cleanup(struct rda_cm_track *track);

/* Takes note of a packet's CM message, if it has one. */
void rda_cm_track_packet(struct rda_cm_track *track, const struct rda_frame *frame,
			 const struct rda_packet *packet);

/* The pair that a QP belongs to, or NULL. */
const struct rda_cm_end *rda_cm_track_find(const struct rda_cm_track *track,
					   const struct rda_address *address, uint32_t qpn);

#endif
