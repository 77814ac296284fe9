/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segments in any order, and the bytes that come out: a text, with '_' where bytes are missing.
 */
#include "analyzer/track/iwarp/stream.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 64 << 20 };

static struct rda_stream_pool pool;
static struct rda_stream stream;
static GString *out;

static void take(void *context, const struct rda_piece *piece)
{
	(void)context;
	for (int64_t i = 0; i < piece->length; i++)
		g_string_append_c(out, piece->bytes ? (char)piece->bytes[i] : '_');
}

/* What became of damaged segments: "d" or "a" (accepted) each, and what they were given as. */
static GString *fates;

static void ask_fates(void)
{
	struct rda_damage damage;

	while (rda_stream_damage(&stream, &damage))
		g_string_append_printf(fates, "%c%u", damage.accepted ? 'a' : 'd',
				       (unsigned)damage.place);
}

/*
 * "10abc 13de": sequence number and bytes of each segment, which is at the place of that number;
 * "@15" is an ACK from the other side, "!13de" a segment whose checksum does not fit.
 */
static void tell(const char *script, uint32_t first)
{
	char **words = g_strsplit(script, " ", -1);

	out = g_string_new(NULL);
	fates = g_string_new(NULL);
	pool = (struct rda_stream_pool){.cap = POOL};
	rda_stream_init(&stream, &pool);
	for (char **word = words; *word; word++) {
		char *bytes;
		bool is_ack = **word == '@', is_damaged = **word == '!';
		uint32_t number = (uint32_t)strtoul(*word + (is_ack || is_damaged), &bytes, 10);
		uint32_t sequence = first + number;
		uint32_t length = (uint32_t)strlen(bytes);
		char *cut = strchr(bytes, '|'); /* behind it the capture was cut */
		struct rda_segment segment = {
			.sequence = sequence,
			.bytes = (const uint8_t *)bytes,
			.captured = cut ? (uint32_t)(cut - bytes) : length,
			.length = cut ? length - 1 : length,
			.place = number,
		};

		if (is_ack)
			rda_stream_acknowledged(&stream, sequence, take, NULL);
		else if (is_damaged)
			rda_stream_damaged(&stream, &segment);
		else
			rda_stream_segment(&stream, &segment, take, NULL);
		ask_fates();
	}
	g_strfreev(words);
}

static void end(void)
{
	rda_stream_cleanup(&stream);
	ck_assert_uint_eq(pool.held, 0);
	g_string_free(out, TRUE);
	g_string_free(fates, TRUE);
}

static const struct row {
	const char *script, *text;
	unsigned retransmitted, out_of_order, holes, late;
} rows[] = {
	{"10abc 13de 15f", "abcdef", 0, 0, 0, 0},
	{"10abc 15f 13de", "abcdef", 0, 1, 0, 1},
	{"10ab 16g 14ef 12cd", "abcdefg", 0, 2, 0, 2}, /* each behind a later one */
	{"10abc 10abc 13de", "abcde", 1, 0, 0, 0},
	{"10abc 12cde", "abcde", 1, 0, 0, 0},		/* an overlap */
	{"10abc 14e 13def 16g", "abcdefg", 1, 1, 0, 0}, /* what is held comes again */
	{"10abc 19j 15f 14efg", "abc", 1, 3, 0, 1},	/* in front of it, too */
	{"10abc 15f 15f 13de", "abcdef", 1, 1, 0, 1},	/* held twice */
	{"10abc 12x 13d", "abcd", 1, 0, 0, 0},		/* one byte again */
	{"10abc @13 12x 12x 13d", "abcd", 0, 0, 0, 0},	/* keep-alives: it was acknowledged */
	{"10abc 15f @16 16g", "abc__fg", 0, 1, 1, 0},	/* acknowledged: the capture missed it */
	{"10abc @16 15f 16g", "abc__fg", 0, 1, 1, 0},	/* missed by the capture, the ACK first */
	{"10abc 15f @14 13de", "abcdef", 0, 1, 0, 1},	/* acknowledged in part only */
	{"10ab|cd 14e", "ab__e", 0, 0, 1, 0},		/* cut by a snap length */
	{"10abc 13de @99999", "abcde", 0, 0, 0, 0},
	{"10abc 15f @16 13de 16g", "abc__fg", 0, 1, 1, 1}, /* acknowledged first: late, not again */
	{"10abc 15f @16 13de 13de", "abc__f", 1, 1, 1, 1}, /* and then again */
	{"10abc 16g @17 14e 13d 15f", "abc___g", 0, 1, 1, 3}, /* from its middle */
	{"10abc 15 13de", "abcde", 0, 0, 0, 1}, /* what has no data tells that it was sent */
	{"13de 10abc 15f", "def", 0, 0, 0, 1},	/* overtaken by the capture's first */
};

/* At many first sequence numbers, so that each place is where they wrap. */
START_TEST(segments_come_out_in_order)
{
	const struct row *row = &rows[_i];

	for (uint32_t first = 0xffffffe0; first != 8; first++) {
		tell(row->script, first);
		ck_assert_str_eq(out->str, row->text);
		ck_assert_uint_eq(stream.retransmitted, row->retransmitted);
		ck_assert_uint_eq(stream.out_of_order, row->out_of_order);
		ck_assert_uint_eq(stream.holes, row->holes);
		ck_assert_uint_eq(stream.late, row->late);
		end();
	}
}
END_TEST

START_TEST(begins_where_it_is_known_to)
{
	const struct rda_segment later = {.bytes = (const uint8_t *)"de",
					  .sequence = 13,
					  .captured = 2,
					  .length = 2},
				 first = {.bytes = (const uint8_t *)"abc",
					  .sequence = 10,
					  .captured = 3,
					  .length = 3};

	tell("", 0);
	rda_stream_begin(&stream, 10);
	rda_stream_segment(&stream, &later, take, NULL);
	ck_assert_str_eq(out->str, "");
	rda_stream_segment(&stream, &first, take, NULL);
	ck_assert_str_eq(out->str, "abcde");
	ck_assert_uint_eq(stream.late, 1);
	end();
}
END_TEST

START_TEST(what_is_held_at_the_end_is_handed_on)
{
	tell("10abc 15f 18i", 0);
	ck_assert_str_eq(out->str, "abc");
	rda_stream_end(&stream, take, NULL);
	ck_assert_str_eq(out->str, "abc__f__i");
	end();
}
END_TEST

/* What the other side acknowledges and what came no second time it had. */
START_TEST(damaged_segments)
{
	static const struct {
		const char *script, *out, *fates;
	} cases[] = {
		{"10abc !13xyz 13def @16", "abcdef", "d13"},	/* sent again */
		{"10abc !13xyz @16 16ghi", "abcxyzghi", "a13"}, /* acknowledged as it is */
		{"10abc !13xyz 16ghi @19", "abcxyzghi", "a13"},
		{"10abc !13xyz 16ghi 13def @19", "abcdefghi", "d13"},
		{"10abc !16uvw !13xyz @19", "abcxyzuvw", "a13a16"},
		{"10abc !13xyz @15", "abc", ""}, /* not all of it */
		{"10abc !16uvw @19", "abc___uvw", "a16"},
		{"10abc !16uvw @18 19j", "abc", ""}, /* not all of it, behind a gap */
		{"10abc !13 !12c", "abc", "d13d12"},
		{"!10abc", "", "d10"},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		tell(cases[i].script, 0);
		ck_assert_str_eq(out->str, cases[i].out);
		ck_assert_str_eq(fates->str, cases[i].fates);
		end();
	}
	tell("10abc !13xyz", 0); /* nothing more is known of it at the end */
	rda_stream_end(&stream, take, NULL);
	ask_fates();
	ck_assert_str_eq(fates->str, "d13");
	end();
}
END_TEST

/* A segment of three bytes; damaged ones are acknowledged by what comes later. */
static void give(uint32_t sequence, uint64_t place, uint16_t ip_id, bool damaged)
{
	const struct rda_segment segment = {.sequence = sequence,
					    .bytes = (const uint8_t *)"abc",
					    .captured = 3,
					    .length = 3,
					    .ip_id = ip_id,
					    .place = place};

	if (damaged)
		rda_stream_damaged(&stream, &segment);
	else
		rda_stream_segment(&stream, &segment, take, NULL);
}

/* The number of a RST may be anybody's: behind a FIN it means nothing, and no bytes are late by it.
 */
START_TEST(reset)
{
	struct rda_segment segment = {.sequence = 20, .rst = true};

	tell("10abc", 0);
	rda_stream_segment(&stream, &segment, take, NULL);
	ck_assert(rda_stream_is_behind(&stream, false));
	ck_assert(!rda_stream_is_behind(&stream, true));
	give(13, 1, 0, false);
	ck_assert_str_eq(out->str, "abcabc");
	ck_assert_uint_eq(stream.late, 0);
	end();
}
END_TEST

START_TEST(few_damaged_segments_wait)
{
	struct rda_segment segment = {.bytes = (const uint8_t *)"x", .captured = 1, .length = 1};

	tell("10abc", 0);
	for (uint32_t i = 0; i < 3 * RDA_STREAM_ASIDE_MAX; i++) {
		segment.sequence = segment.place = 20 + i;
		rda_stream_damaged(&stream, &segment);
		ask_fates();
		ck_assert_uint_lt(stream.aside_count, RDA_STREAM_ASIDE_MAX);
	}
	ck_assert(g_str_has_prefix(fates->str, "d20d21d22"));
	end();
}
END_TEST

/* A segment that was set aside has its identification all the same: they rise by one each. */
START_TEST(accepted_segments_have_identifications)
{
	tell("", 0);
	for (uint32_t i = 0; i < 20; i++) {
		give(10 + 3 * i, 1 + i, (uint16_t)(100 + i), i % 2);
		rda_stream_acknowledged(&stream, 13 + 3 * i, take, NULL);
		ask_fates();
	}
	ck_assert_uint_eq(stream.order.rising, 19);
	ck_assert_uint_eq(stream.order.leaping, 0);
	end();
}
END_TEST

/* What was set aside, and taken behind what came later, came in its place. */
START_TEST(accepted_segments_are_late_if_they_came_so)
{
	tell("", 0);
	give(10, 1, 100, false);
	give(13, 2, 101, true);
	give(16, 3, 102, false);
	rda_stream_acknowledged(&stream, 19, take, NULL);
	ask_fates();
	ck_assert_str_eq(fates->str, "a2");
	ck_assert_uint_eq(stream.late, 0);
	give(22, 4, 104, false);
	give(19, 5, 103, true);
	rda_stream_acknowledged(&stream, 22, take, NULL);
	ask_fates();
	ck_assert_uint_eq(stream.late, 1);
	ck_assert_uint_eq(stream.order.overtaken, 1);
	end();
}
END_TEST

/* No identification is none that was given earlier, and nothing tells when it was sent. */
START_TEST(held_segments_without_identifications)
{
	tell("", 0);
	give(10, 1, 100, false);
	give(16, 2, 0, false);
	give(13, 3, 101, false);
	ck_assert_uint_eq(stream.late, 1);
	ck_assert_uint_eq(stream.order.overtaken + stream.order.again, 0);
	end();
}
END_TEST

/* A gap that is never filled holds no more than the limits. */
START_TEST(what_is_held_is_bounded)
{
	static uint8_t bytes[1000];
	struct rda_segment segment = {.bytes = bytes, .captured = 1000, .length = 1000};

	tell("10abc", 0);
	for (unsigned i = 0; i < 5000; i++) {
		segment.sequence = 20 + i * 2000;
		rda_stream_segment(&stream, &segment, take, NULL);
		ck_assert_uint_le(stream.held_bytes, RDA_STREAM_HELD_MAX + 1000);
		ck_assert_uint_le(stream.held_count, RDA_STREAM_HELD_SEGMENTS_MAX + 1);
	}
	ck_assert_uint_gt(pool.given_up, 0);
	end();
}
END_TEST

/* More gaps than are remembered: nothing that was not seen is ever taken for repeated. */
START_TEST(gaps_that_are_forgotten)
{
	enum { GAPS = 3 * RDA_STREAM_GAPS_MAX };
	uint8_t byte = 'x';
	struct rda_segment segment = {.bytes = &byte, .captured = 1, .length = 1};

	tell("10a", 0);
	for (uint32_t i = 1; i <= GAPS; i++) { /* every second pair of bytes is missed */
		segment.sequence = 10 + 3 * i;
		rda_stream_segment(&stream, &segment, take, NULL);
		rda_stream_acknowledged(&stream, segment.sequence + 1, take, NULL);
	}
	ck_assert_uint_eq(stream.holes, GAPS);
	for (uint32_t i = 1; i <= GAPS; i++) { /* in order; or a forgotten one, a remembered one */
		uint32_t half = i / 2, even = half + (half <= 16 ? 32 : 8);
		uint32_t at = _i == 0 ? i : i % 2 ? half + 1 : even;

		segment.sequence = 10 + 3 * at - 2;
		rda_stream_segment(&stream, &segment, take, NULL);
	}
	ck_assert_uint_eq(stream.late, GAPS);
	ck_assert_uint_eq(stream.retransmitted, 0);
	ck_assert_uint_le(stream.gap_count, RDA_STREAM_GAPS_MAX);
	end();
}
END_TEST

Suite *rda_suite_stream(void)
{
	Suite *suite = suite_create("stream");
	TCase *tcase = tcase_create("stream");

	tcase_add_loop_test(tcase, segments_come_out_in_order, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, begins_where_it_is_known_to);
	tcase_add_test(tcase, what_is_held_at_the_end_is_handed_on);
	tcase_add_test(tcase, damaged_segments);
	tcase_add_test(tcase, reset);
	tcase_add_test(tcase, few_damaged_segments_wait);
	tcase_add_test(tcase, accepted_segments_have_identifications);
	tcase_add_test(tcase, accepted_segments_are_late_if_they_came_so);
	tcase_add_test(tcase, held_segments_without_identifications);
	tcase_add_test(tcase, what_is_held_is_bounded);
	tcase_add_loop_test(tcase, gaps_that_are_forgotten, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
