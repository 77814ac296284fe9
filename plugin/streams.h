/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Streams: numbers that are given at the first packet of a half-flow, and stay. Both directions
 * have one number where the second is known to be the first's when it begins; where that is found
 * out later each keeps its own, and the connection joins the two.
 */
#ifndef RDA_PLUGIN_STREAMS_H
#define RDA_PLUGIN_STREAMS_H

#include "analyzer/base/table.h"
#include "analyzer/track/flow.h"

#include <glib.h>

struct rda_streams {
	GArray *of_flow;	/* guint32, by rda_flow.index: its stream plus one; 0: none */
	GArray *streams;	/* struct rda_stream_times */
	struct rda_table iwarp; /* struct rda_iwarp_stream: a TCP connection names both its ends */
};

struct rda_stream_times {
	int64_t first_ns;
	uint32_t last_frame; /* so far */
};

void rda_streams_init(struct rda_streams *streams);
void rda_streams_cleanup(struct rda_streams *streams);

/* The stream of a flow plus one; 0: none yet. */
uint32_t rda_streams_of(const struct rda_streams *streams, uint32_t flow_index);

/*
 * A frame of a flow passes; `back` is the other way's as far as it is known, or NULL. Returns its
 * stream plus one.
 */
uint32_t rda_streams_frame(struct rda_streams *streams, const struct rda_flow *flow,
			   const struct rda_flow *back, int64_t time_ns);

/* Of a stream plus one. */
struct rda_stream_times *rda_streams_get(const struct rda_streams *streams, uint32_t stream);

#endif
