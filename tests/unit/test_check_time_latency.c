/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which latencies are out of the ordinary, and what is a reply to what.
 */
#include "analyzer/checks/time/state.h"

#include "analyzer/track/roce/account_parts.h"
#include "tests/unit/suite.h"

enum { US = 1000, MS = 1000000 };

/* `usual` latencies of 100 us (or `spread` more, in turn), and `late` ones, each asked for
 * `apart_ns` behind the one before: what they are waited for together costs the time once. */
static const struct {
	const char *name;
	unsigned usual;
	int64_t spread;
	unsigned late;
	int64_t late_ns;
	bool t01, t04;
	int64_t apart_ns, cost_ns;
} rows[] = {
	{"all are alike", 200, 0, 0, 0, false, false, 0, 0},
	{"one in a hundred takes eleven times as long", 200, 0, 3, 1100 * US, true, false, 0, 0},
	{"one in a hundred takes nine times as long", 200, 0, 3, 900 * US, false, false, 0, 0},
	{"one in a thousand does not make a tail", 1000, 0, 1, 1100 * US, false, false, 0, 0},
	{"an outlier; it is not said twice", 200, 0, 3, 20 * MS, false, true, 0, 19900 * US},
	{"three outliers that overlap", 200, 0, 3, 20 * MS, false, true, 15 * MS, 49900 * US},
	{"three outliers one after the other", 200, 0, 3, 20 * MS, false, true, 30 * MS,
	 59700 * US},
	{"an outlier of few", 19, 0, 1, 20 * MS, false, true, 0, 19900 * US},
	{"of fewer nobody knows what is usual", 18, 0, 1, 20 * MS, false, false, 0, 0},
	{"usual ones differ as much", 200, 3 * MS, 1, 20 * MS, false, false, 0, 0},
};

START_TEST(out_of_the_ordinary)
{
	struct rda_sent record = {.sent = 1, .seen = 1, .ack_req = true};
	struct rda_requester_heard heard = rda_requester_unheard;
	struct rda_assembly *assembly = &heard.assembly;
	struct rda_account account = {.requester = {.run = {.started = true},
						    .heard = &heard,
						    .rare = &rda_requester_ordinary},
				      .responder = {.rare = &rda_responder_ordinary}};
	struct rda_flow flow = {.account = &account};
	struct rda_judge judge;
	struct rda_table flows;
	const struct rda_finding *late;

	for (unsigned i = 0; i < rows[_i].usual; i++)
		rda_message_acked(assembly, &record, 100 * US + i % 2 * rows[_i].spread, 1);
	for (unsigned i = 0; i < rows[_i].late; i++) {
		record.last_ns = i * rows[_i].apart_ns;
		rda_message_acked(assembly, &record, record.last_ns + rows[_i].late_ns, 1);
	}
	rda_judge_init(&judge, 0);
	rda_table_init(&flows, sizeof(struct rda_flow_key), sizeof(struct rda_flow), 0);
	rda_latency_end(&judge, &flow);
	ck_assert_int_eq(rda_finding_find(&judge.findings, RDA_CHECK_T01, rda_about_flow(&flow)) !=
				 NULL,
			 rows[_i].t01);
	late = rda_finding_find(&judge.findings, RDA_CHECK_T04, rda_about_flow(&flow));
	ck_assert_int_eq(late != NULL, rows[_i].t04);
	ck_assert_int_eq(late ? late->cost_ns : 0, rows[_i].cost_ns);
	rda_judge_cleanup(&judge, &flows);
	rda_table_cleanup(&flows, NULL);
	rda_messages_free(assembly->times);
}
END_TEST

/*
 * Who says what: `a` and `b` are messages of one packet that take a receive, `A` of two. A packet
 * each 10 ns.
 */
static const struct {
	const char *name, *talk;
	uint64_t replies; /* of b to a */
	int64_t slowest;
} talks[] = {
	{"a reply", "ab", 1, 10},
	{"replies in turn", "ababab", 3, 10},
	{"from the end of a message of two packets", "Ab", 1, 10},
	{"which of the two is it a reply to?", "aab", 0, 0},
	{"and then one that is clear", "aabab", 1, 10},
	{"two messages are the reply", "abbab", 2, 10},
	{"b begins", "bab", 1, 10},
};

START_TEST(replies)
{
	struct rda_turns a = {0}, b = {0};
	struct rda_meta meta = {0};
	struct rda_packet packet = {0};
	struct rda_at at = {.meta = &meta, .packet = &packet};

	for (const char *p = talks[_i].talk; *p; p++) {
		struct rda_turns *own = *p == 'b' ? &b : &a, *peers = *p == 'b' ? &a : &b;

		packet.opcode = rda_opcode(*p == 'A' ? 0x00 : 0x04);
		meta.time_ns += 10;
		rda_turns_packet(own, peers, &at);
		if (*p == 'A') {
			packet.opcode = rda_opcode(0x02);
			meta.time_ns += 10;
			rda_turns_packet(own, peers, &at);
		}
	}
	ck_assert_uint_eq(a.replies.count, talks[_i].replies);
	ck_assert_int_eq(a.replies.max, talks[_i].slowest);
	rda_turns_cleanup(&a);
	rda_turns_cleanup(&b);
}
END_TEST

Suite *rda_suite_check_time_latency(void)
{
	Suite *suite = suite_create("check_latency");
	TCase *tcase = tcase_create("check_latency");

	tcase_add_loop_test(tcase, out_of_the_ordinary, 0, RDA_COUNT(rows));
	tcase_add_loop_test(tcase, replies, 0, RDA_COUNT(talks));
	suite_add_tcase(suite, tcase);
	return suite;
}
