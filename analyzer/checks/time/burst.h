/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the wire RDMA takes in a capture: on average, and in its busiest moment. A moment is
 * ten microseconds: what the buffer of a switch sees, and no average shows.
 */
#ifndef RDA_CHECKS_TIME_BURST_H
#define RDA_CHECKS_TIME_BURST_H

#include "analyzer/checks/judge.h"

struct rda_burst {
	uint32_t capture;	 /* whose packets are at hand */
	uint64_t packets, bytes; /* of RDMA; bytes: frames, as on the wire */
	int64_t first_ns, last_ns;
	bool fine; /* its clock tells moments apart */

	int64_t begin_ns; /* of the moment at hand */
	uint64_t begin;	  /* place of its first packet */
	uint64_t moment_bytes;
	uint64_t peak_bytes, peak; /* the busiest moment, its first packet */
};

/* An RDMA packet. */
void rda_burst_packet(struct rda_burst *burst, const struct rda_at *at);

/* T12, of the capture at hand. */
void rda_burst_end(const struct rda_burst *burst, struct rda_judge *judge);

#endif
