/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and answers of SRP over both kinds of RDMA; the login, and the requests that are
 * granted.
 */
#include "analyzer/track/ulp/srp_track.h"

#include "tests/unit/srp_feed.h"
#include "tests/unit/suite.h"

static const struct rda_ulp_facts *facts_of(const struct rda_nvme_feed *n)
{
	return &rda_nvme_found(n)->facts;
}

START_TEST(data_is_joined)
{
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, _i, 64);
	rda_srp_read(&n, 7, 0x1000, 512);
	rda_nvme_data(&n, 0x1000, 512);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 7, .limit = 1});
	rda_srp_write(&n, 8, 0x1001, 512);
	rda_nvme_fetch(&n, 0x1001, 512);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 8, .limit = 1});
	rda_srp_ask(&n, 9, 0x00);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 9, .limit = 1});
	ck_assert_uint_eq(rda_nvme_found(&n)->protocol, RDA_ULP_SRP);
	ck_assert_uint_eq(facts_of(&n)->unjoined, 0);
	ck_assert_uint_eq(facts_of(&n)->failed, 0);
	ck_assert_uint_eq(facts_of(&n)->unread, 0);
	/* the login is the first command where it was seen */
	ck_assert_uint_eq(facts_of(&n)->answered, _i ? 3 : 4);
	if (!_i) {
		ck_assert_str_eq(facts_of(&n)->operations[0].name, "Login");
		ck_assert_uint_eq(facts_of(&n)->operations[0].latency.count, 1);
	}
	ck_assert_str_eq(facts_of(&n)->operations[!_i].name, "READ(10)");
	ck_assert_uint_eq(facts_of(&n)->operations[!_i].bytes, 512);
	ck_assert_uint_eq(facts_of(&n)->operations[!_i].data.count, 1);
	ck_assert_str_eq(facts_of(&n)->operations[1 + !_i].name, "WRITE(10)");
	ck_assert_uint_eq(facts_of(&n)->operations[1 + !_i].data.count, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

/* Behind a login a command need not move data to be known as one. */
START_TEST(found_by_its_login)
{
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, false, _i ? 64 : 0);
	rda_srp_ask(&n, 9, 0x00);
	ck_assert((rda_nvme_found(&n) != NULL) == _i);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(indirect)
{
	static const char HEAD[] = "02 00 000000 02 00 02 0000000000000007 00000000"
				   "0000000000000000 00000000 28000000000000000000000000000000";
	struct rda_nvme_feed n;

	for (unsigned whole = 0; whole < 2; whole++) {
		struct rda_build b = {0};

		rda_srp_feed_begin(&n, _i, 64);
		rda_put_hex(&b, HEAD);
		/* a table of two descriptors, or of three, of which the target reads the last */
		rda_put64(&b, RDA_NVME_ADDRESS);
		rda_put32(&b, 0x900);
		rda_put32(&b, whole ? 32 : 48);
		rda_put32(&b, whole ? 1024 : 1536);
		for (uint32_t i = 0; i < 2; i++) {
			rda_put64(&b, RDA_NVME_ADDRESS);
			rda_put32(&b, 0x1000 + i);
			rda_put32(&b, 512);
		}
		rda_nvme_send(&n, 0, &b);
		if (!whole)
			rda_nvme_fetch(&n, 0x900, 48);
		rda_nvme_data(&n, 0x1000, 512);
		rda_nvme_data(&n, 0x1001, 512);
		if (!whole)
			rda_nvme_data(&n, 0x1002, 512);
		rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 7, .limit = 1});
		ck_assert_uint_eq(facts_of(&n)->operations[!_i].bytes, whole ? 1024 : 1536);
		ck_assert_uint_eq(facts_of(&n)->operations[!_i].data.count, whole);
		ck_assert_uint_eq(facts_of(&n)->unjoined, !whole);
		rda_nvme_feed_end(&n);
	}
}
END_TEST

/* Data through each of many descriptors. */
START_TEST(many_descriptors)
{
	enum { COUNT = 12, EACH = 100 }; /* as many as Linux has by default */
	struct rda_build b = {0};
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, _i, 64);
	rda_srp_read(&n, 6, 0x1000, EACH);
	rda_nvme_data(&n, 0x1000, EACH);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 6, .limit = 1});
	rda_put_hex(&b, "02 00 000000 02 00");
	rda_put8(&b, COUNT);
	rda_put_hex(&b, "0000000000000007 00000000 0000000000000000 00000000"
			"28000000000000000000000000000000");
	rda_put64(&b, RDA_NVME_ADDRESS);
	rda_put32(&b, 0x900);
	rda_put32(&b, 16 * COUNT);
	rda_put32(&b, EACH * COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		rda_put64(&b, RDA_NVME_ADDRESS);
		rda_put32(&b, 0x1000 + i);
		rda_put32(&b, EACH);
	}
	rda_nvme_send(&n, 0, &b);
	for (uint32_t i = 0; i < COUNT; i++)
		rda_nvme_data(&n, 0x1000 + i, EACH);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 7, .limit = 1});
	ck_assert_uint_eq(facts_of(&n)->unjoined, 0);
	ck_assert_uint_eq(facts_of(&n)->operations[!_i].bytes, EACH * (COUNT + 1));
	ck_assert_uint_eq(facts_of(&n)->operations[!_i].data.count, 2);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(errors)
{
	static const struct {
		struct rda_srp_answer answer;
		uint32_t status;
		const char *words;
	} cases[] = {
		{{.tag = 7, .status = 2, .sense = "7000030000000000 00000000 1100 00000000"},
		 0x03110002,
		 "UNRECOVERED READ ERROR"},
		{{.tag = 7, .status = 8}, 8, "BUSY"},
		{{.tag = 7, .response = "00000002"}, 0x10000002, "Request fields invalid"},
		{{.tag = 7, .status = 4}, 0, NULL}, /* CONDITION MET */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_nvme_feed n;

		rda_srp_feed_begin(&n, _i, 64);
		rda_srp_read(&n, 7, 0x1000, 512);
		rda_srp_respond(&n, &cases[i].answer);
		ck_assert_msg(facts_of(&n)->failed == (cases[i].status != 0), "case %u", i);
		if (cases[i].status) {
			ck_assert_uint_eq(facts_of(&n)->statuses[0].code, cases[i].status);
			ck_assert_str_eq(facts_of(&n)->statuses[0].words, cases[i].words);
		}
		rda_nvme_feed_end(&n);
	}
}
END_TEST

START_TEST(shorter_than_asked)
{
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, _i, 64);
	rda_srp_read(&n, 7, 0x1000, 512);
	rda_nvme_data(&n, 0x1000, 100);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 7, .flags = 0x20, .in_residual = 412});
	ck_assert_uint_eq(facts_of(&n)->operations[!_i].bytes, 100);
	ck_assert_uint_eq(facts_of(&n)->operations[!_i].data.count, 1);
	/* a residual that lies */
	rda_srp_read(&n, 7, 0x1000, 512);
	rda_srp_respond(
		&n, &(struct rda_srp_answer){.tag = 7, .flags = 0x20, .in_residual = UINT32_MAX});
	ck_assert_uint_eq(facts_of(&n)->operations[!_i].bytes, 612);
	rda_nvme_feed_end(&n);
}
END_TEST

/* Both sides ask; tags of the one are not tags of the other. */
START_TEST(others)
{
	struct rda_nvme_feed n;
	const struct rda_ulp_facts *facts;

	rda_srp_feed_begin(&n, _i, 64);
	rda_srp_read(&n, 7, 0x1000, 512);
	rda_srp_send(&n, 1, "81 000000 00000002 0000000000000007");
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, 2);
	rda_srp_send(&n, 0, "41 00000000000000 0000000000000007");
	rda_srp_send(&n, 1,
		     "82 000000 00000001 0000000000000008 00000000 0000000000000000"
		     "00000000 00000000");
	rda_srp_send(&n, 0, "42 00000000000000 0000000000000008");
	rda_srp_send(&n, 0,
		     "01 00000000000000 0000000080000000 00000000 0003000000000000"
		     "0000 01 00 0000000000000007 0000000000000000");
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 0x80000000, .response = "00000000"});
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 7});
	rda_srp_send(&n, 0, "03 00000000000000 0000000000000009");
	facts = facts_of(&n);
	ck_assert_uint_eq(facts->asked, facts->answered);
	ck_assert_uint_eq(facts->failed, 0);
	ck_assert_str_eq(facts->operations[1 + !_i].name, "Credit Request");
	ck_assert_str_eq(facts->operations[2 + !_i].name, "Asynchronous Event");
	ck_assert_str_eq(facts->operations[3 + !_i].name, "ABORT TASK");
	ck_assert_str_eq(facts->operations[4 + !_i].name, "Initiator Logout");
	ck_assert_uint_eq(facts->operations[4 + !_i].latency.count, 0);
	rda_srp_send(&n, 1, "80 000000 00000002 0000000000000009");
	ck_assert_uint_eq(facts->failed, 1);
	ck_assert_str_eq(facts->statuses[0].words, "Invalid information unit type");
	/* of no type, and an answer to nothing */
	rda_srp_send(&n, 1, "77 000000");
	ck_assert_uint_eq(facts->unread, 1);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 99});
	ck_assert_uint_eq(facts->unasked, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(requests_that_are_granted)
{
	const struct rda_ulp_facts *facts;
	struct rda_ulp_facts until;
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, false, 3);
	rda_srp_read(&n, 1, 0x1000, 512);
	facts = facts_of(&n);
	ck_assert(facts->has_limit);
	ck_assert_int_eq(facts->limit_first, 3);
	ck_assert_int_eq(facts->limit_least, 2);
	ck_assert_uint_eq(facts->limited_times, 0);
	rda_srp_read(&n, 2, 0x1001, 512);
	ck_assert_uint_eq(facts->limited_times, 1);
	rda_nvme_wait(&n, 1000000);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 1, .limit = 1});
	ck_assert_int_ge(facts->limited_ns, 1000000);
	ck_assert_int_lt(facts->limited_ns, 1100000);
	/* more than it granted */
	rda_srp_read(&n, 3, 0x1002, 512);
	rda_srp_read(&n, 4, 0x1003, 512);
	rda_srp_read(&n, 5, 0x1004, 512);
	ck_assert_int_eq(facts->limit_least, -1);
	ck_assert_uint_eq(facts->limited_times, 2);
	rda_ulp_facts_of(&until, rda_nvme_found(&n), n.w.feed.meta.time_ns + 5000000);
	ck_assert_int_ge(until.limited_ns, 6000000);
	rda_ulp_facts_cleanup(&until);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_srp_track(void)
{
	Suite *suite = suite_create("srp_track");
	TCase *tcase = tcase_create("srp_track");

	tcase_add_loop_test(tcase, data_is_joined, 0, 2);
	tcase_add_loop_test(tcase, found_by_its_login, 0, 2);
	tcase_add_loop_test(tcase, indirect, 0, 2);
	tcase_add_loop_test(tcase, many_descriptors, 0, 2);
	tcase_add_loop_test(tcase, errors, 0, 2);
	tcase_add_loop_test(tcase, shorter_than_asked, 0, 2);
	tcase_add_loop_test(tcase, others, 0, 2);
	tcase_add_test(tcase, requests_that_are_granted);
	suite_add_tcase(suite, tcase);
	return suite;
}
