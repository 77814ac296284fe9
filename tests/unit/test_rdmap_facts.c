/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The message that a Terminate is about.
 */
#include "analyzer/track/iwarp/rdmap_track.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

#include <stdio.h>

/* A WRITE of one segment, whose headers and payload are given in hex. */
static void take(struct rda_rdmap *mine, const char *hex)
{
	struct rda_fpdu_seen fpdu = {.first_place = 1, .place = 1};
	struct rda_rdmap_step step;
	struct rda_build b = {0};

	rda_put_hex(&b, hex);
	rda_read_ulpdu(&fpdu.ulpdu, b.bytes, b.length, (uint16_t)b.length);
	rda_rdmap_fpdu(mine, NULL, &fpdu, &step);
}

static bool is_found(const struct rda_rdmap *asker, const struct rda_terminate *terminate)
{
	struct rda_rdmap_refused refused;

	rda_rdmap_refused(asker, terminate, &refused);
	return refused.message != NULL;
}

START_TEST(a_failed_message_is_found_among_the_latest)
{
	struct rda_rdmap *r = rda_rdmap_new(true);
	struct rda_terminate terminate = {.has_ddp = true, .tagged = true};

	for (unsigned i = 0; i < 1000; i++) {
		char hex[64];

		snprintf(hex, sizeof(hex), "c140 %08x 0000000000001000 aaaa", i);
		take(r, hex);
	}
	for (unsigned i = 0; i < 1000; i++) {
		terminate.ddp_tagged.stag = i;
		terminate.ddp_tagged.offset = 0x1001;
		ck_assert_int_eq(is_found(r, &terminate), i >= 1000 - RDA_RDMAP_RECENT_MAX);
		terminate.ddp_tagged.offset = 0x0fff;
		ck_assert(!is_found(r, &terminate));
	}
	rda_rdmap_free(r);
}
END_TEST

Suite *rda_suite_rdmap_facts(void)
{
	Suite *suite = suite_create("rdmap_facts");
	TCase *tcase = tcase_create("rdmap_facts");

	tcase_add_test(tcase, a_failed_message_is_found_among_the_latest);
	suite_add_tcase(suite, tcase);
	return suite;
}
