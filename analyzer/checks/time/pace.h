/* SPDX-License-Identifier: GPL-2.0-or-later */
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
#ifndef RDA_CHECKS_TIME_PACE_H
#define RDA_CHECKS_TIME_PACE_H

#include "analyzer/checks/judge.h"
#include "analyzer/base/latency.h"

/* The longest pauses that are remembered, with their frames. */
#define RDA_PAUSES_KEPT 4

/* From one packet of a message to its next. */
struct rda_long_gap {
	int64_t gap_ns;
	uint64_t before, after; /* places */
};

/* The packets of one flow: its requests, or its READ responses. */
struct rda_pace {
	int64_t last_ns; /* of the latest packet */
	uint64_t last;	 /* its place */
	int64_t next;	 /* the PSN behind it; of responses as on the wire */
	bool inside;	 /* a message has begun and not ended */
	uint64_t waits;	 /* gaps in which something was acknowledged: not among these */
	struct rda_latency gaps;
	struct rda_long_gap pauses[RDA_PAUSES_KEPT]; /* longest first */
	uint8_t pause_count;
};

void rda_pace_free(struct rda_pace *pace);

/* A packet of a flow, of the requests or the READ responses that `pace` watches. */
void rda_pace_packet(struct rda_pace *pace, const struct rda_at *at);

/* All was seen. */
void rda_pace_end(const struct rda_pace *pace, struct rda_judge *judge, const struct rda_flow *flow,
		  const char *what);

/*
 * T10: nothing passed on a connection for long, and then it went on. To be asked of packets before
 * which their flow was silent for RDA_IDLE_NS.
 */
#define RDA_IDLE_NS INT64_C(60000000000)
RDA_COLD void rda_pace_idle(const struct rda_at *at);

#endif
