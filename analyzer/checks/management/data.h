/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of connections against what was agreed when they were set up.
 */
#ifndef RDA_CHECKS_MANAGEMENT_DATA_H
#define RDA_CHECKS_MANAGEMENT_DATA_H

#include "analyzer/checks/judge.h"

/*
 * Packets this long after a DREP are no late ones: networks that RDMA crosses take a tenth of a
 * second at most.
 */
#define RDA_AFTER_DREP_NS INT64_C(100000000)

/* A DREQ: what had no answer then? */
void rda_management_left(const struct rda_at *at);

/* A packet with an AETH to a flow's sender. */
void rda_management_answered(const struct rda_at *at);

/* All packets were seen: for each connection. */
void rda_management_connection(struct rda_judge *judge, const struct rda_connection *connection);

/* Then once: flows of which nobody spoke. */
void rda_management_strangers(struct rda_judge *judge);

#endif
