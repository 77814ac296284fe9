/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies that are out of the ordinary, and who takes the time: the network or an application.
 *
 *     A: SEND --->  | network
 *                   |           <--- ACK            network, and B's NIC
 *                   | B thinks
 *                   |           <--- SEND (reply)   both, and B's application
 */
#ifndef RDA_CHECKS_TIME_LATENCY_H
#define RDA_CHECKS_TIME_LATENCY_H

#include "analyzer/checks/judge.h"
#include "analyzer/base/latency.h"

/* What one side says, and how long the other takes to reply: on the flow of who says it. */
struct rda_turns {
	uint32_t said;	  /* messages that took a receive since the peer's latest */
	int64_t said_ns;  /* when the latest of them had passed */
	uint64_t said_at; /* its place */
	struct rda_latency replies;
	uint64_t slowest_said, slowest_reply; /* places */
};

void rda_turns_cleanup(struct rda_turns *turns);

/* A new request that begins or ends a message which takes a receive at the other side. */
void rda_turns_packet(struct rda_turns *own, struct rda_turns *peers, const struct rda_at *at);

/* All was seen: T01 to T04 of what a flow asked; T08 of the replies to it. */
void rda_latency_end(struct rda_judge *judge, const struct rda_flow *flow);
void rda_turns_end(const struct rda_turns *turns, struct rda_judge *judge,
		   const struct rda_flow *flow);

#endif
