/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits after RNR NAKs. The ACK timer needs a connection that was set up: tests/scenarios/timing.
 */
#include "analyzer/checks/time/state.h"

#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>

/* RNR NAKs of these codes, each followed by a resend after so many microseconds; 0: by none. */
static const struct {
	const char *name;
	struct {
		uint8_t code;
		int64_t waited_us;
	} waits[4];
	unsigned count;
	const char *text; /* NULL: nothing to say */
} rows[] = {
	{"no NAK", {{0, 0}}, 0, NULL},
	{"about as long as asked", {{20, 11000}, {20, 10300}}, 2, NULL},
	{"twice as long",
	 {{14, 2600}},
	 1,
	 "1 wait for a receiver that was not ready: it asked for 1.28 ms, the requester waited "
	 "2.6 ms (median), 2.6 ms in all."},
	{"the longest code",
	 {{0, 660000}},
	 1,
	 "1 wait for a receiver that was not ready: it asked for 655 ms (the code that rdma_cm "
	 "leaves it at), the requester waited 660 ms (median), 660 ms in all."},
	{"the longest code, and nothing is resent", {{0, 0}}, 1, NULL},
	{"two codes",
	 {{12, 5000}, {14, 5000}, {14, 6000}},
	 3,
	 "3 waits for a receiver that was not ready: it asked for 640 us to 1.28 ms, the requester "
	 "waited 5 ms (median), 16 ms in all."},
};

static const struct rda_at checked = {.icrc = RDA_ICRC_CHECK_MATCH};

START_TEST(after_an_rnr_nak)
{
	struct rda_waits *waits = g_new0(struct rda_waits, 1);
	struct rda_flow flow = {.index = 0};
	const struct rda_finding *finding;
	struct rda_judge judge;
	struct rda_table flows;

	for (unsigned i = 0; i < rows[_i].count; i++) {
		struct rda_event refused = {.syndrome = 0x20 | rows[_i].waits[i].code};
		struct rda_event resent = {
			.wait_ns = rows[_i].waits[i].waited_us * 1000,
			.frame = 2 * i + 2,
			.other_frame = 2 * i + 1,
		};

		rda_waits_refused(waits, &checked, &refused);
		if (resent.wait_ns)
			rda_waits_resent(waits, &resent);
	}
	rda_judge_init(&judge, 0);
	rda_table_init(&flows, sizeof(struct rda_flow_key), sizeof(struct rda_flow), 0);
	rda_waits_end(waits, &judge, &flow);
	finding = rda_finding_find(&judge.findings, RDA_CHECK_T09, rda_about_flow(&flow));
	ck_assert_int_eq(finding != NULL, rows[_i].text != NULL);
	if (finding) {
		ck_assert_str_eq(rda_said_by(finding), rows[_i].text);
		ck_assert_uint_eq(finding->count, waits->all.waited.count);
		ck_assert_uint_eq(finding->place_count, 2);
	}
	rda_judge_cleanup(&judge, &flows);
	rda_table_cleanup(&flows, NULL);
	rda_waits_free(waits);
}
END_TEST

/* Who asked is checked of some: these alone are told, if they say as much. */
START_TEST(of_checked_and_others)
{
	static const struct rda_at unchecked = {.icrc = RDA_ICRC_CHECK_NONE};
	static const struct {
		int64_t checked_us, unchecked_us;
		enum rda_proof proof;
		uint64_t count;
	} cases[] = {
		{2600, 90000, RDA_PROOF_PROVEN, 1},
		{1300, 90000, RDA_PROOF_SUSPECTED, 2},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rda_waits *waits = g_new0(struct rda_waits, 1);
		struct rda_event refused = {.syndrome = 0x20 | 14};
		struct rda_event resent = {.wait_ns = cases[i].checked_us * 1000, .frame = 2};
		struct rda_flow flow = {.index = 0};
		const struct rda_finding *finding;
		struct rda_judge judge;

		rda_waits_refused(waits, &checked, &refused);
		rda_waits_resent(waits, &resent);
		resent.wait_ns = cases[i].unchecked_us * 1000;
		rda_waits_refused(waits, &unchecked, &refused);
		rda_waits_resent(waits, &resent);
		rda_judge_init(&judge, 0);
		rda_waits_end(waits, &judge, &flow);
		finding = rda_finding_find_as(&judge.findings, RDA_CHECK_T09, RDA_SEVERITY_NOTE,
					      cases[i].proof, rda_about_flow(&flow));
		ck_assert_ptr_nonnull(finding);
		ck_assert_uint_eq(finding->count, cases[i].count);
		rda_judge_cleanup(&judge, NULL);
		rda_waits_free(waits);
	}
}
END_TEST

/* A resend that no RNR NAK was seen for is not measured. */
START_TEST(a_resend_alone)
{
	struct rda_waits *waits = g_new0(struct rda_waits, 1);
	struct rda_event resent = {.wait_ns = 5000000};

	rda_waits_resent(waits, &resent);
	ck_assert_uint_eq(waits->all.waited.count, 0);
	rda_waits_free(waits);
}
END_TEST

Suite *rda_suite_check_time_timer(void)
{
	Suite *suite = suite_create("check_timer");
	TCase *tcase = tcase_create("check_timer");

	tcase_add_loop_test(tcase, after_an_rnr_nak, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, of_checked_and_others);
	tcase_add_test(tcase, a_resend_alone);
	suite_add_tcase(suite, tcase);
	return suite;
}
