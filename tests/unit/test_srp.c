/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Units of SRP cut anywhere, buffers in all formats, logins, and the words of the standard.
 */
#include "dissectors/ulp/srp.h"

#include "tests/unit/srp_feed.h"
#include "tests/unit/reference.h"
#include "tests/unit/suite.h"

#define COMMAND "02 00 000000 01 00 00 0700000000000000 00000000 0003000000000000 00 00 00 00"
#define CDB	"28000000000000000800000000000000"
#define DIRECT	"00000000deadb000 00001234 00001000"

static struct rda_cursor cursor_of(const struct rda_build *b)
{
	return (struct rda_cursor){b->bytes, 0, b->length, b->length};
}

START_TEST(a_command)
{
	struct rda_build b = {0};

	rda_put_hex(&b, COMMAND CDB DIRECT);
	ck_assert_uint_eq(b.length, 64);
	for (uint32_t have = 0; have <= b.length; have++) {
		struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
		struct rda_cursor c = {frame.bytes, 0, have, b.length};
		struct rda_srp_buffers at = {0};
		struct rda_srp_memory memory;
		struct rda_srp srp;

		ck_assert(rda_read_srp(&c, &srp) == (have >= 48));
		ck_assert(rda_srp_is_request(frame.bytes, have, false) == (have == 64));
		ck_assert(rda_srp_is_request(frame.bytes, have, true) == (have >= 48));
		if (have >= 48) {
			ck_assert_uint_eq(srp.tag, UINT64_C(0x0700000000000000));
			ck_assert_uint_eq(srp.lun, 3);
			ck_assert_uint_eq(srp.cdb, 0x28);
			ck_assert(rda_srp_next_memory(&c, &srp, &at, &memory) == (have == 64));
			ck_assert(at.cut == (have < 64));
		}
		if (have == 64) {
			ck_assert_uint_eq(memory.address, 0xdeadb000);
			ck_assert_uint_eq(memory.key, 0x1234);
			ck_assert_uint_eq(memory.length, 4096);
			ck_assert(!memory.is_table);
			ck_assert(!rda_srp_next_memory(&c, &srp, &at, &memory));
			ck_assert_uint_eq(at.bytes, 4096);
		}
		rda_frame_free(&frame);
	}
}
END_TEST

START_TEST(every_unit_cut_at_every_length)
{
	static const uint8_t types[] = {
#define RDA_U(type, ID, bytes) type,
		RDA_SRP_UNITS(RDA_U)
#undef RDA_U
	};
	static const uint32_t bytes[] = {
#define RDA_U(type, ID, bytes) bytes,
		RDA_SRP_UNITS(RDA_U)
#undef RDA_U
	};

	for (unsigned i = 0; i < RDA_COUNT(types); i++) {
		struct rda_build b = {0};

		rda_put8(&b, types[i]);
		rda_put_hex(&b, "000000 fffffffe 0000000000000009");
		rda_put_zeros(&b, 64);
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length};
			struct rda_srp srp;

			ck_assert(rda_read_srp(&c, &srp) == (have >= bytes[i]));
			for (unsigned expected = 0; expected < 2; expected++)
				ck_assert(!rda_srp_is_request(frame.bytes, have, expected));
			if (have >= bytes[i]) {
				ck_assert_uint_eq(c.offset, bytes[i]);
				ck_assert_uint_eq(srp.type, types[i]);
				ck_assert_uint_eq(srp.tag, 9);
				/* in CMD there are other things, in these a reason */
				ck_assert_int_eq(srp.limit,
						 types[i] > 0x80 && types[i] != 0xc2 ? -2 : 0);
			}
			rda_frame_free(&frame);
		}
	}
}
END_TEST

START_TEST(what_is_none)
{
	static const struct {
		uint8_t at, value;
		bool expected;
	} changes[] = {
		{0, 0xc1, false}, {0, 0x05, false}, {0, 0x03, false}, {1, 0x01, false},
		{3, 1, false},	  {16, 1, false},   {28, 1, false},   {29, 8, false},
		{31, 1, false},	  {32, 0xee, true}, {5, 0, true},     {5, 0x04, true},
		{62, 0, true},	  {31, 4, true},
	};

	for (unsigned i = 0; i < RDA_COUNT(changes); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, COMMAND CDB DIRECT);
		b.bytes[changes[i].at] = changes[i].value;
		ck_assert_msg(!rda_srp_is_request(b.bytes, b.length, false), "change %u", i);
		ck_assert_msg(rda_srp_is_request(b.bytes, b.length, true) == changes[i].expected,
			      "change %u, behind a login", i);
	}
}
END_TEST

/* Descriptors, and what is said of them. */
START_TEST(buffers)
{
	static const struct {
		uint8_t formats, out, in, more_cdb;
		const char *hex;
		unsigned data, tables;
		uint64_t bytes, inside;
		bool cut, table;
	} cases[] = {
		{0, 0, 0, 0, "", 0, 0, 0, 0, false, false},
		{0x10, 0, 0, 0, DIRECT, 1, 0, 4096, 0, false, false},
		{0x11, 0, 0, 0, DIRECT DIRECT, 2, 0, 8192, 0, false, false},
		{0x01, 0, 0, 16, "00000000000000000000000000000000" DIRECT, 1, 0, 4096, 0, false,
		 false},
		/* both descriptors of a table of two; one of them */
		{0x02, 0, 2, 0, "0000000000000000 00000001 00000020 00002000" DIRECT DIRECT, 2, 1,
		 8192, 0, false, false},
		{0x02, 0, 1, 0, "0000000000000000 00000001 00000020 00002000" DIRECT, 1, 1, 8192, 0,
		 false, true},
		{0x21, 0, 9, 0, "0000000000000000 00000001 00000020 00002000" DIRECT, 1, 1, 12288,
		 0, false, true},
		{0x30, 0, 0, 0, "00000200", 0, 0, 512, 512, false, false},
		{0x02, 0, 200, 0, "0000000000000000 00000001 00000020 00002000" DIRECT, 1, 1, 8192,
		 0, true, false},
		{0x04, 0, 0, 0, DIRECT, 0, 0, 0, 0, true, false},
		{0x01, 0, 0, 252, DIRECT, 0, 0, 0, 0, true, false},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_srp srp = {.formats = cases[i].formats,
					    .descriptors = {cases[i].out, cases[i].in},
					    .more_cdb = cases[i].more_cdb};
		struct rda_srp_buffers at = {0};
		struct rda_srp_memory memory;
		unsigned data = 0, tables = 0;
		struct rda_build b = {0};
		struct rda_cursor c;

		rda_put_hex(&b, cases[i].hex);
		c = cursor_of(&b);
		while (rda_srp_next_memory(&c, &srp, &at, &memory)) {
			data += !memory.is_table;
			tables += memory.is_table;
		}
		RDA_CHECK(data == cases[i].data && tables == cases[i].tables, "case %u", i);
		RDA_CHECK(at.bytes == cases[i].bytes, "case %u", i);
		RDA_CHECK(at.inside == cases[i].inside, "case %u", i);
		RDA_CHECK(at.cut == cases[i].cut, "case %u", i);
		RDA_CHECK(at.table == cases[i].table, "case %u", i);
		RDA_CHECK(!rda_srp_next_memory(&c, &srp, &at, &memory), "case %u", i);
	}
}
END_TEST

START_TEST(responses)
{
	static const struct {
		const char *data;
		uint8_t flags, status;
		uint32_t response, sense, is;
	} cases[] = {
		{"", 0, 0, 0, 0, 0},
		{"", 0, 4, 0, 0, 0},
		{"", 0, 8, 0, 0, 8},
		{"00000004", 1, 0, 4, 0, 0x10000004},
		{"00000000", 1, 0, 4, 0, 0},
		{"000000", 1, 0, 4, 0, 0},   /* cut */
		{"00000004", 0, 0, 4, 0, 0}, /* not valid */
		{"7000030000000000 00000000 1100", 2, 2, 0, 14, 0x03110002},
		{"00000000 7203110000000000", 3, 2, 4, 8, 0x03110002},
		{"7000030000000000 00000000 1100", 0, 2, 0, 14, 2},
		{"", 3, 2, UINT32_MAX, UINT32_MAX, 2},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_srp srp = {.flags = cases[i].flags,
					    .status = cases[i].status,
					    .response = cases[i].response,
					    .sense = cases[i].sense};
		struct rda_build b = {0};
		struct rda_cursor c;

		rda_put_hex(&b, cases[i].data);
		c = cursor_of(&b);
		ck_assert_msg(rda_srp_read_status(&c, &srp) == cases[i].is, "case %u", i);
	}
	ck_assert_uint_eq(rda_srp_residual(&(struct rda_srp){.flags = 0x28, .residual = {3, 4}}),
			  7);
	ck_assert_uint_eq(rda_srp_residual(&(struct rda_srp){.flags = 0x14, .residual = {3, 4}}),
			  0);
}
END_TEST

START_TEST(logins)
{
	static const struct {
		const char *hex;
		uint32_t bytes;
		bool compact;
	} cases[] = {{RDA_SRP_LOGIN_HEX, 64, false}, {RDA_SRP_COMPACT_HEX, 56, true}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, cases[i].hex);
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length}, other = c;
			struct rda_srp srp;

			ck_assert(rda_srp_read_login_request(&c, cases[i].compact, &srp) ==
				  (have >= cases[i].bytes));
			if (have >= cases[i].bytes)
				ck_assert_uint_eq(srp.it_bytes, 0x1034);
			ck_assert(!rda_srp_read_login_request(&other, !cases[i].compact, &srp));
			rda_frame_free(&frame);
		}
	}
}
END_TEST

START_TEST(answers_to_a_login)
{
	static const struct {
		const char *hex;
		bool is;
	} cases[] = {
		{"c0 000000 00000040 0000000000000000 00001034 00001034 0006 80", true},
		{"c0 000000 ffffffff 0000000000000000 00001034 00001034 0006 80", false},
		{"c0 000001 00000040 0000000000000000 00001034 00001034 0006 80", false},
		{"c0 000000 00000040 0000000000000000 00000010 00001034 0006 80", false},
		{"c2 000000 00010006 0000000000000000 0000000000000000 0006", true},
		{"c2 000000 00020006 0000000000000000 0000000000000000 0006", false},
		{"c2 000000 00010006 0000000000000000 0000000000000001 0006", false},
		{"c1 000000 00010006 0000000000000000 0000000000000000 0006", false},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};
		struct rda_cursor c;
		struct rda_srp srp;

		rda_put_hex(&b, cases[i].hex);
		rda_put_zeros(&b, 60 - b.length);
		c = cursor_of(&b);
		ck_assert_msg(rda_srp_read_login_answer(&c, &srp) == cases[i].is, "case %u", i);
		c = (struct rda_cursor){b.bytes, 0, 31, b.length};
		ck_assert_msg(!rda_srp_read_login_answer(&c, &srp), "case %u, cut", i);
	}
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(rda_srp_operation_name(0x00), "Login");
	ck_assert_str_eq(rda_srp_operation_name(0x128), "READ(10)");
	ck_assert_str_eq(rda_srp_operation_name(0x208), "LOGICAL UNIT RESET");
	ck_assert_ptr_null(rda_srp_operation_name(0x203));
	ck_assert_str_eq(rda_srp_status_words(0x18), "RESERVATION CONFLICT");
	ck_assert_str_eq(rda_srp_status_words(rda_srp_status_of(RDA_SRP_CLASS_LOGIN, 0x10001)),
			 "Insufficient RDMA channel resources");
	ck_assert_str_eq(rda_srp_status_words(rda_srp_status_of(RDA_SRP_CLASS_LOGOUT, 2)),
			 "Invalid information unit type");
	ck_assert_ptr_null(rda_srp_status_words(rda_srp_status_of(RDA_SRP_CLASS_RESPONSE, 9)));
	ck_assert(rda_srp_status_is_usual(rda_srp_status_of(RDA_SRP_CLASS_LOGOUT, 4)));
	ck_assert(!rda_srp_status_is_usual(rda_srp_status_of(RDA_SRP_CLASS_LOGOUT, 2)) &&
		  !rda_srp_status_is_usual(rda_srp_status_of(RDA_SRP_CLASS_RESPONSE, 4)));
}
END_TEST

Suite *rda_suite_srp(void)
{
	Suite *suite = suite_create("srp");
	TCase *tcase = tcase_create("srp");

	tcase_add_test(tcase, a_command);
	tcase_add_test(tcase, every_unit_cut_at_every_length);
	tcase_add_test(tcase, what_is_none);
	tcase_add_test(tcase, buffers);
	tcase_add_test(tcase, responses);
	tcase_add_test(tcase, logins);
	tcase_add_test(tcase, answers_to_a_login);
	tcase_add_test(tcase, words);
	suite_add_tcase(suite, tcase);
	return suite;
}
