/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What another tap lacks and was not lost.
 */
#include "analyzer/taps/missing.h"

#include "tests/unit/suite.h"

#include <glib.h>

enum { REQUESTS, ANSWERS, FLOWS };

static const uint32_t back[FLOWS] = {ANSWERS, REQUESTS};
static const uint32_t same[FLOWS] = {REQUESTS, ANSWERS};

static struct rda_passages from, to;
static uint32_t match[16], match_back[16];

static void setup(void)
{
	rda_passages_init(&from);
	rda_passages_init(&to);
}

static void teardown(void)
{
	rda_passages_cleanup(&from);
	rda_passages_cleanup(&to);
}

static void request(struct rda_passages *at, uint32_t psn, uint32_t *matches, uint32_t one)
{
	matches[at->count] = one;
	rda_passages_add(
		at, &(struct rda_passage){.flow = REQUESTS, .sequence = psn, .answered = true});
}

static void answer(uint32_t psn)
{
	match[from.count] = RDA_PASSAGE_NONE;
	rda_passages_add(&from,
			 &(struct rda_passage){.flow = ANSWERS, .sequence = psn, .answers = true});
}

static struct rda_missing *find(const uint8_t *beyond)
{
	return rda_missing_new(
		&(struct rda_missing_of){&from, &to, match, match_back, FLOWS, back, same, beyond});
}

START_TEST(acknowledged)
{
	struct rda_missing *missing;

	request(&from, 30, match, RDA_PASSAGE_NONE);
	answer(30);
	request(&from, 31, match, RDA_PASSAGE_NONE);
	missing = find(NULL);
	ck_assert(rda_missing_is_delivered(missing, 0));
	ck_assert(rda_missing_passed(missing, 0));
	ck_assert(!rda_missing_passed(missing, 2));
	rda_missing_free(missing);
}
END_TEST

/* The first tap missed that it was sent again: this one may be lost. */
START_TEST(sent_again_as_the_other_tap_shows)
{
	struct rda_missing *missing;

	request(&from, 30, match, RDA_PASSAGE_NONE);
	request(&to, 30, match_back, RDA_PASSAGE_NONE);
	answer(30);
	missing = find(NULL);
	ck_assert(!rda_missing_is_delivered(missing, 0));
	ck_assert(!rda_missing_passed(missing, 0));
	rda_missing_free(missing);
}
END_TEST

START_TEST(seen_farther_on)
{
	const uint8_t beyond[] = {1 << 1, 1 << 0};
	struct rda_missing *missing;

	for (uint32_t i = 0; i < 10; i++)
		request(&from, 30 + i, match, RDA_PASSAGE_NONE);
	missing = find(beyond);
	for (uint32_t i = 0; i < 10; i++)
		ck_assert(rda_missing_passed(missing, i) == (i == 1 || i == 8));
	ck_assert(!rda_missing_is_delivered(missing, 1));
	rda_missing_free(missing);
}
END_TEST

/* Of most packets a twin: a mirror shows them twice. Of a few: they may have been sent again. */
START_TEST(shown_twice)
{
	struct rda_missing *missing;

	for (uint32_t i = 0; i < 10; i++)
		request(&from, 30 + i / 2, match, i % 2 ? RDA_PASSAGE_TWIN : i / 2);
	missing = find(NULL);
	ck_assert(rda_missing_is_mirrored(missing, 1));
	ck_assert(!rda_missing_is_mirrored(missing, 0));
	rda_missing_free(missing);
	for (uint32_t i = 3; i < 10; i++)
		match[i] = i;
	missing = find(NULL);
	ck_assert(!rda_missing_is_mirrored(missing, 1));
	rda_missing_free(missing);
}
END_TEST

Suite *rda_suite_missing(void)
{
	Suite *suite = suite_create("missing");
	TCase *tcase = tcase_create("missing");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, acknowledged);
	tcase_add_test(tcase, sent_again_as_the_other_tap_shows);
	tcase_add_test(tcase, seen_farther_on);
	tcase_add_test(tcase, shown_twice);
	suite_add_tcase(suite, tcase);
	return suite;
}
