/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine gives to the trackers of upper layers: nothing when it only counts, and no packet
 * that is damaged or that a mirror shows once more.
 */
#include "analyzer/engine/upper_layers.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

START_TEST(count_only)
{
	struct rda_config config = {.count_only = true};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_engine_drop(n.w.feed.engine);
	n.w.feed.engine = rda_engine_new(&config);
	if (_i)
		rda_iwarp_open(&n.w);
	rda_nvme_connect(&n, 1, 0);
	ck_assert_ptr_null(rda_nvme_found(&n));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(copies_and_damage)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, RDA_NVME_TARGET_QP, 0x04, 101);
	struct rda_build b = {0};
	struct rda_nvme_feed n;

	rda_nvme_capsule(&b, 0x18, 5, 0, 0, 0, (uint32_t[]){0, 0, 0});
	recipe.payload = b.bytes;
	recipe.payload_length = b.length;
	rda_nvme_feed_begin(&n, false);
	rda_nvme_connect(&n, 0, 0);
	rda_feed(&n.w.feed, &recipe);
	rda_feed(&n.w.feed, &recipe); /* the same IP identification: a mirror's */
	recipe.damaged = true;
	recipe.psn++;
	rda_feed(&n.w.feed, &recipe);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.asked, 2);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_upper_layers(void)
{
	Suite *suite = suite_create("upper_layers");
	TCase *tcase = tcase_create("upper_layers");

	tcase_add_loop_test(tcase, count_only, 0, 2);
	tcase_add_test(tcase, copies_and_damage);
	suite_add_tcase(suite, tcase);
	return suite;
}
