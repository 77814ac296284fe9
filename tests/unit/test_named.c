/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a requester names when it asks for READ responses again: stories.
 */
#include "analyzer/track/roce/named.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* What is owed as it is asked for again, and what of that is named. */
static const struct {
	const char *script;
	uint32_t owed, named;
} stories[] = {
	/* what it asks for is what it lacks */
	{"read 10-14 response 10 12-14 wait 10 read 11-14", 1, 1},
	{"read 10-14 response 10-12 wait 10 read 15 response 15 wait 10 read 13-14", 2, 2},
	/* a hole behind that may be the capture's */
	{"read 10-14 response 10 12 14 wait 10 read 11-14", 2, 1},
	/* so may the only one be, where it asks from before it */
	{"read 10-14 response 10 12-14 wait 10 read 10-14", 1, 0},
	/* the run comes to a READ of which nothing came, behind a hole that reaches to it */
	{"read 10-14 read 15-16 read 17 response 10-12 17 wait 10 read 13-14 read 15-16 read 17", 4,
	 4},
	/* or behind one that does not */
	{"read 10-14 read 15-16 read 17 response 10-12 14 17 wait 10 read 13-14 read 15-16 read 17",
	 3, 1},
	/* or one that was shown whole */
	{"read 10-14 read 15-16 read 17 response 10-14 17 wait 10 read 14 read 15-16 read 17", 2,
	 0},
};

START_TEST(story)
{
	uint32_t owed = 0, named = 0;
	const struct rda_owing *owing;
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "read 8 response 8 wait 300 read 9 response 9 wait 10");
	rda_tell(&t, stories[_i].script);
	owing = &t.responder.rare->owing;
	for (uint32_t i = 0; i < owing->count; i++) {
		owed += owing->owed[i].count;
		named += owing->owed[i].named;
	}
	ck_assert_uint_eq(owed, stories[_i].owed);
	ck_assert_uint_eq(named, stories[_i].named);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_named(void)
{
	Suite *suite = suite_create("named");
	TCase *tcase = tcase_create("named");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
