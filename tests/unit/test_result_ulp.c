/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upper layers as values: of an engine, and of two results made one.
 */
#include "analyzer/engine/result_ulp.h"

#include "analyzer/rda.h"
#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

static struct rda_result *result_of(uint16_t cid, int64_t slow_ns)
{
	struct rda_result *result;
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	rda_nvme_connect(&n, 1, 0);
	rda_nvme_read(&n, cid, 0x1000, 512);
	rda_nvme_wait(&n, slow_ns);
	rda_nvme_complete(&n, cid, 0x0080);
	rda_engine_end(n.w.feed.engine);
	result = rda_engine_result(n.w.feed.engine);
	rda_nvme_feed_end(&n);
	return result;
}

static void check_one(const struct rda_ulp_facts *ulp, uint32_t connection)
{
	ck_assert_uint_eq(ulp->connection, connection);
	ck_assert_uint_eq(ulp->side, 0);
	ck_assert_int_eq(ulp->queue, 1);
	ck_assert_uint_eq(ulp->operation_count, 2);
	ck_assert_str_eq(ulp->operations[1].name, "Read");
	ck_assert_uint_eq(ulp->operations[1].failed, 1);
	ck_assert_uint_eq(ulp->status_count, 1);
	ck_assert_str_eq(ulp->statuses[0].words, "LBA Out of Range");
}

START_TEST(of_an_engine)
{
	struct rda_result *result = result_of(1, 1000);

	ck_assert_uint_eq(rda_result_ulp_count(result), 1);
	check_one(rda_result_ulp(result, 0), rda_result_ulp(result, 0)->connection);
	ck_assert_uint_eq(rda_result_slow_command_count(result), 2);
	ck_assert_str_eq(rda_result_slow_command(result, 0)->operation, "Read");
	ck_assert_uint_eq(rda_result_slow_command(result, 0)->status, 0x80);
	ck_assert_uint_eq(rda_result_ulps_not_followed(result), 0);
	rda_result_free(result);
}
END_TEST

START_TEST(of_two)
{
	struct rda_result *one = result_of(1, 5000), *two = result_of(2, 9000);
	struct rda_result *both = rda_result_merge(one, two);

	ck_assert_uint_eq(rda_result_ulp_count(both), 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_ulp_facts *ulp = rda_result_ulp(both, i);

		check_one(ulp, ulp->connection);
		ck_assert_uint_lt(ulp->connection, rda_result_connection_count(both));
	}
	ck_assert_uint_lt(rda_result_ulp(both, 0)->connection, rda_result_ulp(both, 1)->connection);
	ck_assert_uint_eq(rda_result_slow_command_count(both), 4);
	for (unsigned i = 1; i < 4; i++)
		ck_assert_int_ge(rda_result_slow_command(both, i - 1)->latency_ns,
				 rda_result_slow_command(both, i)->latency_ns);
	rda_result_free(one);
	rda_result_free(two);
	check_one(rda_result_ulp(both, 1), rda_result_ulp(both, 1)->connection);
	rda_result_free(both);
}
END_TEST

Suite *rda_suite_result_ulp(void)
{
	Suite *suite = suite_create("result_ulp");
	TCase *tcase = tcase_create("result_ulp");

	tcase_add_test(tcase, of_an_engine);
	tcase_add_test(tcase, of_two);
	suite_add_tcase(suite, tcase);
	return suite;
}
