/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which connections have an upper layer, and that looking for it comes to an end.
 */
#include "analyzer/track/ulp/ulp.h"

#include "analyzer/engine/state.h"
#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

static void send_noise(struct rda_nvme_feed *n, unsigned side)
{
	struct rda_build b = {0};

	rda_put_pattern(&b, 64);
	rda_nvme_send(n, side, &b);
}

START_TEST(found_at_the_first_command)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	send_noise(&n, 0);
	send_noise(&n, 1);
	ck_assert_ptr_null(rda_nvme_found(&n));
	rda_nvme_read(&n, 1, 0x1000, 512);
	ck_assert_ptr_nonnull(rda_nvme_found(&n));
	ck_assert_ptr_eq(rda_nvme_found(&n)->asker->ulp, rda_nvme_found(&n));
	rda_nvme_complete(&n, 1, 0);
	ck_assert_ptr_nonnull(rda_nvme_found(&n)->answerer);
	ck_assert_ptr_eq(rda_nvme_found(&n)->answerer->ulp, rda_nvme_found(&n));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(not_looked_for_for_ever)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	for (unsigned i = 0; i < RDA_ULP_TRIES; i++)
		send_noise(&n, 0);
	rda_nvme_read(&n, 1, 0x1000, 512);
	ck_assert_ptr_null(rda_nvme_found(&n));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(as_many_as_there_is_room_for)
{
	struct rda_flow *flows = g_new0(struct rda_flow, RDA_ULP_CONNECTIONS_MAX + 1);
	struct rda_build b = {0};
	struct rda_ulps ulps;

	rda_nvme_capsule(&b, 0x18, 1, 0, 0, 0, (uint32_t[]){0, 0, 0});
	rda_ulps_init(&ulps, 0);
	for (unsigned i = 0; i <= RDA_ULP_CONNECTIONS_MAX; i++)
		rda_ulps_look(&ulps, &flows[i], NULL, b.bytes, b.length);
	ck_assert_uint_eq(ulps.list->len, RDA_ULP_CONNECTIONS_MAX);
	ck_assert_uint_eq(ulps.not_followed, 1);
	ck_assert_ptr_null(flows[RDA_ULP_CONNECTIONS_MAX].ulp);
	ck_assert(!rda_ulp_is_open(&flows[RDA_ULP_CONNECTIONS_MAX]));
	rda_ulps_cleanup(&ulps);
	g_free(flows);
}
END_TEST

/* Two flows, of which only one is known to carry an upper layer yet. */
START_TEST(the_other_direction)
{
	struct rda_flow one = {0}, two = {0};
	struct rda_build b = {0};
	struct rda_ulps ulps;

	rda_nvme_capsule(&b, 0x18, 1, 0, 0, 0, (uint32_t[]){0, 0, 0});
	rda_ulps_init(&ulps, 0);
	rda_ulps_look(&ulps, &one, NULL, b.bytes, b.length);
	rda_ulps_look(&ulps, &two, &one, b.bytes, 1);
	ck_assert_ptr_eq(two.ulp, one.ulp);
	two.ulp = NULL;
	two.peer = &one;
	ck_assert_ptr_eq(rda_ulp_other(&two), &one);
	rda_ulps_flow(&two);
	ck_assert_ptr_eq(two.ulp, one.ulp);
	rda_ulps_cleanup(&ulps);
}
END_TEST

/* A transfer of what nobody lent, and of part of what somebody did. */
START_TEST(transfers)
{
	struct rda_ulp_transfer transfer = {{RDA_NVME_ADDRESS, 0x1000, 256}, true, 10, 20};
	const struct rda_ulp_command *command;
	struct rda_nvme_feed n;
	struct rda_ulp *ulp;

	rda_nvme_feed_begin(&n, false);
	rda_nvme_read(&n, 1, 0x1000, 512);
	ulp = n.w.feed.engine->ulps.list->pdata[0];
	rda_ulp_transferred(ulp, &transfer);
	transfer = (struct rda_ulp_transfer){{RDA_NVME_ADDRESS + 256, 0x1000, 256}, true, 5, 15};
	rda_ulp_transferred(ulp, &transfer);
	command = rda_ulp_commands_first(&ulp->commands);
	ck_assert_uint_eq(command->moved, 512);
	ck_assert_int_eq(command->data_ns, 5);
	ck_assert_int_eq(command->data_end_ns, 20);
	transfer.range.key++;
	rda_ulp_transferred(ulp, &transfer);
	ck_assert_uint_eq(ulp->facts.unjoined, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_ulp(void)
{
	Suite *suite = suite_create("ulp");
	TCase *tcase = tcase_create("ulp");

	tcase_add_loop_test(tcase, found_at_the_first_command, 0, 2);
	tcase_add_loop_test(tcase, not_looked_for_for_ever, 0, 2);
	tcase_add_test(tcase, as_many_as_there_is_room_for);
	tcase_add_test(tcase, the_other_direction);
	tcase_add_test(tcase, transfers);
	suite_add_tcase(suite, tcase);
	return suite;
}
