/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as text: against what inet_ntop writes.
 */
#include "analyzer/base/address.h"

#include "tests/unit/suite.h"

#include <arpa/inet.h>
#include <string.h>

static void check(const struct rda_address *address, const char *expected)
{
	char text[RDA_ADDRESS_TEXT];

	ck_assert_str_eq(rda_address_text(text, address), expected);
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

START_TEST(bytes_as_text)
{
	static const uint8_t bytes[16] = {0x20, 0x01, 0x1d, 0xb8, 0x12, 0x34, 0x56, 0x78,
					  0x9a, 0xbc, 0xde, 0xf0, 0x12, 0x34, 0x56, 0x78};
	char text[RDA_ADDRESS_TEXT], mac[RDA_MAC_TEXT];

	/* the longest */
	ck_assert_str_eq(rda_address_ip6_text(text, bytes),
			 "2001:1db8:1234:5678:9abc:def0:1234:5678");
	ck_assert_str_eq(rda_address_ip4_text(text, bytes), "32.1.29.184");
	ck_assert_str_eq(rda_address_mac_text(mac, bytes), "20:01:1d:b8:12:34");
}
END_TEST

START_TEST(a_pair_has_no_order)
{
	struct rda_address one = {.bytes = {[15] = 1}, .kind = RDA_ADDRESS_IP4}, other = one, lid;

	other.bytes[15] = 2;
	lid = other;
	lid.kind = RDA_ADDRESS_LID;
	ck_assert_uint_eq(rda_address_pair(&one, &other), rda_address_pair(&other, &one));
	ck_assert_uint_ne(rda_address_pair(&one, &other), rda_address_pair(&one, &lid));
	ck_assert_uint_ne(rda_address_pair(&one, &other), rda_address_pair(&one, &one));
	ck_assert_uint_ne(rda_address_pair(&one, &one), 0);
}
END_TEST

/* Pairs of neighbours fall into all classes, as those of a rack do: that is what threads share. */
START_TEST(neighbours_are_of_many_classes)
{
	unsigned pairs[RDA_SHARES] = {0};

	for (unsigned i = 0; i < 8 * RDA_SHARES; i++) {
		struct rda_address one = {.bytes = {[10] = 0xff, 0xff, 10}, RDA_ADDRESS_IP4};
		struct rda_address other = one;

		one.bytes[14] = (uint8_t)(i >> 6);
		one.bytes[15] = (uint8_t)(i * 4);
		other.bytes[14] = one.bytes[14];
		other.bytes[15] = (uint8_t)(i * 4 + 1);
		pairs[rda_share_class(rda_address_pair(&one, &other))]++;
	}
	for (unsigned class = 0; class < RDA_SHARES; class ++)
		RDA_CHECK(pairs[class] > 0 && pairs[class] < 30, "class %u: %u", class,
			  pairs[class]);
}
END_TEST

START_TEST(compared_by_kind_then_by_bytes)
{
	struct rda_address one = {.kind = RDA_ADDRESS_IP4}, other = one;

	ck_assert_int_eq(rda_address_compare(&one, &other), 0);
	other.bytes[15] = 1;
	ck_assert_int_lt(rda_address_compare(&one, &other), 0);
	one.kind = RDA_ADDRESS_IP6;
	ck_assert_int_gt(rda_address_compare(&one, &other), 0);
	other.kind = RDA_ADDRESS_IP6;
	for (unsigned at = 0; at < sizeof(one.bytes); at++) {
		/* the first byte that differs decides, whatever is behind it */
		memset(one.bytes, 0x55, sizeof(one.bytes));
		memset(other.bytes, 0x55, sizeof(other.bytes));
		memset(one.bytes + at, 0xff, sizeof(one.bytes) - at);
		memset(other.bytes + at, 0x7f, sizeof(other.bytes) - at);
		other.bytes[sizeof(other.bytes) - 1] = 0xfe;
		ck_assert_int_gt(rda_address_compare(&one, &other), 0);
		ck_assert_int_lt(rda_address_compare(&other, &one), 0);
	}
}
END_TEST

Suite *rda_suite_address(void)
{
	Suite *suite = suite_create("address");
	TCase *tcase = tcase_create("address");

	tcase_add_test(tcase, ip6_as_rfc_5952_wants_it);
	tcase_add_test(tcase, the_others);
	tcase_add_test(tcase, compared_by_kind_then_by_bytes);
	tcase_add_test(tcase, bytes_as_text);
	tcase_add_test(tcase, a_pair_has_no_order);
	tcase_add_test(tcase, neighbours_are_of_many_classes);
	suite_add_tcase(suite, tcase);
	return suite;
}
