/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged packets: known to be so at once, or only at the end; of many senders, and of none.
 */
#include "analyzer/checks/frame/damaged.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

static void send(bool damaged, uint8_t from)
{
	struct rda_recipe packet =
		rda_packet_of(from, 9, 0x11, RC_SEND_ONLY, (uint32_t)feed.meta.number);

	packet.damaged = damaged;
	rda_feed(&feed, &packet);
}

/* 'g': a good packet, 'b': one whose ICRC does not fit */
START_TEST(damaged_or_without_icrc)
{
	static const struct {
		const char *packets;
		uint64_t damaged, absent;
	} cases[] = {
		{"ggg", 0, 0},
		{"gb", 1, 0},
		{"bg", 1, 0}, /* only now is it known */
		{"b", 0, 1},  /* nothing is known */
		{"bbbbbbbbbbbbbbbbbbbbbbbb", 0, 24},
		{"bbbbbbbbbbgbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 0, 40}, /* 97 % fail */
		{"bbgbb", 4, 0},				      /* too few for a share */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_feed_begin(&feed);
		for (const char *p = cases[i].packets; *p; p++)
			send(*p == 'b', 1);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F01) == cases[i].damaged, "%s",
			      cases[i].packets);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F02) == cases[i].absent, "%s",
			      cases[i].packets);
		rda_feed_end(&feed);
	}
}
END_TEST

/* One finding for each sender, with its frames in order. */
START_TEST(each_sender_has_its_own)
{
	const struct rda_finding *finding;

	rda_feed_begin(&feed);
	for (unsigned i = 0; i < 40; i++) {
		send(i % 4 == 3, 1);
		send(i % 20 == 5, 2);
	}
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_F01), 12);
	finding = rda_engine_finding(feed.engine, 0);
	ck_assert_uint_eq(finding->count, 10);
	ck_assert_uint_eq(finding->place_count, 10);
	ck_assert_uint_eq(finding->places[0], 7);
	ck_assert_uint_eq(finding->places[9], 79);
	ck_assert_int_eq(finding->connection, 0);
	ck_assert_uint_eq(rda_engine_finding(feed.engine, 1)->count, 2);
	rda_feed_end(&feed);
}
END_TEST

/* Damage in the addresses: as many senders as one likes, and the memory has an end. */
START_TEST(made_up_senders)
{
	enum { SENDERS = RDA_FAILED_SOURCES_MAX + 100 };

	rda_feed_begin(&feed);
	for (unsigned i = 0; i < SENDERS; i++) {
		struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, i);
		struct rda_built built;

		recipe.damaged = true;
		rda_build_packet(&built, &recipe);
		rda_set16(&built.b, built.l3 + 12, (uint16_t)i); /* and so a wrong checksum */
		rda_feed_frame(&feed, &built.b, built.b.length, built.link);
	}
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_F01), SENDERS);
	ck_assert_uint_eq(rda_engine_judge(feed.engine)->findings.table.count,
			  rda_engine_finding_count(feed.engine));
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_frame_crc(void)
{
	Suite *suite = suite_create("check_frame_crc");
	TCase *tcase = tcase_create("check_frame_crc");

	tcase_add_test(tcase, damaged_or_without_icrc);
	tcase_add_test(tcase, each_sender_has_its_own);
	tcase_add_test(tcase, made_up_senders);
	suite_add_tcase(suite, tcase);
	return suite;
}
