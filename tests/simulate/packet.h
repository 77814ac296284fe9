/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One packet on its way. PSNs are whole numbers from 0, in the space of who asks; the wire's are
 * made of them when a frame is (frame.h).
 */
#ifndef RDA_SIM_PACKET_H
#define RDA_SIM_PACKET_H

#include <stdbool.h>
#include <stdint.h>

struct sim_packet {
	int64_t psn, end; /* of a request: the PSNs that it takes */
	uint64_t va;
	uint32_t rkey, length; /* of RETH and AtomicETH */
	uint32_t payload;
	uint32_t msn;
	uint32_t stream; /* of a response: which row without a pause of the responder's */
	uint32_t sent;	 /* which transmission it is (truth.h) */
	uint16_t ip_id;
	uint8_t opcode;
	uint8_t from;  /* host 0 or 1 */
	uint8_t asker; /* the host whose requests it is about */
	uint8_t syndrome;
	bool response, cnp;
	bool ack_req;
	bool marked; /* ECN: congestion experienced */
	bool damaged;
};

/* A syndrome of an ACK, with or without credits. */
static inline bool sim_is_ack(uint8_t syndrome)
{
	return syndrome >> 5 == 0;
}

#endif
