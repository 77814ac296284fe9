/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * STags: used after their invalidation, and guessed ones.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

static void used_after(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
	rda_iwarp_invalidate(w, 0, 1, 0x1100);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
}

static void read_after(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_invalidate(w, 0, 1, 0x1100);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 64);
}

static void another_used(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_invalidate(w, 0, 1, 0x1100);
	rda_iwarp_write(w, 0, 0x2200, 0x7000, 64);
}

static void told_anew(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_invalidate(w, 0, 1, 0x1100);
	rda_iwarp_send(w, 1, 1, 16);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
}

/* A Terminate ends its connection: a scan takes one for each STag. */
static void ask_for(struct rda_iwarp_feed *w, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		w->port++;
		rda_iwarp_open_with(w, 0x40);
		rda_iwarp_write(w, 0, 0x100 * i, 0x7000, 64);
		rda_iwarp_terminate_write(w, 1, "1100 c000", 0x100 * i, 0x7000);
		w->streams[0].crc = false;
	}
}

static void seven(struct rda_iwarp_feed *w)
{
	ask_for(w, 7);
}

static void eight(struct rda_iwarp_feed *w)
{
	ask_for(w, 8);
}

static const struct rda_iwarp_story stories[] = {
	{"used after", used_after, "W20x1 ", "A WRITE uses STag 0x00001100"},
	{"read after", read_after, "W20x1 ", "A READ uses"},
	{"another is used", another_used, "", NULL},
	{"told anew", told_anew, "", NULL},
	{"a few are refused", seven, "W18x7 ", NULL},
	{"many are refused", eight, "W18x8 W21x1 ", "refused 8 different STags"},
};

START_TEST(stories_end_as_they_should)
{
	rda_iwarp_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_check_iwarp_stag(void)
{
	Suite *suite = suite_create("check_stag");
	TCase *tcase = tcase_create("check_stag");

	tcase_add_loop_test(tcase, stories_end_as_they_should, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
