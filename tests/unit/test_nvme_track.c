/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands and completions of a queue, over both kinds of RDMA.
 */
#include "analyzer/track/ulp/nvme_track.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

static const struct rda_ulp_operation *row(const struct rda_nvme_feed *n, const char *name)
{
	const struct rda_ulp_facts *facts = &rda_nvme_found(n)->facts;

	for (uint32_t i = 0; i < facts->operation_count; i++)
		if (strcmp(facts->operations[i].name, name) == 0)
			return &facts->operations[i];
	ck_abort_msg("there is no row of %s", name);
	return NULL;
}

START_TEST(a_queue)
{
	struct rda_nvme_feed n;
	const struct rda_ulp *ulp;

	rda_nvme_feed_begin(&n, _i);
	rda_nvme_connect(&n, 3, 0);
	rda_nvme_read(&n, 17, 0x1000, 512);
	rda_nvme_write(&n, 18, 0x1001, 512);
	rda_nvme_data(&n, 0x1000, 512);
	rda_nvme_fetch(&n, 0x1001, 512);
	rda_nvme_complete(&n, 18, 0);
	rda_nvme_complete(&n, 17, 0x0281);
	rda_nvme_complete(&n, 17, 0);
	ulp = rda_nvme_found(&n);
	ck_assert_int_eq(ulp->nvme.number, 3);
	ck_assert_uint_eq(ulp->facts.asked, 3);
	ck_assert_uint_eq(ulp->facts.answered, 3);
	ck_assert_uint_eq(ulp->facts.failed, 1);
	ck_assert_uint_eq(ulp->facts.unasked, 1);
	ck_assert_uint_eq(ulp->facts.depth_most, 2);
	ck_assert_uint_eq(ulp->facts.unjoined, 0);
	ck_assert_uint_eq(ulp->commands.count, 0);
	ck_assert_uint_eq(row(&n, "Connect")->answered, 1);
	ck_assert_uint_eq(row(&n, "Read")->failed, 1);
	ck_assert_uint_eq(row(&n, "Read")->bytes, 0);
	ck_assert_uint_eq(row(&n, "Read")->before.count, 1);
	ck_assert_uint_eq(row(&n, "Write")->bytes, 512);
	ck_assert_uint_eq(row(&n, "Write")->before.count, 1);
	ck_assert_int_eq(row(&n, "Write")->latency.max, row(&n, "Write")->before.max +
								row(&n, "Write")->data.max +
								row(&n, "Write")->after.max);
	ck_assert_uint_eq(ulp->facts.status_count, 1);
	ck_assert_str_eq(ulp->facts.statuses[0].words, "Unrecovered Read Error");
	rda_nvme_feed_end(&n);
}
END_TEST

/* Nothing says which queue it is, but the commands. */
START_TEST(begun_before_the_capture)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_nvme_admin(&n, 0x18, 1);
	rda_nvme_complete(&n, 7, 0);
	rda_nvme_complete(&n, 1, 0);
	ck_assert_int_eq(rda_nvme_found(&n)->nvme.number, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.unasked, 1);
	ck_assert_uint_eq(row(&n, "Keep Alive")->answered, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

/* An event that may never happen is not late, and no command that is under way. */
START_TEST(events)
{
	struct rda_nvme_feed n;
	struct rda_ulp_facts facts;

	rda_nvme_feed_begin(&n, _i);
	rda_nvme_connect(&n, 0, 0);
	rda_nvme_admin(&n, 0x0c, 1);
	rda_nvme_wait(&n, 1000000000);
	rda_nvme_admin(&n, 0x18, 2);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.depth_most, 1);
	rda_ulp_facts_of(&facts, rda_nvme_found(&n), n.w.feed.meta.time_ns);
	ck_assert_uint_eq(facts.unanswered, 1);
	ck_assert_uint_eq(facts.waiting, 1);
	ck_assert_int_lt(facts.busy_ns, 1000000);
	rda_ulp_facts_cleanup(&facts);
	rda_nvme_complete(&n, 1, 0);
	ck_assert_uint_eq(row(&n, "Asynchronous Event Request")->answered, 1);
	ck_assert_uint_eq(row(&n, "Asynchronous Event Request")->latency.count, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->waiting, 0);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(the_number_again)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_nvme_read(&n, 17, 0x1000, 512);
	rda_nvme_read(&n, 17, 0x1001, 512);
	rda_nvme_data(&n, 0x1000, 512); /* of the one that is forgotten */
	rda_nvme_complete(&n, 17, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.replaced, 1);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.unjoined, 1);
	ck_assert_uint_eq(row(&n, "Read")->answered, 1);
	ck_assert_uint_eq(row(&n, "Read")->before.count, 0);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(cut_capsules)
{
	struct rda_nvme_feed n;
	struct rda_build half = {0};

	rda_put_pattern(&half, 8);
	rda_nvme_feed_begin(&n, _i);
	rda_nvme_connect(&n, 1, 0);
	rda_nvme_send(&n, 0, &half);
	rda_nvme_send(&n, 1, &half);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.cut, 2);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.asked, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(silence)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_nvme_connect(&n, 0, 5000);
	rda_nvme_wait(&n, INT64_C(7000000000));
	rda_nvme_admin(&n, 0x18, 1);
	rda_nvme_wait(&n, INT64_C(3000000000));
	rda_nvme_admin(&n, 0x18, 2);
	ck_assert_uint_eq(rda_nvme_found(&n)->nvme.keep_ms, 5000);
	ck_assert_int_gt(rda_nvme_found(&n)->nvme.silent_ns, INT64_C(7000000000));
	ck_assert_int_lt(rda_nvme_found(&n)->nvme.silent_ns, INT64_C(7001000000));
	ck_assert_int_eq(rda_nvme_found(&n)->nvme.silent_from_ns,
			 rda_nvme_found(&n)->nvme.begun_ns);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_nvme_track(void)
{
	Suite *suite = suite_create("nvme_track");
	TCase *tcase = tcase_create("nvme_track");

	tcase_add_loop_test(tcase, a_queue, 0, 2);
	tcase_add_loop_test(tcase, begun_before_the_capture, 0, 2);
	tcase_add_loop_test(tcase, events, 0, 2);
	tcase_add_loop_test(tcase, the_number_again, 0, 2);
	tcase_add_loop_test(tcase, cut_capsules, 0, 2);
	tcase_add_loop_test(tcase, silence, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
