/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of the engine: packets by what they mean, dissected, with a number and a time each.
 */
#ifndef RDA_TEST_FEED_H
#define RDA_TEST_FEED_H

#include "analyzer/engine/engine.h"
#include "tests/unit/build.h"
#include "tests/unit/finish.h"

enum { RDA_FEED_STEP_NS = 1000 };

struct rda_feed {
	struct rda_engine *engine;
	struct rda_meta meta; /* of the last packet; the next one's number and time are greater */
};

/* An extended header or more, as bytes. */
struct rda_extended {
	uint8_t bytes[64];
	uint32_t length;
};

struct rda_extended rda_reth(uint64_t va, uint32_t rkey, uint32_t length);
struct rda_extended rda_aeth(uint8_t syndrome, uint32_t msn);
struct rda_extended rda_deth(uint32_t src_qp);

/* What two hosts say to each other; the rest of a recipe is added by whoever uses it. */
struct rda_recipe rda_packet_of(uint8_t from, uint8_t to, uint32_t dest_qp, uint8_t opcode,
				uint32_t psn);

/* The recipe with extended headers; they must outlive it. */
struct rda_recipe rda_with(struct rda_recipe recipe, const struct rda_extended *extended);

void rda_feed_begin(struct rda_feed *feed);
void rda_feed_end(struct rda_feed *feed);

/* Gives the engine a packet; what is returned is valid until the next. */
const struct rda_packet *rda_feed(struct rda_feed *feed, const struct rda_recipe *recipe);

/* Gives the engine a frame; what is returned is valid until the next. */
const struct rda_packet *rda_feed_frame(struct rda_feed *feed, const struct rda_build *b,
					uint32_t captured, uint16_t link);

/* Packets between two hosts, to a QP of the second, with the UDP source port of the flow. */
void rda_feed_send(struct rda_feed *feed, uint8_t from, uint8_t to, uint32_t dest_qp,
		   uint16_t source_port, uint32_t psn);
void rda_feed_acknowledge(struct rda_feed *feed, uint8_t from, uint8_t to, uint32_t dest_qp,
			  uint16_t source_port, uint32_t psn);
void rda_feed_datagram(struct rda_feed *feed, uint8_t from, uint8_t to, uint32_t src_qp,
		       uint32_t dest_qp);

/* No more packets come: how many connections of RC there are, which management is not. */
unsigned rda_feed_connections(struct rda_feed *feed);

/* Cases of a check, once the engine has finished. */
uint64_t rda_feed_cases(const struct rda_feed *feed, enum rda_check check);

/* ---- connection management ------------------------------------------------------------------- */

struct rda_cm_message {
	uint8_t from, to;
	uint16_t attribute; /* 0x10 REQ, 0x13 REP */
	uint32_t local_id, remote_id, qpn;
	uint8_t path_mtu;		  /* coded; REQ only */
	uint8_t retry_count, ack_timeout; /* of a REQ only */
	uint8_t rnr_retry_count, resources, depth;
	uint32_t psn;		  /* starting PSN */
	uint16_t reason;	  /* REJ */
	uint8_t service_timeout;  /* MRA */
	uint64_t service_id;	  /* REQ */
	const char *private_data; /* hex; NULL: zeros */
};

void rda_build_cm(struct rda_built *built, const struct rda_cm_message *message);
void rda_feed_cm(struct rda_feed *feed, const struct rda_cm_message *message);

/* REQ and REP: the QP of `active` and that of `passive` are one connection, with a path MTU of
 * 1024. */
void rda_feed_exchange(struct rda_feed *feed, uint8_t active, uint8_t passive, uint32_t active_qp,
		       uint32_t passive_qp, uint32_t comm_id);

/* REQ and REP, with the PSNs that the two begin to send with; without, they are 0. */
void rda_feed_exchange_at(struct rda_feed *feed, uint8_t active, uint8_t passive,
			  uint32_t active_qp, uint32_t passive_qp, uint32_t comm_id,
			  uint32_t active_psn, uint32_t passive_psn);

#endif
