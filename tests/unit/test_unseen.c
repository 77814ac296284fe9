/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that only the capture missed, until they are asked for again: stories.
 */
#include "analyzer/track/roce/unseen.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

static const struct {
	const char *script;
	uint64_t told, taken_back, by_capture, missing;
} stories[] = {
	/* the requester went on, and never asked again */
	{"read 10-13 response 10 12 13 read 14 response 14 wait 200 read 15 response 15 wait 200 "
	 "read 16 response 16",
	 1, 0, 1, 0},
	/* it asks late: what it asks for first had been lost */
	{"read 10-13 response 10 12 13 read 14 response 14 wait 200 read 15 read 11-13 response "
	 "11-13 read 14 response 14 15 wait 200 read 16 response 16 wait 200 read 17 response 17",
	 1, 1, 0, 1},
	/* or it lacks something before it, and asks for all behind that again */
	{"read 10-13 response 10 12 13 read 14 response 14 wait 200 read 15 read 10-13 response "
	 "10-13 read 14 response 14 15 wait 200 read 16 response 16 wait 200 read 17 response 17",
	 1, 1, 0, 0},
};

START_TEST(story)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, stories[_i].script);
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_UNSEEN], stories[_i].told);
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_ASKED], stories[_i].taken_back);
	ck_assert_uint_eq(t.responder.rare->counts.lost_by_capture, stories[_i].by_capture);
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_MISSING], stories[_i].missing);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_unseen(void)
{
	Suite *suite = suite_create("unseen");
	TCase *tcase = tcase_create("unseen");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
