/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From packets to the trackers: what a half-flow's sender asked on a reliable connection, and what
 * the other half-flow answered to it.
 */
#ifndef RDA_ACCOUNT_H
#define RDA_ACCOUNT_H

#include "analyzer/track/flow.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/roce/responder.h"

struct rda_giveup;

struct rda_account {
	struct rda_requester requester;
	struct rda_responder responder; /* the other side, answering these requests */
	struct rda_giveup *giveup;	/* owned; NULL until something is sent again */
};

void rda_account_free(struct rda_account *account);

/* The path MTU as far as the flow knows: from CM, else as seen in either direction; 0 unknown. */
uint32_t rda_account_mtu(const struct rda_flow *flow);

/* A packet for an account; `place` is its frame's (meta.h). */
struct rda_posting {
	const struct rda_meta *meta;
	const struct rda_frame *frame;
	const struct rda_packet *packet;
	uint64_t place;
	const struct rda_event_sink *sink; /* may be NULL */
	uint32_t window_cap;		   /* of an account that is made now; 0 the default */
};

/*
 * A request of the flow; makes its account when it is the first. Fills *request with what the
 * trackers took, *original with the place of the frame that it repeats, or 0.
 */
enum rda_request_kind rda_account_request(struct rda_flow *flow, const struct rda_posting *posting,
					  struct rda_request *request, uint64_t *original);

/* Likewise of one that is in the capture once more, of a flow with an account; it changes nothing.
 */
enum rda_request_kind rda_account_copy(struct rda_flow *flow, const struct rda_posting *posting,
				       struct rda_request *request, uint64_t original);

/* A response that the flow's peer asked for. Without a peer nobody did. */
void rda_account_response(struct rda_flow *flow, const struct rda_posting *posting);

/* The place of the latest packet of the request that a response with this PSN answers, or 0. */
uint64_t rda_account_asked(const struct rda_flow *asker, uint32_t psn);

/* A packet of the flow whose contents cannot be trusted. */
void rda_account_damaged(struct rda_flow *flow, const struct rda_posting *posting);

/* The account of a flow is whole only when the other direction was followed beside it. */
static inline bool rda_account_is_whole(const struct rda_flow *flow)
{
	return flow->account && flow->peer;
}

#endif
