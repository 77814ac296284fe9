/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames by pairs of hosts. See splitter.h.
 *
 * This is done by one thread while others do all else, so nearly all packets of RoCE are told by
 * a few bytes: Ethernet, IPv4 without options, UDP to the port of RoCEv2.
 */
#include "analyzer/engine/splitter.h"

#include "analyzer/base/address.h"
#include "analyzer/engine/part.h"
#include "analyzer/engine/result_state.h"
#include "analyzer/engine/state.h"
#include "analyzer/track/setup/exchange.h"
#include "dissectors/plain.h"

#include <glib.h>
#include <string.h>

struct rda_splitter {
	struct rda_engine *whole; /* owned; has no frames, and is told of all; NULL: another
				     splitter's is */
	struct rda_exchanges *exchanges;
	struct rda_dissect_config dissect;
	struct rda_packet packet;
	struct rda_cm_said said[2];
	struct rda_share share;	     /* of the frame at hand */
	struct rda_at at;	     /* the frame at hand, for `whole` */
	struct rda_part_others span; /* all frames of the capture at hand */
	uint32_t captures;
	bool watches;	/* what only all frames tell */
	bool dissected; /* `packet` is the frame that was given last */
};

struct rda_splitter *rda_splitter_of_hosts(const struct rda_config *config)
{
	struct rda_splitter *splitter = g_new0(struct rda_splitter, 1);

	splitter->at.packet = &splitter->packet;
	splitter->exchanges = rda_exchanges_new(config->hash_seed);
	splitter->dissect = config->dissect;
	return splitter;
}

struct rda_splitter *rda_splitter_new(const struct rda_config *config)
{
	struct rda_splitter *splitter = rda_splitter_of_hosts(config);
	struct rda_config whole = *config;

	whole.part = false;
	whole.keep_key_events = true;
	splitter->whole = rda_engine_new(&whole);
	splitter->at.judge = &splitter->whole->judge;
	splitter->watches = !config->count_only;
	return splitter;
}

void rda_splitter_free(struct rda_splitter *splitter)
{
	if (!splitter)
		return;
	rda_engine_free(splitter->whole);
	rda_exchanges_free(splitter->exchanges);
	g_free(splitter);
}

static void take_span(struct rda_splitter *splitter)
{
	if (splitter->whole)
		rda_part_others(splitter->whole, &splitter->span);
	splitter->span.frames = 0;
}

void rda_splitter_begin_capture(struct rda_splitter *splitter)
{
	take_span(splitter);
	splitter->at.capture = splitter->captures++;
	if (splitter->whole)
		rda_engine_begin_capture(splitter->whole);
}

void rda_splitter_continue_capture(struct rda_splitter *splitter)
{
	take_span(splitter);
	splitter->captures++;
	if (splitter->whole)
		rda_engine_continue_capture(splitter->whole);
}

const struct rda_part_others *rda_splitter_span(const struct rda_splitter *splitter)
{
	return &splitter->span;
}

const struct rda_packet *rda_splitter_packet(const struct rda_splitter *splitter)
{
	return splitter->dissected ? &splitter->packet : NULL;
}

/* ---- which hosts ----------------------------------------------------------------------------- */

/* TCP: of iWARP, or of programs that tell each other their QPs. */
static bool is_of_two_hosts(const struct rda_packet *packet)
{
	return packet->carrier != RDA_CARRIER_NONE || rda_has(packet, TCP);
}

static struct rda_share share_of(const struct rda_packet *packet)
{
	struct rda_share share = {.rdma = packet->carrier != RDA_CARRIER_NONE};

	if (is_of_two_hosts(packet))
		share.pair = rda_address_pair(&packet->source, &packet->destination);
	share.stops_link = !share.rdma && rda_holds_asked(packet);
	return share;
}

static uint64_t plain_pair(const struct rda_frame *frame)
{
	return rda_address_ip4_pair(rda_plain_word(frame, RDA_PLAIN_SOURCE),
				    rda_plain_word(frame, RDA_PLAIN_DESTINATION));
}

struct rda_share rda_frame_share(const struct rda_frame *frame,
				 const struct rda_dissect_config *dissect)
{
	struct rda_packet packet;

	if (rda_plain_is(frame))
		return (struct rda_share){.pair = plain_pair(frame), .rdma = true};
	rda_dissect(&packet, frame, dissect);
	return share_of(&packet);
}

/* ---- all frames ------------------------------------------------------------------------------ */

/* A frame that is no plain RoCEv2: it may tell QPs in clear. */
static void look_at(struct rda_splitter *splitter, const struct rda_meta *meta,
		    const struct rda_frame *frame)
{
	const struct rda_cm_said *said = splitter->said;
	struct rda_share *share = &splitter->share;

	rda_dissect(&splitter->packet, frame, &splitter->dissect);
	*share = share_of(&splitter->packet);
	if (!share->rdma && rda_has(&splitter->packet, TCP) &&
	    rda_exchanges_packet(splitter->exchanges, meta,
				 rda_place_id(splitter->at.capture, meta->number), frame,
				 &splitter->packet, splitter->said)) {
		share->told = said;
		share->told_pair = rda_address_pair(&said[0].address, &said[1].address);
	}
}

/* Field by field: a struct that is returned is written twice for each frame, and read before that
 * is done. */
static void take_plain(struct rda_share *share, const struct rda_frame *frame)
{
	share->pair = plain_pair(frame);
	share->rdma = true;
	share->stops_link = false;
	share->told = NULL;
}

/* What only all frames tell. */
static void watch(struct rda_splitter *splitter, const struct rda_meta *meta,
		  const struct rda_frame *frame, const struct rda_share *share)
{
	struct rda_part_others *span = &splitter->span;
	struct rda_at *at = &splitter->at;

	if (span->frames++ == 0) {
		span->first_ns = span->last_ns = meta->time_ns;
		span->back_ns = 0;
	}
	span->back_ns = rda_meta_back_ns(span->back_ns, span->last_ns, meta->time_ns);
	span->first_ns = MIN(span->first_ns, meta->time_ns);
	span->last_ns = MAX(span->last_ns, meta->time_ns);
	if (!splitter->watches)
		return;
	at->meta = meta;
	at->frame = frame;
	at->place = rda_place_id(at->capture, meta->number);
	rda_judge_times(at, share);
}

void rda_splitter_known(struct rda_splitter *splitter, const struct rda_meta *meta,
			const struct rda_frame *frame)
{
	const struct rda_share share = {.rdma = true};

	if (!splitter->captures)
		rda_splitter_begin_capture(splitter);
	splitter->dissected = false;
	watch(splitter, meta, frame, &share);
}

const struct rda_share *rda_splitter_share(struct rda_splitter *splitter,
					   const struct rda_meta *meta,
					   const struct rda_frame *frame)
{
	if (!splitter->captures)
		rda_splitter_begin_capture(splitter);
	splitter->dissected = !rda_plain_is(frame);
	if (splitter->dissected)
		look_at(splitter, meta, frame);
	else
		take_plain(&splitter->share, frame);
	watch(splitter, meta, frame, &splitter->share);
	return &splitter->share;
}

struct rda_share rda_splitter_frame(struct rda_splitter *splitter, const struct rda_meta *meta,
				    const struct rda_frame *frame)
{
	return *rda_splitter_share(splitter, meta, frame);
}

struct rda_result *rda_splitter_result(struct rda_splitter *splitter)
{
	struct rda_result *result;

	take_span(splitter);
	result = rda_engine_result(splitter->whole);
	result->conversations_not_kept += rda_exchanges_not_kept(splitter->exchanges);
	return result;
}
