/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the frames of one file through the engine, to its end or to where it is damaged, and does
 * with each what the options ask for besides.
 */
#include "analyzer/rdma-analyze/run_part.h"

#include "analyzer/base/cold.h"
#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/progress.h"
#include "analyzer/rdma-analyze/run_taps.h"

#include <errno.h>

static inline const struct rda_packet *analyze(const struct rda_run *run,
					       const struct rda_meta *meta,
					       const struct rda_frame *frame)
{
	return run->shards ? rda_shards_frame(run->shards, meta, frame)
			   : rda_engine_packet(run->engine, meta, frame);
}

/* Gives one frame to the engine; false when the file cannot or shall not be read on. */
RDA_APART static bool read_frame(struct rda_run *run, struct rda_input *input,
				 const struct rda_meta *meta, const struct rda_frame *frame)
{
	const struct rda_packet *packet;

	if (run->filter) {
		switch (rda_filter_frame(run->filter, frame)) {
		case RDA_FILTER_PASS: break;
		case RDA_FILTER_DROP: return true;
		case RDA_FILTER_UNUSABLE:
			rda_run_note_damage(run, input, RDA_OFFSET_UNKNOWN,
					    rda_filter_error(run->filter));
			return false;
		}
	}
	if (input->spool && !rda_spool_add(input->spool, meta, frame)) {
		rda_run_note_damage(run, input, RDA_OFFSET_UNKNOWN, g_strerror(errno));
		return false;
	}
	rda_live_before(run->during, meta);
	packet = analyze(run, meta, frame);
	if (run->at_hand)
		rda_run_passage(run, rda_place_id(input->scope, meta->number), meta, frame, packet);
	if (run->settled)
		rda_settled_packet(run->settled, run->engine);
	rda_run_note_packet(input, frame, packet);
	return rda_live_frame(run->during, meta, frame, packet);
}

RDA_COLD static void note_drops(struct rda_run *run, struct rda_input *input,
				const struct rda_source *source)
{
	const uint64_t more = source->dropped - input->dropped;

	input->dropped = source->dropped;
	if (run->shards)
		rda_shards_dropped(run->shards, more);
	else
		rda_engine_dropped(run->engine, more);
}

/* Why no more frames came. */
static void note_end(struct rda_run *run, struct rda_input *input, const struct rda_source *source,
		     enum rda_source_result result)
{
	bool at_end = result == RDA_SOURCE_END && !source->live;

	input->origin.stopped =
		rda_interrupt_came() ? rda_interrupt_name() : rda_live_stopped(run->during);
	if (rda_shortage_came()) {
		input->origin.stopped = at_end ? NULL : "memory";
		if (!at_end)
			rda_run_complain(run, input->origin.file, RDA_OFFSET_UNKNOWN,
					 "out of memory: this is about what was read till then");
	} else if (result == RDA_SOURCE_DAMAGED && !rda_interrupt_came()) {
		rda_run_note_damage(run, input, source->offset, source->error);
	}
}

/* Whether nothing is done with a frame but that it is analyzed. */
static bool is_bare(const struct rda_run *run, const struct rda_input *input)
{
	return !run->filter && !input->spool && !run->at_hand && !run->settled &&
	       !rda_live_wants_frames(run->during);
}

static inline void look_ahead(const struct rda_run *run, struct rda_source *source)
{
	if (run->shards)
		rda_shards_look_ahead(run->shards, source);
	else
		rda_source_look_ahead(source, run->engine);
}

void rda_run_read_frames(struct rda_run *run, struct rda_input *input, struct rda_source *source)
{
	const bool bare = is_bare(run, input); /* asked once: 30 instructions a packet */
	enum rda_source_result result;
	struct rda_progress_line progress;
	struct rda_frame frame;
	struct rda_meta meta;
	bool go_on = true;

	rda_progress_begin(&progress, !run->options->no_progress);
	rda_live_source(run->during, source);
	rda_shortage_reading(input->name, &input->frames);
	do {
		result = source->next(source, &meta, &frame);
		if (source->dropped != input->dropped)
			note_drops(run, input, source);
		if (result == RDA_SOURCE_FRAME) {
			rda_run_number_on(input, &meta);
			input->latest = meta.number;
			look_ahead(run, source);
			if (bare)
				rda_run_note_packet(input, &frame, analyze(run, &meta, &frame));
			else
				go_on = read_frame(run, input, &meta, &frame);
			rda_progress_frame(&progress, input->origin.file, ++input->frames,
					   source->position, source->size);
		} else if (result == RDA_SOURCE_IDLE) {
			go_on = rda_live_idle(run->during);
		}
		/* what came to an interface before the signal comes before its end */
	} while (go_on && (result == RDA_SOURCE_FRAME || result == RDA_SOURCE_IDLE) &&
		 (source->live || !rda_interrupt_came()));
	rda_progress_end(&progress);
	rda_live_source_end(run->during);
	rda_shortage_reading(NULL, NULL);
	note_end(run, input, source, result);
}
