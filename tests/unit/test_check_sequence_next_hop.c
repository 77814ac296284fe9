/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S21.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { FIRST = 0x20, OTHER = 0x21, THIRD = 0x22 }; /* the last byte of a link address */

enum { TIMER_NS = 500000000 };

static struct rda_feed feed;

static void put(uint8_t from, uint8_t opcode, uint32_t psn, uint8_t hop)
{
	struct rda_extended aeth = rda_aeth(0x1f, 1);
	struct rda_recipe recipe =
		rda_packet_of(from, from == 1 ? 2 : 1, from == 1 ? 0x12 : 0x11, opcode, psn);
	struct rda_built built;

	if (opcode == 0x11)
		recipe = rda_with(recipe, &aeth);
	rda_build_packet(&built, &recipe);
	built.b.bytes[5] = hop;
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
}

/* PSN 10 is sent and answered, then 11 is sent, and again behind timers, to these link addresses.
 */
static void tried(const uint8_t *hops, unsigned count, bool answered)
{
	rda_feed_begin(&feed);
	put(1, 0x04, 10, FIRST);
	put(2, 0x11, 10, OTHER); /* of the other direction: another host's */
	put(1, 0x04, 11, FIRST);
	for (unsigned i = 0; i < count; i++) {
		feed.meta.time_ns += TIMER_NS;
		put(1, 0x04, 11, hops[i]);
	}
	if (answered)
		put(2, 0x11, 11, OTHER);
	rda_engine_finish(feed.engine);
}

START_TEST(where_what_is_sent_again_goes)
{
	static const struct {
		uint8_t hops[4];
		bool answered;
		bool told;
	} cases[] = {
		{{FIRST, FIRST, FIRST, FIRST}, false, false},
		{{OTHER, OTHER, OTHER, OTHER}, false, true},
		{{FIRST, FIRST, OTHER, OTHER}, false, true},
		{{OTHER, OTHER, OTHER, OTHER}, true, true},
		{{OTHER, FIRST, OTHER, OTHER}, false, false}, /* to both */
		{{OTHER, OTHER, OTHER, THIRD}, false, false},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_finding *finding;

		tried(cases[i].hops, RDA_COUNT(cases[i].hops), cases[i].answered);
		finding = rda_talk_found(&feed, RDA_CHECK_S21);
		ck_assert_msg((finding != NULL) == cases[i].told, "case %u", i);
		if (finding) {
			ck_assert_int_eq(rda_finding_find_argument(finding, "dead")->number == 0,
					 cases[i].answered);
			rda_talk_frames(finding, cases[i].hops[0] == OTHER ? 4 : 6, 1, 0);
			ck_assert_uint_eq(rda_finding_find_argument(finding, "mac")->number & 0xff,
					  OTHER);
			ck_assert_uint_eq(rda_finding_find_argument(finding, "first_mac")->number &
						  0xff,
					  FIRST);
		}
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_sequence_next_hop(void)
{
	Suite *suite = suite_create("check_sequence_next_hop");
	TCase *tests = tcase_create("next hop");

	tcase_add_test(tests, where_what_is_sent_again_goes);
	suite_add_tcase(suite, tests);
	return suite;
}
