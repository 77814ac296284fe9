/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single CM messages: what fires each check, and what does not.
 */
#include "analyzer/checks/management/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum {
	A = 1,
	B = 2,
	C = 3,
	REQ = 0x10,
	MRA = 0x11,
	REJ = 0x12,
	REP = 0x13,
	DREQ = 0x15,
};

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

/* How often a check found something so far, at any severity; *severity is that of the first. */
static uint64_t count_of(enum rda_check check, uint8_t *severity)
{
	uint64_t count = 0;

	rda_engine_finish(feed.engine);
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed.engine, i);

		if (finding->key.check != check)
			continue;
		if (severity && !count)
			*severity = finding->severity;
		count += finding->count;
	}
	return count;
}

static void req(void)
{
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = A,
						    .to = B,
						    .attribute = REQ,
						    .local_id = 1,
						    .qpn = 0x11,
						    .resources = 4});
}

static void rej(uint8_t from, uint8_t to, uint16_t reason)
{
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = from,
						    .to = to,
						    .attribute = REJ,
						    .local_id = from == A ? 1 : 0,
						    .remote_id = to == A ? 1 : 0,
						    .reason = reason});
}

/* Each reason, who gives it, and what that is. */
static const struct {
	uint16_t reason;
	uint8_t from;
	enum rda_check check;
	uint8_t severity;
	uint64_t count;
} refusals[] = {
	{8, B, RDA_CHECK_M03, RDA_SEVERITY_ERROR, 1},
	{28, B, RDA_CHECK_M03, RDA_SEVERITY_WARNING, 1},
	{25, B, RDA_CHECK_M03, RDA_SEVERITY_NOTE, 1},
	{4, B, RDA_CHECK_M03, RDA_SEVERITY_ERROR, 1},
	{4, A, RDA_CHECK_M03, 0, 0}, /* A gives up: M01 tells that */
	{3, A, RDA_CHECK_M03, RDA_SEVERITY_ERROR, 1},
	{10, B, RDA_CHECK_M14, RDA_SEVERITY_WARNING, 1},
	{30, B, RDA_CHECK_M14, RDA_SEVERITY_WARNING, 1},
	{10, B, RDA_CHECK_M03, 0, 0},
	{999, B, RDA_CHECK_M03, RDA_SEVERITY_ERROR, 1},
};

START_TEST(a_refusal)
{
	uint8_t severity = 0;

	req();
	rej(refusals[_i].from, refusals[_i].from == A ? B : A, refusals[_i].reason);
	ck_assert_uint_eq(count_of(refusals[_i].check, &severity), refusals[_i].count);
	ck_assert_uint_eq(severity, refusals[_i].severity);
}
END_TEST

/* A REJ that is seen twice is one. */
START_TEST(a_refusal_is_told_once)
{
	req();
	rej(B, A, 8);
	rej(B, A, 8);
	ck_assert_uint_eq(count_of(RDA_CHECK_M03, NULL), 1);
}
END_TEST

START_TEST(a_refusal_of_an_unseen_req)
{
	rej(B, A, 8);
	ck_assert_uint_eq(count_of(RDA_CHECK_M03, NULL), 1);
}
END_TEST

static void rep(uint8_t from, uint8_t depth)
{
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = from,
						    .to = A,
						    .attribute = REP,
						    .local_id = 2,
						    .remote_id = 1,
						    .qpn = 0x22,
						    .depth = depth});
}

static const struct {
	bool asked;
	uint8_t from, depth;
	uint64_t count;
} replies[] = {
	{true, B, 4, 0},  {true, B, 5, 1},
	{true, C, 0, 1},  {false, B, 5, 0}, /* nobody knows what was offered */
	{false, C, 0, 0},
};

START_TEST(a_reply)
{
	if (replies[_i].asked)
		req();
	rep(replies[_i].from, replies[_i].depth);
	ck_assert_uint_eq(count_of(RDA_CHECK_M04, NULL), replies[_i].count);
}
END_TEST

static const struct {
	uint8_t ack_timeout;
	int64_t pause_ns;
	bool left;
	uint64_t count;
} reuses[] = {
	{19, INT64_C(1000000), true, 1},
	{19, INT64_C(3000000000), true, 0},
	{19, INT64_C(1000000), false, 0}, /* it was never left: a crash, perhaps */
	{0, INT64_C(1000000), true, 0},
};

static void connect_at(uint32_t id, uint8_t ack_timeout)
{
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = A,
						    .to = B,
						    .attribute = REQ,
						    .local_id = id,
						    .qpn = 0x11,
						    .ack_timeout = ack_timeout});
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = B,
						    .to = A,
						    .attribute = REP,
						    .local_id = id + 1,
						    .remote_id = id,
						    .qpn = 0x22});
}

START_TEST(a_qp_used_again)
{
	connect_at(1, reuses[_i].ack_timeout);
	if (reuses[_i].left)
		rda_feed_cm(&feed, &(struct rda_cm_message){.from = B,
							    .to = A,
							    .attribute = DREQ,
							    .local_id = 2,
							    .remote_id = 1});
	feed.meta.time_ns += reuses[_i].pause_ns;
	connect_at(5, reuses[_i].ack_timeout);
	ck_assert_uint_eq(count_of(RDA_CHECK_M13, NULL), reuses[_i].count);
}
END_TEST

/* 2^22 * 4.096 us are 17 s. */
START_TEST(patience)
{
	req();
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = B,
						    .to = A,
						    .attribute = MRA,
						    .remote_id = 1,
						    .service_timeout = (uint8_t)(21 + _i)});
	ck_assert_uint_eq(count_of(RDA_CHECK_M19, NULL), _i);
}
END_TEST

Suite *rda_suite_check_management_messages(void)
{
	Suite *suite = suite_create("check_management_messages");
	TCase *tcase = tcase_create("check_management_messages");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, a_refusal, 0, RDA_COUNT(refusals));
	tcase_add_test(tcase, a_refusal_is_told_once);
	tcase_add_test(tcase, a_refusal_of_an_unseen_req);
	tcase_add_loop_test(tcase, a_reply, 0, RDA_COUNT(replies));
	tcase_add_loop_test(tcase, a_qp_used_again, 0, RDA_COUNT(reuses));
	tcase_add_loop_test(tcase, patience, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
