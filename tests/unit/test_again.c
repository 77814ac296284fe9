/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many requests a responder had before, as its answers tell.
 */
#include "analyzer/track/roce/again.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

struct again_case {
	const char *name, *story;
	uint64_t duplicates;
};

static const struct again_case cases[] = {
	{"a timer's run, answered once", "send 10 11 wait 500 send 10 11 ack 11", 0},
	{"answered twice", "send 10 11 wait 500 send 10 11 ack 11 ack 11", 2},
	{"two runs", "send 10 wait 500 send 10 wait 500 send 10 ack 10 ack 10 ack 10", 2},
	{"the last answer to two runs was lost",
	 "send 10 wait 500 send 10 wait 500 send 10 ack 10 ack 10", 1},
	{"a copy that is not answered", "send 10 copy ack 10 send 11 ack 11", 0},
	{"a copy that is answered", "send 10 copy ack 10 ack 10 send 11 ack 11", 1},
	{"more answers than requests", "send 10 copy ack 10 ack 10 ack 10 ack 10", 1},
	{"a copy of what was not the next", "send 10 12 copy nak 11 send 11 12 ack 12", 0},
	{"an ATOMIC, answered twice", "atomic 10 wait 500 atomic 10 result 10 result 10", 1},
	{"nothing tells of a run that a NAK follows",
	 "send 10 11 wait 500 send 10 11 13 nak 12 send 12 13 ack 13", 0},
};

START_TEST(told)
{
	const struct again_case *c = &cases[_i];
	struct rda_telling t;
	uint64_t duplicates;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, c->story);
	duplicates = rda_responder_duplicates(&t.responder, false);
	RDA_CHECK(duplicates == c->duplicates, "%s: %llu", c->name, (unsigned long long)duplicates);
	rda_telling_end(&t);
}
END_TEST

/* A mirror that shows requests twice shows the answers twice, too. */
START_TEST(mirrored)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 copy ack 10 ack 10 send 11 ack 11");
	ck_assert_uint_eq(rda_responder_duplicates(&t.responder, true), 0);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_again(void)
{
	Suite *suite = suite_create("again");
	TCase *tcase = tcase_create("duplicates");

	tcase_add_loop_test(tcase, told, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, mirrored);
	suite_add_tcase(suite, tcase);
	return suite;
}
