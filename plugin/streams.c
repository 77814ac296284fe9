/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers by the index of a flow. See streams.h.
 */
#include "plugin/streams.h"

#include <string.h>

struct rda_iwarp_stream {
	struct rda_flow_key key; /* first: the table's key */
	uint32_t stream;	 /* plus one */
};

void rda_streams_init(struct rda_streams *streams)
{
	rda_table_init(&streams->iwarp, sizeof(struct rda_flow_key),
		       sizeof(struct rda_iwarp_stream),
		       (uint64_t)g_random_int() << 32 | g_random_int());
	streams->of_flow = g_array_new(FALSE, TRUE, sizeof(guint32));
	streams->streams = g_array_new(FALSE, FALSE, sizeof(struct rda_stream_times));
}

void rda_streams_cleanup(struct rda_streams *streams)
{
	g_array_free(streams->of_flow, TRUE);
	g_array_free(streams->streams, TRUE);
	rda_table_cleanup(&streams->iwarp, NULL);
}

uint32_t rda_streams_of(const struct rda_streams *streams, uint32_t flow_index)
{
	return flow_index < streams->of_flow->len
		       ? g_array_index(streams->of_flow, guint32, flow_index)
		       : 0;
}

struct rda_stream_times *rda_streams_get(const struct rda_streams *streams, uint32_t stream)
{
	return &g_array_index(streams->streams, struct rda_stream_times, stream - 1);
}

/* What the other direction of a flow of iWARP has. */
static uint32_t of_other_end(const struct rda_streams *streams, const struct rda_flow *flow)
{
	const struct rda_iwarp_stream *found;
	struct rda_flow_key key;

	memcpy(&key, &flow->key, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.source, &flow->key.destination, sizeof(key.source));
	memcpy(&key.destination, &flow->key.source, sizeof(key.destination));
	key.src_qp = flow->key.dest_qp;
	key.dest_qp = flow->key.src_qp;
	found = rda_table_find(&streams->iwarp, &key);
	return found ? found->stream : 0;
}

static void keep(struct rda_streams *streams, const struct rda_flow *flow, uint32_t stream)
{
	struct rda_iwarp_stream *one;

	if (flow->index >= streams->of_flow->len)
		g_array_set_size(streams->of_flow, flow->index + 1);
	g_array_index(streams->of_flow, guint32, flow->index) = stream;
	if (flow->key.carrier != RDA_CARRIER_IWARP)
		return;
	one = rda_table_get(&streams->iwarp, &flow->key, NULL);
	one->stream = stream;
}

uint32_t rda_streams_frame(struct rda_streams *streams, const struct rda_flow *flow,
			   const struct rda_flow *back, int64_t time_ns)
{
	const struct rda_stream_times begun = {.first_ns = time_ns};
	uint32_t stream = rda_streams_of(streams, flow->index);

	if (stream)
		return stream;
	if (back)
		stream = rda_streams_of(streams, back->index);
	else if (flow->key.carrier == RDA_CARRIER_IWARP)
		stream = of_other_end(streams, flow);
	if (!stream) {
		g_array_append_val(streams->streams, begun);
		stream = streams->streams->len;
	}
	keep(streams, flow, stream);
	return stream;
}
