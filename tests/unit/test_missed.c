/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is suspected where the capture missed much weighs a step less.
 */
#include "analyzer/checks/missed.h"

#include "tests/unit/suite.h"

/* Two connections of one flow each, that sent 100 requests; of the first so many more are missed,
 * as acknowledgments tell. Frames were dropped beside 1000 that were kept, of a time in which the
 * second sent nothing. */
struct wire {
	struct rda_flow_troubles troubles[2];
	struct rda_flow_facts facts[2];
	struct rda_flow_facts *flows[2];
	struct rda_connection_facts connections[2];
	struct rda_capture capture;
	struct rda_overall overall;
	struct rda_judge judge;
};

static void begin(struct wire *w, uint64_t missed, uint64_t dropped)
{
	*w = (struct wire){.capture = {.packets = 1000, .dropped = dropped, .last_time_ns = 9}};
	for (int i = 0; i < 2; i++) {
		w->facts[i].has_peer = true;
		w->facts[i].troubles = &w->troubles[i];
		w->facts[i].requests[RDA_REQUEST_NEW] = 100;
		w->facts[i].packets = 100;
		w->facts[i].first_time_ns = w->facts[i].last_time_ns = 10 * i;
		w->flows[i] = &w->facts[i];
		w->connections[i].flows[0] = i;
		w->connections[i].flows[1] = -1;
	}
	w->troubles[0].lost_by_capture = missed;
	w->overall = (struct rda_overall){.captures = &w->capture,
					  .flows = w->flows,
					  .connections = w->connections,
					  .capture_count = 1,
					  .flow_count = 2,
					  .connection_count = 2};
	rda_judge_init(&w->judge, 1);
	w->judge.overall = &w->overall;
	w->judge.missed_frames = rda_missed_frames(&w->overall);
}

static struct rda_finding finding_of(enum rda_check check, enum rda_severity severity,
				     enum rda_proof proof, int32_t connection)
{
	return (struct rda_finding){
		.key = {.check = (uint16_t)check, .severity = (uint8_t)severity},
		.severity = (uint8_t)severity,
		.proof = (uint8_t)proof,
		.connection = connection,
	};
}

/* What a suspected warning of S04 weighs, told twice. */
static unsigned weight(struct wire *w, int32_t connection)
{
	struct rda_finding finding =
		finding_of(RDA_CHECK_S04, RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED, connection);

	rda_missed_weaken(&w->judge, &finding);
	rda_missed_weaken(&w->judge, &finding);
	return finding.severity;
}

static const struct {
	uint64_t missed, dropped;
	enum rda_severity first, second; /* of the two connections */
} shares[] = {
	{0, 0, RDA_SEVERITY_WARNING, RDA_SEVERITY_WARNING},
	{1, 0, RDA_SEVERITY_WARNING, RDA_SEVERITY_WARNING},
	{2, 0, RDA_SEVERITY_WARNING, RDA_SEVERITY_WARNING},
	{3, 0, RDA_SEVERITY_NOTE, RDA_SEVERITY_WARNING},
	{50, 0, RDA_SEVERITY_NOTE, RDA_SEVERITY_WARNING}, /* of another connection nothing */
	{0, 19, RDA_SEVERITY_WARNING, RDA_SEVERITY_WARNING},
	{0, 20, RDA_SEVERITY_NOTE, RDA_SEVERITY_WARNING},
};

START_TEST(much_is_one_in_fifty)
{
	struct wire w;

	begin(&w, shares[_i].missed, shares[_i].dropped);
	ck_assert_uint_eq(weight(&w, 0), shares[_i].first);
	ck_assert_uint_eq(weight(&w, 1), shares[_i].second);
	rda_judge_cleanup(&w.judge, NULL);
}
END_TEST

static const struct {
	enum rda_check check;
	enum rda_severity severity;
	enum rda_proof proof;
	enum rda_severity weighs;
} kinds[] = {
	{RDA_CHECK_M09, RDA_SEVERITY_ERROR, RDA_PROOF_SUSPECTED, RDA_SEVERITY_WARNING},
	{RDA_CHECK_M09, RDA_SEVERITY_ERROR, RDA_PROOF_PROVEN, RDA_SEVERITY_ERROR},
	{RDA_CHECK_A02, RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED, RDA_SEVERITY_NOTE},
	{RDA_CHECK_S03, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED, RDA_SEVERITY_NOTE},
	{RDA_CHECK_Q01, RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED, RDA_SEVERITY_WARNING},
	{RDA_CHECK_T04, RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED, RDA_SEVERITY_NOTE},
	{RDA_CHECK_F01, RDA_SEVERITY_ERROR, RDA_PROOF_SUSPECTED, RDA_SEVERITY_ERROR},
};

START_TEST(what_is_suspected_of_order_and_answers)
{
	struct rda_finding finding =
		finding_of(kinds[_i].check, kinds[_i].severity, kinds[_i].proof, 0);
	struct wire w;

	begin(&w, 50, 0);
	rda_missed_weaken(&w.judge, &finding);
	ck_assert_uint_eq(finding.severity, kinds[_i].weighs);
	rda_judge_cleanup(&w.judge, NULL);
}
END_TEST

/* A PSN came damaged, perhaps, and is why others seem to be missed. */
START_TEST(what_nobody_misses)
{
	struct wire w;

	const struct rda_subject flow = {RDA_SUBJECT_FLOW, 0};
	struct rda_finding *told;

	begin(&w, 101, 0);
	told = rda_finding_add(&w.judge.findings, RDA_CHECK_Q01, flow, 1);
	ck_assert_uint_eq(weight(&w, 0), RDA_SEVERITY_WARNING);
	rda_finding_frame(told, 2);
	ck_assert_uint_eq(weight(&w, 0), RDA_SEVERITY_WARNING);
	rda_finding_frame(told, 3);
	ck_assert_uint_eq(weight(&w, 0), RDA_SEVERITY_NOTE);
	rda_judge_cleanup(&w.judge, NULL);
}
END_TEST

/* What a part of the captures weighed is weighed anew by all. */
START_TEST(weighed_by_a_part)
{
	struct rda_finding *finding;
	struct wire w;

	begin(&w, 50, 0);
	finding = rda_finding_add(&w.judge.findings, RDA_CHECK_S04,
				  (struct rda_subject){RDA_SUBJECT_FLOW, 0}, 1);
	finding->connection = 0;
	rda_missed_weaken(&w.judge, finding);
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_NOTE);
	rda_missed_forget(&w.judge);
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_WARNING);
	rda_judge_cleanup(&w.judge, NULL);
}
END_TEST

Suite *rda_suite_missed(void)
{
	Suite *suite = suite_create("missed");
	TCase *tcase = tcase_create("missed");

	tcase_add_loop_test(tcase, much_is_one_in_fifty, 0, RDA_COUNT(shares));
	tcase_add_loop_test(tcase, what_is_suspected_of_order_and_answers, 0, RDA_COUNT(kinds));
	tcase_add_test(tcase, what_nobody_misses);
	tcase_add_test(tcase, weighed_by_a_part);
	suite_add_tcase(suite, tcase);
	return suite;
}
