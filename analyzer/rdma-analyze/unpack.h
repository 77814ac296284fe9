/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a file, unpacked if it is packed with gzip or zstd. Gives all that comes before
 * damage, unlike zlib's own gzread, which loses up to a buffer of it.
 */
#ifndef RDA_UNPACK_H
#define RDA_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct rda_unpack;

/* Takes the descriptor, from where it stands. */
struct rda_unpack *rda_unpack_new(int fd);
/*
 * A file that may grow: where it has no more bytes `grows` is asked, which may wait; false: that is
 * its end.
 */
void rda_unpack_grows(struct rda_unpack *unpack, bool (*grows)(void *context), void *context);
void rda_unpack_free(struct rda_unpack *unpack);

/* Plain bytes of a file that can be sought in are read on from there. */
void rda_unpack_seek(struct rda_unpack *unpack, int64_t offset);

/* The next bytes; 0 at the end; -1 when no more can be had: rda_unpack_error. */
ssize_t rda_unpack_read(struct rda_unpack *unpack, uint8_t *bytes, size_t size);
const char *rda_unpack_error(const struct rda_unpack *unpack);

/* Whether it is packed, once something was read; and how many bytes of the file were read. */
bool rda_unpack_packed(const struct rda_unpack *unpack);
/* Of a packed file in which reading never waits for others, its size; 0: it is plain, a pipe, or
 * may grow. */
int64_t rda_unpack_packed_size(const struct rda_unpack *unpack);
int64_t rda_unpack_position(const struct rda_unpack *unpack);

#endif
