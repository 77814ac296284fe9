/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ULPDUs: headers of each operation, lengths that end too early, what breaks the form, and the two
 * forms of Terminate.
 */
#include "dissectors/rdmap.h"

#include "tests/unit/build.h"
#include "tests/unit/suite.h"

static struct rda_ulpdu ulpdu;

/* Reads the bytes, in a block of exactly their size. */
static void read_hex(const char *digits)
{
	struct rda_build b = {0};
	struct rda_frame exact;

	rda_put_hex(&b, digits);
	exact = rda_exact_frame(b.bytes, b.length, b.length, 1);
	rda_read_ulpdu(&ulpdu, exact.bytes, b.length, (uint16_t)b.length);
	rda_frame_free(&exact);
}

START_TEST(a_tagged_write)
{
	read_hex("c1 40 00001100 0000000000001000 aabbccdd");
	ck_assert(ulpdu.tagged && ulpdu.last);
	ck_assert_uint_eq(ulpdu.faults, 0);
	ck_assert_uint_eq(ulpdu.opcode, 0);
	ck_assert_uint_eq(ulpdu.ddp_tagged.stag, 0x1100);
	ck_assert_uint_eq(ulpdu.ddp_tagged.offset, 0x1000);
	ck_assert_uint_eq(ulpdu.headers, 14);
	ck_assert_uint_eq(ulpdu.payload_length, 4);
}
END_TEST

START_TEST(a_send_with_invalidate)
{
	read_hex("41 44 00002200 00000000 00000007 00000000 aabb");
	ck_assert(!ulpdu.tagged && ulpdu.last);
	ck_assert_uint_eq(ulpdu.faults, 0);
	ck_assert_uint_eq(ulpdu.ddp_untagged.invalidate_stag, 0x2200);
	ck_assert_uint_eq(ulpdu.ddp_untagged.msn, 7);
	ck_assert_uint_eq(ulpdu.payload_length, 2);
}
END_TEST

#define READ_REQUEST                                                                               \
	"41 41 00000000 00000001 00000002 00000000 00003300 0000000000000010 00000400 00004400 "   \
	"0000000000000020"

START_TEST(a_read_request)
{
	read_hex(READ_REQUEST);
	ck_assert_uint_eq(ulpdu.faults, 0);
	ck_assert(ulpdu.present & RDA_HAS(RDMAP_READ));
	ck_assert_uint_eq(ulpdu.read.size, 0x400);
	ck_assert_uint_eq(ulpdu.read.source_stag, 0x4400);
	ck_assert_uint_eq(ulpdu.payload_length, 0);
}
END_TEST

/* Cut at every length: short when it ends there, merely not present when the capture does. */
START_TEST(cut_at_every_length)
{
	struct rda_build b = {0};

	rda_put_hex(&b, READ_REQUEST);
	for (uint32_t length = 0; length < b.length; length++) {
		struct rda_frame exact = rda_exact_frame(b.bytes, length, length, 1);

		rda_read_ulpdu(&ulpdu, exact.bytes, length, (uint16_t)length);
		ck_assert_uint_eq(ulpdu.faults, 1u << RDA_ULPDU_FAULT_SHORT);
		rda_read_ulpdu(&ulpdu, exact.bytes, length, (uint16_t)b.length);
		ck_assert_uint_eq(ulpdu.faults, 0);
		ck_assert(!(ulpdu.present & RDA_HAS(RDMAP_READ)));
		rda_frame_free(&exact);
	}
}
END_TEST

START_TEST(what_breaks_the_form)
{
	static const struct {
		const char *bytes;
		enum rda_ulpdu_fault fault;
	} rows[] = {
		{"41 4c 00000000 00000000 00000001 00000000", RDA_ULPDU_FAULT_OPCODE},
		{"41 40 00000000 00000000 00000001 00000000", RDA_ULPDU_FAULT_TAGGED},
		{"c1 43 00000000 00000000 00000001", RDA_ULPDU_FAULT_TAGGED},
		{"41 43 00000000 00000001 00000001 00000000", RDA_ULPDU_FAULT_QUEUE},
		{"42 43 00000000 00000000 00000001 00000000", RDA_ULPDU_FAULT_DDP_VERSION},
		{"41 83 00000000 00000000 00000001 00000000", RDA_ULPDU_FAULT_RDMAP_VERSION},
		{"45 43 00000000 00000000 00000001 00000000", RDA_ULPDU_FAULT_RESERVED},
		{"41 53 00000000 00000000 00000001 00000000", RDA_ULPDU_FAULT_RESERVED},
	};

	for (unsigned i = 0; i < RDA_COUNT(rows); i++) {
		read_hex(rows[i].bytes);
		ck_assert_uint_eq(ulpdu.faults, 1u << rows[i].fault);
	}
}
END_TEST

#define UNTAGGED_TERMINATE "41 47 00000000 00000002 00000001 00000000 "
#define FAILED_WRITE	   " 0022 c1 40 00001100 0000000000001000"

/* As the RFC draws it, and with nibbles and flags the other way round. */
START_TEST(both_forms_of_terminate)
{
	for (unsigned swapped = 0; swapped < 2; swapped++) {
		const struct rda_terminate *t = &ulpdu.terminate;

		read_hex(swapped ? UNTAGGED_TERMINATE "10 01 03 00" FAILED_WRITE
				 : UNTAGGED_TERMINATE "01 01 c0 00" FAILED_WRITE);
		ck_assert_uint_eq(ulpdu.faults, 0);
		ck_assert(t->swapped == (swapped == 1));
		ck_assert_uint_eq(t->layer, 0);
		ck_assert_uint_eq(t->type, 1);
		ck_assert_uint_eq(t->code, 1);
		ck_assert(t->has_length && t->has_ddp && t->tagged && !t->has_rdmap);
		ck_assert_uint_eq(t->length, 0x22);
		ck_assert_uint_eq(t->ddp_tagged.stag, 0x1100);
	}
	ck_assert_str_eq(rda_terminate_words(0, 1, 1), "RDMAP: base or bounds violation");
	ck_assert_str_eq(rda_terminate_words(2, 0, 99), "MPA: error");
	ck_assert_str_eq(rda_terminate_words(9, 9, 9), "unknown reason");
}
END_TEST

Suite *rda_suite_rdmap(void)
{
	Suite *suite = suite_create("rdmap");
	TCase *tcase = tcase_create("rdmap");

	tcase_add_test(tcase, a_tagged_write);
	tcase_add_test(tcase, a_send_with_invalidate);
	tcase_add_test(tcase, a_read_request);
	tcase_add_test(tcase, cut_at_every_length);
	tcase_add_test(tcase, what_breaks_the_form);
	tcase_add_test(tcase, both_forms_of_terminate);
	suite_add_tcase(suite, tcase);
	return suite;
}
