/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many responses were lost for certain, whatever overtook what.
 */
#include "analyzer/track/roce/response_bound.h"

#include "tests/unit/suite.h"

#include <string.h>

static struct rda_response_bounds *bounds;

static void setup(void)
{
	bounds = NULL;
}

static void teardown(void)
{
	rda_response_bounds_free(bounds);
}

/* Responses as digits, requests in brackets, of a READ of PSNs 10 to 19 that is asked once. */
static uint32_t lost_of(const char *story, int64_t expected)
{
	rda_response_bounds_open(&bounds, 10, 20, expected);
	for (const char *at = story; *at; at++)
		if (*at == '[')
			rda_response_bounds_asked(bounds, 10 + *++at - '0');
		else if (*at >= '0' && *at <= '9')
			rda_response_bounds_seen(bounds, 10 + *at - '0');
	return rda_response_bounds_find(bounds, 10)->lost;
}

static const struct {
	const char *story;
	int64_t expected;
	uint32_t lost;
} cases[] = {
	{"6789", 16, 0},	   {"789", 16, 1}, /* until it comes */
	{"789[6]6789", 16, 1},	   {"789[6]66789", 16, 0},
	{"789[6]67869", 16, 0},	   {"789[6]6", 16, 0}, /* that may be the first */
	{"789[6][7]6789", 16, 0}, /* the second 7 may be what was asked from there */
	{"789[6][7]67897", 16, 1}, {"9[6]6789", 16, 3},
	{"9[0]0123456789", 16, 3}, {"9[0]06789", 16, 8}, /* and 1 to 5 of the second answer */
};

START_TEST(certain)
{
	ck_assert_uint_eq(lost_of(cases[_i].story, cases[_i].expected), cases[_i].lost);
}
END_TEST

/* Of a READ of PSNs 10 to 19: whether the last digit of the story is late. */
static const struct {
	const char *story;
	uint32_t unseen;
	bool late;
} arrivals[] = {
	{"012346789", 0, false},	{"0123467895", 0, true},
	{"0123467895", 1, false}, /* who asked for it was not seen */
	{"012346789[5]5", 0, false},	{"012346789[5]5678955", 0, true},
	{"012346789[5]55", 0, true},	{"012346789[5][5]567895", 0, false},
	{"012346789[5][6]55", 0, true}, /* the second request asks for none of it */
	{"01234567895", 0, false},	/* a copy */
};

START_TEST(late)
{
	const char *story = arrivals[_i].story;

	lost_of(story, 10);
	story += strlen(story) - 1;
	ck_assert(rda_response_bounds_late(bounds, 10 + *story - '0', arrivals[_i].unseen) ==
		  arrivals[_i].late);
	ck_assert(!rda_response_bounds_late(bounds, 10 + *story - '0', arrivals[_i].unseen));
}
END_TEST

START_TEST(limits)
{
	rda_response_bounds_seen(bounds, 10); /* of none */
	ck_assert_ptr_null(rda_response_bounds_find(bounds, 10));
	rda_response_bounds_open(&bounds, 0, RDA_RESPONSE_BOUND_PSNS + 1, 0);
	ck_assert_ptr_null(rda_response_bounds_find(bounds, 0));
	rda_response_bounds_open(&bounds, 0, RDA_RESPONSE_BOUND_PSNS, 0);
	ck_assert_ptr_nonnull(rda_response_bounds_find(bounds, 0));
	for (unsigned i = 0; i < 1000; i++) { /* the counts saturate */
		rda_response_bounds_seen(bounds, RDA_RESPONSE_BOUND_PSNS - 1);
		rda_response_bounds_asked(bounds, 5);
	}
	/* from 5 on each was sent as often as the last one was seen; what is asked for again from 5
	 * on says nothing more of those before it */
	ck_assert_uint_eq(rda_response_bounds_find(bounds, 5)->lost,
			  UINT8_MAX * (RDA_RESPONSE_BOUND_PSNS - 6) + 5);
	for (int64_t i = 1; i <= RDA_RESPONSE_BOUND_READS; i++)
		rda_response_bounds_open(&bounds, i << 20, (i << 20) + 2, i << 20);
	ck_assert_ptr_null(rda_response_bounds_find(bounds, 0)); /* the oldest made room */
	for (int64_t i = 1; i <= RDA_RESPONSE_BOUND_READS; i++) {
		ck_assert_ptr_nonnull(rda_response_bounds_find(bounds, (i << 20) + 1));
		ck_assert_ptr_null(rda_response_bounds_find(bounds, (i << 20) + 2));
	}
}
END_TEST

/* 0 is lost, and 2 comes damaged; asked again, 0 is lost once more: 2 was not. */
START_TEST(damaged)
{
	rda_response_bounds_open(&bounds, 10, 14, 10);
	rda_response_bounds_seen(bounds, 11);
	rda_response_bounds_damaged(bounds, 12);
	rda_response_bounds_seen(bounds, 13);
	ck_assert_uint_eq(rda_response_bounds_find(bounds, 10)->lost, 1);
	rda_response_bounds_asked(bounds, 10);
	ck_assert(rda_response_bounds_is_due(bounds, 12));
	for (int64_t psn = 11; psn < 14; psn++)
		rda_response_bounds_seen(bounds, psn);
	ck_assert(!rda_response_bounds_is_due(bounds, 12));
	ck_assert_uint_eq(rda_response_bounds_find(bounds, 10)->lost, 2);
	ck_assert(!bounds->unasked);
	rda_response_bounds_seen(bounds, 13); /* a third: somebody copied the request */
	ck_assert(bounds->unasked);
}
END_TEST

/* It turned out to be shorter than its responses had come. */
START_TEST(shortened)
{
	rda_response_bounds_open(&bounds, 10, 14, 10 + RDA_RESPONSE_BOUND_PSNS);
	ck_assert_uint_eq(rda_response_bounds_find(bounds, 10)->lost, 0);
	ck_assert(!rda_response_bounds_is_due(bounds, 13));
	rda_response_bounds_asked(bounds, 13);
	ck_assert(rda_response_bounds_is_due(bounds, 13));
}
END_TEST

Suite *rda_suite_response_bound(void)
{
	Suite *suite = suite_create("response_bound");
	TCase *tcase = tcase_create("response_bound");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, certain, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_loop_test(tcase, late, 0, sizeof(arrivals) / sizeof(arrivals[0]));
	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, damaged);
	tcase_add_test(tcase, shortened);
	suite_add_tcase(suite, tcase);
	return suite;
}
