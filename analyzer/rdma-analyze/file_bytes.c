/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A buffer of a file's bytes. See file_bytes.h.
 *
 * The system copies from its pages to the buffer at several times the speed where bytes stand in a
 * page of both alike: of a copy to 16 bytes after that (a buffer of malloc's, filled in whole
 * pages) processors of AMD make one of single bytes.
 */
#include "analyzer/rdma-analyze/file_bytes.h"

#include "analyzer/base/cold.h"

#include <glib.h>
#include <string.h>

enum { BUFFER_BYTES = 256 * 1024, PAGE = 4096 };

/* Less is unpacked in 30 ms: too little to start a thread for. */
enum { AHEAD_BYTES = 1024 * 1024 };

void rda_file_bytes_init(struct rda_file_bytes *bytes, int fd)
{
	*bytes = (struct rda_file_bytes){
		.file = rda_unpack_new(fd),
		.buffer = g_malloc(BUFFER_BYTES),
		.room = BUFFER_BYTES,
	};
}

void rda_file_bytes_cleanup(struct rda_file_bytes *bytes)
{
	rda_unpack_ahead_free(bytes->ahead);
	rda_unpack_free(bytes->file);
	g_free(bytes->buffer);
}

/* The unread bytes to where they stand in a page as in the file, with room for `size` of them. */
static void move_unread(struct rda_file_bytes *bytes, size_t size)
{
	const size_t unread = rda_file_bytes_unread(bytes);
	uint8_t *buffer = bytes->buffer;
	size_t at;

	if (PAGE + size > bytes->room) {
		bytes->room = PAGE + size;
		buffer = g_malloc(bytes->room);
	}
	at = ((size_t)bytes->offset - (uintptr_t)buffer) % PAGE;
	memmove(buffer + at, rda_file_bytes_at(bytes), unread);
	if (buffer != bytes->buffer)
		g_free(bytes->buffer);
	bytes->buffer = buffer;
	bytes->at = at;
	bytes->end = at + unread;
}

/* Only what was read shows that it is packed. */
static ssize_t read_some(struct rda_file_bytes *bytes)
{
	uint8_t *room = bytes->buffer + bytes->end;
	const size_t size = bytes->room - bytes->end;

	if (!bytes->began) {
		bytes->began = true;
		return rda_unpack_read(bytes->file, room, size);
	}
	if (!bytes->ahead && rda_unpack_packed_size(bytes->file) >= AHEAD_BYTES)
		bytes->ahead = rda_unpack_ahead_new(bytes->file);
	return bytes->ahead ? rda_unpack_ahead_read(bytes->ahead, room, size)
			    : rda_unpack_read(bytes->file, room, size);
}

RDA_COLD bool rda_file_bytes_read_on(struct rda_file_bytes *bytes, size_t size, char **error)
{
	move_unread(bytes, size);
	while (rda_file_bytes_unread(bytes) < size && !*error) {
		ssize_t n = read_some(bytes);

		if (n < 0)
			*error = g_strdup(rda_unpack_error(bytes->file));
		if (n <= 0)
			break;
		bytes->end += (size_t)n;
	}
	return rda_file_bytes_unread(bytes) >= size;
}

void rda_file_bytes_seek(struct rda_file_bytes *bytes, int64_t offset)
{
	bytes->at = bytes->end = 0;
	bytes->offset = offset;
	rda_unpack_seek(bytes->file, offset);
}

int64_t rda_file_bytes_position(const struct rda_file_bytes *bytes)
{
	return bytes->ahead ? rda_unpack_ahead_position(bytes->ahead)
			    : rda_unpack_position(bytes->file);
}
