/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine that has a part of the frames: what it learns of those that others have. Which frames
 * belong together: splitter.c. How results become one: merge.c.
 */
#include "analyzer/engine/part.h"

#include "analyzer/base/meta.h"
#include "analyzer/engine/result_state.h"
#include "analyzer/engine/state.h"

/* Where the engine stands at a frame. */
static struct rda_at at_of(struct rda_engine *engine, const struct rda_meta *meta,
			   const struct rda_frame *frame)
{
	if (!engine->capture)
		rda_engine_begin_capture(engine);
	return (struct rda_at){
		.judge = &engine->judge,
		.meta = meta,
		.frame = frame,
		.packet = &engine->packet,
		.capture = engine->scope,
		.place = rda_place_id(engine->scope, meta->number),
	};
}

void rda_part_others(struct rda_engine *engine, const struct rda_part_others *others)
{
	struct rda_others_frames *sums;

	if (!others->frames)
		return;
	if (!engine->capture)
		rda_engine_begin_capture(engine);
	sums = &g_array_index(engine->others, struct rda_others_frames, engine->captures->len - 1);
	if (!sums->frames) {
		sums->first_ns = others->first_ns;
		sums->last_ns = others->last_ns;
	}
	sums->frames += others->frames;
	sums->back_ns = MAX(sums->back_ns, others->back_ns);
	sums->first_ns = MIN(sums->first_ns, others->first_ns);
	sums->last_ns = MAX(sums->last_ns, others->last_ns);
}

void rda_part_own(struct rda_engine *engine, const struct rda_meta *meta)
{
	const struct rda_others_frames *sums =
		&g_array_index(engine->others, struct rda_others_frames, engine->captures->len - 1);
	struct rda_capture *own = engine->capture;

	if (sums->in_turn)
		own->back_ns = rda_meta_back_ns(own->back_ns, sums->last_ns, meta->time_ns);
}

void rda_part_between(struct rda_engine *engine, const struct rda_meta *meta)
{
	struct rda_at at = at_of(engine, meta, NULL);

	if (!engine->config.count_only)
		rda_judge_between(&at);
}

void rda_part_told(struct rda_engine *engine, const struct rda_meta *meta,
		   const struct rda_cm_said said[2])
{
	struct rda_at at = at_of(engine, meta, NULL);
	struct rda_cm_pair *pair = rda_cm_track_told(engine->cm, said, meta->tap);

	if (pair)
		rda_flows_tie(&engine->flows, pair, meta, at.place);
}

void rda_part_stop(struct rda_engine *engine, const struct rda_meta *meta,
		   const struct rda_frame *frame)
{
	rda_holds_frame(&engine->holds, frame, &engine->packet, meta, engine->scope,
			engine->config.link_gbits);
}

/* A frame that another has, in its turn. */
static void pass_over(struct rda_engine *engine, const struct rda_meta *meta)
{
	const struct rda_capture *own = engine->capture;
	const struct rda_others_frames *sums =
		own ? &g_array_index(engine->others, struct rda_others_frames,
				     engine->captures->len - 1)
		    : NULL;
	struct rda_part_others one = {1, meta->time_ns, meta->time_ns, 0};

	if (own && own->packets)
		one.back_ns = rda_meta_back_ns(0, own->last_time_ns, meta->time_ns);
	if (sums && sums->frames)
		one.back_ns = rda_meta_back_ns(one.back_ns, sums->last_ns, meta->time_ns);
	rda_part_others(engine, &one);
	g_array_index(engine->others, struct rda_others_frames, engine->captures->len - 1).in_turn =
		true;
}

static void watch(struct rda_engine *engine, const struct rda_meta *meta,
		  const struct rda_frame *frame, const struct rda_share *share)
{
	struct rda_at at = at_of(engine, meta, frame);

	pass_over(engine, meta);
	if (engine->config.count_only)
		return;
	if (share->stops_link) {
		rda_dissect(&engine->packet, frame, &engine->config.dissect);
		rda_part_stop(engine, meta, frame);
	}
	rda_judge_others(&at, share);
}

void rda_engine_elsewhere(struct rda_engine *engine, const struct rda_meta *meta,
			  const struct rda_frame *frame, const struct rda_share *share)
{
	if (engine->config.part && !share->stops_link) {
		pass_over(engine, meta);
		rda_part_between(engine, meta);
	} else {
		watch(engine, meta, frame, share);
	}
}

void rda_engine_told(struct rda_engine *engine, const struct rda_meta *meta,
		     const struct rda_share *share)
{
	rda_part_told(engine, meta, share->told);
}
