/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which frames belong together, and what is known by all of them only.
 *
 *     frame --> splitter --> class of its two hosts --> the engine that has it
 *                  |
 *                  +--> times, bytes and pauses of all frames; QPs told in clear, whose hosts
 *                       may be others than those that tell them
 *
 * Here is what rda.h does not tell: the frame as it was dissected.
 */
#ifndef RDA_SPLITTER_H
#define RDA_SPLITTER_H

#include "analyzer/engine/part.h"
#include "analyzer/rda.h"

/* One that tells whose frames are and nothing else: beside one that is told the same frames, and
 * has the result. */
struct rda_splitter *rda_splitter_of_hosts(const struct rda_config *config);

/* rda_splitter_frame for threads that read fast; the splitter's, until its next frame. */
const struct rda_share *rda_splitter_share(struct rda_splitter *splitter,
					   const struct rda_meta *meta,
					   const struct rda_frame *frame);

/* Frames of the capture at hand, or of its latest file. */
const struct rda_part_others *rda_splitter_span(const struct rda_splitter *splitter);

/* Of the frame that was given last: NULL where that was RoCEv2 at first glance. */
const struct rda_packet *rda_splitter_packet(const struct rda_splitter *splitter);

/*
 * A frame of which somebody else has found out whose it is (rda_frame_share), in place of
 * rda_splitter_frame: of RDMA no bytes are needed. Others, which may tell QPs or stop a link, are
 * given whole, to rda_splitter_frame.
 */
void rda_splitter_known(struct rda_splitter *splitter, const struct rda_meta *meta,
			const struct rda_frame *frame);

#endif
