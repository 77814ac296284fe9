/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast a sender sends around the CNPs that it gets, as this capture point sees it.
 *
 *      before     CNP    after         CNP
 *     | b | b | b | b :   | a | a | a | a :   | ...       slots of about 16 us
 *                  `-- 10 Gbit/s ---'`-- 9.9 Gbit/s, a cut of 1 %; before the next one
 *
 * A rate is what passed inside messages, by the time between their packets: the application has
 * posted a message as a whole, so nobody but the sender's NIC (and what is full on the way) decides
 * when its next packet comes. Where less than half of the time is inside messages there may have
 * been nothing to send: no rate is told then. CNPs that are so close that less than four packets
 * passed between them are taken together.
 *
 * What is full on the way delays what is seen behind it: a queue goes on at its pace for as long as
 * it lasts. So against the law (dcqcn.h) counts only what is seen long after a row of CNPs began.
 */
#ifndef RDA_SLOWING_H
#define RDA_SLOWING_H

#include "analyzer/base/cold.h"
#include "analyzer/track/congestion/mark_log.h"
#include "analyzer/track/flow.h"
#include "dissectors/icrc.h"
#include "dissectors/values.h"

struct rda_meta;

/* Flows with fewer packets are not looked at. */
#define RDA_SLOWING_PACKETS 128

/* A packet of a flow whose packets may be marked (rda_slowing_packet asks): */
void rda_slowing_data(struct rda_flow *flow, const struct rda_meta *meta,
		      const struct rda_frame *frame, const struct rda_packet *packet);
/* one that is marked, or does not just go on. */
RDA_APART void rda_slowing_other(struct rda_flow *flow, const struct rda_meta *meta,
				 const struct rda_frame *frame, const struct rda_packet *packet);

/* An undamaged packet of the flow. */
static inline void rda_slowing_packet(struct rda_flow *flow, const struct rda_meta *meta,
				      const struct rda_frame *frame,
				      const struct rda_packet *packet)
{
	if (!packet->ecn)
		return;
	/* while the peer is not known, nobody knows whom CNPs are about either */
	if (flow->peer && rda_ip4_is_marked(frame, packet) &&
	    !(packet->opcode->roles & RDA_ROLE_ACK))
		rda_mark_log_mark(flow, meta->time_ns);
	if (flow->packets < RDA_SLOWING_PACKETS)
		return;
	if (packet->ecn == RDA_ECN_CE)
		rda_slowing_other(flow, meta, frame, packet);
	else
		rda_slowing_data(flow, meta, frame, packet);
}

/* A CNP for the sender of the flow. */
void rda_slowing_notice(struct rda_flow *flow, int64_t time_ns, uint64_t place);

/* What is known so far, until the next packet; NULL: nothing told the sender to slow down. */
const struct rda_slowdown *rda_slowing_facts(const struct rda_slowing *slowing);

/* Both take NULL. */
struct rda_slowdown *rda_slowdown_copy(const struct rda_slowdown *slowdown);
void rda_slowdown_free(struct rda_slowdown *slowdown);
/* What it owns (slowdown.c). */
void rda_slowdown_cleanup(struct rda_slowdown *slowdown);

/* Bytes that it takes, with those of its facts. */
uint64_t rda_slowing_bytes(const struct rda_slowing *slowing);

void rda_slowing_free(struct rda_slowing *slowing);

#endif
