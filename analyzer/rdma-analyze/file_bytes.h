/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of an unpacked file in order, of which some are held in a buffer:
 *
 *     buffer [ read .... | at: unread ...... end | room ]
 */
#ifndef RDA_FILE_BYTES_H
#define RDA_FILE_BYTES_H

#include "analyzer/rdma-analyze/unpack_ahead.h"

#include <stddef.h>

struct rda_file_bytes {
	struct rda_unpack *file;	/* owned */
	bool began;			/* something was read of it */
	struct rda_unpack_ahead *ahead; /* owned; what reads it where it is packed and large */
	uint8_t *buffer;		/* owned */
	size_t room;			/* of the buffer */
	size_t at, end;			/* the unread part of the buffer */
	int64_t offset;			/* of buffer[at] in the unpacked file */
};

/* To be given to rda_file_bytes_cleanup; takes the descriptor. */
void rda_file_bytes_init(struct rda_file_bytes *bytes, int fd);
void rda_file_bytes_cleanup(struct rda_file_bytes *bytes);

/*
 * Reads on until `size` bytes are unread, if the file has them; pointers to bytes that were there
 * are invalid then. An error is g_strdup'ed to *error, unless there is one already.
 */
bool rda_file_bytes_read_on(struct rda_file_bytes *bytes, size_t size, char **error);

static inline size_t rda_file_bytes_unread(const struct rda_file_bytes *bytes)
{
	return bytes->end - bytes->at;
}

static inline const uint8_t *rda_file_bytes_at(const struct rda_file_bytes *bytes)
{
	return bytes->buffer + bytes->at;
}

/* So many unread bytes are read. */
static inline void rda_file_bytes_skip(struct rda_file_bytes *bytes, size_t size)
{
	bytes->at += size;
	bytes->offset += (int64_t)size;
}

/* How many bytes of the file itself were read. */
int64_t rda_file_bytes_position(const struct rda_file_bytes *bytes);

/* Another place in a plain file: nothing is held. */
void rda_file_bytes_seek(struct rda_file_bytes *bytes, int64_t offset);

#endif
