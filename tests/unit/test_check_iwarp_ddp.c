/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DDP: message numbers, offsets, queues, versions; in every shape of the TCP stream.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

static void in_order(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	rda_iwarp_send(w, 0, 2, 10);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 10);
	rda_iwarp_send(w, 1, 1, 10);
}

static void msn_gap(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	rda_iwarp_send(w, 0, 3, 10);
	rda_iwarp_send(w, 0, 4, 10);
}

static void msn_again(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	rda_iwarp_send(w, 0, 1, 10);
}

static void msn_begins_at_2(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 2, 10);
}

static void msn_wraps(struct rda_iwarp_feed *w)
{
	rda_iwarp_send(w, 0, 0xfffffffeu, 10);
	rda_iwarp_send(w, 0, 0xffffffffu, 10);
	rda_iwarp_send(w, 0, 0, 10);
	rda_iwarp_send(w, 0, 1, 10);
}

static void hole(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	w->flags = RDA_IWARP_MISSED;
	rda_iwarp_send(w, 0, 2, 10);
	rda_iwarp_send(w, 0, 3, 10);
	rda_iwarp_send(w, 0, 4, 10);
}

static void two_segments(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "0143 00000000 00000000 00000001 00000000", 100);
	rda_iwarp_raw(w, 0, "4143 00000000 00000000 00000001 00000064", 20);
	rda_iwarp_send(w, 0, 2, 10);
}

static void never_finished(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "0143 00000000 00000000 00000001 00000000", 100);
	rda_iwarp_send(w, 0, 2, 10);
}

static void offset_gap(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "0143 00000000 00000000 00000001 00000000", 100);
	rda_iwarp_raw(w, 0, "4143 00000000 00000000 00000001 00000065", 20);
}

static void write_in_parts(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write_part(w, 0, 0x1100, 0x7000, 100, false);
	rda_iwarp_write_part(w, 0, 0x1100, 0x7064, 100, true);
}

static void write_jumps(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write_part(w, 0, 0x1100, 0x7000, 100, false);
	rda_iwarp_write_part(w, 0, 0x1100, 0x7065, 100, true);
}

static void reserved_opcode(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "414d 00000000 00000000 00000001 00000000", 8);
}

static void tagged_send(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "c143 00001100 0000000000007000", 8);
}

static void wrong_queue(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "4143 00000000 00000001 00000001 00000000", 8);
}

static void ddp_version(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "c040 00001100 0000000000007000", 8);
}

static void rdmap_version(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "c180 00001100 0000000000007000", 8);
}

static void consortium(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "c100 00001100 0000000000007000", 8);
	rda_iwarp_raw(w, 0, "c100 00001100 0000000000007000", 8);
}

static void version_changes(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "c100 00001100 0000000000007000", 8);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 8);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 8);
}

static void reserved_bits(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "c550 00001100 0000000000007000", 8);
}

static void at_the_very_end(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x1100, 0xfffffffffffffff8u, 8);
}

static void beyond_the_end(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x1100, 0xfffffffffffffff8u, 9);
}

static void read_beyond_the_end(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0xfffffffffffffff8u, 9);
}

static const struct rda_iwarp_story stories[] = {
	{"in order", in_order, "", NULL},
	{"a number is missing", msn_gap, "W11x1 ", "sequence number 3 and 2 was due"},
	{"a number comes twice", msn_again, "W11x1 ", NULL},
	{"the first is not 1", msn_begins_at_2, "W11x1 ", "sequence number 2 and 1 was due"},
	{"numbers wrap, joined on the way", msn_wraps, "", NULL},
	{"the capture has a hole", hole, "", NULL},
	{"two segments", two_segments, "", NULL},
	{"never finished", never_finished, "W11x1 ", "before the one before it"},
	{"offset gap", offset_gap, "W12x1 ", "offset 101 and 100 was due"},
	{"a WRITE in parts", write_in_parts, "", NULL},
	{"a WRITE jumps", write_jumps, "W12x1 ", "was to go on at offset 0x7064"},
	{"reserved opcode", reserved_opcode, "W13x1 ", "opcode 13"},
	{"a tagged SEND", tagged_send, "W13x1 ", "A SEND is tagged, and must be untagged"},
	{"wrong queue", wrong_queue, "W13x1 ", "A SEND is on queue 1, and belongs on queue 0"},
	{"DDP version 0", ddp_version, "W14x1 ", "DDP version 0"},
	{"RDMAP version 2", rdmap_version, "W14x1 ", "RDMAP version 2"},
	{"RDMAP version 0", consortium, "", NULL},
	{"the version changes", version_changes, "W14x1 ", "changes from 0 to 1"},
	{"reserved bits", reserved_bits, "W14x1 ", "reserved bits"},
	{"the very last byte", at_the_very_end, "", NULL},
	{"beyond the last byte", beyond_the_end, "W22x1 ", "goes beyond"},
	{"a READ beyond the last byte", read_beyond_the_end, "W22x1 ",
	 "The source of a READ Request"},
};

START_TEST(stories_end_as_they_should)
{
	rda_iwarp_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_check_iwarp_ddp(void)
{
	Suite *suite = suite_create("check_ddp");
	TCase *tcase = tcase_create("check_ddp");

	tcase_add_loop_test(tcase, stories_end_as_they_should, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
