/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sense data in both formats, cut anywhere, and the words of SCSI.
 */
#include "dissectors/ulp/scsi.h"

#include "tests/unit/build.h"
#include "tests/unit/reference.h"
#include "tests/unit/suite.h"

START_TEST(sense)
{
	static const struct {
		const char *hex;
		uint32_t length, at_least, status; /* at_least: bytes; 99: never */
	} cases[] = {
		{"7000050000000000 00000000 2000 00000000", 18, 14, 0x05200002},
		{"f100060000000000 00000000 2901 00000000", 18, 14, 0x06290102},
		{"7203110000000000", 8, 4, 0x03110002},
		{"7000050000000000 00000000 2000 00000000", 13, 99, 0x02},
		{"7203110000000000", 3, 99, 0x02}, /* it is said to be shorter */
		{"7203110000000000", 0, 99, 0x02},
		{"1203110000000000", 8, 99, 0x02},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, cases[i].hex);
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length};
			struct rda_scsi_sense found;

			rda_read_scsi_sense(&c, cases[i].length, &found);
			ck_assert_msg(found.known == (have >= cases[i].at_least), "case %u, %u", i,
				      have);
			ck_assert_uint_eq(rda_scsi_status(2, &found),
					  found.known ? cases[i].status : 2);
			ck_assert_uint_eq(rda_scsi_status(0, &found), 0);
			ck_assert_uint_eq(rda_scsi_status(4, &found), 0); /* CONDITION MET */
			rda_frame_free(&frame);
		}
	}
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(rda_scsi_operation_name(0x28), "READ(10)");
	ck_assert_ptr_null(rda_scsi_operation_name(0xff));
	ck_assert(rda_scsi_is_medium(0x28) && !rda_scsi_is_medium(0x12) &&
		  !rda_scsi_is_medium(0xff));
	ck_assert_str_eq(rda_scsi_status_words(0x05200002), "INVALID COMMAND OPERATION CODE");
	ck_assert_str_eq(rda_scsi_status_words(0x03ff0002), "MEDIUM ERROR");
	ck_assert_str_eq(rda_scsi_status_words(0x18), "RESERVATION CONFLICT");
	ck_assert_ptr_null(rda_scsi_status_words(0x77));
	ck_assert(rda_scsi_status_is_usual(0x89, 0x0e1d0002));
	ck_assert(!rda_scsi_status_is_usual(0x8f, 0x0e1d0002) &&
		  !rda_scsi_status_is_usual(0x89, 0x03110002));
	ck_assert_ptr_null(rda_scsi_sense_key_name(16));
}
END_TEST

Suite *rda_suite_scsi(void)
{
	Suite *suite = suite_create("scsi");
	TCase *tcase = tcase_create("scsi");

	tcase_add_test(tcase, sense);
	tcase_add_test(tcase, words);
	suite_add_tcase(suite, tcase);
	return suite;
}
