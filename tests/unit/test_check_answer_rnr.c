/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RNR NAKs, and how they are respected.
 */
#include "analyzer/checks/answer/rnr.h"

#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

START_TEST(dialogs)
{
	/* timer code 14: 1.28 ms */
	static const struct rda_dialog cases[] = {
		{"send 10 rnr 10 us 1281 send 10 ack 10", "A17n!1"},
		{"send 10 rnr 10 us 1260 send 10 ack 10", "A17n!1"}, /* within 1 % and 10 us */
		/* A14; so early that it may have crossed the RNR NAK, or by a timer that nobody
		 * told of: perhaps */
		{"cm 7 7 1 send 10 rnr 10 us 1200 send 10 ack 10", "A14e!1 A17n!1"},
		{"send 10 rnr 10 us 1200 send 10 ack 10", "A14w?1 A17n!1"},
		{"send 10 rnr 10 us 900 send 10 ack 10", "A14w?1 A17n!1"},
		/* A15 */
		{"send 10 rnr 10 us 1100 send 11 us 1200 send 10-11 ack 11",
		 ""
		 "A17n!1"}, /* the way here and back may be as long */
		{"send 10 rnr 10 us 1050 send 11 us 231 send 10-11 ack 11", "A17n!1"}, /* a burst */
		/* copies */
		{"send 10 rnr 10 10 us 1300 send 10 ack 10", "A17n!1"},
		{"send 10 rnr 10 us 1300 send 10 rnr 10 us 1300 send 10 ack 10", "A17n!2"},
		/* A18 */
		{"read 10 rnr 10 us 1300 read 10 response 10", "A18w?1"},
		{"write 10 rnr 10 us 1300 write 10 ack 10", "A18w?1"},
		{"faa 10=1 rnr 10 us 1300 faa 10=1 result 10=0", "A18w?1"},
		{"first 10 middle 11 rnr 11/0 us 1300 middle 11 ack 11/0", "A17n!1"},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

/* A wait that costs little is a note: less than 1 % or than 10 ms, and less than 100 ms. */
START_TEST(what_waiting_costs)
{
	static const struct rda_dialog cases[] = {
		{"send 10 rnr 10 us 9900 send 10 ack 10", "A17n!1"},
		{"send 10 rnr 10 us 10100 send 10 ack 10", "A17w!1"},
		{"send 10 ack 10 wait 5000 send 11 rnr 11 us 11000 send 11 ack 11", "A17n!1"},
		{"send 10 ack 10 wait 900 send 11 rnr 11 us 11000 send 11 ack 11", "A17w!1"},
		{"send 10 ack 10 wait 50000 send 11 rnr 11 us 101000 send 11 ack 11", "A17w!1"},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

Suite *rda_suite_check_answer_rnr(void)
{
	Suite *suite = suite_create("check_rnr");
	TCase *tcase = tcase_create("check_rnr");

	tcase_add_test(tcase, dialogs);
	tcase_add_test(tcase, what_waiting_costs);
	suite_add_tcase(suite, tcase);
	return suite;
}
