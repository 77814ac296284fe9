/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages kept: what is found in them, and when "not found" means that it was not told.
 */
#include "analyzer/track/keys/clear_text.h"

#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { HOST = 3, KEY = 0x00001622 };

static const uint64_t ADDRESS = UINT64_C(0x7f1200345000);

static void keep(struct rda_clear_text *text, uint64_t place, const char *hex)
{
	struct rda_build b = {0};

	rda_put_hex(&b, hex);
	rda_clear_text_keep(text, HOST, place, b.bytes, b.length, b.length);
}

START_TEST(a_key_is_found_in_either_order_at_any_byte)
{
	static const struct {
		const char *message;
		bool found, with_address;
		uint32_t offset;
	} cases[] = {
		{"00001622", true, false, 0},
		{"22160000", true, false, 0},
		{"ffffff 00001622 ff", true, false, 3},
		{"00007f1200345000 00001622", true, true, 8},	       /* rping, SMB Direct */
		{"00001622 00001000 00007f1200345000", true, true, 0}, /* RPC */
		{"0050340012 7f0000 001000 22160000", true, true, 11}, /* NVMe */
		{"00001622 eeeeeeeeeeeeeeee 00001622 00001000 00007f1200345000", true, true, 12},
		{"00001622 000000000000000000000000000000000000 00007f1200345000", true, false, 0},
		{"001622", false, false, 0},
		{"00001623", false, false, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_clear_text text;
		struct rda_key_told hit;

		rda_clear_text_init(&text);
		keep(&text, 7, cases[i].message);
		ck_assert_msg(rda_clear_text_find(&text, HOST, KEY, ADDRESS, 0, 10, &hit) ==
				      cases[i].found,
			      "case %u", i);
		if (cases[i].found) {
			ck_assert_uint_eq(hit.place, 7);
			ck_assert_msg(hit.with_address == cases[i].with_address, "case %u", i);
			ck_assert_uint_eq(hit.offset, cases[i].offset);
		}
		ck_assert(!rda_clear_text_find(&text, HOST + 1, KEY, ADDRESS, 0, 10, &hit));
		rda_clear_text_cleanup(&text);
	}
}
END_TEST

START_TEST(the_latest_between_two_frames)
{
	struct rda_clear_text text;
	struct rda_key_told hit;

	rda_clear_text_init(&text);
	for (uint64_t place = 10; place < 15; place++)
		keep(&text, place, "00001622");
	ck_assert(rda_clear_text_find(&text, HOST, KEY, ADDRESS, 0, 100, &hit));
	ck_assert_uint_eq(hit.place, 14);
	ck_assert(rda_clear_text_find(&text, HOST, KEY, ADDRESS, 11, 13, &hit));
	ck_assert_uint_eq(hit.place, 12);
	ck_assert(!rda_clear_text_find(&text, HOST, KEY, ADDRESS, 12, 13, &hit));
	ck_assert(hit.complete && !hit.any);
	ck_assert(!rda_clear_text_find(&text, HOST, KEY, ADDRESS, 0, 10, &hit));
	rda_clear_text_cleanup(&text);
}
END_TEST

/* What was not looked at could have told it. */
START_TEST(what_is_not_kept_makes_it_unknown)
{
	uint8_t bytes[RDA_CLEAR_BYTES + 1] = {0};
	struct rda_clear_text text;
	struct rda_key_told hit;

	rda_clear_text_init(&text);
	keep(&text, 5, "0000");
	keep(&text, 6, "00000000");
	rda_clear_text_find(&text, HOST, KEY, ADDRESS, 0, 100, &hit);
	ck_assert(hit.complete && hit.any);
	rda_clear_text_pass(&text, HOST, 7);
	rda_clear_text_find(&text, HOST, KEY, ADDRESS, 0, 100, &hit);
	ck_assert(!hit.complete);
	rda_clear_text_find(&text, HOST, KEY, ADDRESS, 7, 100, &hit);
	ck_assert(hit.complete);
	rda_clear_text_pass(&text, HOST, 4); /* came later, of an earlier frame */
	rda_clear_text_find(&text, HOST, KEY, ADDRESS, 6, 100, &hit);
	ck_assert(!hit.complete);
	rda_clear_text_keep(&text, HOST, 8, bytes, 8, 9); /* cut */
	rda_clear_text_find(&text, HOST, KEY, ADDRESS, 7, 100, &hit);
	ck_assert(!hit.complete);
	rda_clear_text_keep(&text, HOST, 9, bytes, sizeof(bytes), sizeof(bytes));
	rda_clear_text_find(&text, HOST, KEY, ADDRESS, 8, 100, &hit);
	ck_assert(!hit.complete);
	rda_clear_text_cleanup(&text);
}
END_TEST

/* The latest stay; that others went is known. */
START_TEST(old_messages_make_room)
{
	uint8_t bytes[RDA_CLEAR_BYTES] = {0};
	struct rda_clear_text text;
	struct rda_key_told hit;
	uint64_t place;

	rda_clear_text_init(&text);
	keep(&text, 1, "00001622");
	for (place = 2; place < 2000; place++) {
		rda_clear_text_keep(&text, HOST, place, bytes, sizeof(bytes), sizeof(bytes));
		RDA_CHECK(text.hosts[HOST].used <= text.hosts[HOST].allocated, "at %u",
			  (unsigned)place);
	}
	ck_assert_uint_le(text.hosts[HOST].allocated, 2 * RDA_CLEAR_PER_HOST);
	ck_assert(!rda_clear_text_find(&text, HOST, KEY, ADDRESS, 0, place, &hit));
	ck_assert(!hit.complete && hit.any);
	ck_assert(!rda_clear_text_find(&text, HOST, KEY, ADDRESS, place - 20, place, &hit));
	ck_assert(hit.complete);
	keep(&text, place, "00001622");
	ck_assert(rda_clear_text_find(&text, HOST, KEY, ADDRESS, 0, place + 1, &hit));
	rda_clear_text_cleanup(&text);
}
END_TEST

/* Any number of hosts: the room is limited in all, and what found none is counted. */
START_TEST(hosts_share_a_limit)
{
	uint8_t bytes[RDA_CLEAR_BYTES] = {0};
	struct rda_clear_text text;
	struct rda_key_told hit;
	uint32_t hosts = RDA_CLEAR_TOTAL / (4 * RDA_CLEAR_BYTES);

	rda_clear_text_init(&text);
	for (uint32_t host = 0; host < hosts + 5; host++)
		rda_clear_text_keep(&text, host, host + 1, bytes, sizeof(bytes), sizeof(bytes));
	ck_assert_uint_le(text.total, RDA_CLEAR_TOTAL);
	ck_assert_uint_eq(text.limited, 5);
	rda_clear_text_find(&text, hosts + 1, KEY, ADDRESS, 0, UINT64_MAX, &hit);
	ck_assert(!hit.complete);
	text.searched = RDA_CLEAR_SEARCHED;
	rda_clear_text_find(&text, 1, KEY, ADDRESS, 0, UINT64_MAX, &hit);
	ck_assert(!hit.complete);
	rda_clear_text_searched(&text, &hit);
	ck_assert_uint_eq(text.limited, 6);
	rda_clear_text_cleanup(&text);
}
END_TEST

Suite *rda_suite_clear_text(void)
{
	Suite *suite = suite_create("clear_text");
	TCase *tcase = tcase_create("clear_text");

	tcase_add_test(tcase, a_key_is_found_in_either_order_at_any_byte);
	tcase_add_test(tcase, the_latest_between_two_frames);
	tcase_add_test(tcase, what_is_not_kept_makes_it_unknown);
	tcase_add_test(tcase, old_messages_make_room);
	tcase_add_test(tcase, hosts_share_a_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}
