/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stream below: what is no FPDU, how connections end; in every shape of it.
 * TCP trouble and alignment differ by shape: tests of their own.
 */
#include "analyzer/check_iwarp.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

static void sound(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_send(w, 0, 2, 10);
}

static void desync(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	rda_iwarp_bytes(w, 0,
			(const uint8_t *)"no FPDU at all, but text; as long as the headers of one "
					 "can be, so that it can be told from one that goes on",
			100);
}

static void text_behind_a_hole(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	w->flags = RDA_IWARP_MISSED;
	rda_iwarp_send(w, 0, 1, 10);
	rda_iwarp_bytes(w, 0,
			(const uint8_t *)"no FPDU at all, but text; as long as the headers of one "
					 "can be, so that it can be told from one that goes on",
			100);
}

static void reset_with_read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	w->flags = RDA_IWARP_RST;
	rda_iwarp_bytes(w, 1, NULL, 0);
}

static void closed_with_read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 0, NULL, 0);
}

static void closed_after_answer(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_response(w, 1, 100);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 0, NULL, 0);
}

static void terminated_with_read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_terminate_write(w, 1, "1100 c000", 0x1100, 0x7000);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 1, NULL, 0);
}

static const struct rda_iwarp_story stories[] = {
	{"sound", sound, "", NULL},
	{"no FPDU", desync, "W04x1 ", "Behind 1 FPDU the bytes"},
	{"no FPDU behind a hole", text_behind_a_hole, "", NULL},
	{"reset", reset_with_read, "W29x1 ",
	 "reset the connection while 1 READ or atomic had no answer"},
	{"closed", closed_with_read, "W29x1 ", "closed the connection"},
	{"closed after the answer", closed_after_answer, "", NULL},
	{"terminated", terminated_with_read, "W18x1 ", NULL},
};

START_TEST(stories_end_as_they_should)
{
	rda_iwarp_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_check_iwarp(void)
{
	Suite *suite = suite_create("check_iwarp");
	TCase *tcase = tcase_create("check_iwarp");

	tcase_add_loop_test(tcase, stories_end_as_they_should, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
