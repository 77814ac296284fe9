/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of a block. See ranks_block.h.
 */
#include "analyzer/rdma-analyze/ranks_block.h"

void rda_block_init(struct rda_block *block, struct rda_team *team, struct rda_source *source,
		    struct rda_filter *filter)
{
	*block = (struct rda_block){
		.team = team,
		.source = source,
		.filter = filter,
		.to = g_new(GByteArray *, team->count),
		.facts = g_byte_array_new(),
	};
	for (int i = 0; i < team->count; i++)
		block->to[i] = g_byte_array_new();
}

void rda_block_cleanup(struct rda_block *block)
{
	for (int i = 0; i < block->team->count; i++)
		g_byte_array_free(block->to[i], TRUE);
	g_free(block->to);
	g_byte_array_free(block->facts, TRUE);
	g_free(block->error);
}

void rda_block_clear(struct rda_block *block)
{
	for (int i = 0; i < block->team->count; i++)
		g_byte_array_set_size(block->to[i], 0);
	g_byte_array_set_size(block->facts, 0);
	g_clear_pointer(&block->error, g_free);
	block->head = (struct rda_block_head){0};
	block->offset = RDA_OFFSET_UNKNOWN;
}

static void pass(GByteArray *to, const struct rda_parcel *passing, const struct rda_frame *frame,
		 bool bytes)
{
	static const uint8_t nothing[8];

	g_byte_array_append(to, (const guint8 *)passing, sizeof(*passing));
	if (!bytes)
		return;
	g_byte_array_append(to, frame->bytes, frame->captured);
	g_byte_array_append(to, nothing, rda_parcel_bytes(frame->captured) - frame->captured);
}

static void add_frame(struct rda_block *block, const struct rda_meta *meta,
		      const struct rda_frame *frame)
{
	struct rda_share share = rda_frame_share(frame, &block->team->config.dissect);
	int owner = (int)rda_share_engine(share.pair, block->team->engines);
	struct rda_block_head *head = &block->head;
	struct rda_parcel passing = {
		.meta = *meta,
		.index = (uint32_t)head->passed++,
		.captured = frame->captured,
		.wire = frame->wire,
		.link = frame->link,
		.kind = RDA_PARCEL_OWN,
	};

	if (passing.index == 0) {
		head->first = *meta;
		head->first_ns = head->last_ns = meta->time_ns;
	}
	head->last = *meta;
	head->first_ns = MIN(head->first_ns, meta->time_ns);
	head->last_ns = MAX(head->last_ns, meta->time_ns);
	pass(block->to[owner], &passing, frame, true);
	passing.kind = RDA_PARCEL_PAUSE;
	for (int i = 0; share.stops_link && i < (int)block->team->engines; i++)
		if (i != owner)
			pass(block->to[i], &passing, frame, true);
	passing.kind = share.rdma ? RDA_PARCEL_THIN : RDA_PARCEL_WHOLE;
	pass(block->facts, &passing, frame, !share.rdma);
}

static void end_block(struct rda_block *block, const char *error, int64_t offset)
{
	block->head.finished = true;
	block->error = g_strdup(error);
	block->offset = offset;
}

/* One record of the file; false: there is none, or none shall be read. */
static bool read_record(struct rda_block *block)
{
	enum rda_source_result result;
	struct rda_frame frame;
	struct rda_meta meta;

	result = block->source->next(block->source, &meta, &frame);
	if (result != RDA_SOURCE_FRAME) {
		end_block(block, result == RDA_SOURCE_DAMAGED ? block->source->error : NULL,
			  block->source->offset);
		return false;
	}
	block->head.frames++;
	block->head.latest = meta.number;
	switch (block->filter ? rda_filter_frame(block->filter, &frame) : RDA_FILTER_PASS) {
	case RDA_FILTER_PASS: add_frame(block, &meta, &frame); break;
	case RDA_FILTER_DROP: break;
	case RDA_FILTER_UNUSABLE:
		end_block(block, rda_filter_error(block->filter), RDA_OFFSET_UNKNOWN);
		return false;
	}
	return true;
}

void rda_block_read(struct rda_block *block, int64_t begin, int64_t end)
{
	rda_block_clear(block);
	block->head.begin = begin;
	rda_source_seek(block->source, begin);
	while (rda_source_tell(block->source) < end && read_record(block))
		continue;
	block->head.end = block->head.finished ? INT64_MAX : rda_source_tell(block->source);
}

void rda_block_read_some(struct rda_block *block, uint64_t bytes)
{
	uint64_t got = 0;

	rda_block_clear(block);
	while (got < bytes && read_record(block)) {
		got = block->facts->len;
		for (int i = 0; i < block->team->count; i++)
			got += block->to[i]->len;
	}
}
