/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames put aside in an unlinked temporary file: what came from a pipe cannot be read twice, and
 * --packets needs it twice.
 */
#ifndef RDA_SPOOL_H
#define RDA_SPOOL_H

#include "analyzer/engine/engine.h"

struct rda_spool;

/* In the folder that TMPDIR names, else /tmp. NULL on failure, with the reason in *error (g_free).
 */
struct rda_spool *rda_spool_new(char **error);
void rda_spool_free(struct rda_spool *spool);

/* False when it could not be written; errno says why. */
bool rda_spool_add(struct rda_spool *spool, const struct rda_meta *meta,
		   const struct rda_frame *frame);

/* From the first frame again. False when it could not be written to its end; errno says why. */
bool rda_spool_rewind(struct rda_spool *spool);

/* The next frame, its bytes valid until the next call; false at the end. */
bool rda_spool_next(struct rda_spool *spool, struct rda_meta *meta, struct rda_frame *frame);

#endif
