/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In what a packet was changed between two taps.
 */
#include "analyzer/taps/changes.h"

#include "dissectors/values.h"
#include "tests/unit/suite.h"

#include <string.h>

static struct rda_hop hop;
static struct rda_passage from, to;

static void setup(void)
{
	memset(&hop, 0, sizeof(hop));
	from = (struct rda_passage){.place = 1, .checked = true, .vouched = true};
	to = (struct rda_passage){.place = 2, .checked = true, .vouched = true};
}

static void teardown(void)
{
	rda_hop_cleanup(&hop);
}

static enum rda_came note(void)
{
	return rda_changes_note(&hop, &(struct rda_passed){&from, &to, .sure = true});
}

START_TEST(nothing)
{
	ck_assert_int_eq(note(), RDA_CAME_WHOLE);
	ck_assert_uint_eq(hop.changed, 0);
	ck_assert_ptr_null(hop.shown);
}
END_TEST

/* In two ways, but it is one packet. */
START_TEST(class_and_mark)
{
	from.dscp = from.outer_dscp = 26;
	to.ecn = RDA_ECN_CE;
	ck_assert_int_eq(note(), RDA_CAME_WHOLE);
	ck_assert_uint_eq(hop.changed, 1);
	ck_assert_uint_eq(hop.dscp_changed, 1);
	ck_assert_uint_eq(hop.ce_set, 1);
	ck_assert_uint_eq(hop.dscp, 26);
	ck_assert_uint_eq(hop.other_dscp, 0);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_uint_eq(hop.shown->places[RDA_HOP_MARKED][i], 1 + i);
		ck_assert_uint_eq(hop.shown->places[RDA_HOP_RECLASSED][i], 1 + i);
	}
	ck_assert_uint_eq(hop.unsure, 0);
	ck_assert(!hop.unvouched);
}
END_TEST

START_TEST(a_class_that_no_checksum_covers)
{
	from.dscp = from.outer_dscp = 26;
	to.vouched = false;
	note();
	ck_assert(hop.unvouched);
}
END_TEST

/* The outer header has at the first tap what the packet's own has where the tunnel has ended. */
START_TEST(a_class_of_the_tunnel)
{
	from.dscp = 26;
	from.outer_dscp = 46;
	to.dscp = 46;
	note();
	ck_assert_uint_eq(hop.dscp_changed, 0);
	to.dscp = 10;
	note();
	ck_assert_uint_eq(hop.dscp_changed, 1);
}
END_TEST

START_TEST(a_torn_header)
{
	from.dscp = 26;
	to.ecn = RDA_ECN_CE;
	to.torn = to.damaged = true;
	ck_assert_int_eq(note(), RDA_CAME_BROKEN);
	ck_assert_uint_eq(hop.dscp_changed, 0);
	ck_assert_uint_eq(hop.ce_set, 0);
	ck_assert_uint_eq(hop.changed, 1);
	ck_assert_uint_eq(hop.icrc_broken, 1);
}
END_TEST

START_TEST(damaged_before_perhaps)
{
	to.damaged = true;
	from.checked = false;
	ck_assert_int_eq(note(), RDA_CAME_DAMAGED);
	ck_assert_uint_eq(hop.icrc_broken, 0);
}
END_TEST

START_TEST(of_a_tap_without_the_icrcs_of_the_wire)
{
	to.damaged = true;
	hop.icrc_absent = true;
	ck_assert_int_eq(note(), RDA_CAME_WHOLE);
	ck_assert_uint_eq(hop.icrc_broken, 0);
}
END_TEST

START_TEST(one_that_may_be_another)
{
	to.damaged = true;
	rda_changes_note(&hop, &(struct rda_passed){&from, &to, .sure = false});
	ck_assert_uint_eq(hop.unsure, 1u << RDA_HOP_DAMAGED);
}
END_TEST

/* It came whole to its receiver: what the second tap captures by has damaged it. */
START_TEST(damaged_and_delivered)
{
	to.damaged = true;
	ck_assert_int_eq(rda_changes_note(&hop, &(struct rda_passed){&from, &to, true, true}),
			 RDA_CAME_WHOLE);
	ck_assert_uint_eq(hop.icrc_broken, 1);
	ck_assert_uint_eq(hop.misread, 1);
	ck_assert_uint_eq(hop.shown->counts[RDA_HOP_DAMAGED], 0);
	ck_assert_uint_eq(hop.shown->counts[RDA_HOP_MISREAD], 2);
}
END_TEST

Suite *rda_suite_changes(void)
{
	Suite *suite = suite_create("changes");
	TCase *tcase = tcase_create("changes");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, nothing);
	tcase_add_test(tcase, class_and_mark);
	tcase_add_test(tcase, a_class_that_no_checksum_covers);
	tcase_add_test(tcase, a_class_of_the_tunnel);
	tcase_add_test(tcase, a_torn_header);
	tcase_add_test(tcase, damaged_before_perhaps);
	tcase_add_test(tcase, of_a_tap_without_the_icrcs_of_the_wire);
	tcase_add_test(tcase, one_that_may_be_another);
	tcase_add_test(tcase, damaged_and_delivered);
	suite_add_tcase(suite, tcase);
	return suite;
}
