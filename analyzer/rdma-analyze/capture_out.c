/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of pcapng (draft-ietf-opsawg-pcapng):
 *
 *     type 4 | length 4 | body, options | length 4      options: code 2 | length 2 | value, padded
 *
 * in little-endian order on every host, as the section's byte-order magic says: the same frames
 * give the same file.
 */
#include "analyzer/rdma-analyze/capture_out.h"

#include <string.h>

enum {
	SECTION = 0x0a0d0d0a,
	INTERFACE = 1,
	STATISTICS = 5,
	PACKET = 6,
	ORDER_MAGIC = 0x1a2b3c4d,
	OPTION_END = 0,
	OPTION_COMMENT = 1,
	OPTION_INTERFACE_NAME = 2,
	OPTION_INTERFACE_DROPPED = 5,
	OPTION_TIME_RESOLUTION = 9,
	NANOSECONDS = 9,
	COMMENT_MOST = 0xfff0,
	SWAPPED = G_BYTE_ORDER != G_LITTLE_ENDIAN, /* what is written, as seen by this host */
};

static void put(GString *to, const void *bytes, size_t length)
{
	g_string_append_len(to, bytes, (gssize)length);
}

static void put16(GString *to, uint16_t value, bool swapped)
{
	value = swapped ? GUINT16_SWAP_LE_BE(value) : value;
	put(to, &value, sizeof(value));
}

static void put32(GString *to, uint32_t value)
{
	value = GUINT32_TO_LE(value);
	put(to, &value, sizeof(value));
}

static void pad(GString *to, size_t length)
{
	put(to, "\0\0\0", (4 - length % 4) % 4);
}

void rda_capture_out_comments(GString *to, const GPtrArray *comments, bool swapped)
{
	for (guint i = 0; comments && i < comments->len; i++) {
		const char *text = g_ptr_array_index(comments, i);
		size_t length = MIN(strlen(text), (size_t)COMMENT_MOST);

		put16(to, OPTION_COMMENT, swapped);
		put16(to, (uint16_t)length, swapped);
		put(to, text, length);
		pad(to, length);
	}
}

/* The body is on the heap, and freed. */
static void put_block(struct rda_capture_out *capture, uint32_t type, GString *body)
{
	uint32_t length = (uint32_t)body->len + 12;

	put32(capture->out.text, type);
	put32(capture->out.text, length);
	put(capture->out.text, body->str, body->len);
	put32(capture->out.text, length);
	g_string_free(body, TRUE);
	rda_output_more(&capture->out);
}

static void put_section(struct rda_capture_out *capture)
{
	GString *body = g_string_new(NULL);
	static const int64_t length = -1; /* not told */

	put32(body, ORDER_MAGIC);
	put16(body, 1, SWAPPED); /* version 1.0 */
	put16(body, 0, SWAPPED);
	put(body, &length, sizeof(length));
	put_block(capture, SECTION, body);
}

static void put_option(GString *to, uint16_t code, const void *bytes, size_t length)
{
	put16(to, code, SWAPPED);
	put16(to, (uint16_t)length, SWAPPED);
	put(to, bytes, length);
	pad(to, length);
}

/* `name` may be NULL. */
static void put_interface(struct rda_capture_out *capture, uint16_t link, const char *name)
{
	GString *body = g_string_new(NULL);
	static const uint8_t resolution = NANOSECONDS;

	put16(body, link, SWAPPED);
	put16(body, 0, SWAPPED);
	put32(body, 0); /* no snap length */
	if (name)
		put_option(body, OPTION_INTERFACE_NAME, name,
			   MIN(strlen(name), (size_t)COMMENT_MOST));
	put_option(body, OPTION_TIME_RESOLUTION, &resolution, sizeof(resolution));
	put32(body, OPTION_END);
	put_block(capture, INTERFACE, body);
}

static uint32_t interface_of(struct rda_capture_out *capture, uint32_t tap, uint16_t link,
			     const char *name)
{
	uint64_t wanted = (uint64_t)tap << 16 | link;
	guint i;

	for (i = 0; i < capture->interfaces->len; i++)
		if (g_array_index(capture->interfaces, uint64_t, i) == wanted)
			return i;
	g_array_append_val(capture->interfaces, wanted);
	put_interface(capture, link, name);
	return i;
}

void rda_capture_out_init(struct rda_capture_out *capture, int fd)
{
	rda_output_init(&capture->out, fd, false);
	capture->interfaces = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	put_section(capture);
}

static void put_frame(struct rda_capture_out *capture, uint32_t interface,
		      const struct rda_meta *meta, const struct rda_frame *frame,
		      const GPtrArray *comments)
{
	/* the format has no time before 1970 */
	uint64_t time_ns = meta->time_ns > 0 ? (uint64_t)meta->time_ns : 0;
	GString *body = g_string_sized_new(frame->captured + 64);

	put32(body, interface);
	put32(body, (uint32_t)(time_ns >> 32));
	put32(body, (uint32_t)time_ns);
	put32(body, frame->captured);
	put32(body, frame->wire);
	put(body, frame->bytes, frame->captured);
	pad(body, frame->captured);
	if (comments && comments->len) {
		rda_capture_out_comments(body, comments, SWAPPED);
		put32(body, OPTION_END);
	}
	put_block(capture, PACKET, body);
}

void rda_capture_out_frame(struct rda_capture_out *capture, const struct rda_meta *meta,
			   const struct rda_frame *frame, const GPtrArray *comments)
{
	put_frame(capture, interface_of(capture, meta->tap, frame->link, NULL), meta, frame,
		  comments);
}

void rda_capture_out_frame_of(struct rda_capture_out *capture, const char *interface,
			      const struct rda_meta *meta, const struct rda_frame *frame)
{
	put_frame(capture, interface_of(capture, meta->tap, frame->link, interface), meta, frame,
		  NULL);
}

void rda_capture_out_dropped(struct rda_capture_out *capture, uint64_t packets)
{
	uint64_t value = GUINT64_TO_LE(packets);
	GString *body;

	if (!packets || !capture->interfaces->len)
		return;
	body = g_string_new(NULL);
	put32(body, 0);
	put32(body, 0); /* no time */
	put32(body, 0);
	put_option(body, OPTION_INTERFACE_DROPPED, &value, sizeof(value));
	put32(body, OPTION_END);
	put_block(capture, STATISTICS, body);
}

int rda_capture_out_end(struct rda_capture_out *capture)
{
	int error = rda_output_failure(&capture->out);

	rda_output_cleanup(&capture->out);
	g_array_free(capture->interfaces, TRUE);
	return error;
}
