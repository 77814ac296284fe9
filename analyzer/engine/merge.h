/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One capture read by several engines, each with the frames of some host pairs: their results make
 * one.
 *
 * An engine that has not all frames of a capture is told of the others (rda_engine_elsewhere).
 * Frames of no host pair, RDMA or not, are to be given to one of them.
 *
 * What is known of a host by several engines, and is no sum, is not known again: a source whose
 * ICRCs are good in one engine is not known to send good ones in another; of findings about one
 * host the sentence is that of one engine, with its numbers. Memory keys are judged again, as of
 * one engine, where the engines have rda_config.keep_key_events; the uses of others are told as
 * not kept.
 */
#ifndef RDA_MERGE_H
#define RDA_MERGE_H

#include "analyzer/engine/result.h"

/* A frame that another engine is given: of the capture at hand, it counts for its times only. */
void rda_engine_elsewhere(struct rda_engine *engine, const struct rda_meta *meta);

/*
 * The result of both, which have no host pair in common. A value of its own, to be given to
 * rda_result_free; neither order nor grouping matters when more than two are merged.
 */
struct rda_result *rda_result_merge(const struct rda_result *a, const struct rda_result *b);

#endif
