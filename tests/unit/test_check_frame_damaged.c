/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of damaged requests: sent again, acknowledged all the same, or neither.
 */
#include "analyzer/checks/frame/damaged.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

static void send(uint32_t psn, bool damaged)
{
	struct rda_recipe packet = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, psn);

	packet.damaged = damaged;
	rda_feed(&feed, &packet);
}

static void answer(uint32_t psn, uint8_t syndrome, uint32_t msn)
{
	struct rda_extended aeth = rda_aeth(syndrome, msn);
	struct rda_recipe packet = rda_with(rda_packet_of(2, 1, 0x12, 0x11, psn), &aeth);

	rda_feed(&feed, &packet);
}

/* Cases of F01 as what the network did, and as what the capture did. */
static void count(uint64_t *network, uint64_t *capture)
{
	*network = *capture = 0;
	rda_engine_finish(feed.engine);
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed.engine, i);

		if (finding->key.check == RDA_CHECK_F01)
			*(finding->proof == RDA_PROOF_PROVEN ? network : capture) += finding->count;
	}
	rda_feed_end(&feed);
}

/*
 * A space: the next request; 'd': damaged; 'a': an ACK of all so far; 'n': a NAK of the latest;
 * 'r': the latest again, whole
 */
START_TEST(fates)
{
	static const struct {
		const char *packets;
		uint64_t network, capture;
	} cases[] = {
		{" a d", 1, 0},	     /* nobody knows */
		{" a dnr a", 1, 0},  /* asked for */
		{" a dr a", 1, 0},   /* sent again after a timeout, as it seems */
		{" a da", 0, 1},     /* acknowledged, and not sent again */
		{" a dada", 0, 2},   /* each time */
		{" a dadnra", 1, 1}, /* one here, one on its way */
		{" a dad", 0, 2},    /* of the latest nobody knows, in such a capture */
		{"da", 0, 0},	     /* no ICRC was good before */
		{"da a", 0, 1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		uint32_t psn = 9, msn = 0;
		uint64_t network, capture;

		rda_feed_begin(&feed);
		for (const char *p = cases[i].packets; *p; p++) {
			if (*p == ' ' || *p == 'd')
				send(++psn, *p == 'd');
			else if (*p == 'r')
				send(psn, false);
			else
				answer(psn, *p == 'a' ? 0x1f : 0x60, *p == 'a' ? ++msn : msn);
		}
		count(&network, &capture);
		ck_assert_msg(network == cases[i].network, "%s", cases[i].packets);
		ck_assert_msg(capture == cases[i].capture, "%s", cases[i].packets);
	}
}
END_TEST

/* More than are followed at once: what is known of those before stays. */
START_TEST(many)
{
	enum { PACKETS = 2 * RDA_FOLLOWED_MAX + 100 };
	uint64_t network, capture;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < PACKETS; i++) {
		send(3 * i, false);
		send(3 * i + 1, true);
		answer(3 * i + 1, 0x1f, 3 * i + 2);
		send(3 * i + 2, true);
		answer(3 * i + 2, 0x60, 3 * i + 2);
		send(3 * i + 2, false);
		answer(3 * i + 2, 0x1f, 3 * i + 3);
	}
	count(&network, &capture);
	ck_assert_uint_eq(network, PACKETS);
	ck_assert_uint_eq(capture, PACKETS);
}
END_TEST

Suite *rda_suite_check_frame_damaged(void)
{
	Suite *suite = suite_create("check_frame_damaged");
	TCase *tcase = tcase_create("check_frame_damaged");

	tcase_add_test(tcase, fates);
	tcase_add_test(tcase, many);
	suite_add_tcase(suite, tcase);
	return suite;
}
