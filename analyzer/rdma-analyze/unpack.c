/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain bytes and gzip (RFC 1952), of one member or several. Whatever follows the last member is
 * ignored, as gzip does.
 */
#include "analyzer/rdma-analyze/unpack.h"

#include "analyzer/rdma-analyze/interrupt.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define INPUT_BYTES (64 * 1024)

#define GZIP_WINDOW (15 + 16) /* zlib: the largest window, and gzip's header and CRC */

enum state {
	START, /* nothing was read yet */
	PLAIN,
	MEMBER,	 /* inside of gzip data */
	BETWEEN, /* behind a member */
	END,
	BROKEN,
};

struct rda_unpack {
	int fd;
	enum state state;
	bool packed;
	int64_t position;
	char *error;
	bool (*grows)(void *context); /* NULL: it does not */
	void *context;
	z_stream zlib; /* its next_in and avail_in are the unread part of `input`, also of plain
			  data */
	uint8_t input[INPUT_BYTES];
};

struct rda_unpack *rda_unpack_new(int fd)
{
	struct rda_unpack *u = g_new0(struct rda_unpack, 1);

	u->fd = fd;
	return u;
}

void rda_unpack_grows(struct rda_unpack *u, bool (*grows)(void *context), void *context)
{
	u->grows = grows;
	u->context = context;
}

void rda_unpack_free(struct rda_unpack *u)
{
	if (!u)
		return;
	if (u->packed)
		inflateEnd(&u->zlib);
	close(u->fd);
	g_free(u->error);
	g_free(u);
}

static void fail(struct rda_unpack *u, char *reason)
{
	u->error = reason;
	u->state = BROKEN;
}

/* Like read(2); an error is noted. */
static size_t read_file(struct rda_unpack *u, uint8_t *bytes, size_t size)
{
	ssize_t n;

	do
		n = read(u->fd, bytes, size);
	while ((n < 0 && errno == EINTR && !rda_interrupt_came()) ||
	       (n == 0 && u->grows && u->grows(u->context)));
	if (n < 0 && errno == EINTR)
		return 0; /* for whoever reads on, the file ends here */
	if (n < 0) {
		fail(u, g_strdup(g_strerror(errno)));
		return 0;
	}
	u->position += n;
	return (size_t)n;
}

/* Whether the input has `size` unread bytes, after reading on where it has not. */
static bool fill(struct rda_unpack *u, size_t size)
{
	size_t n;

	if (u->zlib.avail_in >= size)
		return true;
	memmove(u->input, u->zlib.next_in, u->zlib.avail_in);
	u->zlib.next_in = u->input;
	do {
		n = read_file(u, u->input + u->zlib.avail_in, INPUT_BYTES - u->zlib.avail_in);
		u->zlib.avail_in += (unsigned)n;
	} while (n > 0 && u->zlib.avail_in < size);
	return u->zlib.avail_in >= size;
}

static bool at_member(struct rda_unpack *u)
{
	return fill(u, 2) && u->zlib.next_in[0] == 0x1f && u->zlib.next_in[1] == 0x8b;
}

static void start(struct rda_unpack *u)
{
	u->zlib.next_in = u->input;
	u->packed = at_member(u);
	if (u->state == BROKEN)
		return;
	u->state = u->packed ? MEMBER : PLAIN;
	if (u->packed && inflateInit2(&u->zlib, GZIP_WINDOW) != Z_OK)
		g_error("out of memory");
}

static size_t read_plain(struct rda_unpack *u, uint8_t *bytes, size_t size)
{
	if (u->zlib.avail_in == 0)
		return read_file(u, bytes, size);
	size = MIN(size, u->zlib.avail_in);
	memcpy(bytes, u->zlib.next_in, size);
	u->zlib.next_in += size;
	u->zlib.avail_in -= (unsigned)size;
	return size;
}

/* One step inside a member, which may give no bytes. */
static size_t inflate_some(struct rda_unpack *u, uint8_t *bytes, size_t size)
{
	size_t n;
	int code;

	if (!fill(u, 1)) {
		if (u->state != BROKEN)
			fail(u, g_strdup("the gzip data ends too early"));
		return 0;
	}
	u->zlib.next_out = bytes;
	u->zlib.avail_out = (unsigned)MIN(size, G_MAXINT);
	n = u->zlib.avail_out;
	code = inflate(&u->zlib, Z_NO_FLUSH);
	n -= u->zlib.avail_out;
	if (code == Z_STREAM_END)
		u->state = BETWEEN;
	else if (code != Z_OK && code != Z_BUF_ERROR)
		fail(u, g_strdup_printf("the gzip data is damaged (%s)",
					u->zlib.msg ? u->zlib.msg : zError(code)));
	return n;
}

ssize_t rda_unpack_read(struct rda_unpack *u, uint8_t *bytes, size_t size)
{
	size_t n = 0;

	while (n == 0 && u->state != END && u->state != BROKEN) {
		switch (u->state) {
		case START: start(u); break;
		case PLAIN:
			n = read_plain(u, bytes, size);
			if (n == 0 && u->state != BROKEN)
				u->state = END;
			break;
		case MEMBER: n = inflate_some(u, bytes, size); break;
		case BETWEEN:
			if (at_member(u) && inflateReset(&u->zlib) == Z_OK)
				u->state = MEMBER;
			else if (u->state != BROKEN)
				u->state = END;
			break;
		case END:
		case BROKEN: break;
		}
	}
	return n == 0 && u->state == BROKEN ? -1 : (ssize_t)n;
}

void rda_unpack_seek(struct rda_unpack *u, int64_t offset)
{
	u->zlib.next_in = u->input;
	u->zlib.avail_in = 0;
	u->state = PLAIN;
	u->position = offset;
	g_clear_pointer(&u->error, g_free);
	if (lseek(u->fd, offset, SEEK_SET) < 0)
		fail(u, g_strdup(g_strerror(errno)));
}

const char *rda_unpack_error(const struct rda_unpack *u)
{
	return u->error;
}

bool rda_unpack_packed(const struct rda_unpack *u)
{
	return u->packed;
}

int64_t rda_unpack_position(const struct rda_unpack *u)
{
	return u->position;
}
