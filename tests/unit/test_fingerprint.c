/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tells a packet from others, and what hops may change of it.
 */
#include "analyzer/taps/fingerprint.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

static struct rda_fingerprint print_of(const struct rda_recipe *recipe, uint32_t captured)
{
	struct rda_fingerprint print;
	struct rda_packet packet;
	struct rda_built built;
	struct rda_frame frame;

	rda_build_packet(&built, recipe);
	if (!captured || captured > built.b.length)
		captured = built.b.length;
	frame = (struct rda_frame){built.b.bytes, captured, built.b.length, built.link};
	rda_dissect(&packet, &frame, NULL);
	ck_assert(rda_fingerprint_of(&print, &frame, &packet));
	return print;
}

START_TEST(marks_on_the_way_do_not_matter)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, 0x04, 5);
	struct rda_fingerprint sent = print_of(&recipe, 0), seen;

	recipe.ecn = 3;
	recipe.becn = true;
	seen = print_of(&recipe, 0);
	ck_assert_uint_eq(sent.hash, seen.hash);
	ck_assert_uint_eq(sent.flow, seen.flow);
	ck_assert_uint_eq(seen.sequence, 5);
}
END_TEST

START_TEST(each_transmission_has_its_own)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, 0x04, 5), other = recipe;
	struct rda_fingerprint one = print_of(&recipe, 0);

	other.ip_id_by = 1; /* sent again */
	ck_assert_uint_ne(one.hash, print_of(&other, 0).hash);
	ck_assert_uint_eq(one.flow, print_of(&other, 0).flow);
	other = rda_packet_of(1, 2, 0x11, 0x04, 6);
	ck_assert_uint_ne(one.hash, print_of(&other, 0).hash);
	other = rda_packet_of(2, 1, 0x11, 0x04, 5);
	ck_assert_uint_ne(one.flow, print_of(&other, 0).flow);
	other = rda_packet_of(1, 2, 0x12, 0x04, 5);
	ck_assert_uint_ne(one.flow, print_of(&other, 0).flow);
}
END_TEST

START_TEST(a_cut_packet_lacks_its_icrc)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, 0x04, 5);
	struct rda_fingerprint whole = print_of(&recipe, 0), cut = print_of(&recipe, 55);

	ck_assert(whole.has_icrc);
	ck_assert(!cut.has_icrc);
	ck_assert_uint_eq(whole.hash, cut.hash);
}
END_TEST

START_TEST(other_frames_have_none)
{
	uint8_t other[60] = {[12] = 0x08, [13] = 0x06}; /* ARP */
	struct rda_frame frame = {other, sizeof(other), sizeof(other), 1};
	struct rda_fingerprint print;
	struct rda_packet packet;

	rda_dissect(&packet, &frame, NULL);
	ck_assert(!rda_fingerprint_of(&print, &frame, &packet));
}
END_TEST

Suite *rda_suite_fingerprint(void)
{
	Suite *suite = suite_create("fingerprint");
	TCase *tcase = tcase_create("fingerprint");

	tcase_add_test(tcase, marks_on_the_way_do_not_matter);
	tcase_add_test(tcase, each_transmission_has_its_own);
	tcase_add_test(tcase, a_cut_packet_lacks_its_icrc);
	tcase_add_test(tcase, other_frames_have_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
