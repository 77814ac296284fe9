/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FPDUs of iWARP, for upper layers.
 */
#ifndef RDA_ULP_IWARP_H
#define RDA_ULP_IWARP_H

#include "analyzer/track/iwarp/rdmap_track.h"
#include "analyzer/track/ulp/ulp.h"

/* An FPDU whose CRC is not wrong, and what it is to its side's messages. */
struct rda_ulp_fpdu {
	struct rda_flow *flow, *peer; /* peer: NULL when nothing of it was seen */
	const struct rda_fpdu_seen *fpdu;
	const struct rda_rdmap_step *step;
	int64_t acked, heard; /* what the other side has of the flow, and the flow of the peer */
};

void rda_ulp_iwarp(struct rda_ulps *ulps, const struct rda_ulp_fpdu *at);

/* Room for RDA_ULP_BYTES of a SEND's payload (mpa.h); NULL: the flow needs none. */
uint8_t *rda_ulp_iwarp_room(struct rda_flow *flow);

/* FPDUs of the flow are missing. */
void rda_ulp_iwarp_lost(struct rda_flow *flow);

#endif
