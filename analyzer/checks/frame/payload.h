/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, payload against path MTU and RETH: F11-F13, F21-F24.
 */
#ifndef RDA_CHECKS_FRAME_PAYLOAD_H
#define RDA_CHECKS_FRAME_PAYLOAD_H

#include "analyzer/checks/judge.h"

#define RDA_PATH_MTU_MAX 4096

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

void rda_frame_payload_forget(struct rda_flow *flow);

#endif
