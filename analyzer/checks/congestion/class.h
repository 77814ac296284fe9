/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, which class of traffic packets are in and the form of CNPs: G07-G10, G16.
 */
#ifndef RDA_CHECKS_CONGESTION_CLASS_H
#define RDA_CHECKS_CONGESTION_CLASS_H

#include "analyzer/checks/judge.h"

/* An undamaged packet with a BTH, of a flow that is watched. */
void rda_congestion_class(const struct rda_at *at);

void rda_congestion_class_connection(struct rda_judge *judge,
				     const struct rda_connection *connection);
void rda_congestion_class_end(struct rda_judge *judge);

#endif
