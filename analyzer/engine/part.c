/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine that has a part of the frames: which frames belong together, and what it learns of
 * those that others have. How results become one: merge.c.
 */
#include "analyzer/base/address.h"
#include "analyzer/base/meta.h"
#include "analyzer/engine/result_state.h"
#include "analyzer/engine/state.h"

/* TCP: of iWARP, or of programs that tell each other their QPs. */
static bool is_of_two_hosts(const struct rda_packet *packet)
{
	return packet->carrier != RDA_CARRIER_NONE || rda_has(packet, TCP);
}

struct rda_share rda_frame_share(const struct rda_frame *frame,
				 const struct rda_dissect_config *dissect)
{
	struct rda_packet packet;
	struct rda_share share = {0};

	rda_dissect(&packet, frame, dissect);
	share.rdma = packet.carrier != RDA_CARRIER_NONE;
	if (is_of_two_hosts(&packet))
		share.pair = rda_address_pair(&packet.source, &packet.destination);
	if (!share.rdma && packet.layer_count) {
		uint8_t last = packet.layers[packet.layer_count - 1].header;

		share.stops_link = last == RDA_PFC || last == RDA_PAUSE;
	}
	return share;
}

void rda_engine_elsewhere(struct rda_engine *engine, const struct rda_meta *meta,
			  const struct rda_frame *frame, const struct rda_share *share)
{
	struct rda_others_frames *others;
	struct rda_at at = {
		.judge = &engine->judge,
		.meta = meta,
		.frame = frame,
		.packet = &engine->packet,
	};

	if (!engine->capture)
		rda_engine_begin_capture(engine);
	at.capture = engine->captures->len - 1;
	at.place = rda_place_id(at.capture, meta->number);
	others = &g_array_index(engine->others, struct rda_others_frames, at.capture);
	if (others->frames++ == 0)
		others->first_ns = others->last_ns = meta->time_ns;
	others->first_ns = MIN(others->first_ns, meta->time_ns);
	others->last_ns = MAX(others->last_ns, meta->time_ns);
	if (engine->config.count_only)
		return;
	if (share->stops_link)
		rda_dissect(&engine->packet, frame, &engine->config.dissect);
	rda_judge_others(&at, share);
}
