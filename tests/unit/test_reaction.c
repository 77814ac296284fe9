/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a packet that shows a gap to the NAK, and from the NAK to what it asks for.
 */
#include "analyzer/track/roce/reaction.h"

#include "analyzer/base/latency.h"
#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

/* Of what host 1 asks; -1: there are none. */
static void check(const char *script, int sent_us, int obeyed_us, unsigned count)
{
	struct rda_feed feed;
	const struct rda_flow *asker;
	const struct rda_reactions *reactions;

	rda_dialog_tell(&feed, script, 7);
	asker = rda_engine_connection(feed.engine, 0)->flows[0];
	reactions = rda_reactions_of(asker);
	if (sent_us < 0 && obeyed_us < 0) {
		ck_assert_msg(!reactions || !reactions->sent.count, "%s", script);
		rda_feed_end(&feed);
		return;
	}
	ck_assert_uint_eq(reactions->sent.count, count);
	ck_assert_msg(rda_latency_percentile(&reactions->sent, 50) / 1000 == sent_us &&
			      rda_latency_percentile(&reactions->obeyed, 50) / 1000 == obeyed_us,
		      "%s: sent after %lld, obeyed after %lld ns", script,
		      (long long)rda_latency_percentile(&reactions->sent, 50),
		      (long long)rda_latency_percentile(&reactions->obeyed, 50));
	rda_feed_end(&feed);
}

START_TEST(latencies)
{
	const int step = RDA_FEED_STEP_NS / 1000; /* between packets of a dialog */

	check("send 9-10 ack 9 send 12 us 30 nak 11 us 50 send 11-12 ack 12", 30 + step, 50 + step,
	      1);
	/* a second NAK of the same gap is no other case */
	check("send 9-10 ack 9 send 12 us 30 nak 11 nak 11 us 50 send 11-12 ack 12", 30 + step,
	      50 + step, 1);
	/* lost behind the capture: the next packet shows the gap */
	check("send 9-12 us 30 nak 11 us 50 send 11-12 ack 12", 30 + step, 50 + step, 1);
	/* nothing behind it: a NAK for no gap that passed here */
	check("send 9-11 us 30 nak 11 send 11 ack 11", -1, -1, 0);
	check("send 9-11 ack 11", -1, -1, 0);
}
END_TEST

Suite *rda_suite_reaction(void)
{
	Suite *suite = suite_create("reaction");
	TCase *tcase = tcase_create("reaction");

	tcase_add_test(tcase, latencies);
	suite_add_tcase(suite, tcase);
	return suite;
}
