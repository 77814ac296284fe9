/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where time went, as little stories of what passes: each request is answered as a whole.
 */
#include "analyzer/track/roce/time_ledger.h"

#include "analyzer/base/meta.h"
#include "analyzer/track/roce/requester.h"
#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

#include <string.h>

enum step { END, SEND, MIDDLE, ACK, STALL, CNP, HOLD };

enum { PACKET = 1000 }; /* bytes of payload */

static const struct {
	const char *name;
	struct {
		enum step step;
		int64_t time_us;
		int64_t from_us; /* of a stall, or of a hold, which the next packet ends */
	} steps[10];
	int64_t end_us;
	int64_t us[RDA_TIME_CAUSE_COUNT]; /* without waits of a depth */
	int64_t depths[3];		  /* those: by requests outstanding, less 1 */
} stories[] = {
	{"one at a time",
	 {{SEND, 10, 0}, {ACK, 50, 0}, {SEND, 60, 0}, {ACK, 90, 0}},
	 100,
	 {[RDA_TIME_IDLE] = 10 + 10 + 10},
	 {40 + 30}},
	{"two at a time",
	 {{SEND, 0, 0}, {SEND, 1, 0}, {ACK, 50, 0}, {SEND, 60, 0}, {ACK, 70, 0}},
	 70,
	 {[RDA_TIME_SENDING] = 1, [RDA_TIME_IDLE] = 10},
	 {10, 49}},
	{"no answer in between",
	 {{SEND, 0, 0}, {SEND, 300, 0}},
	 400,
	 {[RDA_TIME_WAITING] = 400},
	 {0}},
	{"inside a message",
	 {{SEND, 0, 0}, {MIDDLE, 1, 0}, {MIDDLE, 300, 0}, {ACK, 400, 0}, {MIDDLE, 500, 0}},
	 500,
	 {[RDA_TIME_SENDING] = 1, [RDA_TIME_PAUSED] = 299, [RDA_TIME_LIMITED] = 200},
	 {0}},
	{"after a CNP",
	 {{SEND, 0, 0}, {CNP, 1, 0}, {MIDDLE, 300, 0}, {ACK, 400, 0}},
	 400,
	 {[RDA_TIME_CONGESTION] = 300},
	 {100}},
	{"held inside a message",
	 {{SEND, 0, 0}, {MIDDLE, 1, 0}, {HOLD, 300, 2}, {MIDDLE, 302, 0}},
	 302,
	 {[RDA_TIME_SENDING] = 2, [RDA_TIME_HELD] = 300},
	 {0}},
	{"held inside a message, and a while longer silent",
	 {{SEND, 0, 0}, {MIDDLE, 1, 0}, {HOLD, 300, 2}, {MIDDLE, 400, 0}},
	 400,
	 {[RDA_TIME_SENDING] = 2, [RDA_TIME_HELD] = 298, [RDA_TIME_PAUSED] = 100},
	 {0}},
	{"the link was stopped, and nothing was asked",
	 {{SEND, 0, 0}, {ACK, 10, 0}, {HOLD, 200, 11}, {SEND, 201, 0}},
	 201,
	 {[RDA_TIME_IDLE] = 191},
	 {10}},
	{"held between messages: goes on at once",
	 {{SEND, 0, 0}, {HOLD, 200, 1}, {SEND, 205, 0}},
	 205,
	 {[RDA_TIME_SENDING] = 1, [RDA_TIME_HELD] = 204},
	 {0}},
	{"the link was stopped between messages, and the next comes much later",
	 {{SEND, 0, 0}, {HOLD, 200, 1}, {SEND, 300, 0}},
	 300,
	 {[RDA_TIME_WAITING] = 300},
	 {0}},
	{"a stall takes back what was waiting and sending",
	 {{SEND, 0, 0},
	  {ACK, 40, 0},
	  {SEND, 50, 0},
	  {SEND, 51, 0},
	  {SEND, 151, 0},
	  {STALL, 250, 50},
	  {ACK, 260, 0}},
	 260,
	 {[RDA_TIME_IDLE] = 10, [RDA_TIME_RECOVERY + RDA_TRIGGER_TIMEOUT] = 200},
	 {40, 0, 10}},
	{"a stall in the middle leaves what follows",
	 {{SEND, 0, 0},
	  {ACK, 100, 0},
	  {SEND, 300, 0},
	  {ACK, 400, 0},
	  {SEND, 401, 0},
	  {STALL, 320, 310}},
	 401,
	 {[RDA_TIME_IDLE] = 200 + 1, [RDA_TIME_RECOVERY + RDA_TRIGGER_TIMEOUT] = 10},
	 {100 + 90}},
	{"the clock goes backwards",
	 {{SEND, 100, 0}, {ACK, 40, 0}, {SEND, 30, 0}, {SEND, 200, 0}},
	 200,
	 {[RDA_TIME_IDLE] = 100, [RDA_TIME_WAITING] = 100},
	 {0}},
};

/* The requester as far as its time needs it. */
static void take(struct rda_requester *r, unsigned story, unsigned i, struct rda_time_hold *hold)
{
	int64_t time_ns = stories[story].steps[i].time_us * 1000;
	struct rda_request q = {.time_ns = time_ns, .roles = RDA_ROLE_WRITE, .payload = PACKET};

	switch (stories[story].steps[i].step) {
	case SEND: q.roles |= RDA_ROLE_FIRST; /* fallthrough */
	case MIDDLE:
		if (!r->run.started)
			rda_time_ledger_start(&r->time, time_ns);
		r->run.started = true;
		if (hold->until_ns)
			rda_time_ledger_held(r, q.roles, time_ns, hold, 1);
		*hold = (struct rda_time_hold){0};
		if (rda_time_ledger_paused(&r->time, &r->time.sent, time_ns, PACKET))
			rda_time_ledger_pause(r, &q, PACKET);
		r->time.done = r->message.done;
		r->time.last_ns = time_ns > r->time.last_ns ? time_ns : r->time.last_ns;
		r->message.begun += (q.roles & RDA_ROLE_FIRST) != 0;
		r->progress.next++;
		break;
	case ACK:
		r->progress.acked = r->progress.next;
		r->message.done = r->message.begun;
		r->stall.progressed = true;
		r->stall.progress_ns = time_ns;
		break;
	case STALL:
		rda_time_ledger_stalled(&r->time, RDA_TRIGGER_TIMEOUT,
					stories[story].steps[i].from_us * 1000, time_ns);
		break;
	case HOLD:
		*hold = (struct rda_time_hold){.from_ns = stories[story].steps[i].from_us * 1000,
					       .until_ns = time_ns,
					       .priority = 3};
		break;
	case CNP: rda_time_ledger_slowed(&r->time, time_ns); break;
	case END: break;
	}
}

START_TEST(story)
{
	struct rda_time_sums sums;
	struct rda_time_hold hold = {0};
	struct rda_requester r;
	int64_t all = 0;

	rda_requester_init(&r, 0);
	for (unsigned i = 0; stories[_i].steps[i].step != END; i++)
		take(&r, (unsigned)_i, i, &hold);
	rda_time_ledger_sum(&r, 0, stories[_i].end_us * 1000, &sums);
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++) {
		ck_assert_msg(sums.ns[i] == stories[_i].us[i] * 1000, "%s: %s %" PRId64 " ns",
			      stories[_i].name, rda_time_name((uint8_t)i), sums.ns[i]);
		all += sums.ns[i];
	}
	for (unsigned i = 0; i < RDA_TIME_DEPTHS; i++) {
		int64_t us = i < RDA_COUNT(stories[_i].depths) ? stories[_i].depths[i] : 0;

		ck_assert_msg(sums.depths[i].ns == us * 1000, "%s: depth %u %" PRId64 " ns",
			      stories[_i].name, i, sums.depths[i].ns);
		all += sums.depths[i].ns;
	}
	ck_assert_int_eq(all, stories[_i].end_us * 1000);
	rda_requester_cleanup(&r);
}
END_TEST

/* Parts are summed before there is no room for them; nothing is lost then. */
START_TEST(many_parts)
{
	struct rda_time_sums sums;
	struct rda_requester r;
	int64_t all = 0, time_ns = 0;

	rda_requester_init(&r, 0);
	rda_time_ledger_start(&r.time, 0);
	r.run.started = true;
	r.progress.next = 1;
	for (unsigned i = 0; i < 1000; i++) {
		struct rda_request q = {.roles = RDA_ROLE_WRITE};

		time_ns += 50000;
		q.time_ns = time_ns;
		q.roles |= i % 2 ? RDA_ROLE_FIRST : 0;
		rda_time_ledger_pause(&r, &q, PACKET);
		r.time.last_ns = time_ns;
		if (i % 7 == 0)
			rda_time_ledger_stalled(&r.time, RDA_TRIGGER_NAK, time_ns - 60000,
						time_ns - 20000);
	}
	rda_time_ledger_sum(&r, 0, time_ns, &sums);
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		all += sums.ns[i];
	ck_assert_int_eq(all, time_ns);
	ck_assert_int_eq(sums.ns[RDA_TIME_RECOVERY + RDA_TRIGGER_NAK], 30000 + 142 * 40000);
	rda_requester_cleanup(&r);
}
END_TEST

START_TEST(no_request)
{
	struct rda_time_sums sums;
	struct rda_requester r;

	rda_requester_init(&r, 0);
	rda_time_ledger_sum(&r, 5, 105, &sums);
	ck_assert_int_eq(sums.ns[RDA_TIME_IDLE], 100);
	rda_requester_cleanup(&r);
}
END_TEST

Suite *rda_suite_time_ledger(void)
{
	Suite *suite = suite_create("time_ledger");
	TCase *tcase = tcase_create("time_ledger");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, many_parts);
	tcase_add_test(tcase, no_request);
	suite_add_tcase(suite, tcase);
	return suite;
}
