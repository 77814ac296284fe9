/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F by its files: what each looks at, and what it remembers.
 */
#ifndef RDA_CHECKS_FRAME_STATE_H
#define RDA_CHECKS_FRAME_STATE_H

#include "analyzer/checks/judge.h"

/* ---- crc.c: F01, F02, F03, F26 --------------------------------------------------------------- */

struct rda_failed_crcs; /* damaged.h */

/* A FLUSH whose ICRC fits. */
RDA_COLD void rda_frame_flush_crc(const struct rda_at *at);

/* Tells what was found. */
void rda_failed_crcs_overall(const struct rda_failed_crcs *failed, struct rda_judge *judge);

/* ---- layout.c: lengths and what carries the packet: F04, F05, F06, F14, F15, F20 ------------- */

/* Whether there is anything to say: false for nearly all packets. */
static inline bool rda_frame_layout_is_odd(const struct rda_packet *packet)
{
	if (packet->plain)
		return packet->bth.padcnt != 0;
	return packet->faults || packet->fragment ||
	       (rda_has(packet, BTH) && packet->bth.padcnt && packet->payload_known);
}

/* A packet that is not known to be damaged; it may have no BTH. */
RDA_COLD void rda_frame_layout(const struct rda_at *at);

/* ---- fields.c: the fields of the BTH: F07-F10, F17-F19, F25 ---------------------------------- */

#define RDA_PKEY_DEFAULT 0xffff /* full member of the default partition */
#define RDA_QP_SMI	 0	/* subnet management */
#define RDA_QP_GSI	 1	/* the other management */
#define RDA_QP_MULTICAST 0xffffff

/* Whether there is anything to look at: false for most packets, and cheap. */
static inline bool rda_frame_fields_are_odd(const struct rda_packet *packet)
{
	const struct rda_bth *bth = &packet->bth;

	return (bth->tver | bth->resv6a | bth->resv7 | bth->se) || bth->pkey != RDA_PKEY_DEFAULT ||
	       bth->dest_qp - (RDA_QP_GSI + 1) >= RDA_QP_MULTICAST - (RDA_QP_GSI + 1) ||
	       packet->opcode->kind == RDA_OPCODE_RESERVED ||
	       (bth->ack_req && packet->opcode->roles & RDA_ROLE_RESPONSE);
}

/* An undamaged packet with a BTH. */
RDA_COLD void rda_frame_fields(const struct rda_at *at);

/* ---- payload.c: payload against path MTU and RETH: F11-F13, F21-F24 -------------------------- */

/* More than a packet may hold, perhaps. */
static inline bool rda_frame_payload_is_long(const struct rda_at *at)
{
	uint32_t payload = at->packet->payload_length;

	return payload > RDA_PATH_MTU_MAX || (at->flow->path_mtu && payload > at->flow->path_mtu);
}

/* Whether there is anything to look at: messages of several packets, and RETHs. */
static inline bool rda_frame_payload_is_worth(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	return packet->payload_known && (packet->opcode->payload == RDA_PAYLOAD_FULL ||
					 packet->opcode->payload == RDA_PAYLOAD_SOME ||
					 rda_has(packet, RETH) || rda_frame_payload_is_long(at));
}

/* An undamaged packet with a BTH. */
void rda_frame_payload(const struct rda_at *at);

/* Requests of a flow that are followed (damaged.h), in order; of more the oldest stay open. */
#define RDA_DOUBTED_MAX 16

struct rda_damaged_requests {
	unsigned count;
	struct {
		int64_t psn; /* widened */
		uint64_t place;
	} of[RDA_DOUBTED_MAX];
};

struct rda_damaged_requests *rda_frame_doubted(const struct rda_flow *flow); /* NULL: none were */
struct rda_damaged_requests *rda_frame_make_doubted(struct rda_flow *flow);

/* Frees all that is watched of the flow. */
void rda_frame_payload_forget(struct rda_flow *flow);

#endif
