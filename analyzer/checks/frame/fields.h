/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, the fields of the BTH: F07-F10, F17-F19, F25.
 */
#ifndef RDA_CHECKS_FRAME_FIELDS_H
#define RDA_CHECKS_FRAME_FIELDS_H

#include "analyzer/checks/judge.h"

#define RDA_PKEY_DEFAULT 0xffff /* full member of the default partition */
#define RDA_QP_SMI	 0	/* subnet management */
#define RDA_QP_GSI	 1	/* the other management */
#define RDA_QP_MULTICAST 0xffffff

/* Whether there is anything to look at: false for most packets, and cheap. */
static inline bool rda_frame_fields_are_odd(const struct rda_packet *packet)
{
	const struct rda_bth *bth = &packet->bth;

	return (bth->tver | bth->resv6a | bth->resv7 | bth->se) || bth->pkey != RDA_PKEY_DEFAULT ||
	       bth->dest_qp <= RDA_QP_GSI || bth->dest_qp == RDA_QP_MULTICAST ||
	       packet->opcode->kind == RDA_OPCODE_RESERVED ||
	       (bth->ack_req && packet->opcode->roles & RDA_ROLE_RESPONSE);
}

/* An undamaged packet with a BTH. */
RDA_COLD void rda_frame_fields(const struct rda_at *at);

#endif
