/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, lengths and what carries the packet: F04, F05, F06, F14, F15, F20.
 */
#ifndef RDA_CHECKS_FRAME_LAYOUT_H
#define RDA_CHECKS_FRAME_LAYOUT_H

#include "analyzer/checks/judge.h"

/* Whether there is anything to say: false for nearly all packets. */
static inline bool rda_frame_layout_is_odd(const struct rda_packet *packet)
{
	return packet->faults || packet->fragment ||
	       (rda_has(packet, BTH) && packet->bth.padcnt && packet->payload_known);
}

/* A packet that is not known to be damaged; it may have no BTH. */
RDA_COLD void rda_frame_layout(const struct rda_at *at);

#endif
