/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --save-on: the packets around the first finding of each kind, in a file of their own.
 *
 * The latest packets are kept in memory, at most RDA_SAVED_PACKETS and RDA_SAVED_BYTES. Findings
 * are looked for once in a second of the packets' time, and at the end: where there is one of a
 * check that had none before, what is kept is written from RDA_SAVED_BEFORE packets before the
 * first frame that it lists, or from the oldest, to the latest, as DIR/CODE-FRAME.pcapng. Each
 * frame that the finding lists has its words as a comment. So there are as many files as checks, at
 * most.
 */
#ifndef RDA_SAVED_H
#define RDA_SAVED_H

#include "analyzer/engine/result.h"
#include "analyzer/rdma-analyze/options.h"

#define RDA_SAVED_PACKETS 65536
#define RDA_SAVED_BYTES	  (64 * 1024 * 1024)
#define RDA_SAVED_BEFORE  1000

struct rda_saved;

/* Whether there is a folder to write into; else the reason in *error (g_free it). */
bool rda_saved_has_folder(const struct rda_save_on *on, char **error);

/* `on` is borrowed. */
struct rda_saved *rda_saved_new(const struct rda_save_on *on);
void rda_saved_free(struct rda_saved *saved);

/* One frame; `place` of it (rda_place_id). */
void rda_saved_frame(struct rda_saved *saved, uint64_t place, const struct rda_meta *meta,
		     const struct rda_frame *frame);

/* Whether it is time to look for findings, behind the latest frame. */
bool rda_saved_is_due(const struct rda_saved *saved);

/* Looks for findings. False when a file could not be written, as was said on stderr. */
bool rda_saved_look(struct rda_saved *saved, const struct rda_result *result);

#endif
