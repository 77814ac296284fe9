/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PDUs of iSER as they were captured, cut anywhere, and the words of the standards.
 */
#include "dissectors/ulp/iser.h"

#include "tests/unit/iser_feed.h"
#include "tests/unit/suite.h"

/* of a recorded capture: INQUIRY; its response; a response with sense data, up to these */
static const char INQUIRY[] = "14000000 00000000 0000000000000000 0000b80e ff1100000e954200"
			      "01c10000 00000000 0000000000000000 01000000 00000024 00000000"
			      "ec8fd13f 12000000240000000000000000000000";
static const char RESPONSE[] = "10000000 00000000 0000000000000000 00000000 0000000000000000"
			       "21800002 00000062 0000000000000000 0a000000 00000000 ec8fd148"
			       "0000000a 00000049 00000000 00000000 00000000";

enum { HEADERS = RDA_ISER_BYTES + RDA_ISCSI_BYTES };

START_TEST(a_command)
{
	struct rda_build b = {0};

	rda_put_hex(&b, INQUIRY);
	ck_assert_uint_eq(b.length, HEADERS);
	for (uint32_t have = 0; have <= b.length; have++) {
		struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
		struct rda_cursor c = {frame.bytes, 0, have, b.length};
		struct rda_iser iser;
		struct rda_iscsi iscsi;

		ck_assert(rda_read_iser(&c, &iser) == (have >= RDA_ISER_BYTES));
		if (have >= RDA_ISER_BYTES) {
			ck_assert(iser.has_read && !iser.has_write && !iser.reserved_set);
			ck_assert_uint_eq(iser.read_stag, 0xb80e);
			ck_assert_uint_eq(iser.read_offset, UINT64_C(0xff1100000e954200));
			ck_assert(rda_read_iscsi(&c, &iscsi) == (have == HEADERS));
		}
		if (have == HEADERS) {
			ck_assert_uint_eq(iscsi.opcode, RDA_ISCSI_SCSI);
			ck_assert_uint_eq(iscsi.task, 0x01000000);
			ck_assert_uint_eq(iscsi.expected, 36);
			ck_assert_uint_eq(iscsi.cdb, 0x12);
			ck_assert(iscsi.reads && !iscsi.writes);
		}
		ck_assert(rda_iser_is_request(frame.bytes, have, false) == (have == HEADERS));
		ck_assert(rda_iser_is_request(frame.bytes, have, true) == (have == HEADERS));
		rda_frame_free(&frame);
	}
}
END_TEST

START_TEST(what_is_none)
{
	static const struct {
		uint8_t at, value;
		bool expected;
	} changes[] = {
		{0, 0x44, false},  {0, 0x15, false},  {1, 1, false},	 {7, 1, true},
		{28, 0x21, false}, {28, 0x81, false}, {28, 0x05, false}, {30, 1, true},
		{29, 0x80, true},  {60, 0xee, true},  {51, 0, true},
	};

	for (unsigned i = 0; i < RDA_COUNT(changes); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, INQUIRY);
		b.bytes[changes[i].at] = changes[i].value;
		ck_assert_msg(!rda_iser_is_request(b.bytes, b.length, false), "change %u", i);
		ck_assert_msg(rda_iser_is_request(b.bytes, b.length, true) == changes[i].expected,
			      "change %u, where a port says iSER", i);
	}
}
END_TEST

START_TEST(sense)
{
	static const struct {
		const char *hex;
		uint32_t data, at_least, status;
	} cases[] = {
		{"0060 7000050000000000 00000000 2000 00000000", 98, 16, 0x05200002},
		{"0060 7203110000000000", 10, 6, 0x03110002},
		{"0060 7203110000000000", 5, 99, 0x02}, /* it is said to be shorter */
		{"0060 1203110000000000", 10, 99, 0x02},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, cases[i].hex);
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length};
			struct rda_iscsi iscsi = {.data = cases[i].data};
			struct rda_scsi_sense found;

			rda_read_iscsi_sense(&c, &iscsi, &found);
			ck_assert_msg(found.known == (have >= cases[i].at_least), "case %u, %u", i,
				      have);
			ck_assert_uint_eq(rda_scsi_status(2, &found),
					  found.known ? cases[i].status : 2);
			rda_frame_free(&frame);
		}
	}
}
END_TEST

START_TEST(responses)
{
	struct rda_build b = {0};
	struct rda_cursor c;
	struct rda_iser iser;
	struct rda_iscsi iscsi;
	uint32_t task;

	rda_put_hex(&b, RESPONSE);
	c = (struct rda_cursor){b.bytes, 0, b.length, b.length};
	ck_assert(rda_read_iser(&c, &iser) && rda_read_iscsi(&c, &iscsi));
	ck_assert_uint_eq(iscsi.status, 2);
	ck_assert_uint_eq(iscsi.data, 98);
	ck_assert_uint_eq(iscsi.task, 0x0a000000);
	/* of what was rejected */
	c = (struct rda_cursor){b.bytes, RDA_ISER_BYTES, b.length, b.length};
	iscsi.data = RDA_ISCSI_BYTES;
	ck_assert(rda_read_iscsi_rejected(&c, &iscsi, &task));
	ck_assert_uint_eq(task, 0x0a000000);
	c = (struct rda_cursor){b.bytes, RDA_ISER_BYTES, b.length - 1, b.length};
	ck_assert(!rda_read_iscsi_rejected(&c, &iscsi, &task));
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(rda_iscsi_operation_name(0x03), "Login");
	ck_assert_str_eq(rda_iscsi_operation_name(0x128), "READ(10)");
	ck_assert_ptr_null(rda_iscsi_operation_name(0x1ff));
	ck_assert_str_eq(rda_iscsi_status_words(0x05200002), "INVALID COMMAND OPERATION CODE");
	ck_assert_str_eq(rda_iscsi_status_words(0x03ff0002), "MEDIUM ERROR");
	ck_assert_str_eq(rda_iscsi_status_words(0x18), "RESERVATION CONFLICT");
	ck_assert_str_eq(rda_iscsi_status_words(rda_iscsi_status_of(RDA_ISCSI_CLASS_LOGIN, 0x203)),
			 "Not found");
	ck_assert_ptr_null(rda_iscsi_status_words(rda_iscsi_status_of(RDA_ISCSI_CLASS_TASK, 9)));
	ck_assert_ptr_null(rda_iscsi_status_words(0x77));
	ck_assert(rda_iscsi_status_is_usual(rda_iscsi_status_of(RDA_ISCSI_CLASS_LOGIN, 0x101)));
	ck_assert(!rda_iscsi_status_is_usual(rda_iscsi_status_of(RDA_ISCSI_CLASS_LOGIN, 0x203)) &&
		  !rda_iscsi_status_is_usual(0x77));
}
END_TEST

Suite *rda_suite_iser(void)
{
	Suite *suite = suite_create("iser");
	TCase *tcase = tcase_create("iser");

	tcase_add_test(tcase, a_command);
	tcase_add_test(tcase, what_is_none);
	tcase_add_test(tcase, sense);
	tcase_add_test(tcase, responses);
	tcase_add_test(tcase, words);
	suite_add_tcase(suite, tcase);
	return suite;
}
