/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in sentences: against what inet_ntop writes.
 */
#include "analyzer/base/put_address.h"

#include "tests/unit/suite.h"

#include <arpa/inet.h>
#include <string.h>

static void check(const struct rda_address *address, const char *expected)
{
	GString *text = g_string_new("to ");

	rda_put_address(text, address);
	ck_assert_str_eq(text->str + 3, expected);
	g_string_free(text, TRUE);
}

START_TEST(ip6_as_rfc_5952_wants_it)
{
	static const char *const cases[] = {
		"::",
		"::1",
		"1::",
		"fe80::1",
		"fd00:10::2",
		"2001:db8:0:1:1:1:1:1",
		"2001:db8::1:0:0:1",
		"1:2:3:4:5:6:7:8",
		"0:1::",
		"1:0:0:2::3",
		"ff02::1:ff00:0",
		"::ffff:10.0.0.255", /* the forms that end in an IPv4 address */
		"::1.2.3.4",
		"::ffff:1:a00:ff",
		"::1:0:0",
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_address address = {.kind = RDA_ADDRESS_IP6};

		ck_assert_int_eq(inet_pton(AF_INET6, cases[i], address.bytes), 1);
		check(&address, cases[i]);
	}
}
END_TEST

START_TEST(the_others)
{
	struct rda_address address = {.kind = RDA_ADDRESS_IP4};

	memcpy(address.bytes + 12, "\x0a\x0a\x00\xff", 4);
	check(&address, "10.10.0.255");
	address.kind = RDA_ADDRESS_LID;
	check(&address, "LID 255");
	address.kind = RDA_ADDRESS_NONE;
	check(&address, "");
}
END_TEST

Suite *rda_suite_put_address(void)
{
	Suite *suite = suite_create("put_address");
	TCase *tcase = tcase_create("put_address");

	tcase_add_test(tcase, ip6_as_rfc_5952_wants_it);
	tcase_add_test(tcase, the_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
