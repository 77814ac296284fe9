/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest messages of all, slowest first; of equal ones the earlier.
 */
#ifndef RDA_SLOWEST_H
#define RDA_SLOWEST_H

#include "analyzer/rda.h"
#include "analyzer/track/messages.h"

struct rda_slow_message {
	struct rda_exchange exchange;
	const struct rda_flow *flow; /* of its requester */
};

struct rda_slowest {
	struct rda_slow_message messages[RDA_SLOWEST_KEPT];
	uint32_t count;
};

/* A message that was completed. */
void rda_slowest_take(struct rda_slowest *slowest, const struct rda_exchange *exchange,
		      const struct rda_flow *flow);

#endif
