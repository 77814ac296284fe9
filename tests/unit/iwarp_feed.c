/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iWARP connections for the tests. See iwarp_feed.h.
 */
#include "tests/unit/iwarp_feed.h"

#include "analyzer/checks/check.h"
#include "dissectors/crc32c.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum {
	CLIENT_PORT = 40000,
	SERVER_PORT = 7000,
	PROTOCOL_TCP = 6,
	MARKER_EVERY = 512,
	FLAG_FIN = 1,
	FLAG_SYN = 2,
	FLAG_RST = 4,
	FLAG_ACK = 16,
};

void rda_iwarp_feed_begin(struct rda_iwarp_feed *w)
{
	memset(w, 0, sizeof(*w));
	rda_feed_begin(&w->feed);
	w->port = CLIENT_PORT;
	w->window = 500;
}

void rda_iwarp_feed_end(struct rda_iwarp_feed *w)
{
	rda_feed_end(&w->feed);
}

void rda_iwarp_finish(struct rda_iwarp_feed *w)
{
	rda_engine_finish(w->feed.engine);
}

/* ---- segments -------------------------------------------------------------------------------- */

/* TCP's, of the packet whose IP header begins at `ip`. */
static void put_checksum(struct rda_build *b, uint32_t ip)
{
	enum { IP_BYTES = 20, ADDRESSES = 12, CHECKSUM = 16 };
	uint32_t end = b->length, sum = PROTOCOL_TCP + end - ip - IP_BYTES;

	for (uint32_t at = ip + ADDRESSES; at < end; at++)
		sum += (uint32_t)b->bytes[at] << ((at - ip) % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	rda_set16(b, ip + IP_BYTES + CHECKSUM, (uint16_t)~sum);
}

static void segment(struct rda_iwarp_feed *w, unsigned side, uint8_t flags, uint32_t sequence,
		    const uint8_t *bytes, uint32_t length)
{
	struct rda_build b = {0};
	uint32_t ip;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, PROTOCOL_TCP, (uint8_t)(1 + side), (uint8_t)(2 - side));
	rda_put16(&b, side ? SERVER_PORT : w->port);
	rda_put16(&b, side ? w->port : SERVER_PORT);
	rda_put32(&b, sequence);
	rda_put32(&b, flags & FLAG_ACK ? w->streams[1 - side].sequence : 0);
	rda_put8(&b, 0x50);
	rda_put8(&b, flags);
	rda_put16(&b, w->window);
	rda_put32(&b, 0);
	rda_put(&b, bytes, length);
	rda_close_ip4(&b, ip);
	/* a sender gives it to no two segments */
	rda_set16(&b, ip + 4, (uint16_t)++w->ip_id);
	if (w->checksums)
		put_checksum(&b, ip);
	rda_feed_frame(&w->feed, &b, b.length, 1);
}

static void acknowledge(struct rda_iwarp_feed *w, unsigned side)
{
	segment(w, side, FLAG_ACK, w->streams[side].sequence, NULL, 0);
}

void rda_iwarp_bytes(struct rda_iwarp_feed *w, unsigned side, const uint8_t *bytes, uint32_t length)
{
	uint32_t mss = w->shape.mss ? w->shape.mss : MAX(length, 1), first;
	uint32_t count = (length + mss - 1) / mss;
	uint8_t flags = (uint8_t)(FLAG_ACK | (w->flags & RDA_IWARP_FIN ? FLAG_FIN : 0) |
				  (w->flags & RDA_IWARP_RST ? FLAG_RST : 0));

	first = w->streams[side].sequence;
	for (uint32_t i = 0;
	     i < MAX(count, 1) && !(w->flags & (RDA_IWARP_MISSED | RDA_IWARP_PENDING)); i++) {
		uint32_t at = (w->shape.reverse && count ? count - 1 - i : i) * mss;

		for (unsigned times = 0; times < (w->shape.duplicate ? 2u : 1u); times++)
			segment(w, side, flags, first + at, bytes + at, MIN(mss, length - at));
	}
	w->streams[side].sequence += length;
	if (w->flags & RDA_IWARP_MISSED)
		acknowledge(w, 1 - side);
	w->flags = 0;
}

/* ---- start frames ---------------------------------------------------------------------------- */

void rda_iwarp_start(struct rda_iwarp_feed *w, unsigned side, uint8_t flags, uint8_t revision,
		     const char *private_data)
{
	struct rda_build b = {0};

	rda_put(&b, side ? "MPA ID Rep Frame" : "MPA ID Req Frame", 16);
	rda_put8(&b, flags);
	rda_put8(&b, revision);
	rda_put16(&b, 0);
	rda_put_hex(&b, private_data);
	rda_set16(&b, 18, (uint16_t)(b.length - 20));
	rda_iwarp_bytes(w, side, b.bytes, b.length);
	w->streams[side].begin = w->streams[side].sequence;
	w->streams[1 - side].markers = flags & 0x80;
	w->streams[0].crc = w->streams[1].crc = w->streams[0].crc || flags & 0x40;
}

/* Start frames come whole: what a connection is, is told by its first bytes. */
static void start_whole(struct rda_iwarp_feed *w, unsigned side, uint8_t flags, uint8_t revision,
			const char *private_data)
{
	struct rda_iwarp_shape shape = w->shape;

	w->shape.mss = 0;
	rda_iwarp_start(w, side, flags, revision, private_data);
	w->shape = shape;
}

void rda_iwarp_shake_hands(struct rda_iwarp_feed *w)
{
	/* it wraps soon; and no two connections begin with the same (RFC 6528) */
	w->streams[0] = (struct rda_iwarp_stream){.sequence = 0xfffffff0u + w->openings++};
	w->streams[1] = (struct rda_iwarp_stream){.sequence = 1000};
	segment(w, 0, FLAG_SYN, w->streams[0].sequence, NULL, 0);
	w->streams[0].sequence++;
	segment(w, 1, FLAG_SYN | FLAG_ACK, w->streams[1].sequence, NULL, 0);
	w->streams[1].sequence++;
}

void rda_iwarp_open_with(struct rda_iwarp_feed *w, uint8_t flags)
{
	rda_iwarp_shake_hands(w);
	start_whole(w, 0, flags, 1, "");
	start_whole(w, 1, flags, 1, "");
}

void rda_iwarp_open(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0);
}

void rda_iwarp_open_deep(struct rda_iwarp_feed *w, const char *request, const char *reply)
{
	rda_iwarp_shake_hands(w);
	start_whole(w, 0, 0x10, 2, request);
	start_whole(w, 1, 0x10, 2, reply);
}

/* ---- FPDUs ----------------------------------------------------------------------------------- */

/* A marker where one is due, in front of the byte that comes next. */
static uint32_t put_marker(const struct rda_iwarp_feed *w, const struct rda_iwarp_stream *s,
			   struct rda_build *out, uint32_t begin, uint32_t crc)
{
	uint8_t marker[4] = {0};
	uint32_t distance = out->length - begin;

	if (!s->markers || (s->sequence + out->length - s->begin) % MARKER_EVERY)
		return crc;
	marker[2] = (uint8_t)(distance >> 8);
	marker[3] = (uint8_t)(distance + (w->flags & RDA_IWARP_BAD_MARKER ? 4 : 0));
	rda_put(out, marker, 4);
	return rda_crc32c(crc, marker, 4);
}

void rda_iwarp_fpdu(struct rda_iwarp_feed *w, unsigned side, const struct rda_build *ulpdu)
{
	const struct rda_iwarp_stream *s = &w->streams[side];
	struct rda_build b = {0}, out = {0};
	uint32_t crc, begin;

	rda_put16(&b, (uint16_t)ulpdu->length);
	rda_put(&b, ulpdu->bytes, ulpdu->length);
	while (b.length % 4)
		rda_put8(&b, w->flags & RDA_IWARP_BAD_PAD ? 0x5a : 0);
	crc = put_marker(w, s, &out, 0, 0);
	begin = out.length;
	for (uint32_t i = 0; i < b.length; i++) {
		if (i)
			crc = put_marker(w, s, &out, begin, crc);
		rda_put8(&out, b.bytes[i]);
		crc = rda_crc32c(crc, b.bytes + i, 1);
	}
	crc = put_marker(w, s, &out, begin, crc);
	crc = s->crc ? crc + (w->flags & RDA_IWARP_BAD_CRC ? 1 : 0) : 0;
	for (unsigned i = 0; i < 4; i++)
		rda_put8(&out, (uint8_t)(crc >> 8 * i));
	rda_iwarp_bytes(w, side, out.bytes, out.length);
}

void rda_iwarp_raw(struct rda_iwarp_feed *w, unsigned side, const char *hex, uint32_t payload)
{
	struct rda_build b = {0};

	rda_put_hex(&b, hex);
	rda_put_pattern(&b, payload);
	rda_iwarp_fpdu(w, side, &b);
}

static void put_tagged(struct rda_build *b, uint8_t opcode, bool last, uint32_t stag,
		       uint64_t offset)
{
	rda_put8(b, last ? 0xc1 : 0x81);
	rda_put8(b, 0x40 | opcode);
	rda_put32(b, stag);
	rda_put64(b, offset);
}

static void put_untagged(struct rda_build *b, uint8_t opcode, uint32_t invalidate, uint32_t queue,
			 uint32_t msn)
{
	rda_put8(b, 0x41);
	rda_put8(b, 0x40 | opcode);
	rda_put32(b, invalidate);
	rda_put32(b, queue);
	rda_put32(b, msn);
	rda_put32(b, 0);
}

void rda_iwarp_write_part(struct rda_iwarp_feed *w, unsigned side, uint32_t stag, uint64_t offset,
			  uint32_t length, bool last)
{
	struct rda_build b = {0};

	put_tagged(&b, 0, last, stag, offset);
	rda_put_pattern(&b, length);
	rda_iwarp_fpdu(w, side, &b);
}

void rda_iwarp_write(struct rda_iwarp_feed *w, unsigned side, uint32_t stag, uint64_t offset,
		     uint32_t length)
{
	rda_iwarp_write_part(w, side, stag, offset, length, true);
}

void rda_iwarp_send(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t length)
{
	struct rda_build b = {0};

	put_untagged(&b, 3, 0, 0, msn);
	rda_put_pattern(&b, length);
	rda_iwarp_fpdu(w, side, &b);
}

void rda_iwarp_invalidate(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t stag)
{
	struct rda_build b = {0};

	put_untagged(&b, 4, stag, 0, msn);
	rda_iwarp_fpdu(w, side, &b);
}

enum { SINK_STAG = 0x5100, SINK_OFFSET = 0x9000 };

void rda_iwarp_read(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t stag,
		    uint64_t offset, uint32_t size)
{
	struct rda_build b = {0};

	put_untagged(&b, 1, 0, 1, msn);
	rda_put32(&b, SINK_STAG);
	rda_put64(&b, SINK_OFFSET);
	rda_put32(&b, size);
	rda_put32(&b, stag);
	rda_put64(&b, offset);
	rda_iwarp_fpdu(w, side, &b);
}

void rda_iwarp_response(struct rda_iwarp_feed *w, unsigned side, uint32_t length)
{
	struct rda_build b = {0};

	put_tagged(&b, 2, true, SINK_STAG, SINK_OFFSET);
	rda_put_pattern(&b, length);
	rda_iwarp_fpdu(w, side, &b);
}

void rda_iwarp_atomic(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t id,
		      uint64_t offset, uint8_t operation)
{
	struct rda_build b = {0};

	put_untagged(&b, 10, 0, 1, msn);
	rda_put32(&b, operation);
	rda_put32(&b, id);
	rda_put32(&b, 0x1100);
	rda_put64(&b, offset);
	rda_put_zeros(&b, 32);
	rda_iwarp_fpdu(w, side, &b);
}

void rda_iwarp_atomic_answer(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t id)
{
	struct rda_build b = {0};

	put_untagged(&b, 11, 0, 3, msn);
	rda_put32(&b, id);
	rda_put64(&b, 7);
	rda_iwarp_fpdu(w, side, &b);
}

void rda_iwarp_terminate_write(struct rda_iwarp_feed *w, unsigned side, const char *control,
			       uint32_t stag, uint64_t offset)
{
	struct rda_build b = {0};

	put_untagged(&b, 7, 0, 2, 1);
	rda_put_hex(&b, control);
	rda_put16(&b, 78);
	put_tagged(&b, 0, true, stag, offset);
	rda_iwarp_fpdu(w, side, &b);
}

/* ---- what was found -------------------------------------------------------------------------- */

uint64_t rda_iwarp_cases(const struct rda_iwarp_feed *w, enum rda_check check)
{
	return rda_feed_cases(&w->feed, check);
}

bool rda_iwarp_says(const struct rda_iwarp_feed *w, enum rda_check check, const char *words)
{
	for (unsigned i = 0; i < rda_engine_finding_count(w->feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(w->feed.engine, i);

		if (finding->key.check == check && strstr(rda_said_by(finding), words))
			return true;
	}
	return false;
}

char *rda_iwarp_found(const struct rda_iwarp_feed *w)
{
	GString *found = g_string_new(NULL);

	for (unsigned check = 0; check < RDA_CHECK_COUNT; check++) {
		const char *code = rda_check_row((enum rda_check)check)->code;
		uint64_t cases = rda_iwarp_cases(w, (enum rda_check)check);

		if (code[0] == 'W' && cases && strcmp(code, "W26") != 0 && strcmp(code, "W27") != 0)
			g_string_append_printf(found, "%sx%u ", code, (unsigned)cases);
	}
	return g_string_free(found, FALSE);
}

/* ---- stories --------------------------------------------------------------------------------- */

static bool has_words(const struct rda_iwarp_feed *w, const char *words)
{
	for (unsigned i = 0; i < rda_engine_finding_count(w->feed.engine); i++)
		if (strstr(rda_said_by(rda_engine_finding(w->feed.engine, i)), words))
			return true;
	return false;
}

void rda_iwarp_story_check(const struct rda_iwarp_story *story)
{
	static const struct rda_iwarp_shape shapes[] = {
		{.name = "whole"},
		{.name = "small segments", .mss = 21},
		{.name = "segments", .mss = 512},
		{.name = "duplicated", .mss = 100, .duplicate = true},
		{.name = "reversed", .mss = 64, .reverse = true},
		{.name = "reversed and duplicated", .mss = 33, .reverse = true, .duplicate = true},
	};

	for (unsigned i = 0; i < RDA_COUNT(shapes); i++) {
		struct rda_iwarp_feed w;
		char *found;

		rda_iwarp_feed_begin(&w);
		w.shape = shapes[i];
		story->act(&w);
		rda_iwarp_finish(&w);
		found = rda_iwarp_found(&w);
		ck_assert_msg(strcmp(found, story->found) == 0, "%s, %s: found \"%s\", not \"%s\"",
			      story->name, shapes[i].name, found, story->found);
		if (story->words)
			ck_assert_msg(has_words(&w, story->words), "%s, %s: nothing says \"%s\"",
				      story->name, shapes[i].name, story->words);
		g_free(found);
		rda_iwarp_feed_end(&w);
	}
}
