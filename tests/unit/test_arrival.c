/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of which request a NAK tells that it was lost behind the tap, and of which it tells nothing.
 */
#include "analyzer/track/roce/arrival.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

struct arrival_case {
	const char *name, *story;
	bool lost, crossed; /* of the PSN of the last NAK, 12 */
};

static const struct arrival_case cases[] = {
	{"passed in its turn", "agreed 10 send 10-14 nak 12", true, false},
	{"no packet was behind it, so the capture missed the NAK's trigger",
	 "agreed 10 send 10-12 nak 12", false, false},
	{"overtaken before the tap", "agreed 10 send 10 11 13 12 14 nak 12", false, true},
	{"sent again while its NAK was under way", "agreed 10 send 10-14 wait 1 send 10-12 nak 12",
	 true, true},
	{"it passed out of sequence only: 11 is missing",
	 "agreed 10 send 10 12 13 nak 11 send 11 13 nak 12", false, false},
	{"it passed while 11 was put off, and not again",
	 "agreed 10 send 10-14 rnr 11 wait 5 send 11 13 nak 12", false, false},
	{"put off again by what passed before it did: 11 was taken as it came in between",
	 "agreed 10 send 10-14 send 11 13 14 rnr 11 send 11 12 13 nak 12", false, true},
	{"and again in its turn", "agreed 10 send 10 12 13 nak 11 send 11 12 13 nak 12", true,
	 false},
	{"sent three times, and each time in its turn: one of them was lost",
	 "send 10-14 wait 1 send 10-14 wait 1 send 10-14 nak 12", true, true},
	{"and missing here once: that one the NAK may be about",
	 "send 10-14 wait 1 send 10 11 13 14 wait 1 send 10-14 nak 12", false, true},
	{"the run before the latest came behind a silence: nothing before it is answered",
	 "agreed 10 send 10 11 13 14 wait 60 send 10 11 wait 1 send 10-13 nak 12", true, false},
	{"missing here before the silence, and nothing of before is answered behind it",
	 "agreed 10 send 10 11 13 14 wait 60 send 10-14 wait 1 nak 12", true, false},
	{"answers go on behind the silence: they, and the NAK, may answer what passed before it",
	 "agreed 10 send 10 11 13 14 wait 60 send 10-14 wait 9 ack 10 nak 12", false, true},
	{"not where that answers what is new since, as long behind it as answers take",
	 "agreed 8 send 8 wait 2 ack 8 send 9 wait 2 ack 9 send 10 11 13 14 wait 60 send 10-14"
	 " wait 9 ack 10 send 15 wait 2 nak 12",
	 true, false},
	{"but not sooner than answers come",
	 "agreed 10 send 10 11 13 14 wait 60 send 10-14 wait 1 ack 10 nak 12", true, false},
	{"nor where what shows that it is missing has just passed",
	 "agreed 10 send 10 11 13 14 wait 60 send 10-12 wait 9 ack 10 send 13 14 nak 12", true,
	 false},
	{"and so the NAKs before, which do not show when they are answered",
	 "agreed 9 send 9 ack 9 send 12 10 11 13 wait 60 send 10-13 wait 9 nak 10 ack 11 nak 12",
	 false, true},
};

START_TEST(told)
{
	const struct arrival_case *c = &cases[_i];
	struct rda_telling t;
	const struct rda_arrival *arrival;
	const struct rda_sent *record;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, c->story);
	arrival = &t.responder.rare->arrival;
	record = rda_window_at(&t.requester.window,
			       rda_window_find(&t.requester.window, arrival->naks.psn));
	RDA_CHECK(rda_arrival_is_lost(arrival, record) == c->lost, "%s: lost: expected %d", c->name,
		  c->lost);
	RDA_CHECK(rda_arrival_has_crossed(arrival, record) == c->crossed,
		  "%s: crossed: expected %d", c->name, c->crossed);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_arrival(void)
{
	Suite *suite = suite_create("arrival");
	TCase *tcase = tcase_create("naks");

	tcase_add_loop_test(tcase, told, 0, sizeof(cases) / sizeof(cases[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
