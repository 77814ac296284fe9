/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders in which flows that may be of one connection (pair.h) stand together: those between two
 * hosts, whichever sends, of one carrier; of one tap, or with one UDP source port, besides.
 */
#ifndef RDA_PAIR_ORDER_H
#define RDA_PAIR_ORDER_H

#include "analyzer/track/flow.h"

#include <glib.h>

/* Below 0, 0, or above, as memcmp() has it. */
typedef int (*rda_flow_order)(const struct rda_flow *, const struct rda_flow *);

int rda_order_hosts(const struct rda_flow *a, const struct rda_flow *b);
int rda_order_hosts_port(const struct rda_flow *a, const struct rda_flow *b);
int rda_order_tap_hosts(const struct rda_flow *a, const struct rda_flow *b);
int rda_order_tap_hosts_port(const struct rda_flow *a, const struct rda_flow *b);

/* Flows that compare equal keep the order of their first packets. */
void rda_order_sort(GPtrArray *flows, rda_flow_order order);

#endif
