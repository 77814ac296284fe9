/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, payload against path MTU and RETH: F11-F13, F21-F24.
 */
#ifndef RDA_CHECK_FRAME_PAYLOAD_H
#define RDA_CHECK_FRAME_PAYLOAD_H

#include "analyzer/judge.h"

#define RDA_PATH_MTU_MAX 4096

/* Whether there is anything to look at: messages of several packets, and RETHs. */
static inline bool rda_frame_payload_is_worth(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	return packet->payload_known &&
	       (packet->opcode->payload == RDA_PAYLOAD_FULL ||
		packet->opcode->payload == RDA_PAYLOAD_SOME || rda_has(packet, RETH) ||
		packet->payload_length > RDA_PATH_MTU_MAX ||
		(at->flow->path_mtu && packet->payload_length > at->flow->path_mtu));
}

/* An undamaged packet with a BTH. */
void rda_frame_payload(const struct rda_at *at);

void rda_frame_payload_forget(struct rda_flow *flow);

#endif
