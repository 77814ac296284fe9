/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file read by all ranks, round by round. See ranks.h.
 */
#include "analyzer/rdma-analyze/ranks_block.h"

#include "analyzer/engine/budget.h"
#include "analyzer/rdma-analyze/shortage.h"

#include <mpi.h>
#include <string.h>

/* QPs that two hosts told each other. */
struct told {
	uint64_t pair;
	uint64_t ordinal; /* of the frame, among all of the capture */
	struct rda_meta meta;
	struct rda_cm_said said[2];
};

struct reading {
	struct rda_team *team;
	const struct rda_team_reader *reader;
	struct rda_source *source; /* NULL: rank 0 reads */
	bool seeks;
	int64_t size;	   /* of a rank's block */
	int64_t start;	   /* of the round */
	uint64_t before;   /* frames of the tap's files before */
	uint64_t numbered; /* frames of this file before the round */
	uint64_t dropped;
	struct rda_block block;
	struct rda_block_head *heads; /* by rank */
	uint64_t *ordinals;	      /* by rank: frames of the capture before its block */
	uint64_t *numbers;	      /* by rank: what is added to a number of its block */
	int *sent, *sent_at, *got, *got_at;
	GByteArray *in; /* what came */
	GArray *told;	/* struct told */
	int finisher;	/* the rank behind which there is nothing; -1: the file goes on */
};

/* ---- the blocks of a round ------------------------------------------------------------------- */

static void gather_heads(struct reading *r)
{
	MPI_Allgather(&r->block.head, sizeof(r->block.head), MPI_BYTE, r->heads,
		      sizeof(r->block.head), MPI_BYTE, MPI_COMM_WORLD);
}

/* The first rank whose block does not begin where the one before ends, which is *begin; -1: none.
 */
static int find_gap(const struct reading *r, int64_t *begin)
{
	*begin = r->heads[0].end;
	for (int i = 1; i < r->team->count && *begin != INT64_MAX; i++) {
		if (r->heads[i].begin != *begin)
			return i;
		*begin = r->heads[i].end;
	}
	return -1;
}

/* Rank 0 reads: its block is the round. */
static void read_some(struct reading *r)
{
	rda_block_read_some(&r->block, RDA_RANKS_ROUND);
	if (r->source->dropped != r->dropped)
		rda_engine_dropped(r->team->engine, r->source->dropped - r->dropped);
	r->dropped = r->source->dropped;
}

static void read_blocks(struct reading *r)
{
	int64_t begin = r->start, end = r->start + (r->team->rank + 1) * r->size;
	int gap;

	if (r->team->rank) {
		begin = rda_source_guess(r->source, r->start + r->team->rank * r->size);
		rda_block_clear(&r->block);
		r->block.head.begin = r->block.head.end = begin;
	}
	if (begin != RDA_OFFSET_UNKNOWN)
		rda_block_read(&r->block, begin, end);
	gather_heads(r);
	while ((gap = find_gap(r, &begin)) >= 0) {
		if (gap == r->team->rank)
			rda_block_read(&r->block, begin, end);
		gather_heads(r);
	}
	r->start = begin;
}

/* Behind the end of the file there is nothing, whatever was read there. */
static void find_end(struct reading *r)
{
	r->finisher = -1;
	for (int i = 0; i < r->team->count; i++)
		if (r->finisher >= 0)
			r->heads[i] = (struct rda_block_head){0};
		else if (r->heads[i].finished)
			r->finisher = i;
	if (r->finisher >= 0 && r->team->rank > r->finisher)
		rda_block_clear(&r->block);
}

static void count_frames(struct reading *r)
{
	uint64_t ordinal = r->team->frames, number = r->numbered;

	for (int i = 0; i < r->team->count; i++) {
		r->ordinals[i] = ordinal;
		r->numbers[i] = r->before + (r->seeks ? number : 0);
		ordinal += r->heads[i].passed;
		number += r->heads[i].frames;
	}
	r->numbered = number;
}

/* ---- frames on their way --------------------------------------------------------------------- */

static int places(const struct reading *r, const int *sizes, int *at)
{
	int all = 0;

	for (int i = 0; i < r->team->count; i++) {
		at[i] = all;
		all += sizes[i];
	}
	return all;
}

/* Each class that is new to all has a rank from now on. */
static void give_classes(struct reading *r)
{
	uint64_t frames[RDA_SHARES];

	memcpy(frames, r->block.frames, sizeof(frames));
	MPI_Allreduce(MPI_IN_PLACE, frames, RDA_SHARES, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	for (guint i = 0; i < r->told->len; i++)
		frames[rda_share_class(g_array_index(r->told, struct told, i).pair)]++;
	rda_ranks_give(r->team, frames);
}

/* To r->in, by rank. */
static void exchange(struct reading *r)
{
	uint8_t *out = rda_block_sort(&r->block, r->sent, r->sent_at);

	MPI_Alltoall(r->sent, 1, MPI_INT, r->got, 1, MPI_INT, MPI_COMM_WORLD);
	g_byte_array_set_size(r->in, (guint)places(r, r->got, r->got_at));
	MPI_Alltoallv(out, r->sent, r->sent_at, MPI_BYTE, r->in->data, r->got, r->got_at, MPI_BYTE,
		      MPI_COMM_WORLD);
	g_free(out);
}

static void gather_facts(struct reading *r)
{
	int size = (int)r->block.facts->len;

	MPI_Gather(&size, 1, MPI_INT, r->got, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (r->team->rank == 0)
		g_byte_array_set_size(r->in, (guint)places(r, r->got, r->got_at));
	MPI_Gatherv(r->block.facts->data, size, MPI_BYTE, r->in->data, r->got, r->got_at, MPI_BYTE,
		    0, MPI_COMM_WORLD);
}

/* The next of what came from a rank, at `at`; its bytes are where they came. */
static struct rda_frame next_passing(const struct reading *r, int from, const uint8_t **at,
				     struct rda_parcel *passing)
{
	struct rda_frame frame;

	memcpy(passing, *at, sizeof(*passing));
	passing->meta.number += r->numbers[from];
	*at += sizeof(*passing);
	frame = (struct rda_frame){*at, passing->captured, passing->wire, passing->link};
	if (passing->kind != RDA_PARCEL_THIN)
		*at += rda_parcel_bytes(passing->captured);
	return frame;
}

/* ---- what all frames tell -------------------------------------------------------------------- */

static void split(struct reading *r, const struct rda_parcel *passing,
		  const struct rda_frame *frame, uint64_t ordinal)
{
	const struct rda_packet *packet = NULL;
	struct rda_share share = {0};

	if (passing->kind == RDA_PARCEL_THIN) {
		rda_splitter_known(r->team->splitter, &passing->meta, frame);
	} else {
		share = rda_splitter_frame(r->team->splitter, &passing->meta, frame);
		packet = rda_splitter_packet(r->team->splitter);
	}
	if (share.told) {
		struct told told = {
			.pair = share.told_pair, .ordinal = ordinal, .meta = passing->meta};

		memcpy(told.said, share.told, sizeof(told.said));
		g_array_append_val(r->told, told);
	}
	r->reader->frame(r->reader->context, &passing->meta, frame, packet);
}

static void split_all(struct reading *r)
{
	for (int i = 0; i < r->team->count; i++) {
		const uint8_t *at = r->in->data + r->got_at[i], *end = at + r->got[i];

		while (at < end) {
			struct rda_parcel passing;
			struct rda_frame frame = next_passing(r, i, &at, &passing);

			split(r, &passing, &frame, r->ordinals[i] + passing.index + 1);
		}
		if (r->heads[i].frames)
			r->reader->read(r->reader->context, r->heads[i].frames,
					r->heads[i].latest + r->numbers[i]);
	}
}

static void tell_all(struct reading *r)
{
	guint count = r->told->len;

	rda_team_tell(r->team, &count, sizeof(count));
	g_array_set_size(r->told, count);
	if (count)
		rda_team_tell(r->team, r->told->data, count * sizeof(struct told));
}

/* ---- the engine ------------------------------------------------------------------------------ */

/* What was told up to a frame, of the engine's pairs. */
static guint take_told(struct reading *r, guint next, uint64_t ordinal)
{
	for (; next < r->told->len; next++) {
		const struct told *told = &g_array_index(r->told, struct told, next);

		if (told->ordinal > ordinal)
			break;
		if (r->team->rank_of[rda_share_class(told->pair)] == r->team->rank)
			rda_part_told(r->team->engine, &told->meta, told->said);
	}
	return next;
}

static void take_frame(struct rda_team *team, const struct rda_parcel *passing,
		       const struct rda_frame *frame, uint64_t ordinal)
{
	if (passing->kind == RDA_PARCEL_PAUSE) {
		rda_engine_elsewhere(team->engine, &passing->meta, frame,
				     &(struct rda_share){.stops_link = true});
		team->own++; /* it is counted there */
		return;
	}
	if (ordinal != team->latest_own + 1 || (ordinal == 1 && !team->had_last))
		rda_part_between(team->engine, &passing->meta);
	rda_engine_packet(team->engine, &passing->meta, frame);
	team->latest_own = ordinal;
	team->own++;
}

static void feed(struct reading *r)
{
	guint told = 0;

	for (int i = 0; i < r->team->count; i++) {
		const uint8_t *at = r->in->data + r->got_at[i], *end = at + r->got[i];

		while (at < end) {
			struct rda_parcel passing;
			struct rda_frame frame = next_passing(r, i, &at, &passing);
			uint64_t ordinal = r->ordinals[i] + passing.index + 1;

			told = take_told(r, told, ordinal);
			take_frame(r->team, &passing, &frame, ordinal);
		}
	}
	take_told(r, told, UINT64_MAX);
}

/* ---- a round --------------------------------------------------------------------------------- */

/* The times of a block's frames; all know when the capture, be it of several files, began. */
static void take_head(struct reading *r, int rank)
{
	const struct rda_block_head *head = &r->heads[rank];
	struct rda_team *team = r->team;
	struct rda_meta first = head->first;

	if (!head->passed)
		return;
	first.number += r->numbers[rank];
	if (!team->frames) {
		team->span.first_ns = head->first_ns;
		team->span.last_ns = head->last_ns;
		team->span.back_ns = 0;
	}
	if (team->frames)
		team->span.back_ns =
			rda_meta_back_ns(team->span.back_ns, team->span.last_ns, head->first_ns);
	team->span.back_ns = MAX(team->span.back_ns, head->back_ns);
	if (!team->begun && team->engine)
		rda_part_between(team->engine, &first);
	team->begun = true;
	team->span.first_ns = MIN(team->span.first_ns, head->first_ns);
	team->span.last_ns = MAX(team->span.last_ns, head->last_ns);
	team->frames += head->passed;
	team->since_keys += head->passed;
}

static void look_at_keys(struct rda_team *team)
{
	if (team->since_keys < team->keys_every)
		return;
	if (team->engine)
		rda_budget_look(team->engine, team->since_keys / RDA_BUDGET_FRAMES);
	team->since_keys = 0;
	rda_ranks_keys(team);
}

static void round_of(struct reading *r)
{
	if (r->seeks) {
		read_blocks(r);
	} else {
		rda_block_clear(&r->block);
		if (r->team->rank == 0)
			read_some(r);
		gather_heads(r);
	}
	if (rda_shortage_came())
		rda_team_fail(r->team, "out of memory");
	find_end(r);
	count_frames(r);
	for (int i = 0; i < r->team->count; i++)
		take_head(r, i);
	gather_facts(r);
	g_array_set_size(r->told, 0);
	if (r->team->rank == 0)
		split_all(r);
	tell_all(r);
	give_classes(r);
	exchange(r);
	if (r->team->engine)
		feed(r);
	look_at_keys(r->team);
}

/* ---- a capture ------------------------------------------------------------------------------- */

void rda_ranks_end_capture(struct rda_team *team)
{
	struct rda_part_others others = team->span;

	if (!team->capture_begun || !team->frames || !team->engine)
		return;
	others.frames = team->frames - team->own;
	rda_part_others(team->engine, &others);
}

void rda_team_begin_capture(struct rda_team *team, bool continues)
{
	rda_ranks_end_capture(team);
	if (team->frames)
		team->had_last = team->latest_own == team->frames;
	team->frames = team->own = team->latest_own = 0;
	team->capture_begun = true;
	if (team->engine)
		continues ? rda_engine_continue_capture(team->engine)
			  : rda_engine_begin_capture(team->engine);
	if (team->splitter)
		continues ? rda_splitter_continue_capture(team->splitter)
			  : rda_splitter_begin_capture(team->splitter);
}

static void begin(struct reading *r)
{
	int count = r->team->count;

	rda_team_tell(r->team, &r->seeks, sizeof(r->seeks));
	rda_team_tell(r->team, &r->start, sizeof(r->start));
	rda_team_tell(r->team, &r->before, sizeof(r->before));
	r->size = MAX(RDA_RANKS_ROUND / count, RDA_RANKS_BLOCK);
	rda_block_init(&r->block, r->team, r->source, r->reader->filter);
	r->heads = g_new0(struct rda_block_head, count);
	r->ordinals = g_new0(uint64_t, count);
	r->numbers = g_new0(uint64_t, count);
	r->sent = g_new0(int, 4 * count);
	r->sent_at = r->sent + count;
	r->got = r->sent_at + count;
	r->got_at = r->got + count;
	r->in = g_byte_array_new();
	r->told = g_array_new(FALSE, TRUE, sizeof(struct told));
}

/* Why it ended, as the rank says that came to it. */
static struct rda_team_end end(struct reading *r)
{
	struct rda_team_end end = {NULL, r->block.offset};
	int length = r->block.error ? (int)strlen(r->block.error) + 1 : 0;

	MPI_Bcast(&length, 1, MPI_INT, r->finisher, MPI_COMM_WORLD);
	MPI_Bcast(&end.offset, sizeof(end.offset), MPI_BYTE, r->finisher, MPI_COMM_WORLD);
	if (length) {
		end.error = r->team->rank == r->finisher ? g_strdup(r->block.error)
							 : g_malloc((gsize)length);
		MPI_Bcast(end.error, length, MPI_BYTE, r->finisher, MPI_COMM_WORLD);
	}
	rda_block_cleanup(&r->block);
	g_free(r->heads);
	g_free(r->ordinals);
	g_free(r->numbers);
	g_free(r->sent);
	g_byte_array_free(r->in, TRUE);
	g_array_free(r->told, TRUE);
	return end;
}

struct rda_team_end rda_team_read(struct rda_team *team, struct rda_source *source,
				  const struct rda_team_reader *reader)
{
	struct reading reading = {
		.team = team,
		.reader = reader,
		.source = source,
		.before = reader->before,
		.seeks = team->rank == 0 && rda_source_seeks(source),
	};

	if (reading.seeks)
		reading.start = rda_source_tell(source);
	begin(&reading);
	do
		round_of(&reading);
	while (reading.finisher < 0);
	return end(&reading);
}
