/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of RoCE and InfiniBand, for upper layers: each request once, when it is first seen.
 */
#ifndef RDA_ULP_ROCE_H
#define RDA_ULP_ROCE_H

#include "analyzer/track/roce/account.h"
#include "analyzer/track/ulp/ulp.h"

/* A request of a reliable service that is no copy and not damaged. */
struct rda_ulp_at {
	const struct rda_meta *meta;
	const struct rda_frame *frame;
	const struct rda_packet *packet;
	uint64_t place;
	struct rda_flow *flow;
	const struct rda_request *request;
	enum rda_request_kind kind; /* of it */
	uint64_t original;	    /* the place of the packet that it repeats, or 0 */
	bool checked;		    /* its ICRC fits */
};

/* Of a flow with an upper layer, or one of which it is still looked for. */
void rda_ulp_roce(struct rda_ulps *ulps, const struct rda_ulp_at *at);

/* A READ of a flow with an upper layer got its last response. */
void rda_ulp_roce_read_done(struct rda_flow *flow, const struct rda_event *event);

#endif
