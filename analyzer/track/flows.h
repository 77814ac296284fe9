/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All half-flows, and their lives. A QP number is used again: what was known of the connection
 * before is not true of the next one, so a flow ends there and another begins under the same key.
 *
 *     A -> B:22   |  life 0 ............. | life 1 ......... |
 *                 |                DREQ   REQ, REP            |
 *                                         names A:11 and B:22 anew
 *
 * A life ends when connection management, or programs in clear, name the QP anew (rda_flows_tie),
 * or when a request shows that somebody set it up where this capture did not see it (roce/reset.c).
 * Requests of another service than before are of another QP always, and are looked at where their
 * PSN does not follow.
 */
#ifndef RDA_FLOWS_H
#define RDA_FLOWS_H

#include "analyzer/track/flow.h"
#include "analyzer/track/setup/cm_track.h"
#include "analyzer/base/table.h"

/* Places at first for flows that are found without the table; a power of two. */
#define RDA_FLOWS_RECENT 1024

/* Among so many taps a flow is looked for when its QP is named anew. */
#define RDA_FLOWS_TAPS_MAX 64

/* Taps and queues swap packets within less: a flow that is younger when its QP is named may be the
 * one that is meant. */
#define RDA_FLOWS_SWAPPED_NS INT64_C(100000000)

struct rda_posting;

struct rda_flows {
	struct rda_table table;	  /* struct rda_flow, in order of the first packet */
	struct rda_flow **recent; /* owned; found without the table, most of the time */
	uint32_t recent_mask;	  /* places - 1: at least 3 for each flow */
	struct rda_flow *latest;  /* of the packet before, as long as it is in `recent`; or NULL */
	uint32_t taps;		  /* one more than the highest that was seen */
	uint32_t made;		  /* with those that are no more */
};

void rda_flows_init(struct rda_flows *flows, uint64_t seed);
void rda_flows_cleanup(struct rda_flows *flows);

/* No more packets come: what finds flows without the table is freed, but for the least. */
void rda_flows_spend(struct rda_flows *flows);

/* The flow of a packet, made when there is none or its life is over: then *made. */
struct rda_flow *rda_flows_of(struct rda_flows *flows, const struct rda_posting *posting,
			      bool *made);

/* The flow of a key (with life 0), made where there is none: of iWARP, which no DREQ ends. */
struct rda_flow *rda_flows_of_key(struct rda_flows *flows, const struct rda_flow_key *key,
				  const struct rda_meta *meta, uint64_t place, bool *made);

/*
 * A look ahead (engine/ahead.h): where flows to this QP are found, by words of the packet; a flow
 * that may be meant, or NULL, once those have been brought in.
 */
uint32_t rda_flows_place(const struct rda_flows *flows, uint32_t source, uint32_t destination,
			 uint32_t dest_qp);
void rda_flows_fetch_place(const struct rda_flows *flows, uint32_t place);
void rda_flows_fetch_keys(const struct rda_flows *flows, uint32_t place);
struct rda_flow *rda_flows_guess(const struct rda_flows *flows, uint32_t place, uint32_t source,
				 uint32_t dest_qp);

/* Whether it is left. */
bool rda_flows_has(const struct rda_flows *flows, uint32_t number);

/* The flow of a packet that cannot be trusted, and so makes none: NULL when there is none. */
struct rda_flow *rda_flows_find(const struct rda_flows *flows, const struct rda_meta *meta,
				const struct rda_packet *packet);

/* The flow of a key (with life 0) as it is now: its latest life; NULL: there is none. */
struct rda_flow *rda_flows_latest(const struct rda_flows *flows, const struct rda_flow_key *key);

/* A pair was named: the lives before are over; or it was retired, and its own are. NULL: none was.
 */
void rda_flows_tie(struct rda_flows *flows, struct rda_cm_pair *pair, const struct rda_meta *meta,
		   uint64_t place);

/* A flow's connection is at its end, and so is the other direction. */
void rda_flows_over(struct rda_flows *flows, struct rda_flow *flow);

/* An answer to `asker` (NULL: unknown): a fatal NAK ends the connection. */
static inline void rda_flows_answered(struct rda_flows *flows, struct rda_flow *asker,
				      const struct rda_packet *packet)
{
	if (asker && rda_has(packet, AETH) && rda_aeth_kind(&packet->aeth) == RDA_AETH_NAK &&
	    packet->aeth.syndrome != RDA_SYNDROME_NAK_SEQUENCE)
		rda_flows_over(flows, asker);
}

/* The other direction of a flow, as far as is known; or NULL. */
const struct rda_flow *rda_flows_back(const struct rda_flows *flows, const struct rda_flow *flow);

/*
 * Flows of which `moved`, by index, is RDA_GONE are given to `end`, then freed; the others have
 * their places in it as indices from now on, in the order that they had. With a flow all its lives
 * go.
 */
void rda_flows_sift(struct rda_flows *flows, const uint32_t *moved,
		    void (*end)(struct rda_flow *flow));

#endif
