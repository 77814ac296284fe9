/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hooks of iwarp.h: counting, and on to the checks.
 */
#include "analyzer/engine/fpdus.h"

#include "analyzer/checks/iwarp/iwarp.h"
#include "analyzer/track/keys/stag_track.h"
#include "dissectors/headers.h"

#include <glib.h>
#include <string.h>

enum { ATOMIC_BYTES = 8 };
enum { LENGTH_BYTES = 2 }; /* of an FPDU, and of the segment that a Terminate is about */

static struct rda_flow *make_flow(void *context, const struct rda_flow_key *key,
				  const struct rda_meta *meta)
{
	struct rda_fpdus *fpdus = context;

	return fpdus->make_flow(fpdus->context, key, meta);
}

static void count(struct rda_fpdus *fpdus)
{
	fpdus->capture->rdma_packets[RDA_CARRIER_IWARP]++;
}

/* What the other side sent may be on its way here, or missing. */
static bool is_behind(const struct rda_iwarp_at *at)
{
	return rda_iwarp_side_of(at, 1 - at->side).behind;
}

/* What the side's messages are, and the other side's (NULL: nothing of it was seen, nor may come).
 */
static struct rda_rdmap *rdmaps_of(const struct rda_iwarp_at *at, struct rda_rdmap **other)
{
	struct rda_flow *flow = rda_iwarp_flow(at, at->side),
			*back = rda_iwarp_flow(at, 1 - at->side);

	if (!flow->rdmap) {
		flow->rdmap = rda_rdmap_new(rda_iwarp_is_agreed(at));
		if (back && back->rdmap)
			rda_rdmap_late(flow->rdmap, back->rdmap);
	}
	if (back && !back->rdmap && is_behind(at))
		back->rdmap = rda_rdmap_new(rda_iwarp_is_agreed(at));
	*other = back ? back->rdmap : NULL;
	return flow->rdmap;
}

static void tell_head(struct rda_fpdu_told *told, const struct rda_iwarp_at *at, uint32_t count)
{
	told->markers = rda_iwarp_side_of(at, at->side).markers;
	told->marker = rda_iwarp_marker(at);
	told->head_bytes = told->kept_bytes = (uint8_t)MIN(count, sizeof(told->head));
	memcpy(told->head, rda_iwarp_head(at, told->is_start), told->head_bytes);
}

static void tell_payload(struct rda_fpdu_told *told)
{
	uint32_t count = MIN(told->fpdu.payload_have, sizeof(told->head) - told->head_bytes);

	memcpy(told->head + told->head_bytes, told->fpdu.payload, count);
	told->kept_bytes = (uint8_t)(told->head_bytes + count);
	told->fpdu.payload = NULL; /* of the call only */
	told->fpdu.payload_have = 0;
}

static void take_start(void *context, const struct rda_iwarp_at *at,
		       const struct rda_mpa_start_seen *start)
{
	struct rda_fpdus *fpdus = context;
	struct rda_flow *flow = rda_iwarp_flow(at, at->side);

	count(fpdus);
	rda_flow_mpa_start(flow, start);
	rda_check_iwarp_start(fpdus->judge, at, start);
	if (fpdus->told) {
		struct rda_fpdu_told told = {.flow = flow,
					     .is_start = true,
					     .start = *start,
					     .trace = rda_trace_of_none()};

		told.start.private_data = NULL; /* of the call only */
		tell_head(&told, at,
			  RDA_MPA_START_BYTES + (start->has_depths ? RDA_MPA_DEPTHS_BYTES : 0));
		g_array_append_val(fpdus->told, told);
	}
}

/* How it stands to others. */
static void trace(struct rda_trace *to, const struct rda_rdmap *mine, const struct rda_rdmap *other,
		  const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step)
{
	bool response = rda_rdmap_operation(fpdu->ulpdu.opcode)->roles & RDA_ROLE_RESPONSE;
	const struct rda_rdmap *asker = response ? other : mine;

	*to = rda_trace_of_none();
	if (!step->counted)
		return;
	to->message_known = true;
	to->message = step->message.number;
	to->message_frame = step->message.cut ? 0 : step->message.first_place;
	to->message_bytes = step->message.cut ? -1 : (int64_t)step->message.bytes;
	to->reads_known = asker && !rda_rdmap_is_unsure(asker);
	to->reads_outstanding = asker ? rda_rdmap_reads(asker) : 0;
	if (step->fit == RDA_RDMAP_FITS || step->fit == RDA_RDMAP_TOO_SHORT ||
	    step->fit == RDA_RDMAP_TOO_LONG)
		to->answers = step->asked.place;
}

/* A READ or atomic that was answered is among the slowest, if it was slow. */
static void tell_time(struct rda_fpdus *fpdus, const struct rda_flow *asker,
		      const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step)
{
	const struct rda_exchange exchange = {
		.start_ns = step->asked.time_ns,
		.latency_ns = step->latency_ns,
		.first_frame = step->asked.place,
		.last_frame = fpdu->place,
		.bytes = step->done_kind == RDA_MESSAGE_READ ? step->asked.read.size : ATOMIC_BYTES,
		.kind = step->done_kind,
	};

	if (step->done && asker)
		rda_slowest_take(fpdus->slowest, &exchange, asker);
}

/* What the message means to an upper layer; MPA keeps more of the SENDs where there is one. */
static void take_upper_layer(struct rda_fpdus *fpdus, const struct rda_iwarp_at *at,
			     const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step)
{
	struct rda_flow *flow = rda_iwarp_flow(at, at->side);

	if (!fpdus->ulps || (!flow->ulp && !(step->message.opcode != RDA_RDMAP_OPCODE_WRITE &&
					     rda_ulp_is_open(flow))))
		return;
	rda_ulp_iwarp(fpdus->ulps, &(struct rda_ulp_fpdu){flow, rda_iwarp_flow(at, 1 - at->side),
							  fpdu, step, rda_iwarp_acked(at, at->side),
							  rda_iwarp_acked(at, 1 - at->side)});
	if (flow->ulp && !rda_iwarp_keeps(at))
		rda_iwarp_keep(at, rda_ulp_iwarp_room(flow), RDA_ULP_BYTES);
}

/* Its CRC does not say that its bytes are others than were sent. */
static bool is_trusted(const struct rda_fpdu_seen *fpdu)
{
	return fpdu->crc != RDA_MPA_CRC_BAD &&
	       !(fpdu->doubtful && fpdu->crc == RDA_MPA_CRC_NOT_CHECKABLE);
}

/* No marker that is not known of lies in it. */
static bool has_sure_header(const struct rda_iwarp_at *at, const struct rda_fpdu_seen *fpdu)
{
	return fpdu->crc == RDA_MPA_CRC_GOOD || rda_iwarp_side_of(at, at->side).markers_known;
}

static void take_fpdu(void *context, const struct rda_iwarp_at *at,
		      const struct rda_fpdu_seen *fpdu)
{
	struct rda_fpdus *fpdus = context;
	struct rda_flow *flow = rda_iwarp_flow(at, at->side);
	struct rda_rdmap *other, *mine = rdmaps_of(at, &other);
	struct rda_rdmap_step step = {0};

	count(fpdus);
	rda_flow_fpdu(flow, fpdu);
	if (!is_trusted(fpdu)) {
		rda_rdmap_hole(mine, other);
	} else {
		rda_rdmap_fpdu(mine, other, fpdu, &step);
		if (other && is_behind(at))
			rda_rdmap_behind(other, &step);
		if (has_sure_header(at, fpdu))
			rda_stag_track_fpdu(&(struct rda_stag_at){at->place, flow,
								  rda_iwarp_flow(at, 1 - at->side),
								  fpdu, &step, fpdus->keys});
		take_upper_layer(fpdus, at, fpdu, &step);
	}
	rda_check_iwarp_fpdu(fpdus->judge, at, fpdu, &step);
	tell_time(fpdus, rda_iwarp_flow(at, 1 - at->side), fpdu, &step);
	if (fpdus->told) {
		struct rda_fpdu_told told = {
			.flow = flow,
			.fpdu = *fpdu,
			.done = step.done,
			.done_kind = step.done_kind,
			.latency_ns = step.latency_ns,
		};

		tell_head(&told, at, LENGTH_BYTES + fpdu->ulpdu.headers);
		tell_payload(&told);
		trace(&told.trace, flow->rdmap, other, fpdu, &step);
		g_array_append_val(fpdus->told, told);
	}
}

static void take_lost(void *context, const struct rda_iwarp_at *at, bool hole)
{
	struct rda_fpdus *fpdus = context;
	struct rda_rdmap *other, *mine = rdmaps_of(at, &other);

	rda_rdmap_hole(mine, other);
	rda_stag_track_lost(rda_iwarp_flow(at, at->side));
	rda_ulp_iwarp_lost(rda_iwarp_flow(at, at->side));
	rda_check_iwarp_lost(fpdus->judge, at, hole);
}

static void take_segment(void *context, const struct rda_iwarp_at *at)
{
	struct rda_fpdus *fpdus = context;

	for (unsigned i = 0; i < 2; i++) {
		struct rda_flow *flow = rda_iwarp_flow(at, i);
		struct rda_iwarp_side side;

		if (!flow)
			continue;
		side = rda_iwarp_side_of(at, i);
		/* what the peer has of it at its end, and the capture has not, is one too, so far
		 */
		rda_flow_stream_holes(flow, side.holes + (side.acked > side.next + side.fin_seen));
		flow->stream_doubted = side.doubted;
		flow->from_start = rda_iwarp_from_start(at);
	}
	rda_check_iwarp_segment(fpdus->judge, at);
}

/* A start frame was taken, is known to be damaged now, and was not the one that was accepted. */
static void forget_start(struct rda_fpdus *fpdus, const struct rda_iwarp_at *at, uint64_t place)
{
	const struct rda_iwarp_side side = rda_iwarp_side_of(at, at->side);

	if (!side.start_seen || side.start_place != place)
		return;
	rda_flow_mpa_start_damaged(side.flow, &side.start);
	fpdus->capture->rdma_packets[RDA_CARRIER_IWARP]--;
}

static void take_damage(void *context, const struct rda_iwarp_at *at, uint64_t place, bool accepted)
{
	struct rda_fpdus *fpdus = context;

	if (!accepted) {
		forget_start(fpdus, at, place);
		rda_flow_fpdu_damaged(rda_iwarp_flow(at, at->side));
	}
	rda_check_iwarp_damage(fpdus->judge, at, place, accepted);
}

static void take_unfinished(void *context, const struct rda_iwarp_at *at)
{
	const struct rda_fpdus *fpdus = context;
	struct rda_fpdu_told told = {.flow = rda_iwarp_flow(at, at->side)};
	uint32_t head;
	bool has_head;

	told.unfinished = rda_iwarp_unfinished(at, &told.fpdu, &has_head);
	if (!told.unfinished)
		return;
	head = MIN(told.unfinished, LENGTH_BYTES);
	if (has_head)
		head = LENGTH_BYTES + told.fpdu.ulpdu.headers;
	tell_head(&told, at, head);
	g_array_append_val(fpdus->unfinished, told);
}

static void take_piece(void *context, const struct rda_iwarp_at *at, uint64_t place, int64_t offset,
		       uint32_t length)
{
	const struct rda_fpdus *fpdus = context;
	struct rda_fpdu_part part = {rda_iwarp_flow(at, at->side), place, offset, length};

	g_array_append_val(fpdus->parts, part);
}

void rda_fpdus_init(struct rda_fpdus *fpdus, uint64_t seed, bool trace, struct rda_judge *judge,
		    struct rda_slowest *slowest, const struct rda_key_sink *keys,
		    struct rda_ulps *ulps, rda_make_flow *make, void *context)
{
	const struct rda_iwarp_hooks hooks = {make_flow,
					      take_start,
					      take_fpdu,
					      take_lost,
					      take_segment,
					      take_damage,
					      trace ? take_piece : NULL,
					      fpdus,
					      trace ? take_unfinished : NULL};

	fpdus->judge = judge;
	fpdus->slowest = slowest;
	fpdus->keys = keys;
	fpdus->ulps = ulps;
	fpdus->make_flow = make;
	fpdus->context = context;
	fpdus->told = trace ? g_array_new(FALSE, FALSE, sizeof(struct rda_fpdu_told)) : NULL;
	fpdus->parts = trace ? g_array_new(FALSE, FALSE, sizeof(struct rda_fpdu_part)) : NULL;
	fpdus->unfinished = trace ? g_array_new(FALSE, FALSE, sizeof(struct rda_fpdu_told)) : NULL;
	fpdus->iwarp = rda_iwarp_new(seed, &hooks);
}

void rda_fpdus_cleanup(struct rda_fpdus *fpdus)
{
	rda_iwarp_free(fpdus->iwarp);
	if (fpdus->told)
		g_array_free(fpdus->told, TRUE);
	if (fpdus->parts)
		g_array_free(fpdus->parts, TRUE);
	if (fpdus->unfinished)
		g_array_free(fpdus->unfinished, TRUE);
}

struct rda_flow *rda_fpdus_segment(struct rda_fpdus *fpdus, struct rda_capture *capture,
				   uint32_t index, const struct rda_meta *meta,
				   const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_flow *flow = NULL;
	struct rda_iwarp_at at = {
		.meta = meta,
		.packet = packet,
		.capture = index,
		.place = rda_place_id(index, meta->number),
	};

	uint64_t given_up = rda_iwarp_given_up(fpdus->iwarp);
	uint64_t not_followed = rda_iwarp_not_followed(fpdus->iwarp);

	fpdus->capture = capture;
	if (rda_iwarp_segment(fpdus->iwarp, &at, frame))
		flow = rda_iwarp_flow(&at, at.side);
	if (flow && frame->captured < frame->wire)
		flow->cut++;
	capture->gaps_given_up += rda_iwarp_given_up(fpdus->iwarp) - given_up;
	capture->not_followed += rda_iwarp_not_followed(fpdus->iwarp) - not_followed;
	return flow;
}

void rda_fpdus_forget(struct rda_fpdus *fpdus)
{
	if (fpdus->told)
		g_array_set_size(fpdus->told, 0);
	if (fpdus->parts)
		g_array_set_size(fpdus->parts, 0);
	if (fpdus->unfinished)
		g_array_set_size(fpdus->unfinished, 0);
}

const struct rda_fpdu_told *rda_fpdus_told(const struct rda_fpdus *fpdus, unsigned *count)
{
	*count = fpdus->told ? fpdus->told->len : 0;
	return *count ? (const struct rda_fpdu_told *)(void *)fpdus->told->data : NULL;
}

const struct rda_fpdu_told *rda_fpdus_unfinished(const struct rda_fpdus *fpdus, unsigned *count)
{
	*count = fpdus->unfinished ? fpdus->unfinished->len : 0;
	return *count ? (const struct rda_fpdu_told *)(void *)fpdus->unfinished->data : NULL;
}

const struct rda_fpdu_part *rda_fpdus_parts(const struct rda_fpdus *fpdus, unsigned *count)
{
	*count = fpdus->parts ? fpdus->parts->len : 0;
	return *count ? (const struct rda_fpdu_part *)(void *)fpdus->parts->data : NULL;
}

void rda_fpdus_end(struct rda_fpdus *fpdus, struct rda_capture *capture)
{
	rda_fpdus_forget(fpdus);
	fpdus->capture = capture;
	rda_iwarp_end(fpdus->iwarp);
}

/* ---- the layers of an FPDU ------------------------------------------------------------------- */

struct list {
	struct rda_layer *layers;
	unsigned count;
	uint32_t offset;
};

static void add(struct list *list, enum rda_header_id header, bool there, uint32_t bytes)
{
	if (!there)
		return;
	list->layers[list->count++] = (struct rda_layer){
		.header = (uint8_t)header, .length = (uint16_t)bytes, .offset = list->offset};
	list->offset += bytes;
}

/* What it copies of the message that failed. */
static void add_copies(struct list *list, const struct rda_terminate *t)
{
	if (t->has_length)
		list->offset += LENGTH_BYTES;
	add(list, RDA_DDP_TAGGED, t->has_ddp && t->tagged, RDA_DDP_TAGGED_BYTES);
	add(list, RDA_DDP_UNTAGGED, t->has_ddp && !t->tagged, RDA_DDP_UNTAGGED_BYTES);
	add(list, RDA_RDMAP_READ, t->has_rdmap, RDA_RDMAP_READ_BYTES);
}

unsigned rda_fpdu_layers(const struct rda_fpdu_told *told,
			 struct rda_layer layers[RDA_FPDU_LAYERS_MAX])
{
	struct list list = {.layers = layers};
	const struct rda_ulpdu *u = &told->fpdu.ulpdu;

	if (told->is_start) {
		add(&list, RDA_MPA_START, true, RDA_MPA_START_BYTES);
		add(&list, RDA_MPA_DEPTHS, told->start.has_depths, RDA_MPA_DEPTHS_BYTES);
		return list.count;
	}
	list.offset = LENGTH_BYTES;
	add(&list, RDA_DDP_TAGGED, u->present & RDA_HAS(DDP_TAGGED), RDA_DDP_TAGGED_BYTES);
	add(&list, RDA_DDP_UNTAGGED, u->present & RDA_HAS(DDP_UNTAGGED), RDA_DDP_UNTAGGED_BYTES);
	add(&list, RDA_RDMAP_READ, u->present & RDA_HAS(RDMAP_READ), RDA_RDMAP_READ_BYTES);
	add(&list, RDA_RDMAP_ATOMIC, u->present & RDA_HAS(RDMAP_ATOMIC), RDA_RDMAP_ATOMIC_BYTES);
	add(&list, RDA_RDMAP_ATOMIC_ACK, u->present & RDA_HAS(RDMAP_ATOMIC_ACK),
	    RDA_RDMAP_ATOMIC_ACK_BYTES);
	if (u->present & RDA_HAS(RDMAP_TERMINATE)) {
		add(&list, RDA_RDMAP_TERMINATE, true, RDA_RDMAP_TERMINATE_BYTES);
		add_copies(&list, &u->terminate);
	}
	return list.count;
}
