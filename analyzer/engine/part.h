/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a part (rda_config.part) is told of frames that it does not have, many at once: for who
 * shares a capture among many of them. One by one: rda_engine_elsewhere (rda.h).
 */
#ifndef RDA_PART_H
#define RDA_PART_H

#include "analyzer/rda.h"
#include "analyzer/track/setup/cm_track.h"

/* Frames of the capture at hand. */
struct rda_part_others {
	uint64_t frames; /* that others have */
	int64_t first_ns,
		last_ns; /* the earliest and the latest time of these, or of more frames */
	int64_t back_ns; /* as of rda_capture, of these, or of more */
};

/* Told once of each, in any order. */
void rda_part_others(struct rda_engine *engine, const struct rda_part_others *others);

/* A frame of its own comes: it may be stamped behind what others have, where these are told frame
 * by frame (rda_engine_elsewhere); rda_part_others may tell of later ones, too. */
void rda_part_own(struct rda_engine *engine, const struct rda_meta *meta);

/* Others have frames between the engine's own; the last of them, or a later one, is `meta`. */
void rda_part_between(struct rda_engine *engine, const struct rda_meta *meta);

/* The frame, which was dissected, stops a link, or lets it go on: all engines have it. */
void rda_part_stop(struct rda_engine *engine, const struct rda_meta *meta,
		   const struct rda_frame *frame);

/* Two hosts told each other their QPs, in a frame that may be another's (exchange.h). */
void rda_part_told(struct rda_engine *engine, const struct rda_meta *meta,
		   const struct rda_cm_said said[2]);

#endif
