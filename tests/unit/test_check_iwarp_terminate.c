/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Terminate: who refused what, why, and the frame of it; in every shape of the TCP stream.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

static void bad_stag(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
	rda_iwarp_write(w, 0, 0x115a, 0x7000, 64);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
	rda_iwarp_terminate_write(w, 1, "1100 c000", 0x115a, 0x7000);
}

static void bad_stag_siw(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x115a, 0x7000, 64);
	rda_iwarp_terminate_write(w, 1, "1100 0300", 0x115a, 0x7000);
}

static void middle_of_a_write(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write_part(w, 0, 0x1100, 0x7000, 100, false);
	rda_iwarp_write_part(w, 0, 0x1100, 0x7064, 100, false);
	rda_iwarp_terminate_write(w, 1, "1101 c000", 0x1100, 0x7064);
}

static void not_captured(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
	rda_iwarp_terminate_write(w, 1, "1100 c000", 0x2200, 0x7000);
}

static void read_refused(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_raw(
		w, 1,
		"4147 00000000 00000002 00000001 00000000 0101 e000 002e 4141 00000000 00000001 "
		"00000001 00000000 00005100 0000000000009000 00000064 00001100 0000000000007000",
		0);
}

static void no_receive(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 100);
	rda_iwarp_raw(w, 1,
		      "4147 00000000 00000002 00000001 00000000 1202 c000 0076 4143 00000000 "
		      "00000000 00000001 00000000",
		      0);
}

static void invalidate_refused(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_invalidate(w, 0, 1, 0x77);
	rda_iwarp_raw(w, 1,
		      "4147 00000000 00000002 00000001 00000000 0109 c000 0012 4144 00000077 "
		      "00000000 00000001 00000000",
		      0);
}

static void names_nothing(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 100);
	rda_iwarp_raw(w, 1, "4147 00000000 00000002 00000001 00000000 2002 0000", 0);
}

static const struct rda_iwarp_story stories[] = {
	{"bad STag", bad_stag, "W18x1 ",
	 "it refused a WRITE of 64 bytes to STag 0x0000115a, offset 0x0000000000007000 (frame "},
	{"bad STag, as siw writes it", bad_stag_siw, "W18x1 ", "DDP: invalid STag"},
	{"the middle of a WRITE", middle_of_a_write, "W18x1 ",
	 "it refused a WRITE of 200 bytes to STag 0x00001100, offset 0x0000000000007064"},
	{"a message that was not captured", not_captured, "W18x1 ", "which is not in the capture"},
	{"a READ", read_refused, "W18x1 ",
	 "a READ Request of 100 bytes from STag 0x00001100, offset 0x0000000000007000 (frame "},
	{"no receive", no_receive, "W18x1 ", "no receive buffer"},
	{"an invalidation", invalidate_refused, "W18x1 ",
	 "which invalidates STag 0x00000077 (frame "},
	{"it names nothing", names_nothing, "W18x1 ", "it names no message"},
};

START_TEST(stories_end_as_they_should)
{
	rda_iwarp_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_check_iwarp_terminate(void)
{
	Suite *suite = suite_create("check_terminate");
	TCase *tcase = tcase_create("check_terminate");

	tcase_add_loop_test(tcase, stories_end_as_they_should, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
