/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that are lost if they do not come late: stories, and what is told of them.
 */
#include "analyzer/track/roce/owed.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* What is counted as lost, and what is told when nothing can come late any more. */
static const struct {
	const char *script;
	uint64_t lost, told_lost, told_missing;
} stories[] = {
	/* nothing overtakes: all that was asked for again was lost */
	{"read 10-13 response 10 12 13 read 11-13 response 11-13 wait 100 read 14 response 14", 1,
	 1, 0},
	{"read 10-13 response 10 11 read 12 13 response 12 13 wait 100 read 14 response 14", 0, 0,
	 0},
	/* it comes after all */
	{"read 10-13 response 10 12 13 read 11-13 response 11 11-13 wait 100 read 14 response 14",
	 0, 0, 0},
	/* responses overtake: those behind came once more often */
	{"read 0-2 response 0 2 1 read 10-13 response 10 12 13 read 11-13 response 11-13 wait 100 "
	 "read 14 response 14 wait 10 read 15 response 15",
	 1, 1, 0},
	/* or did not: it may have come late, and the second one not yet */
	{"read 0-2 response 0 2 1 read 10-13 response 10 12 13 read 11-13 response 11 wait 100 "
	 "read 14 response 14 wait 10 read 15 response 15",
	 0, 0, 1},
	/* asked for from behind it too: it was late, or the answer to that is under way */
	{"read 0-2 response 0 2 1 read 10-13 response 10 12 13 read 11-13 read 12-13 response "
	 "11-13 "
	 "wait 100 read 14 response 14 wait 10 read 15 response 15",
	 0, 0, 1},
	/* asked for twice, and answered twice: none of the two was late */
	{"read 10-13 response 10 12 13 read 11-13 read 11-13 response 11-13 response 11-13 wait "
	 "100 read 14 response 14 wait 10 read 15 response 15",
	 1, 1, 0},
	/* what is owed comes where the answer to who asked for all again is due: it is late, or
	 * two more of that are lost */
	{"read 10-13 response 10 11 13 read 10-13 wait 1 response 12 read 10-13 response 10-13 "
	 "wait 100 read 14 response 14 wait 10 read 15 response 15",
	 0, 0, 2},
	/* of an ATOMIC nothing behind tells */
	{"read 0-2 response 0 2 1 wait 100 atomic 3 4 result 4 atomic 3 4 result 3 4 wait 100 read "
	 "14 "
	 "response 14 wait 10 read 15 response 15",
	 0, 0, 1},
	/* the path holds all back for a while, and what is owed comes as soon as it carries again:
	 * from the moment on at which it is asked for again, too */
	{"read 0-2 response 0 2 1 read 10-13 response 10 12 13 read 11-13 wait 100 read 14 "
	 "response 14 11 11 wait 10 read 15 response 15",
	 0, 0, 0},
	{"read 0-2 response 0 2 1 read 10-13 response 10 12 13 read 11-13 response 12 13 wait 100 "
	 "read 14 response 14 11 11 wait 10 read 15 response 15",
	 0, 0, 0},
};

static void holds(unsigned story, int64_t begin_ns)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	t.time_ns = begin_ns;
	rda_tell(&t, stories[story].script);
	ck_assert_uint_eq(t.responder.rare->counts.lost_before, stories[story].lost);
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_LOST_BEFORE], stories[story].told_lost);
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_MISSING], stories[story].told_missing);
	rda_telling_end(&t);
}

/* The same at any time, also before 1970. */
START_TEST(story)
{
	holds((unsigned)_i, INT64_C(1700000000) * 1000000000);
	holds((unsigned)_i, 0);
	holds((unsigned)_i, INT64_C(-1700000000) * 1000000000);
}
END_TEST

Suite *rda_suite_owed(void)
{
	Suite *suite = suite_create("owed");
	TCase *tcase = tcase_create("owed");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
