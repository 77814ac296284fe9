/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as text.
 */
#include "analyzer/report/address.h"
#include "tests/unit/suite.h"

static const struct {
	struct rda_address address;
	const char *text;
} rows[] = {
	{{{0}, RDA_ADDRESS_NONE}, ""},
	{{{[10] = 0xff, 0xff, 10, 10, 0, 1}, RDA_ADDRESS_IP4}, "10.10.0.1"},
	{{{0xfd, 0, 0, 0x10, [15] = 1}, RDA_ADDRESS_IP6}, "fd00:10::1"},
	{{{[10] = 0xff, 0xff, 10, 10, 0, 1}, RDA_ADDRESS_IP6}, "::ffff:10.10.0.1"},
	{{{[14] = 0xff, 0xff}, RDA_ADDRESS_LID}, "LID 65535"},
};

START_TEST(every_kind_has_its_text)
{
	char text[RDA_ADDRESS_TEXT];

	ck_assert_str_eq(rda_address_text(text, &rows[_i].address), rows[_i].text);
}
END_TEST

START_TEST(the_longest_fits)
{
	static const uint8_t bytes[16] = {0x20, 0x01, 0x1d, 0xb8, 0x12, 0x34, 0x56, 0x78,
					  0x9a, 0xbc, 0xde, 0xf0, 0x12, 0x34, 0x56, 0x78};
	char text[RDA_ADDRESS_TEXT], mac[RDA_MAC_TEXT];

	ck_assert_str_eq(rda_ip6_text(text, bytes), "2001:1db8:1234:5678:9abc:def0:1234:5678");
	ck_assert_str_eq(rda_mac_text(mac, bytes), "20:01:1d:b8:12:34");
}
END_TEST

Suite *rda_suite_address(void)
{
	Suite *suite = suite_create("address");
	TCase *tc = tcase_create("address");

	tcase_add_loop_test(tc, every_kind_has_its_text, 0, RDA_COUNT(rows));
	tcase_add_test(tc, the_longest_fits);
	suite_add_tcase(suite, tc);
	return suite;
}
