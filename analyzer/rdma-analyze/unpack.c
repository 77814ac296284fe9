/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain bytes, and packed ones (unpackers.h) of one member or several. Whatever follows the last
 * member is ignored, as gzip does.
 */
#include "analyzer/rdma-analyze/unpack.h"

#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/unpackers.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_BYTES (64 * 1024)

enum state {
	START, /* nothing was read yet */
	PLAIN,
	MEMBER,	 /* inside of packed data */
	BETWEEN, /* behind a member */
	END,
	BROKEN,
};

struct rda_unpack {
	int fd;
	enum state state;
	const struct rda_unpacker *packed; /* NULL: it is not */
	void *unpacker;			   /* its state */
	int64_t position;
	char *error;
	bool (*grows)(void *context); /* NULL: it does not */
	void *context;
	const uint8_t *unread; /* in `input`: what was read of the file, and not yet used */
	size_t unread_bytes;
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
		u->packed->close(u->unpacker);
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

	if (u->unread_bytes >= size)
		return true;
	memmove(u->input, u->unread, u->unread_bytes);
	u->unread = u->input;
	do {
		n = read_file(u, u->input + u->unread_bytes, INPUT_BYTES - u->unread_bytes);
		u->unread_bytes += n;
	} while (n > 0 && u->unread_bytes < size);
	return u->unread_bytes >= size;
}

/* The unpacker of the member that begins here; NULL: none does. */
static const struct rda_unpacker *at_member(struct rda_unpack *u)
{
	fill(u, RDA_UNPACKERS_MAGIC);
	return rda_unpacker_of(u->unread, u->unread_bytes);
}

static void start(struct rda_unpack *u)
{
	const struct rda_unpacker *packed;

	u->unread = u->input;
	packed = at_member(u);
	if (u->state == BROKEN)
		return;
	u->state = PLAIN;
	if (!packed)
		return;
	u->unpacker = packed->open();
	if (u->unpacker) {
		u->packed = packed;
		u->state = MEMBER;
	} else {
		fail(u, g_strdup("there is not enough memory to unpack it"));
	}
}

static size_t read_plain(struct rda_unpack *u, uint8_t *bytes, size_t size)
{
	if (u->unread_bytes == 0)
		return read_file(u, bytes, size);
	size = MIN(size, u->unread_bytes);
	memcpy(bytes, u->unread, size);
	u->unread += size;
	u->unread_bytes -= size;
	return size;
}

/* One step inside a member, which may give no bytes. */
static size_t unpack_some(struct rda_unpack *u, uint8_t *bytes, size_t size)
{
	struct rda_unpack_step step = {.out = bytes, .out_size = size};
	bool stands;

	fill(u, 1);
	if (u->state == BROKEN)
		return 0;
	step.in = u->unread;
	step.in_size = u->unread_bytes;
	switch (u->packed->step(u->unpacker, &step)) {
	case RDA_UNPACK_GOES_ON:
		/* without input it may still have bytes to give */
		stands = step.in == u->unread && step.out == bytes;
		if (stands && step.in_size == 0)
			fail(u, g_strdup_printf("the %s data ends too early", u->packed->name));
		break;
	case RDA_UNPACK_MEMBER_ENDS: u->state = BETWEEN; break;
	case RDA_UNPACK_DAMAGED:
		fail(u,
		     g_strdup_printf("the %s data is damaged (%s)", u->packed->name, step.damage));
		break;
	case RDA_UNPACK_TOO_LARGE:
		fail(u, g_strdup_printf("the %s data needs more than 128 MiB of memory to be "
					"unpacked (--long): unpack it first",
					u->packed->name));
		break;
	}
	u->unread = step.in;
	u->unread_bytes = step.in_size;
	return size - step.out_size;
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
		case MEMBER: n = unpack_some(u, bytes, size); break;
		case BETWEEN:
			if (at_member(u) == u->packed && u->packed->again(u->unpacker))
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
	u->unread = u->input;
	u->unread_bytes = 0;
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
	return u->packed != NULL;
}

int64_t rda_unpack_position(const struct rda_unpack *u)
{
	return u->position;
}

int64_t rda_unpack_packed_size(const struct rda_unpack *u)
{
	struct stat status;

	return u->packed && !u->grows && fstat(u->fd, &status) == 0 && S_ISREG(status.st_mode)
		       ? status.st_size
		       : 0;
}
