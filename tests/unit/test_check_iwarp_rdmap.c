/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RDMAP: READs, atomics, immediate data; in every shape of the TCP stream.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

static void read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_read(w, 0, 2, 0x1100, 0x7000, 50);
	rda_iwarp_response(w, 1, 100);
	rda_iwarp_response(w, 1, 50);
}

static void read_of_nothing(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 0);
	rda_iwarp_raw(w, 1, "c142 00000000 0000000000000000", 0);
}

static void read_in_parts(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_raw(w, 1, "8142 00005100 0000000000009000", 60);
	rda_iwarp_raw(w, 1, "c142 00005100 000000000000903c", 40);
}

static void trailing_bytes(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0,
		      "4141 00000000 00000001 00000001 00000000 00005100 0000000000009000 00000064 "
		      "00001100 0000000000007000",
		      4);
}

static void not_last(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0,
		      "0141 00000000 00000001 00000001 00000000 00005100 0000000000009000 00000064 "
		      "00001100 0000000000007000",
		      0);
}

static void unasked(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 4);
	rda_iwarp_response(w, 1, 100);
}

static void elsewhere(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_raw(w, 1, "c142 00005200 0000000000009000", 100);
}

static void too_long(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_response(w, 1, 101);
}

static void too_short(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_response(w, 1, 99);
}

static void request_not_captured(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 4);
	w->flags = RDA_IWARP_MISSED;
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_send(w, 0, 2, 4);
	rda_iwarp_response(w, 1, 100);
}

static void answer_not_captured(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_raw(w, 0,
		      "4141 00000000 00000001 00000002 00000000 00005300 000000000000a000 00000064 "
		      "00001100 0000000000007000",
		      0);
	w->flags = RDA_IWARP_MISSED;
	rda_iwarp_response(w, 1, 100);
	rda_iwarp_raw(w, 1, "c142 00005300 000000000000a000", 100);
}

static void joined_on_the_way(struct rda_iwarp_feed *w)
{
	rda_iwarp_response(w, 1, 100);
	rda_iwarp_response(w, 1, 50);
	rda_iwarp_response(w, 1, 70);
	rda_iwarp_send(w, 1, 17, 70);
}

static void as_many_as_allowed(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "0002 0002", "0002 0002");
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_read(w, 0, 2, 0x1100, 0x7000, 100);
	rda_iwarp_response(w, 1, 100);
	rda_iwarp_read(w, 0, 3, 0x1100, 0x7000, 100);
}

static void one_too_many(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "0002 0002", "0002 0002");
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_read(w, 0, 2, 0x1100, 0x7000, 100);
	rda_iwarp_atomic(w, 0, 3, 9, 0x7000, 0);
}

static void after_terminate(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 4);
	rda_iwarp_terminate_write(w, 1, "1000 c000", 0x1100, 0x7000);
	rda_iwarp_send(w, 1, 1, 4);
}

static void immediate(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "4148 00000000 00000000 00000001 00000000", 8);
}

static void long_immediate(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_raw(w, 0, "4149 00000000 00000000 00000001 00000000", 9);
}

static void atomics(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_atomic(w, 0, 1, 7, 0x7000, 0);
	rda_iwarp_atomic(w, 0, 2, 8, 0x7008, 2);
	rda_iwarp_atomic_answer(w, 1, 1, 7);
	rda_iwarp_atomic_answer(w, 1, 2, 8);
}

static void atomic_misaligned(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_atomic(w, 0, 1, 7, 0x7004, 0);
}

static void atomic_unknown(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_atomic(w, 0, 1, 7, 0x7000, 1);
}

static void atomic_unasked(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 4);
	rda_iwarp_atomic_answer(w, 1, 1, 7);
}

static void atomic_wrong_id(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_atomic(w, 0, 1, 7, 0x7000, 0);
	rda_iwarp_atomic_answer(w, 1, 1, 8);
}

static void atomic_overtakes(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_atomic(w, 0, 1, 7, 0x7000, 0);
	rda_iwarp_atomic(w, 0, 2, 8, 0x7000, 0);
	rda_iwarp_atomic_answer(w, 1, 1, 8);
}

/* One buffer for all READs; the capture missed an answer: which READ has none, nobody can tell. */
static void same_buffer(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "0001 0001", "0001 0001");
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_response(w, 1, 100);
	rda_iwarp_read(w, 0, 2, 0x1100, 0x7000, 100);
	w->flags = RDA_IWARP_MISSED;
	rda_iwarp_response(w, 1, 100);
	for (uint32_t msn = 3; msn < 6; msn++) {
		rda_iwarp_read(w, 0, msn, 0x1100, 0x7000, 100);
		rda_iwarp_response(w, 1, 100);
	}
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 0, NULL, 0);
}

/* A READ whose request was not captured is answered before one whose request was. */
static void answers_to_earlier_reads(struct rda_iwarp_feed *w)
{
	rda_iwarp_send(w, 1, 5, 100); /* the connection is found by this */
	rda_iwarp_read(w, 0, 9, 0x1100, 0x7000, 100);
	for (unsigned i = 0; i < 3; i++)
		rda_iwarp_response(w, 1, 100);
}

static const struct rda_iwarp_story stories[] = {
	{"READs", read, "", NULL},
	{"a READ of nothing", read_of_nothing, "", NULL},
	{"a READ answered in parts", read_in_parts, "", NULL},
	{"bytes behind a READ Request", trailing_bytes, "W15x1 ", "bytes behind its header"},
	{"a READ Request that goes on", not_last, "W15x1 ", "more segments"},
	{"nothing was asked", unasked, "W16x1 ", "no READ was outstanding"},
	{"for another STag", elsewhere, "W16x1 ", "STag 0x00005200"},
	{"too long", too_long, "W16x1 ", "READ of 100 bytes was answered with 101"},
	{"too short", too_short, "W16x1 ", "READ of 100 bytes was answered with 99"},
	{"the request was not captured", request_not_captured, "", NULL},
	{"an answer was not captured", answer_not_captured, "", NULL},
	{"one buffer, and an answer was not captured", same_buffer, "W28x1 ", NULL},
	{"answers to READs before the capture", answers_to_earlier_reads, "", NULL},
	{"joined on the way", joined_on_the_way, "", NULL},
	{"as many as allowed", as_many_as_allowed, "W28x1 ", NULL},
	{"one too many", one_too_many, "W17x1 W28x1 ",
	 "3 READs and atomics are outstanding, and the other side allows 2"},
	{"after a Terminate", after_terminate, "W18x1 W19x1 ", "follows the Terminate"},
	{"immediate data", immediate, "", NULL},
	{"immediate data of 9 bytes", long_immediate, "W23x1 ", "has 9 bytes"},
	{"atomics", atomics, "", NULL},
	{"atomic misaligned", atomic_misaligned, "W24x1 ", "0x7004"},
	{"atomic unknown", atomic_unknown, "W24x1 ", "operation 1"},
	{"atomic nobody asked for", atomic_unasked, "W25x1 ", "no atomic was outstanding"},
	{"atomic of another number", atomic_wrong_id, "W25x1 ", "the oldest that is, is 0x7"},
	{"atomics out of turn", atomic_overtakes, "W25x1 ", "before those"},
};

START_TEST(stories_end_as_they_should)
{
	rda_iwarp_story_check(&stories[_i]);
}
END_TEST

static void add_check_iwarp_rdmap(Suite *suite)
{
	TCase *tcase = tcase_create("check_rdmap");

	tcase_add_loop_test(tcase, stories_end_as_they_should, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
}

/*
 * Terminate: who refused what, why, and the frame of it; in every shape of the TCP stream.
 */

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

/* No flag says which way round it is: the code does, or not. */
static void crc_error_siw(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 100);
	rda_iwarp_raw(w, 1, "4147 00000000 00000002 00000001 00000000 0202 0000", 0);
}

static void either_way(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 100);
	rda_iwarp_raw(w, 1, "4147 00000000 00000002 00000001 00000000 0206 0000", 0);
}

static const struct rda_iwarp_story stories_terminate[] = {
	{"bad STag", bad_stag, "W18x1 ",
	 "it refused a WRITE of 64 bytes to STag 0x0000115a, offset 0x0000000000007000 (frame "},
	{"bad STag, as siw writes it", bad_stag_siw, "W18x1 ", "DDP: invalid STag"},
	{"the middle of a WRITE", middle_of_a_write, "W18x1 ",
	 "it refused a WRITE to STag 0x00001100, offset 0x0000000000007064"},
	{"a message that was not captured", not_captured, "W18x1 ",
	 "which was not found in the capture"},
	{"a READ", read_refused, "W18x1 ",
	 "a READ Request of 100 bytes from STag 0x00001100, offset 0x0000000000007000 (frame "},
	{"no receive", no_receive, "W18x1 ", "no receive buffer"},
	{"an invalidation", invalidate_refused, "W18x1 ",
	 "which invalidates STag 0x00000077 (frame "},
	{"an MPA CRC error, as siw writes it", crc_error_siw, "W18x1 ",
	 "\"MPA: CRC error\" (layer 2, type 0, code 2); it names no message"},
	{"one that can be read both ways", either_way, "W18x1 ",
	 "\"RDMAP: unexpected opcode\" (layer 0, type 2, code 6), or \"MPA: insufficient inbound "
	 "READ "
	 "resources\" if its stack"},
	{"it names nothing", names_nothing, "W18x1 ", "it names no message"},
};

START_TEST(stories_end_as_they_should_terminate)
{
	rda_iwarp_story_check(&stories_terminate[_i]);
}
END_TEST

static void add_check_iwarp_terminate(Suite *suite)
{
	TCase *tcase = tcase_create("check_terminate");

	tcase_add_loop_test(tcase, stories_end_as_they_should_terminate, 0,
			    RDA_COUNT(stories_terminate));
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_check_iwarp_rdmap(void)
{
	Suite *suite = suite_create("check_iwarp_rdmap");

	add_check_iwarp_rdmap(suite);
	add_check_iwarp_terminate(suite);
	return suite;
}
