/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the NICs of hosts behave, summed over their flows: rda_nic in rda.h.
 */
#ifndef RDA_NIC_H
#define RDA_NIC_H

#include "analyzer/rda.h"

struct rda_flow;

/* What a flow's requests, and the answers to them, tell of their sender and of who answers. */
void rda_nic_add_flow(struct rda_nic *asker, struct rda_nic *answerer, const struct rda_flow *flow);

/* All that `from` knows: of one host in two parts of a capture. */
void rda_nic_merge(struct rda_nic *nic, const struct rda_nic *from);
void rda_nic_cleanup(struct rda_nic *nic);

#endif
