/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that name QPs, and what only looks like one.
 */
#include "analyzer/track/setup/exchange_text.h"

#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

/* The line in memory of its own: a read behind it is found. */
static bool read_line(const char *text, uint32_t length, struct rda_told *told)
{
	uint8_t *bytes = malloc(length ? length : 1);
	bool read;

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, text, length);
	read = rda_exchange_read(bytes, length, told);
	free(bytes);
	return read;
}

#define PERFTEST "0000:0010:00013f:23b79a:00008099:000055f753de8000:"
#define IPV4_GID "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:0a:00:01"
#define IPV6_GID "fd:00:00:10:00:00:00:00:00:00:00:00:00:00:00:01"
#define NO_GID	 "00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00"

/* Keys and addresses, where a line has them. */
START_TEST(memory)
{
	static const struct {
		const char *text;
		uint32_t key;
		uint64_t va;
	} cases[] = {
		{PERFTEST IPV4_GID ":00000000:", 0x8099, 0x55f753de8000},
		{PERFTEST, 0x8099, 0x55f753de8000},
		{"0003:00019b:ecf8ea", 0, 0},
		{"qp 13d 46a5e7 ::ffff:10.10.0.1 3a8 7f45eb44e000\n", 0x3a8, 0x7f45eb44e000},
		{"qp 13d 46a5e7 ::1 ffffffff ffffffffffffffff", UINT32_MAX, UINT64_MAX},
		{"qp 13d 46a5e7 ::1 1ffffffff 1000", 0, 0},
		{"qp 13d 46a5e7 ::1 3a8 1ffffffffffffffff", 0, 0},
		{"qp 13d 46a5e7 ::1 3a8", 0, 0},
		{"qp 13d 46a5e7 ::1 ", 0, 0},
		{"qp 13d 46a5e7 ", 0, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_told told;

		ck_assert(read_line(cases[i].text, (uint32_t)strlen(cases[i].text), &told));
		ck_assert_msg(told.key == cases[i].key && told.va == cases[i].va, "%s",
			      cases[i].text);
	}
}
END_TEST

START_TEST(lines)
{
	static const struct {
		const char *text;
		uint32_t qpn, psn;
		int16_t reads;
		uint8_t kind, last_byte;
	} cases[] = {
		{PERFTEST IPV4_GID ":00000000:", 0x13f, 0x23b79a, 16, RDA_ADDRESS_IP4, 1},
		{PERFTEST IPV6_GID ":", 0x13f, 0x23b79a, 16, RDA_ADDRESS_IP6, 1},
		{PERFTEST NO_GID, 0x13f, 0x23b79a, 16, RDA_ADDRESS_NONE, 0},
		{PERFTEST, 0x13f, 0x23b79a, 16, RDA_ADDRESS_NONE, 0},
		{"0017:0001:00004a:ffffff:00001234:00007f0000000000", 0x4a, 0xffffff, 1,
		 RDA_ADDRESS_LID, 0x17},
		{"0000:00019b:ecf8ea:00000000000000000000ffff0a0a0001", 0x19b, 0xecf8ea, -1,
		 RDA_ADDRESS_IP4, 1},
		{"0003:00019b:ecf8ea:00000000000000000000000000000000", 0x19b, 0xecf8ea, -1,
		 RDA_ADDRESS_LID, 3},
		{"0003:00019b:ecf8ea", 0x19b, 0xecf8ea, -1, RDA_ADDRESS_LID, 3},
		{"qp 13d 46a5e7 ::ffff:10.10.0.1 3a8 7f45eb44e000\n", 0x13d, 0x46a5e7, -1,
		 RDA_ADDRESS_NONE, 0},
		{"qp 2 0", 2, 0, -1, RDA_ADDRESS_NONE, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		uint32_t length = (uint32_t)strlen(cases[i].text);
		struct rda_told told;

		/* with and without the NUL that ends it */
		for (uint32_t more = 0; more < 2; more++) {
			ck_assert_msg(read_line(cases[i].text, length + more, &told), "%s",
				      cases[i].text);
			ck_assert_uint_eq(told.qpn, cases[i].qpn);
			ck_assert_uint_eq(told.psn, cases[i].psn);
			ck_assert_int_eq(told.reads, cases[i].reads);
			ck_assert_uint_eq(told.address.kind, cases[i].kind);
			ck_assert_uint_eq(told.address.bytes[15], cases[i].last_byte);
		}
	}
}
END_TEST

START_TEST(what_is_none)
{
	static const char *const cases[] = {
		"",
		"done",
		"6.06",
		"qp ",
		"qp x 1",
		"qp 12",
		"qp 12 z",
		"qp 1234567 1",
		"qp 1 46a5e7",		     /* QP 1 */
		"0000:000001:ecf8ea",	     /* QP 1 again */
		"0000:00019b:ecf8e",	     /* cut */
		"0000:00019b:ecf8eab",	     /* a digit more */
		"0000:00019b-ecf8ea",	     /* */
		"0000:00019B:ecf8ea",	     /* programs write small letters */
		"GET / HTTP/1.1\r\nHost: x", /* another protocol */
		"0000:0001:00013f:23b79a:00008099",
	};
	struct rda_told told;

	for (unsigned i = 0; i < RDA_COUNT(cases); i++)
		ck_assert_msg(!read_line(cases[i], (uint32_t)strlen(cases[i]), &told), "%s",
			      cases[i]);
}
END_TEST

/* Every beginning of a line is read without looking behind it. */
START_TEST(cut_lines)
{
	static const char line[] = PERFTEST IPV4_GID ":00000000:";
	struct rda_told told;

	for (uint32_t length = 0; length < sizeof(line); length++)
		ck_assert_int_eq(read_line(line, length, &told), length >= strlen(PERFTEST) - 1);
}
END_TEST

Suite *rda_suite_exchange_text(void)
{
	Suite *suite = suite_create("exchange_text");
	TCase *tcase = tcase_create("exchange_text");

	tcase_add_test(tcase, lines);
	tcase_add_test(tcase, memory);
	tcase_add_test(tcase, what_is_none);
	tcase_add_test(tcase, cut_lines);
	suite_add_tcase(suite, tcase);
	return suite;
}
