/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was taken for a resend, when the order of sending is known at last: late, a copy, or sent
 * again indeed.
 */
#include "analyzer/track/roce/look_back.h"

#include "analyzer/track/roce/account.h"
#include "tests/unit/suite.h"

/* Longer than a mirror takes, and no shorter than a timer in use. */
enum { APART_NS = RDA_TIMER_IN_USE_NS };

struct told {
	unsigned late, copies, none_again;
};

static void note(void *context, const struct rda_event *event)
{
	struct told *told = context;

	told->late += event->kind == RDA_EVENT_REORDERED && event->other_frame;
	told->copies += event->kind == RDA_EVENT_MIRRORED && event->overtaken;
	told->none_again += event->kind == RDA_EVENT_NONE_AGAIN;
}

struct packet {
	int64_t psn;
	uint16_t ip_id;
};

static struct told pass(struct rda_requester *r, const struct packet *packets, unsigned count)
{
	struct told told = {0};
	struct rda_event_sink sink = {note, &told};

	rda_requester_init(r, 0);
	for (unsigned i = 0; i < count; i++) {
		struct rda_request q = {
			.begin = packets[i].psn,
			.end = packets[i].psn + 1,
			.ip_id = packets[i].ip_id,
			.icrc = (uint32_t)packets[i].psn,
			.time_ns = (i + 1) * (int64_t)APART_NS,
			.frame = i + 1,
			.roles = RDA_ROLE_REQUEST | RDA_ROLE_SEND | RDA_ROLE_ONLY,
		};
		uint64_t original;

		rda_requester_packet(r, &q, &sink, &original);
	}
	return told;
}

#define PASS(r, ...)                                                                               \
	pass(r, (const struct packet[]){__VA_ARGS__},                                              \
	     sizeof((const struct packet[]){__VA_ARGS__}) / sizeof(struct packet))

/* It has the identification of one that passed: no sender gives two packets one number. */
START_TEST(a_copy)
{
	struct rda_requester r;
	struct told told = PASS(&r, {9, 9}, {10, 10}, {10, 10}, {11, 11}, {12, 15}, {13, 16},
				{14, 17}, {15, 18});

	ck_assert_uint_eq(told.copies, 1);
	ck_assert_uint_eq(told.late, 0);
	ck_assert_uint_eq(told.none_again, 1);
	ck_assert_uint_eq(r.rare->counts.packets[RDA_REQUEST_MIRRORED], 1);
	ck_assert_uint_eq(r.rare->counts.packets[RDA_REQUEST_REORDERED], 0);
	ck_assert_uint_eq(r.rare->counts.packets[RDA_REQUEST_RESENT], 0);
	ck_assert_int_eq(rda_stall_total(&r.stall), 0);
	rda_requester_cleanup(&r);
}
END_TEST

/* It has a number of its own, above that of what follows it: it was sent again. */
START_TEST(sent_again)
{
	struct rda_requester r;
	struct told told = PASS(&r, {9, 9}, {10, 10}, {10, 11}, {11, 12}, {12, 13}, {13, 14},
				{14, 15}, {15, 16});

	ck_assert_uint_eq(told.copies + told.late + told.none_again, 0);
	ck_assert_uint_eq(r.rare->counts.packets[RDA_REQUEST_RESENT], 1);
	rda_requester_cleanup(&r);
}
END_TEST

Suite *rda_suite_look_back(void)
{
	Suite *suite = suite_create("look_back");
	TCase *tcase = tcase_create("look_back");

	tcase_add_test(tcase, a_copy);
	tcase_add_test(tcase, sent_again);
	suite_add_tcase(suite, tcase);
	return suite;
}
