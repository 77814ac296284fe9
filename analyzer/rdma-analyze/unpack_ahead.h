/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that unpacks ahead of who reads: what a packed file holds is unpacked while what came
 * before is analyzed. At most four blocks of 128 KiB are ahead.
 */
#ifndef RDA_UNPACK_AHEAD_H
#define RDA_UNPACK_AHEAD_H

#include "analyzer/rdma-analyze/unpack.h"

struct rda_unpack_ahead;

/* For bytes of `file` from where it stands, which nothing else may use until the end; NULL: there
 * can be no thread. */
struct rda_unpack_ahead *rda_unpack_ahead_new(struct rda_unpack *file);
/* `file` is the caller's again; NULL is allowed. */
void rda_unpack_ahead_free(struct rda_unpack_ahead *ahead);

/* As rda_unpack_read; behind -1, and only then, rda_unpack_error may be asked. */
ssize_t rda_unpack_ahead_read(struct rda_unpack_ahead *ahead, uint8_t *bytes, size_t size);
/* rda_unpack_position, where the bytes that were read had come from. */
int64_t rda_unpack_ahead_position(const struct rda_unpack_ahead *ahead);

#endif
