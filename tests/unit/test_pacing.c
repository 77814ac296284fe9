/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By what CNPs are paced, of receivers that do it by one or the other; and where nobody can tell.
 */
#include "analyzer/facts/pacing.h"

#include "analyzer/track/congestion/mark_log.h"
#include "tests/unit/flow_list.h"
#include "tests/unit/suite.h"

#include <glib.h>

enum { US = 1000, PACE = 50 * US, QPS = 4 };

/* QPs of `per_host` to a host, that are marked by turns; one CNP in PACE by `by`. */
static uint8_t told(unsigned qps, unsigned per_host, unsigned by, int64_t between_ns,
		    struct rda_pacing *pacing)
{
	struct rda_flow flows[QPS] = {0};
	struct rda_flow_facts facts[QPS] = {0};
	int64_t latest[QPS] = {-PACE, -PACE, -PACE, -PACE};
	struct rda_pacings pacings;
	GRand *random = g_rand_new_with_seed(1);
	uint8_t said;

	for (int64_t now = 0; now < 5000 * US; now += between_ns) {
		unsigned qp = (unsigned)g_rand_int_range(random, 0, (gint)qps);
		unsigned scope = by == RDA_PACING_OF_QP	    ? qp
				 : by == RDA_PACING_OF_PAIR ? qp / per_host
							    : 0;

		rda_mark_log_mark(&flows[qp], now);
		if (now - latest[scope] < PACE)
			continue;
		latest[scope] = now;
		rda_mark_log_notice(&flows[qp], now + US, 1);
	}
	for (unsigned i = 0; i < qps; i++) {
		facts[i].key.source.kind = facts[i].key.destination.kind = RDA_ADDRESS_IP4;
		facts[i].key.source.bytes[15] = (uint8_t)(1 + i / per_host);
		facts[i].key.destination.bytes[15] = 99;
		facts[i].first_place = i + 1;
		facts[i].mark_log = rda_flow_rare(&flows[i])->mark_log;
	}
	rda_pacings_of(&pacings, rda_flow_list(facts, qps), qps);
	ck_assert_uint_eq(pacings.count, 1);
	*pacing = pacings.list[0];
	said = pacings.list[0].by;
	rda_pacings_cleanup(&pacings);
	for (unsigned i = 0; i < qps; i++)
		rda_flow_cleanup(&flows[i]);
	g_rand_free(random);
	return said;
}

START_TEST(by_qp_by_pair_and_by_port)
{
	static const struct {
		unsigned qps, per_host, by;
		uint8_t told;
	} cases[] = {
		{4, 2, RDA_PACING_OF_QP, RDA_PACING_QP},
		{4, 2, RDA_PACING_OF_PAIR, RDA_PACING_PAIR},
		{4, 2, RDA_PACING_OF_PORT, RDA_PACING_PORT},
		{4, 1, RDA_PACING_OF_QP, RDA_PACING_QP_OR_PAIR},
		{4, 1, RDA_PACING_OF_PORT, RDA_PACING_PORT},
		{4, 4, RDA_PACING_OF_QP, RDA_PACING_QP},
		{4, 4, RDA_PACING_OF_PORT, RDA_PACING_PAIR_OR_PORT},
		{1, 1, RDA_PACING_OF_QP, RDA_PACING_UNKNOWN},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rda_pacing pacing;
		uint8_t by = told(cases[i].qps, cases[i].per_host, cases[i].by, 2 * US, &pacing);

		ck_assert_msg(by == cases[i].told, "case %u: %u", i, by);
		ck_assert_int_ge(pacing.spacing_ns[cases[i].by], PACE);
		ck_assert_int_lt(pacing.spacing_ns[cases[i].by], PACE + PACE / 5);
		ck_assert_uint_le(pacing.expected[cases[i].by], pacing.cnps);
		ck_assert_uint_ge(pacing.expected[cases[i].by] * 100, pacing.cnps * 80);
	}
}
END_TEST

/* Each mark has its CNP: any pace is as good as the other. */
START_TEST(marks_that_are_rare_tell_nothing)
{
	struct rda_pacing pacing;

	ck_assert_uint_eq(told(4, 2, RDA_PACING_OF_QP, 100 * US, &pacing), RDA_PACING_UNKNOWN);
	ck_assert_uint_eq(pacing.marks, pacing.cnps);
}
END_TEST

/* A full log ends what is known of all; another tap's does not, nor is its clock that of this one.
 */
START_TEST(each_tap_has_its_own_clock)
{
	enum { FLOWS = 4, MANY = 2000 };
	struct rda_flow flows[FLOWS] = {0};
	struct rda_flow_facts facts[FLOWS] = {0};
	struct rda_pacings pacings;

	for (unsigned i = 0; i < FLOWS; i++) { /* 0 is full, 1 beside it, 2 and 3 elsewhere */
		unsigned count = i == 0 ? MANY : 200;
		int64_t gap_ns = i == 0 ? 2 * US : 100 * US;

		for (unsigned k = 0; k < count; k++)
			rda_mark_log_notice(&flows[i], k * gap_ns, 1);
		facts[i].key.source.kind = facts[i].key.destination.kind = RDA_ADDRESS_IP4;
		facts[i].first_place = rda_place_id(i == 2, i + 1);
		facts[i].key.tap = i == 3;
		facts[i].mark_log = rda_flow_rare(&flows[i])->mark_log;
	}
	rda_pacings_of(&pacings, rda_flow_list(facts, FLOWS), FLOWS);
	ck_assert_uint_eq(pacings.count, 3);
	ck_assert_uint_eq(pacings.list[0].qps, 2);
	ck_assert_uint_eq(pacings.list[0].cnps, RDA_MARKINGS_KEPT + 21);
	ck_assert_uint_eq(pacings.list[0].left_out, MANY - RDA_MARKINGS_KEPT + 200 - 21);
	for (unsigned i = 1; i < 3; i++) {
		ck_assert_uint_eq(pacings.list[i].capture, i == 2);
		ck_assert_uint_eq(pacings.list[i].tap, i == 1);
		ck_assert_uint_eq(pacings.list[i].qps, 1);
		ck_assert_uint_eq(pacings.list[i].cnps, 200);
		ck_assert_uint_eq(pacings.list[i].left_out, 0);
	}
	rda_pacings_cleanup(&pacings);
	for (unsigned i = 0; i < FLOWS; i++)
		rda_flow_cleanup(&flows[i]);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(rda_pacing_name(RDA_PACING_PAIR_OR_PORT), "pair_or_port");
	ck_assert_str_eq(rda_pacing_words(RDA_PACING_QP), "QP");
	ck_assert_ptr_null(rda_pacing_name(RDA_PACING_UNKNOWN));
}
END_TEST

Suite *rda_suite_pacing(void)
{
	Suite *suite = suite_create("pacing");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, by_qp_by_pair_and_by_port);
	tcase_add_test(tests, marks_that_are_rare_tell_nothing);
	tcase_add_test(tests, each_tap_has_its_own_clock);
	tcase_add_test(tests, names);
	suite_add_tcase(suite, tests);
	return suite;
}
