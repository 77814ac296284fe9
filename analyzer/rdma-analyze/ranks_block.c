/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of a block. See ranks_block.h.
 */
#include "analyzer/rdma-analyze/ranks_block.h"

#include <string.h>

void rda_block_init(struct rda_block *block, struct rda_team *team, struct rda_source *source,
		    struct rda_filter *filter)
{
	*block = (struct rda_block){
		.team = team,
		.source = source,
		.filter = filter,
		.own = g_byte_array_new(),
		.facts = g_byte_array_new(),
	};
}

void rda_block_cleanup(struct rda_block *block)
{
	g_byte_array_free(block->own, TRUE);
	g_byte_array_free(block->facts, TRUE);
	g_free(block->error);
}

void rda_block_clear(struct rda_block *block)
{
	g_byte_array_set_size(block->own, 0);
	memset(block->frames, 0, sizeof(block->frames));
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
	struct rda_block_head *head = &block->head;
	struct rda_parcel passing = {
		.meta = *meta,
		.index = (uint32_t)head->passed++,
		.captured = frame->captured,
		.wire = frame->wire,
		.link = frame->link,
		.kind = share.stops_link ? RDA_PARCEL_STOPS : RDA_PARCEL_OWN,
		.share = (uint8_t)rda_share_class(share.pair),
	};

	if (passing.index == 0) {
		head->first = *meta;
		head->first_ns = head->last_ns = meta->time_ns;
		head->back_ns = 0;
	}
	head->back_ns = rda_meta_back_ns(head->back_ns, head->last_ns, meta->time_ns);
	head->first_ns = MIN(head->first_ns, meta->time_ns);
	head->last_ns = MAX(head->last_ns, meta->time_ns);
	pass(block->own, &passing, frame, true);
	block->frames[passing.share]++;
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
	while (got < bytes && read_record(block))
		got = block->facts->len + block->own->len;
}

/* ---- by ranks -------------------------------------------------------------------------------- */

/* A parcel for a rank; how many bytes it is. `to`: NULL, they are only counted. */
static int put(const uint8_t *from, uint32_t bytes, uint8_t kind, uint8_t *to)
{
	struct rda_parcel parcel;

	if (!to)
		return (int)bytes;
	memcpy(to, from, bytes);
	memcpy(&parcel, from, sizeof(parcel));
	parcel.kind = kind;
	memcpy(to, &parcel, sizeof(parcel));
	return (int)bytes;
}

/* `out`: NULL, or where what is for each rank begins. */
static void sort(const struct rda_block *block, int *to, uint8_t *out, const int *at)
{
	const uint8_t *next = block->own->data, *end = next + block->own->len;
	const struct rda_team *team = block->team;

	memset(to, 0, (size_t)team->count * sizeof(*to));
	while (next < end) {
		struct rda_parcel parcel;
		uint32_t bytes;

		memcpy(&parcel, next, sizeof(parcel));
		bytes = (uint32_t)sizeof(parcel) + rda_parcel_bytes(parcel.captured);
		for (int i = 0; i < (int)team->engines; i++) {
			bool own = i == team->rank_of[parcel.share];

			if (own || parcel.kind == RDA_PARCEL_STOPS)
				to[i] += put(next, bytes, own ? RDA_PARCEL_OWN : RDA_PARCEL_PAUSE,
					     out ? out + at[i] + to[i] : NULL);
		}
		next += bytes;
	}
}

uint8_t *rda_block_sort(const struct rda_block *block, int *to, int *at)
{
	int all = 0;
	uint8_t *out;

	sort(block, to, NULL, NULL);
	for (int i = 0; i < block->team->count; i++) {
		at[i] = all;
		all += to[i];
	}
	out = g_malloc((gsize)MAX(all, 1));
	sort(block, to, out, at);
	return out;
}
