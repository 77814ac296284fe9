/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conversations that end in silence, and hosts that begin too many.
 */
#include "analyzer/checks/management/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, REQ = 0x10, MRA = 0x11, REJ = 0x12, REP = 0x13, DREQ = 0x15, DREP = 0x16 };

#define SECOND INT64_C(1000000000)

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static void say(uint8_t from, uint16_t attribute, uint32_t local_id, uint32_t remote_id)
{
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = from,
						    .to = A + B - from,
						    .attribute = attribute,
						    .local_id = local_id,
						    .remote_id = remote_id,
						    .qpn = 0x11 * from,
						    .reason = 4});
}

static uint64_t count_of(enum rda_check check, uint8_t *severity)
{
	uint64_t count = 0;

	rda_engine_finish(feed.engine);
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed.engine, i);

		if (finding->key.check != check)
			continue;
		*severity = finding->severity;
		count += finding->count;
	}
	return count;
}

/* A asks so often, 5 s apart; then, after a pause, the capture ends. The feed's REQs say that
 * their sender waits for 4 us. */
static const struct {
	unsigned requests;
	int64_t pause_ns;
	uint16_t answer; /* 0: none */
	bool gives_up;
	uint64_t unanswered, repeated;
} requests[] = {
	{1, 6 * SECOND, 0, false, 1, 0},
	{1, 0, 0, false, 0, 0}, /* the answer may come behind the end of the capture */
	{3, 6 * SECOND, 0, false, 1, 0},
	{3, 0, 0, true, 1, 0},
	{3, 6 * SECOND, REP, false, 0, 1},
	{3, 6 * SECOND, MRA, false, 0, 1},
	{3, 6 * SECOND, REJ, false, 0, 1},
	{1, 6 * SECOND, REP, false, 0, 0},
};

static void tell_requests(int i)
{
	for (unsigned n = 0; n < requests[i].requests; n++) {
		if (n)
			feed.meta.time_ns += 5 * SECOND;
		say(A, REQ, 1, 0);
	}
	if (requests[i].answer)
		say(B, requests[i].answer, 2, 1);
	if (requests[i].gives_up)
		say(A, REJ, 1, 0);
	feed.meta.time_ns += requests[i].pause_ns;
	if (requests[i].pause_ns)
		rda_feed_send(&feed, A, 3, 0x99, 0xc000, 1); /* the capture goes on */
}

START_TEST(a_request)
{
	uint8_t severity = 0;

	tell_requests(_i);
	ck_assert_uint_eq(count_of(RDA_CHECK_M01, &severity), requests[_i].unanswered);
}
END_TEST

START_TEST(a_request_repeated)
{
	uint8_t severity = RDA_SEVERITY_NOTE;

	tell_requests(_i);
	ck_assert_uint_eq(count_of(RDA_CHECK_M02, &severity), requests[_i].repeated);
	/* those that were answered at last took 10 s */
	ck_assert_uint_eq(severity,
			  requests[_i].repeated ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE);
}
END_TEST

static const struct {
	unsigned leaves;
	uint16_t answer;
	uint64_t count;
	uint8_t severity;
} leaves[] = {
	{1, 0, 0, 0}, /* the capture may end before the answer */
	{2, 0, 1, RDA_SEVERITY_WARNING},
	{2, DREP, 1, RDA_SEVERITY_NOTE},
	{2, DREQ, 1, RDA_SEVERITY_NOTE}, /* both leave */
	{1, DREP, 0, 0},
};

START_TEST(a_disconnect)
{
	uint8_t severity = 0;

	say(A, REQ, 1, 0);
	say(B, REP, 2, 1);
	for (unsigned n = 0; n < leaves[_i].leaves; n++) {
		feed.meta.time_ns += 5 * SECOND;
		say(A, DREQ, 1, 2);
	}
	if (leaves[_i].answer)
		say(B, leaves[_i].answer, 2, 1);
	ck_assert_uint_eq(count_of(RDA_CHECK_M11, &severity), leaves[_i].count);
	ck_assert_uint_eq(severity, leaves[_i].severity);
}
END_TEST

/* So many at once, or so many in vain, and one less. */
static const struct {
	uint32_t asked;
	int64_t apart_ns;
	bool refused;
	uint64_t count;
} churns[] = {
	{RDA_CHURN_PER_SECOND + 1, SECOND / (RDA_CHURN_PER_SECOND + 1), true, 1},
	{RDA_CHURN_PER_SECOND, SECOND / RDA_CHURN_PER_SECOND, true, 0},
	{RDA_CHURN_PER_SECOND + 1, SECOND / RDA_CHURN_PER_SECOND, true, 0},
	{RDA_CHURN_FAILED, SECOND, false, 1},
	{RDA_CHURN_FAILED - 1, SECOND, false, 0},
};

START_TEST(churn)
{
	uint8_t severity;

	for (uint32_t i = 0; i < churns[_i].asked; i++) {
		int64_t begin = feed.meta.time_ns;

		say(A, REQ, 10 + i, 0);
		if (churns[_i].refused)
			say(B, REJ, 0, 10 + i);
		feed.meta.time_ns = begin + churns[_i].apart_ns;
	}
	ck_assert_uint_eq(count_of(RDA_CHECK_M17, &severity), churns[_i].count);
}
END_TEST

Suite *rda_suite_check_management_silence(void)
{
	Suite *suite = suite_create("check_management_silence");
	TCase *tcase = tcase_create("check_management_silence");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, a_request, 0, RDA_COUNT(requests));
	tcase_add_loop_test(tcase, a_request_repeated, 0, RDA_COUNT(requests));
	tcase_add_loop_test(tcase, a_disconnect, 0, RDA_COUNT(leaves));
	tcase_add_loop_test(tcase, churn, 0, RDA_COUNT(churns));
	suite_add_tcase(suite, tcase);
	return suite;
}
