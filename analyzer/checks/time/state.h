/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What group T watches of flows and captures, by its files: latency.c, pace.c, timer.c, spent.c,
 * burst.c.
 */
#ifndef RDA_CHECKS_TIME_STATE_H
#define RDA_CHECKS_TIME_STATE_H

#include "analyzer/base/latency.h"
#include "analyzer/checks/judge.h"

#include <glib.h>

/* ---- latency.c ------------------------------------------------------------------------------- */

/*
 * Latencies that are out of the ordinary, and who takes the time: the network or an application.
 *
 *     A: SEND --->  | network
 *                   |           <--- ACK            network, and B's NIC
 *                   | B thinks
 *                   |           <--- SEND (reply)   both, and B's application
 */

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

/* The other side writes or reads first: its data, and not its application, may be what a reply
 * waits for. */
void rda_turns_data(struct rda_turns *peers);

/* All was seen: T01 to T04 of what a flow asked; T08 of the replies to it. */
void rda_latency_end(struct rda_judge *judge, const struct rda_flow *flow);
void rda_turns_end(const struct rda_turns *turns, struct rda_judge *judge,
		   const struct rda_flow *flow);

/* ---- pace.c ---------------------------------------------------------------------------------- */

/*
 * Pauses: inside a message, whose packets a sender has ready and sends one after the other, and of
 * a whole connection.
 *
 *     First  Middle  Middle  Middle             Middle  Last
 *       |------|-------|-------|------------------|------|
 *        usual  usual   usual    pause
 *
 * A sender that waits for an acknowledgment before it goes on does not pause but waits; what is
 * sent again is no pause of this kind either (stall.h).
 */

/* The longest pauses that are remembered, with their frames. */
#define RDA_PAUSES_KEPT 4

/* From one packet of a message to its next. */
struct rda_long_gap {
	int64_t gap_ns;
	uint64_t after; /* place */
};

/*
 * Gaps that are put among the others together: where packets come in bursts, a pause and gaps
 * inside a burst lie far from each other in a histogram, and each would be looked for at each
 * burst.
 */
#define RDA_GAPS_RECENT 8

/* The packets of one flow: its requests, or its READ responses. */
struct rda_pace {
	int64_t last_ns; /* of the latest packet */
	uint32_t next;	 /* the PSN behind it */
	bool inside;	 /* a message has begun and not ended */
	uint8_t pause_count;
	uint8_t recent_count;
	struct rda_latency gaps;	  /* but for those in which something was acknowledged */
	uint16_t recent[RDA_GAPS_RECENT]; /* buckets of `gaps` */
	struct rda_long_gap *pauses; /* owned, RDA_PAUSES_KEPT; longest first; NULL before them */
};

void rda_pace_cleanup(struct rda_pace *pace);

/* A packet of a flow, of the requests or the READ responses that `pace` watches. */
void rda_pace_packet(struct rda_pace *pace, const struct rda_at *at);

/* All was seen. */
void rda_pace_end(struct rda_pace *pace, struct rda_judge *judge, const struct rda_flow *flow,
		  const char *what);

/*
 * T10: nothing passed on a connection for long, and then it went on. To be asked of packets before
 * which their flow was silent for RDA_IDLE_NS.
 */
#define RDA_IDLE_NS INT64_C(60000000000)
RDA_COLD void rda_pace_idle(const struct rda_at *at);

/* ---- timer.c: how long a requester waits before it sends again, and how long it should ------- */

/* Of several waits. */
struct rda_waits_sum {
	int64_t asked_total_ns, waited_total_ns;
	int64_t shortest_asked_ns, longest_asked_ns;
	struct rda_latency waited;
	uint64_t refused, resent; /* places of the longest */
};

/* Waits for a receiver that was not ready, on the flow that waited. */
struct rda_waits {
	int64_t asked_ns; /* by the latest RNR NAK; 0: none is open */
	bool checked;	  /* an ICRC vouches for that NAK: else it may be another packet */
	struct rda_waits_sum sure, all; /* sure: those of checked RNR NAKs */
};

void rda_waits_free(struct rda_waits *waits);
/* What was allocated for them. */
uint64_t rda_waits_bytes(const struct rda_waits *waits);

/* An RNR NAK, and the run of resends that follows it. */
void rda_waits_refused(struct rda_waits *waits, const struct rda_at *at,
		       const struct rda_event *event);
void rda_waits_resent(struct rda_waits *waits, const struct rda_event *event);

/* T09, once all was seen. */
void rda_waits_end(const struct rda_waits *waits, struct rda_judge *judge,
		   const struct rda_flow *flow);

/* T05, T06: a run of resends that follows a timeout, against the timer that the exchange told. */
void rda_timer_resent(const struct rda_at *at, const struct rda_event *event);

/* T07, once all was seen. */
void rda_timer_end(struct rda_judge *judge, const struct rda_flow *flow);

/* ---- spent.c: what a connection spent its time on -------------------------------------------- */

/* T13, once all was seen. */
void rda_spent_end(struct rda_judge *judge, const struct rda_connection *connection);

/* ---- burst.c --------------------------------------------------------------------------------- */

/*
 * How much of the wire RDMA takes in a capture: on average, and in its busiest moment. A moment is
 * ten microseconds: what the buffer of a switch sees, and no average shows.
 */
struct rda_burst_sums {
	uint64_t packets, bytes; /* of RDMA, whichever engine has them; bytes: as on the wire */
	uint64_t
		copies; /* packets that are known to be there once more: then bursts are not told */
	int64_t first_ns, last_ns;
	bool fine;		   /* its clock tells moments apart */
	uint64_t peak_bytes, peak; /* the busiest moment, its first packet */
};

struct rda_bursts {
	GArray *captures; /* struct rda_burst_sums, by index */
	uint32_t capture; /* whose packets are at hand */
	/* the moment at hand: when it began, its first packet (0: there is none), its bytes */
	int64_t begin_ns;
	uint64_t begin, bytes;
};

#define RDA_MOMENT_NS 10000

void rda_bursts_init(struct rda_bursts *bursts);
void rda_bursts_cleanup(struct rda_bursts *bursts);

/* The first packet of a moment. */
void rda_bursts_begin(struct rda_bursts *bursts, const struct rda_at *at);

/* An RDMA packet, of whichever engine. */
static inline void rda_bursts_packet(struct rda_bursts *b, const struct rda_at *at)
{
	int64_t time_ns = at->meta->time_ns;
	struct rda_burst_sums *sums;

	/* a clock that went backwards begins a moment too */
	if (!b->begin || at->capture != b->capture ||
	    (uint64_t)(time_ns - b->begin_ns) >= RDA_MOMENT_NS)
		rda_bursts_begin(b, at);
	sums = &g_array_index(b->captures, struct rda_burst_sums, b->capture);
	if (!sums->fine)
		sums->fine = time_ns % RDA_MOMENT_NS != 0;
	if (sums->packets++ == 0)
		sums->first_ns = sums->last_ns = time_ns;
	sums->bytes += at->frame->wire;
	b->bytes += at->frame->wire;
	if (time_ns >= sums->last_ns) /* nearly always: one is written */
		sums->last_ns = time_ns;
	else if (time_ns < sums->first_ns)
		sums->first_ns = time_ns;
}

/* One that is known to be a copy. */
void rda_bursts_copied(struct rda_bursts *bursts, const struct rda_at *at);

/* Some engine saw all packets; each knows copies among its own. */
void rda_bursts_join(struct rda_bursts *to, const struct rda_bursts *from);

/* T12 */
void rda_bursts_overall(const struct rda_bursts *bursts, struct rda_judge *judge);

/*
 * Group T, a host that lets the others of a collective wait: T14.
 */
void rda_late_overall(struct rda_judge *judge);

#endif
