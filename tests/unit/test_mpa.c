/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MPA: the same stream, however it is cut into segments, gives the same FPDUs; markers, CRCs, pads,
 * holes, and what is found again behind one.
 */
#include "analyzer/track/iwarp/mpa.h"

#include "dissectors/crc32c.h"
#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { FIRST = 1000 }; /* offset of the stream's first byte */

static GString *told;	 /* what came out, a word each */
static unsigned vouched; /* of the FPDUs: a checksum or CRC fits */

static void take_start(void *context, const struct rda_mpa_start_seen *start)
{
	(void)context;
	g_string_append_printf(told, "%s%u ", start->is_reply ? "reply" : "request",
			       start->private_data_length);
}

static void take_fpdu(void *context, const struct rda_fpdu_seen *fpdu)
{
	static const char crc[] = {[RDA_MPA_CRC_OFF] = '-',
				   [RDA_MPA_CRC_GOOD] = '+',
				   [RDA_MPA_CRC_BAD] = '!',
				   [RDA_MPA_CRC_NOT_CHECKABLE] = '?'};

	(void)context;
	vouched += fpdu->checked;
	g_string_append_printf(told, "%u:%u%c%s%s ", fpdu->ulpdu.opcode, fpdu->ulpdu.payload_length,
			       crc[fpdu->crc], fpdu->pad_not_zero ? "pad" : "",
			       fpdu->bad_markers ? "marker" : "");
}

static void take_lost(void *context, const struct rda_piece *piece, bool hole)
{
	(void)context;
	(void)piece;
	g_string_append(told, hole ? "hole " : "lost ");
}

static const struct rda_mpa_sink sink = {take_start, take_fpdu, take_lost, NULL};

/* ---- building a stream ----------------------------------------------------------------------- */

struct built {
	GByteArray *bytes;
	bool markers;
	uint32_t begin; /* of full operation */
	uint32_t fpdu;	/* where the FPDU at hand begins */
};

static struct built built;

static void put_plain(const uint8_t *bytes, uint32_t length)
{
	g_byte_array_append(built.bytes, bytes, length);
}

/* A marker where one is due; returns its bytes for the CRC. */
static uint32_t put_marker(bool inside, uint32_t crc)
{
	uint8_t marker[4] = {0};
	uint32_t distance = built.bytes->len - built.fpdu;

	if (!built.markers || (built.bytes->len - built.begin) % RDA_MPA_MARKER_EVERY)
		return crc;
	if (inside) {
		marker[2] = (uint8_t)(distance >> 8);
		marker[3] = (uint8_t)distance;
	}
	put_plain(marker, 4);
	return rda_crc32c(crc, marker, 4);
}

/* A WRITE of so many bytes; `crc`: 0 none, 1 right, 2 wrong. */
static void put_write(uint32_t payload, int crc_form, uint8_t pad)
{
	struct rda_build b = {0};
	uint32_t length = 14 + payload, crc = 0;
	uint8_t stored[4] = {0};

	rda_put16(&b, (uint16_t)length);
	rda_put_hex(&b, "c1 40 00001100 0000000000001000");
	rda_put_pattern(&b, payload);
	while (b.length % 4)
		rda_put8(&b, pad);
	crc = put_marker(false, crc);
	built.fpdu = built.bytes->len;
	for (uint32_t i = 0; i < b.length; i++) {
		if (i)
			crc = put_marker(true, crc);
		put_plain(b.bytes + i, 1);
		crc = rda_crc32c(crc, b.bytes + i, 1);
	}
	crc = put_marker(true, crc);
	for (unsigned i = 0; i < 4 && crc_form; i++)
		stored[i] = (uint8_t)((crc >> 8 * i) + (crc_form == 2));
	put_plain(stored, 4);
}

static void begin(bool markers)
{
	static const uint8_t request[] = "MPA ID Req Frame\x40\x01\x00\x03"
					 "abc";

	told = g_string_new(NULL);
	built.bytes = g_byte_array_new();
	built.markers = markers;
	put_plain(request, sizeof(request) - 1);
	built.begin = built.bytes->len;
}

static void end(void)
{
	g_string_free(told, TRUE);
	g_byte_array_free(built.bytes, TRUE);
}

/* Gives the stream in segments of `size` bytes, [hole, hole_end) as a hole. */
static void feed(uint32_t size, bool crc, uint32_t hole, uint32_t hole_end)
{
	struct rda_mpa mpa;

	g_string_truncate(told, 0);
	rda_mpa_init(&mpa);
	rda_mpa_agree(&mpa, built.markers, crc);
	for (uint32_t at = 0; at < built.bytes->len;) {
		uint32_t length = MIN(size, built.bytes->len - at);
		bool missing = at >= hole && at < hole_end;
		struct rda_piece piece = {.offset = FIRST + at, .begins_segment = true};

		if (missing)
			length = MIN(length, hole_end - at);
		else if (at < hole)
			length = MIN(length, hole - at);
		piece.length = piece.segment_left = length;
		piece.bytes = missing ? NULL : built.bytes->data + at;
		piece.begins_segment = !missing;
		rda_mpa_piece(&mpa, &piece, &sink);
		at += length;
	}
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(any_segments_give_the_same)
{
	bool markers = _i == 1;

	begin(markers);
	for (unsigned i = 0; i < 9; i++)
		put_write(i * 199, 1, 0);
	for (uint32_t size = 1; size < 2000; size += 1 + size / 8) {
		feed(size, true, 0, 0);
		ck_assert_str_eq(told->str, "request3 0:0+ 0:199+ 0:398+ 0:597+ 0:796+ 0:995+ "
					    "0:1194+ 0:1393+ 0:1592+ ");
	}
	end();
}
END_TEST

/* Right in front of the CRC: it is inside the FPDU, and the CRC covers it. */
START_TEST(a_marker_in_front_of_the_crc)
{
	begin(true);
	put_write(RDA_MPA_MARKER_EVERY - 4 - 16, 1, 0);
	put_write(30, 1, 0);
	feed(4000, true, 0, 0);
	ck_assert_str_eq(told->str, "request3 0:492+ 0:30+ ");
	end();
}
END_TEST

/* Nothing was agreed on that was seen: the first FPDU tells. */
START_TEST(markers_that_are_not_known_of)
{
	struct rda_mpa mpa;
	struct rda_piece piece = {.offset = FIRST, .begins_segment = true};

	begin(true);
	for (unsigned i = 0; i < 5; i++)
		put_write(300, 1, 0);
	rda_mpa_init(&mpa);
	piece.bytes = built.bytes->data;
	piece.length = piece.segment_left = built.bytes->len;
	rda_mpa_piece(&mpa, &piece, &sink);
	ck_assert_str_eq(told->str, "request3 0:300+ 0:300+ 0:300+ 0:300+ 0:300+ ");
	ck_assert(mpa.markers && mpa.markers_known && !mpa.markers_contradict);
	rda_mpa_agree(&mpa, false, true);
	ck_assert(mpa.markers && mpa.markers_contradict);
	end();
}
END_TEST

/* Segments begin where they like; a marker tells where an FPDU does. */
START_TEST(found_again_by_a_marker)
{
	begin(true);
	for (unsigned i = 0; i < 5; i++)
		put_write(300, 1, 0);
	feed(700, true, built.begin + 300, built.begin + 700);
	ck_assert_str_eq(told->str, "request3 0:300? hole 0:300+ 0:300+ ");
	end();
}
END_TEST

/* What looks like an FPDU may be payload; it is one where it fills its segment. */
START_TEST(not_found_again_in_a_payload)
{
	struct rda_mpa mpa;
	struct rda_piece piece = {.offset = FIRST, .begins_segment = true};

	begin(false);
	put_write(400, 1, 0);
	rda_mpa_init(&mpa);
	rda_mpa_join(&mpa, NULL);
	piece.bytes = built.bytes->data + built.begin;
	piece.length = 100;
	piece.segment_left = 400; /* and the rest was not captured */
	rda_mpa_piece(&mpa, &piece, &sink);
	ck_assert_uint_eq(mpa.state, RDA_MPA_LOST);
	piece.segment_left = built.bytes->len - built.begin;
	rda_mpa_piece(&mpa, &piece, &sink);
	ck_assert_uint_eq(mpa.state, RDA_MPA_FPDUS);
	end();
}
END_TEST

/* The bytes may be others than were sent: the CRC tells no damage of the FPDU. */
START_TEST(a_segment_that_may_be_damaged)
{
	struct rda_mpa mpa;
	struct rda_piece piece = {.offset = FIRST, .begins_segment = true, .doubtful = true};

	begin(false);
	put_write(5, 1, 0);
	put_write(5, 2, 0);
	rda_mpa_init(&mpa);
	rda_mpa_agree(&mpa, false, true);
	piece.bytes = built.bytes->data;
	piece.length = piece.segment_left = built.bytes->len;
	rda_mpa_piece(&mpa, &piece, &sink);
	ck_assert_str_eq(told->str, "request3 0:5+ 0:5? ");
	end();
}
END_TEST

/* TCP's checksum vouches for all of a segment's bytes, and the CRC for all of the FPDU's. */
START_TEST(what_vouches)
{
	static const struct {
		bool crc, checked[2];
		unsigned vouched;
	} cases[] = {
		{false, {true, true}, 2},
		{false, {true, false}, 0}, /* the second one has the end of the first FPDU */
		{false, {false, true}, 1},
		{true, {false, false}, 2},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_piece piece = {.offset = FIRST, .begins_segment = true};
		struct rda_mpa mpa;

		begin(false);
		put_write(5, 1, 0);
		put_write(5, 1, 0);
		rda_mpa_init(&mpa);
		rda_mpa_agree(&mpa, false, cases[i].crc);
		vouched = 0;
		piece.bytes = built.bytes->data;
		piece.checked = cases[i].checked[0];
		piece.length = piece.segment_left = built.begin + 8;
		rda_mpa_piece(&mpa, &piece, &sink);
		piece.bytes += piece.length;
		piece.offset += piece.length;
		piece.checked = cases[i].checked[1];
		piece.length = piece.segment_left = built.bytes->len - built.begin - 8;
		rda_mpa_piece(&mpa, &piece, &sink);
		ck_assert_uint_eq(vouched, cases[i].vouched);
		end();
	}
}
END_TEST

START_TEST(crcs_and_pads)
{
	begin(false);
	put_write(5, 1, 0);
	put_write(5, 2, 0);
	put_write(5, 1, 7);
	put_write(5, 0, 0);
	feed(4000, true, 0, 0);
	ck_assert_str_eq(told->str, "request3 0:5+ 0:5! 0:5+pad 0:5! ");
	feed(4000, false, 0, 0);
	ck_assert_str_eq(told->str, "request3 0:5- 0:5- 0:5-pad 0:5- ");
	end();
}
END_TEST

START_TEST(a_marker_that_points_elsewhere)
{
	begin(true);
	put_write(1000, 1, 0);
	built.bytes->data[built.begin + RDA_MPA_MARKER_EVERY + 3] ^= 4;
	feed(4000, false, 0, 0);
	ck_assert_str_eq(told->str, "request3 0:1000-marker ");
	end();
}
END_TEST

/* In a payload it costs the CRC; in a header, what follows to the next segment that begins anew. */
START_TEST(holes)
{
	uint32_t second;

	begin(false);
	put_write(400, 1, 0);
	second = built.bytes->len;
	put_write(400, 1, 0);
	put_write(400, 1, 0);
	feed(second - built.begin, true, second + 100, second + 200);
	ck_assert_str_eq(told->str, "request3 0:400+ 0:400? 0:400+ ");
	g_string_truncate(told, 0);
	feed(5000, true, second - 10, second + 10);
	ck_assert_str_eq(told->str, "request3 0:400? hole ");
	end();
}
END_TEST

START_TEST(found_again_where_a_segment_begins_with_one)
{
	struct rda_mpa mpa;
	struct rda_piece piece = {.offset = FIRST, .begins_segment = true};

	begin(false);
	put_write(30, 1, 0);
	piece.bytes = built.bytes->data + built.begin;
	piece.length = piece.segment_left = built.bytes->len - built.begin;
	rda_mpa_init(&mpa);
	rda_mpa_join(&mpa, NULL);
	rda_mpa_piece(&mpa, &piece, &sink);
	ck_assert_str_eq(told->str, "0:30+ ");
	piece.bytes = (const uint8_t *)"HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/html"
				       "\r\nContent-Length: 4711\r\n\r\n";
	piece.offset += piece.length;
	piece.length = 80;
	rda_mpa_piece(&mpa, &piece, &sink);
	ck_assert_str_eq(told->str, "0:30+ lost ");
	ck_assert_uint_eq(mpa.state, RDA_MPA_LOST);
	end();
}
END_TEST

START_TEST(joined_where_an_fpdu_is_known_to_begin)
{
	const uint32_t second = FIRST + 16 + 30 + 2 + 4; /* header, payload, length and pad, CRC */
	struct rda_piece piece = {.offset = FIRST - 8, .begins_segment = true};
	struct rda_mpa mpa;

	begin(false);
	put_write(30, 1, 0);
	put_write(31, 1, 0);
	piece.bytes = built.bytes->data + built.begin - 8; /* the end of something else */
	piece.length = built.bytes->len - built.begin + 8;
	rda_mpa_init(&mpa);
	rda_mpa_join(&mpa, &second);
	rda_mpa_piece(&mpa, &piece, &sink);
	ck_assert_str_eq(told->str, "0:31+ ");
	ck_assert_uint_eq(mpa.lost_bytes, second - FIRST + 8);
	end();
}
END_TEST

static unsigned looks_like(const uint8_t *bytes, uint32_t length, bool *checked)
{
	uint32_t reach;
	unsigned count = rda_mpa_looks_like(bytes, length, checked, &reach);

	ck_assert(count == 0 || reach >= 52);
	return count;
}

START_TEST(what_looks_like_fpdus)
{
	bool checked;
	uint32_t reach;
	const uint8_t *bytes;

	begin(false);
	put_write(30, 1, 0);
	put_write(30, 0, 0);
	put_write(300, 1, 0);
	bytes = built.bytes->data + built.begin;
	ck_assert_uint_eq(looks_like(bytes, built.bytes->len - built.begin, &checked), 3);
	ck_assert(checked);
	ck_assert_uint_eq(looks_like(bytes, 80, &checked), 2);
	ck_assert_uint_eq(looks_like(bytes, 56, &checked),
			  1); /* of the second too little is there */
	ck_assert_uint_eq(looks_like(built.bytes->data, built.bytes->len, &checked), 0);
	ck_assert_uint_eq(looks_like((const uint8_t *)"\x16\x03\x01\x02\x00\x01\x00", 7, &checked),
			  0);
	ck_assert_uint_eq(rda_mpa_looks_like(bytes, 60, &checked, &reach), 1);
	ck_assert_uint_eq(reach, 104); /* where the third begins */
	end();
}
END_TEST

Suite *rda_suite_mpa(void)
{
	Suite *suite = suite_create("mpa");
	TCase *tcase = tcase_create("mpa");

	tcase_add_loop_test(tcase, any_segments_give_the_same, 0, 2);
	tcase_add_test(tcase, a_marker_in_front_of_the_crc);
	tcase_add_test(tcase, markers_that_are_not_known_of);
	tcase_add_test(tcase, found_again_by_a_marker);
	tcase_add_test(tcase, not_found_again_in_a_payload);
	tcase_add_test(tcase, a_segment_that_may_be_damaged);
	tcase_add_test(tcase, what_vouches);
	tcase_add_test(tcase, crcs_and_pads);
	tcase_add_test(tcase, a_marker_that_points_elsewhere);
	tcase_add_test(tcase, holes);
	tcase_add_test(tcase, found_again_where_a_segment_begins_with_one);
	tcase_add_test(tcase, joined_where_an_fpdu_is_known_to_begin);
	tcase_add_test(tcase, what_looks_like_fpdus);
	suite_add_tcase(suite, tcase);
	return suite;
}
