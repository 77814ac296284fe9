/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums of PSNs, one call at a time; test_requester.c has whole stories.
 */
#include "analyzer/track/roce/tally.h"

#include "analyzer/track/roce/past_run.h"
#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

enum { FIRST = 1000 };

static void note(void *context, const struct rda_event *event)
{
	uint64_t *counts = context;

	counts[event->kind] += event->count;
}

/* Sent: 1000 and 1009; a hole between them. */
static void begin(struct rda_requester *r, uint32_t cap)
{
	struct rda_request q = {.begin = FIRST, .end = FIRST + 1};

	rda_requester_init(r, cap);
	r->order = (struct rda_sending_order){
		.begun = true, .not_of_the_psn = true, .ahead = 8, .near = 8};
	r->progress.acked = FIRST;
	rda_tally_new(r, &q);
	rda_tally_hole(r, FIRST + 9, 0);
	q.begin = FIRST + 9;
	q.end = FIRST + 10;
	rda_tally_new(r, &q);
}

START_TEST(a_late_packet_is_cut_out_of_its_hole)
{
	struct rda_request q = {.begin = FIRST + 4, .end = FIRST + 6};
	struct rda_requester r;
	struct rda_sent *record;

	begin(&r, 0);
	ck_assert_uint_eq(r.window.count, 3);
	record = rda_tally_find(&r, &q);
	ck_assert_int_eq(record->begin, FIRST + 4);
	ck_assert_int_eq(record->end, FIRST + 6);
	ck_assert_uint_eq(r.window.count, 5);
	q.begin = FIRST + 10;
	ck_assert_ptr_null(rda_tally_find(&r, &q));
	rda_requester_cleanup(&r);
}
END_TEST

/* What is settled stays so when it is cut, and when the cap drops it. */
START_TEST(cuts_of_what_is_settled)
{
	struct rda_request q = {.begin = FIRST + 4, .end = FIRST + 5};
	static const uint32_t caps[] = {0, 3};

	for (unsigned i = 0; i < RDA_COUNT(caps); i++) {
		struct rda_requester r;

		begin(&r, caps[i]);
		rda_requester_settle(&r, FIRST + 9, 0, 0, NULL);
		ck_assert_uint_eq(r.settled, 2);
		rda_tally_find(&r, &q);
		ck_assert_uint_eq(r.window.count, caps[i] ? caps[i] : 5);
		ck_assert_uint_eq(r.settled, r.window.count - 1);
		rda_requester_cleanup(&r);
	}
}
END_TEST

/* A skip is of the PSNs it names, and of none that were acknowledged. */
START_TEST(a_skip_is_of_what_is_open)
{
	uint64_t counts[RDA_EVENT_COUNT] = {0};
	struct rda_event_sink sink = {note, counts};
	struct rda_requester r;

	begin(&r, 0);
	rda_requester_settle(&r, FIRST + 3, 0, 0, &sink);
	ck_assert_uint_eq(r.rare->counts.lost_by_capture, 2);
	rda_tally_skip(&r, FIRST, FIRST + 7, true, NULL);
	rda_requester_settle(&r, FIRST + 10, 0, 0, &sink);
	ck_assert_uint_eq(r.rare->counts.lost_before, 4);
	ck_assert_uint_eq(r.rare->counts.lost_by_capture, 8);
	ck_assert_uint_eq(counts[RDA_EVENT_LOST_BEFORE], 4);
	ck_assert_uint_eq(counts[RDA_EVENT_ACKED_UNSEEN], 8);
	rda_requester_cleanup(&r);
}
END_TEST

/* A run has sent what passed before all that was sent in front of it, and jumps over it later: that
 * it has sent once. */
START_TEST(a_skip_counts_once_for_a_run)
{
	struct rda_request q = {.begin = FIRST + 4, .end = FIRST + 5, .frame = 1};
	struct rda_requester r;
	struct rda_past_run *run;
	uint8_t sent;

	begin(&r, 0);
	run = rda_past_run_add(&r, &q, 101, 100, FIRST + 2);
	rda_tally_skip(&r, FIRST + 4, FIRST + 5, true, run);
	sent = rda_tally_find(&r, &q)->sent;
	rda_tally_skip(&r, FIRST + 3, FIRST + 6, true, run);
	ck_assert_uint_eq(rda_tally_find(&r, &q)->sent, sent);
	q.begin = FIRST + 5;
	q.end = FIRST + 6;
	ck_assert_uint_eq(rda_tally_find(&r, &q)->sent, sent);
	rda_requester_cleanup(&r);
}
END_TEST

/* What filled a hole was late, or a run: the second makes it a loss. */
START_TEST(what_filled_a_hole)
{
	for (unsigned resent = 0; resent < 2; resent++) {
		struct rda_request q = {.begin = FIRST + 1, .end = FIRST + 2};
		uint64_t counts[RDA_EVENT_COUNT] = {0};
		struct rda_event_sink sink = {note, counts};
		struct rda_requester r;
		struct rda_sent *record;

		begin(&r, 0);
		record = rda_tally_find(&r, &q);
		rda_tally_appear(&r, record, &q);
		record->filled = true;
		rda_requester_rare(&r)->counts.packets[RDA_REQUEST_REORDERED] = 1;
		rda_tally_filled(&r, FIRST + 1, FIRST + 2,
				 resent ? RDA_TRIGGER_NAK : RDA_TRIGGER_NONE, &q, &sink);
		rda_requester_settle(&r, FIRST + 2, 0, 0, &sink);
		ck_assert_uint_eq(r.rare->counts.lost_before, resent);
		ck_assert_uint_eq(r.rare->counts.packets[RDA_REQUEST_RESENT], resent);
		ck_assert_uint_eq(r.rare->counts.packets[RDA_REQUEST_REORDERED], !resent);
		ck_assert_uint_eq(counts[RDA_EVENT_REORDERED], !resent);
		ck_assert_uint_eq(counts[RDA_EVENT_FILLED], resent);
		rda_requester_cleanup(&r);
	}
}
END_TEST

/* Messages by their first and last packets; what a hole may hide is counted beside them. */
START_TEST(messages_are_counted)
{
	static const uint16_t roles[] = {RDA_ROLE_FIRST, RDA_ROLE_MIDDLE, RDA_ROLE_LAST,
					 RDA_ROLE_ONLY};
	struct rda_requester r;

	rda_requester_init(&r, 0);
	r.progress.acked = r.progress.next = FIRST;
	for (unsigned i = 0; i < RDA_COUNT(roles); i++) {
		struct rda_request q = {
			.begin = FIRST + i, .end = FIRST + i + 1, .roles = roles[i]};

		rda_tally_new(&r, &q);
	}
	rda_tally_hole(&r, FIRST + 7, 0);
	ck_assert_uint_eq(r.message.begun, 2);
	rda_requester_settle(&r, FIRST + 3, 0, 0, NULL);
	ck_assert_uint_eq(r.message.done, 1);
	rda_requester_settle(&r, FIRST + 7, 0, 0, NULL);
	ck_assert_uint_eq(r.message.done, 2);
	ck_assert_uint_eq(r.message.unseen, 3);
	rda_requester_cleanup(&r);
}
END_TEST

/* Counters of one record stop at their end. */
START_TEST(counters_saturate)
{
	const struct rda_request at = {.begin = FIRST + 1};
	struct rda_sent record = {.sent = UINT8_MAX - 1};
	struct rda_requester r;

	rda_tally_sent(&record);
	rda_tally_sent(&record);
	ck_assert_uint_eq(record.sent, UINT8_MAX);
	rda_requester_init(&r, 0);
	rda_tally_start(&r, FIRST, 0);
	rda_tally_hole(&r, FIRST + 1, 0);
	for (unsigned run = 0; run <= UINT8_MAX; run++)
		rda_tally_filled(&r, FIRST, FIRST + 1, RDA_TRIGGER_TIMEOUT, &at, NULL);
	ck_assert_uint_eq(rda_window_at(&r.window, 0)->sent, UINT8_MAX);
	ck_assert_uint_eq(rda_window_at(&r.window, 0)->skipped, UINT8_MAX);
	rda_requester_cleanup(&r);
}
END_TEST

Suite *rda_suite_tally(void)
{
	Suite *suite = suite_create("tally");
	TCase *tcase = tcase_create("tally");

	tcase_add_test(tcase, a_late_packet_is_cut_out_of_its_hole);
	tcase_add_test(tcase, cuts_of_what_is_settled);
	tcase_add_test(tcase, a_skip_is_of_what_is_open);
	tcase_add_test(tcase, a_skip_counts_once_for_a_run);
	tcase_add_test(tcase, what_filled_a_hole);
	tcase_add_test(tcase, messages_are_counted);
	tcase_add_test(tcase, counters_saturate);
	suite_add_tcase(suite, tcase);
	return suite;
}
