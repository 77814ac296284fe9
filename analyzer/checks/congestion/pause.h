/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, frames that stop a link: G11-G15.
 *
 *     XOFF: stop this priority for so many quanta of 512 bit times      XON: go on (0 quanta)
 *
 * How long a quantum is depends on the speed of the link, which no capture tells. It is taken for
 * RDA_PAUSE_LINK_GBITS: on a slower link the shares of time that are told are too small, on a
 * faster one too great, unless an XON ended the pause.
 */
#ifndef RDA_CHECKS_CONGESTION_PAUSE_H
#define RDA_CHECKS_CONGESTION_PAUSE_H

#include "analyzer/checks/judge.h"

#define RDA_PAUSE_LINK_GBITS 100

/* Senders of pauses that are kept apart, with their priorities: a switch has at most 8 * ports. */
#define RDA_PAUSERS_MAX 4096

struct rda_pauses {
	struct rda_table pausers;  /* by capture, MAC address and priority */
	struct rda_table captures; /* the priorities of RDMA in each, and what is stopped */
	uint64_t not_kept;	   /* pauses of more senders than are kept apart */
};

void rda_pauses_init(struct rda_pauses *pauses, uint64_t hash_seed);
void rda_pauses_cleanup(struct rda_pauses *pauses);

/* A frame with RDA_PAUSE or RDA_PFC as its last layer. */
RDA_COLD void rda_pauses_frame(struct rda_pauses *pauses, const struct rda_at *at);

/* Packets of RDMA have this priority, by their VLAN tag or by their DSCP. */
void rda_pauses_rdma(struct rda_pauses *pauses, const struct rda_at *at);

/* Requests are sent again, as a NAK asked. */
void rda_pauses_loss(const struct rda_pauses *pauses, const struct rda_at *at,
		     const struct rda_event *event);

void rda_pauses_end(const struct rda_pauses *pauses, struct rda_judge *judge);

#endif
