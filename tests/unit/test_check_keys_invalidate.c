/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SEND with Invalidate: what counts as after it, and what makes the key good again.
 */
#include "analyzer/checks/keys/state.h"

#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

enum { KEY = 0x00001622 };

static const uint8_t TOLD[] = {0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x16, 0x22};
static const uint8_t OTHER[] = {0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x16, 0x23};

static struct rda_keys_feed keys;

static void use(void)
{
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 64);
	rda_keys_ack(&keys);
}

static enum rda_severity severity_of(enum rda_check check)
{
	for (unsigned i = 0; i < rda_engine_finding_count(keys.feed.engine); i++)
		if (rda_engine_finding(keys.feed.engine, i)->key.check == check)
			return (enum rda_severity)rda_engine_finding(keys.feed.engine, i)
				->key.severity;
	return RDA_SEVERITY_COUNT;
}

/* Told, used, invalidated, (told anew,) used again. */
START_TEST(use_after_invalidate)
{
	static const struct {
		const uint8_t *before, *between;
		uint32_t length;
		unsigned severity; /* RDA_SEVERITY_COUNT: none */
	} cases[] = {
		{TOLD, TOLD, sizeof(TOLD), RDA_SEVERITY_COUNT},
		{TOLD, OTHER, sizeof(TOLD), RDA_SEVERITY_ERROR},
		{TOLD, NULL, 0, RDA_SEVERITY_ERROR},
		{NULL, NULL, 0, RDA_SEVERITY_WARNING},
		{TOLD, NULL, 600, RDA_SEVERITY_NOTE}, /* a message too long to be looked at */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		if (cases[i].before)
			rda_keys_tell(&keys, cases[i].before, sizeof(TOLD));
		use();
		rda_keys_invalidate(&keys, KEY);
		rda_keys_ack(&keys);
		if (cases[i].length)
			rda_keys_tell(&keys, cases[i].between, cases[i].length);
		use();
		rda_keys_finish(&keys);
		ck_assert_msg(severity_of(RDA_CHECK_K04) == cases[i].severity, "case %u", i);
		ck_assert_uint_eq(rda_engine_key(keys.feed.engine, 0)->rare->used_after_invalidate,
				  cases[i].severity != RDA_SEVERITY_COUNT);
		rda_keys_end(&keys);
	}
}
END_TEST

/* What another QP sent before the invalidation was acknowledged may have come first. */
START_TEST(other_qps_race_until_it_is_acknowledged)
{
	for (unsigned acked = 0; acked < 2; acked++) {
		struct rda_keys_feed second;

		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 1, 1);
		use();
		second = keys;
		rda_keys_connect(&keys, 0, 1);
		use();
		rda_keys_invalidate(&keys, KEY);
		if (acked)
			rda_keys_ack(&keys);
		second.feed = keys.feed;
		rda_keys_access(&second, RC_WRITE_ONLY, 0x1000, KEY, 64);
		keys.feed = second.feed;
		if (!acked)
			rda_keys_ack(&keys);
		second.feed = keys.feed;
		rda_keys_ack(&second);
		keys.feed = second.feed;
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K04), acked);
		rda_keys_end(&keys);
	}
}
END_TEST

/* The MSN counts messages: an ACK of one more with the same MSN says that it was not completed. */
START_TEST(an_invalidate_that_failed)
{
	/* and what comes after it shows that it did not end the connection */
	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 0, 1);
	use();
	rda_keys_invalidate(&keys, KEY);
	keys.msn--;
	rda_keys_ack(&keys);
	use();
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K07), 0);
	rda_keys_end(&keys);
	for (unsigned counted = 0; counted < 2; counted++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		use();
		rda_keys_invalidate(&keys, KEY);
		keys.msn -= !counted;
		rda_keys_ack(&keys);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K07), !counted);
		ck_assert(!rda_engine_key(keys.feed.engine, 0)->invalid == !counted);
		rda_keys_end(&keys);
	}
}
END_TEST

/* A responder that always sends the same MSN says nothing with it. */
START_TEST(an_msn_that_never_counts)
{
	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 0, 1);
	for (unsigned i = 0; i < 3; i++) {
		keys.msn = UINT32_MAX; /* the ACK counts it to 0 */
		use();
	}
	rda_keys_invalidate(&keys, KEY);
	keys.msn = UINT32_MAX;
	rda_keys_ack(&keys);
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K07), 0);
	rda_keys_end(&keys);
}
END_TEST

START_TEST(an_invalidate_of_a_key_nobody_named)
{
	for (unsigned told = 0; told < 2; told++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		if (told)
			rda_keys_tell(&keys, TOLD, sizeof(TOLD));
		rda_keys_invalidate(&keys, KEY);
		rda_keys_ack(&keys);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K06), !told);
		rda_keys_end(&keys);
	}
}
END_TEST

Suite *rda_suite_check_keys_invalidate(void)
{
	Suite *suite = suite_create("check_keys_invalidate");
	TCase *tcase = tcase_create("check_keys_invalidate");

	tcase_add_test(tcase, use_after_invalidate);
	tcase_add_test(tcase, other_qps_race_until_it_is_acknowledged);
	tcase_add_test(tcase, an_invalidate_that_failed);
	tcase_add_test(tcase, an_msn_that_never_counts);
	tcase_add_test(tcase, an_invalidate_of_a_key_nobody_named);
	suite_add_tcase(suite, tcase);
	return suite;
}
