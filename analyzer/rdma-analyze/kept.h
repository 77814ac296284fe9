/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --write: the packets that are read, as they come, in a pcapng.
 *
 * Unlike all other files that the program writes (outfile.h) it is there from the beginning and
 * grows: packets that nobody sends again are worth having when the machine fails or the disk is
 * full. It ends where a packet ends, whatever happens: when not all of a piece can be written, what
 * was is taken back to the last whole block, nothing more is written, and it is said on stderr.
 */
#ifndef RDA_KEPT_H
#define RDA_KEPT_H

#include "analyzer/rdma-analyze/source.h"

struct rda_kept;

/*
 * NULL on failure, with the reason in *error (g_free it). `read`: names of files that are read,
 * ended by NULL, or NULL; to write onto one of them would destroy it, and is refused.
 */
struct rda_kept *rda_kept_new(const char *name, char *const *read, char **error);

void rda_kept_frame(struct rda_kept *kept, const struct rda_source *source,
		    const struct rda_meta *meta, const struct rda_frame *frame);

/* What was gathered goes to the file, so that others can read it. */
void rda_kept_flush(struct rda_kept *kept);

/*
 * The reading is over: how many packets the capture missed is written behind those that it has.
 * Frees. False when the file is not whole, as was said.
 */
bool rda_kept_end(struct rda_kept *kept, uint64_t dropped);

#endif
