/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PSN a responder expects after each story, and how many requests were ahead of it since it
 * last moved.
 */
#include "analyzer/track/roce/expected.h"

#include "analyzer/base/psn.h"
#include "tests/unit/story.h"
#include "tests/unit/suite.h"

struct expected_case {
	const char *name, *story;
	int64_t expected; /* behind the story's PSN 0 */
	uint64_t ahead, duplicates, out_of_sequence;
};

static const struct expected_case cases[] = {
	{"in order", "send 10-12", 13, 0, 0, 0},
	{"a READ takes its PSNs", "send 10 read 11-14", 15, 0, 0, 0},
	{"a hole", "send 10 12 13", 11, 2, 0, 2},
	{"that is filled", "send 10 12 13 11", 12, 0, 0, 2},
	{"an ACK proves it, and what followed", "send 10 12 13 ack 12", 14, 0, 0, 0},
	{"the first overtakes the others", "send 12 10 11", 12, 0, 0, 1},
	{"each overtakes the others", "send 12 11 10", 11, 0, 0, 2},
	{"a NAK for what was lost behind", "send 10-13 nak 11", 11, 2, 0, 2},
	{"a NAK that what it names crossed", "send 10 12 13 11 nak 11", 12, 0, 0, 2},
	{"a NAK that the first caused", "send 12 10 11 nak 10", 12, 0, 0, 1},
	{"duplicates move nothing", "send 10-12 ack 12 send 10 11", 13, 0, 2, 0},
	{"what a timer repeats tells nothing", "send 10-12 wait 500 send 10-12", 13, 0, 0, 0},
};

START_TEST(told)
{
	const struct expected_case *c = &cases[_i];
	const struct rda_responder *s;
	struct rda_telling t;
	int64_t expected;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, c->story);
	s = &t.responder;
	expected = s->at.expected & RDA_PSN_MASK;
	RDA_CHECK(expected == c->expected, "%s: %lld", c->name, (long long)expected);
	RDA_CHECK(s->at.ahead == c->ahead, "%s: %llu ahead", c->name,
		  (unsigned long long)s->at.ahead);
	RDA_CHECK(s->rare->unexpected.duplicates == c->duplicates, "%s: %llu duplicates", c->name,
		  (unsigned long long)s->rare->unexpected.duplicates);
	RDA_CHECK(s->rare->unexpected.out_of_sequence == c->out_of_sequence,
		  "%s: %llu out of sequence", c->name,
		  (unsigned long long)s->rare->unexpected.out_of_sequence);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_expected(void)
{
	Suite *suite = suite_create("expected");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, told, 0, sizeof(cases) / sizeof(cases[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
