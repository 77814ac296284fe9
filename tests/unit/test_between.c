/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of packets between two taps: a client's requests pass x and then y, its server's
 * answers y and then x; y's clock is a second ahead.
 */
#include "analyzer/taps/between.h"

#include "dissectors/values.h"
#include "tests/unit/suite.h"

#define AHEAD INT64_C(1000000000)

enum { REQUESTS, ANSWERS, FLOWS, WAY = 5000, TIMES = 20 };

struct both {
	struct rda_passages x, y;
};

static void put(struct rda_passages *to, uint64_t hash, int64_t time_ns, uint32_t flow,
		uint8_t dscp)
{
	rda_passages_add(to, &(struct rda_passage){.hash = hash,
						   .pair = 1,
						   .time_ns = time_ns,
						   .flow = flow,
						   .forward = flow == REQUESTS,
						   .dscp = dscp,
						   .outer_dscp = dscp});
}

/* Requests 1001, 1002, ... and answers 2001, ...; of the requests `lost` is lost. */
static void talk(struct both *both, unsigned lost)
{
	rda_passages_init(&both->x);
	rda_passages_init(&both->y);
	for (unsigned i = 1; i <= TIMES; i++) {
		int64_t t = (int64_t)i * 100000 + 1;

		put(&both->x, 1000 + i, t, REQUESTS, 0);
		if (i != lost)
			put(&both->y, 1000 + i, AHEAD + t + WAY, REQUESTS, i == 3 ? 26 : 0);
		put(&both->y, 2000 + i, AHEAD + t + 2 * WAY, ANSWERS, 0);
		put(&both->x, 2000 + i, t + 3 * WAY, ANSWERS, 0);
	}
}

static void find(struct rda_between *between, const struct both *both)
{
	const struct rda_between_tap x = {
		.passages = &both->x, .flow_count = FLOWS, .last_ns = 10000000};
	const struct rda_between_tap y = {.passages = &both->y,
					  .flow_count = FLOWS,
					  .first_ns = AHEAD,
					  .last_ns = AHEAD + 10000000};

	for (uint32_t i = 0; i < both->y.count; i++)
		both->y.packets[i].checked = !both->y.packets[i].damaged;
	rda_between_find(between, &x, &y);
}

static void cleanup(struct rda_between *between, struct both *both)
{
	rda_between_cleanup(between, FLOWS, FLOWS);
	rda_passages_cleanup(&both->x);
	rda_passages_cleanup(&both->y);
}

START_TEST(a_lost_request)
{
	struct rda_between between;
	struct both both;
	const struct rda_hop *there, *back;

	talk(&both, 7);
	find(&between, &both);
	there = &between.hops[0][REQUESTS];
	back = &between.hops[1][ANSWERS];
	ck_assert(there->ordered && back->ordered);
	ck_assert_uint_eq(there->packets, TIMES);
	ck_assert_uint_eq(there->lost, 1);
	ck_assert_uint_eq(there->dscp_changed, 1);
	ck_assert_uint_eq(there->reordered + there->duplicated + there->appeared, 0);
	ck_assert_uint_eq(back->packets, TIMES);
	ck_assert_uint_eq(back->lost, 0);
	ck_assert_uint_eq(between.hops[1][REQUESTS].packets, 0);
	ck_assert_uint_eq(between.peer[0][REQUESTS], REQUESTS);
	ck_assert(rda_clocks_known(&between.clocks));
	ck_assert_uint_eq(there->delay.count, TIMES - 1);
	ck_assert_int_le(there->delay.min - there->error_ns, WAY);
	ck_assert_int_ge(there->delay.max + there->error_ns, WAY);
	cleanup(&between, &both);
}
END_TEST

/* Lost at the end, when nothing of the capture is behind it but the clocks say that y listened. */
START_TEST(lost_at_the_end)
{
	struct rda_between between;
	struct both both;

	talk(&both, 0);
	put(&both.x, 5000, 5000000, REQUESTS, 0);
	put(&both.x, 5001, 50000000, REQUESTS, 0); /* y had ended */
	find(&between, &both);
	ck_assert_uint_eq(between.hops[0][REQUESTS].lost, 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].not_compared, 1);
	/* that may have come */
	ck_assert_uint_eq(between.hops[0][REQUESTS].tries[RDA_GAP_REQUESTS][0], 0);
	cleanup(&between, &both);
}
END_TEST

START_TEST(doubled_overtaken_and_missed)
{
	struct rda_between between;
	struct both both;
	struct rda_passage swap;

	talk(&both, 0);
	put(&both.y, 1000 + TIMES, AHEAD + 3000000, REQUESTS, 0); /* once more */
	put(&both.x, 6000, 3100000, REQUESTS, 0);
	put(&both.y, 6000, AHEAD + 3100000 + WAY, REQUESTS, 0);
	put(&both.y, 7000, AHEAD + 3200000, REQUESTS, 0); /* x missed it */
	put(&both.x, 6001, 3300000, REQUESTS, 0);
	put(&both.x, 6002, 3300010, REQUESTS, 0);
	put(&both.y, 6001, AHEAD + 3300000 + WAY, REQUESTS, 0);
	put(&both.y, 6002, AHEAD + 3300010 + WAY, REQUESTS, 0);
	swap = both.y.packets[both.y.count - 1];
	both.y.packets[both.y.count - 1] = both.y.packets[both.y.count - 2];
	both.y.packets[both.y.count - 2] = swap;
	find(&between, &both);
	ck_assert_uint_eq(between.hops[0][REQUESTS].duplicated, 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].reordered, 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].appeared, 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].lost, 0);
	ck_assert_uint_eq(between.hops[0][REQUESTS].shown->counts[RDA_HOP_DOUBLED], 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].shown->counts[RDA_HOP_OVERTAKEN], 2);
	cleanup(&between, &both);
}
END_TEST

/* A packet that went through with another DSCP and CE is one packet that was changed. */
START_TEST(changed_twice)
{
	struct rda_between between;
	struct both both;

	talk(&both, 0);
	both.y.packets[0].dscp = 46;
	both.y.packets[0].ecn = RDA_ECN_CE;
	find(&between, &both);
	ck_assert_uint_eq(between.hops[0][REQUESTS].changed, 2); /* the third is the other one */
	ck_assert_uint_eq(between.hops[0][REQUESTS].dscp_changed, 2);
	ck_assert_uint_eq(between.hops[0][REQUESTS].ce_set, 1);
	cleanup(&between, &both);
}
END_TEST

/* The same fingerprint, as a sender without identifications gives it, and another ICRC: another
 * packet, which the first tap missed. */
START_TEST(another_packet_is_no_copy)
{
	struct rda_between between;
	struct both both;

	talk(&both, 0);
	rda_passages_add(&both.y, &(struct rda_passage){.hash = 1005,
							.icrc = 77,
							.pair = 1,
							.time_ns = AHEAD + 1000000,
							.flow = REQUESTS,
							.forward = true});
	find(&between, &both);
	ck_assert_uint_eq(between.hops[0][REQUESTS].duplicated, 0);
	ck_assert_uint_eq(between.hops[0][REQUESTS].appeared, 1);
	cleanup(&between, &both);
}
END_TEST

/* Times that lie farther apart than any clocks do: no order and no delays are made of them. */
START_TEST(times_of_another_century)
{
	struct rda_between between;
	struct both both;

	talk(&both, 7);
	both.x.packets[0].time_ns = -(INT64_C(1) << 62);
	both.y.packets[0].time_ns = (INT64_C(1) << 62) - 1;
	find(&between, &both);
	ck_assert_uint_eq(between.clocks.state, RDA_CLOCK_FAR_APART);
	ck_assert(!between.hops[0][REQUESTS].ordered);
	ck_assert_uint_eq(between.hops[0][REQUESTS].lost, 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].delay.count, 0);
	cleanup(&between, &both);
}
END_TEST

/* Of what is lost, only what the second tap had not had before would be told if it had missed it:
 * not what is sent again. Its frame is kept, and that of what came next. */
START_TEST(what_is_lost_for_certain)
{
	struct rda_between between;
	struct both both;
	const struct rda_hop *hop;

	talk(&both, 7);
	for (uint32_t i = 0; i < both.x.count; i++) {
		both.x.packets[i].sequence = (uint32_t)both.x.packets[i].hash;
		both.x.packets[i].answered = both.x.packets[i].flow == REQUESTS;
		both.x.packets[i].place = 100 + i;
	}
	for (uint32_t i = 0; i < both.y.count; i++)
		both.y.packets[i].place = 500 + i;
	put(&both.x, 5000, 1500000, REQUESTS, 0); /* 1006 again, lost this time */
	both.x.packets[both.x.count - 1].sequence = 1006;
	both.x.packets[both.x.count - 1].answered = true;
	put(&both.x, 5001, 1600000, REQUESTS, 0);
	put(&both.y, 5001, AHEAD + 1600000 + WAY, REQUESTS, 0);
	find(&between, &both);
	hop = &between.hops[0][REQUESTS];
	ck_assert_uint_eq(hop->lost, 2);
	ck_assert_uint_eq(hop->lost_new, 1);
	ck_assert_uint_eq(hop->shown->counts[RDA_HOP_LOST], 4);
	ck_assert_uint_eq(hop->shown->places[RDA_HOP_LOST][0], 100 + 2 * 6); /* 1007 */
	/* 1008, behind the answer to 1007 */
	ck_assert_uint_eq(hop->shown->places[RDA_HOP_LOST][1], 500 + 2 * 6 + 1);
	cleanup(&between, &both);
}
END_TEST

/* What came damaged is as good as lost, and is counted apart; what was damaged before is nothing.
 */
START_TEST(stalls)
{
	struct rda_between between;
	struct both both;
	const struct rda_hop *hop;

	talk(&both, 7);
	for (uint32_t i = 0; i < both.x.count; i++) {
		both.x.packets[i].answered = both.x.packets[i].flow == REQUESTS;
		both.x.packets[i].sequence = (uint32_t)both.x.packets[i].hash;
	}
	both.x.packets[2].checked = both.y.packets[2].damaged = true;	/* 1002 */
	both.x.packets[38].damaged = both.y.packets[37].damaged = true; /* 1020, before x too */
	put(&both.x, 5000, 2100000, REQUESTS, 0); /* 1007 again, which is lost again */
	both.x.packets[both.x.count - 1].answered = true;
	both.x.packets[both.x.count - 1].sequence = 1007;
	find(&between, &both);
	hop = &between.hops[0][REQUESTS];
	ck_assert_uint_eq(hop->came_damaged, 2);
	ck_assert_uint_eq(hop->lost, 2);
	ck_assert_uint_eq(hop->stalls[RDA_GAP_REQUESTS][0], 1);
	ck_assert_uint_eq(hop->stalls[RDA_GAP_REQUESTS][1], 0); /* 1007 is the latest */
	ck_assert_uint_eq(hop->tries[RDA_GAP_REQUESTS][0], 1);
	ck_assert_uint_eq(hop->tries[RDA_GAP_REQUESTS][1], 1);
	cleanup(&between, &both);
}
END_TEST

/* Nearly none fits at the second tap: it has not the ICRCs of the wire, and all came. */
START_TEST(nearly_all_are_damaged)
{
	struct rda_between between;
	struct both both;

	talk(&both, 0);
	for (uint32_t i = 0; i < both.x.count; i++) {
		both.x.packets[i].checked = true;
		both.y.packets[i].damaged = both.y.packets[i].flow == REQUESTS && i != 0;
	}
	find(&between, &both);
	ck_assert_uint_eq(between.hops[0][REQUESTS].came_damaged, TIMES - 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].icrc_broken, 0);
	ck_assert(between.hops[0][REQUESTS].icrc_absent);
	ck_assert(!between.hops[1][ANSWERS].icrc_absent);
	cleanup(&between, &both);
}
END_TEST

/* It may be what is missing, whatever its flow, and be taken for a copy of another. */
START_TEST(a_damaged_stray)
{
	struct rda_between between;
	struct both both;

	talk(&both, 7);
	put(&both.y, 9999, AHEAD + 750000, REQUESTS, 0);
	both.y.packets[both.y.count - 1].damaged = true;
	both.y.packets[both.y.count - 1].flow = RDA_PASSAGE_NO_FLOW;
	put(&both.y, 1008, AHEAD + 5000000, REQUESTS, 0); /* and behind all that matches */
	both.y.packets[both.y.count - 1].damaged = true;
	find(&between, &both);
	ck_assert_uint_eq(between.hops[0][REQUESTS].strays, 2);
	ck_assert_uint_eq(between.hops[0][REQUESTS].duplicated, 0);
	ck_assert_uint_eq(between.hops[1][ANSWERS].strays, 0);
	cleanup(&between, &both);
}
END_TEST

/* Two requests look alike, and one of them came, changed: it may be either. */
START_TEST(one_of_two_that_look_alike)
{
	struct rda_between between;
	struct both both;

	talk(&both, 0);
	both.y.packets[4].dscp = 0;
	put(&both.x, 5000, 3000000, REQUESTS, 0);
	put(&both.x, 5000, 3000010, REQUESTS, 0);
	put(&both.y, 5000, AHEAD + 3000000 + WAY, REQUESTS, 46);
	find(&between, &both);
	ck_assert_uint_eq(between.hops[0][REQUESTS].dscp_changed, 1);
	ck_assert_uint_eq(between.hops[0][REQUESTS].unsure, 1u << RDA_HOP_RECLASSED);
	cleanup(&between, &both);
}
END_TEST

/* The third request and no other; its frame at both taps shows it. */
START_TEST(damaged_on_the_way)
{
	struct rda_between between;
	struct both both;
	const struct rda_hop *hop;
	uint32_t third = 4; /* each request is followed by its answer */

	talk(&both, 0);
	for (uint32_t i = 0; i < both.x.count; i++) {
		both.x.packets[i].place = 100 + i;
		both.x.packets[i].checked = true;
		both.y.packets[i].place = 500 + i;
		both.y.packets[i].dscp = 0;
	}
	both.y.packets[third].damaged = true;
	find(&between, &both);
	hop = &between.hops[0][REQUESTS];
	ck_assert_uint_eq(hop->icrc_broken, 1);
	ck_assert_uint_eq(hop->broken_before, 0);
	ck_assert_uint_eq(hop->unsure, 0);
	for (unsigned f = 0; f < RDA_HOP_FATES; f++)
		ck_assert_uint_eq(hop->shown->counts[f], f == RDA_HOP_DAMAGED ? 2 : 0);
	ck_assert_uint_eq(hop->shown->places[RDA_HOP_DAMAGED][0], 100 + third);
	ck_assert_uint_eq(hop->shown->places[RDA_HOP_DAMAGED][1], 500 + third);
	ck_assert_ptr_null(between.hops[1][ANSWERS].shown);
	cleanup(&between, &both);
}
END_TEST

/* It was so before, or the first tap has nothing to check it by. */
START_TEST(damaged_before_perhaps)
{
	struct rda_between between;
	struct both both;

	for (unsigned cut = 0; cut < 2; cut++) {
		talk(&both, 0);
		both.y.packets[0].damaged = true;
		both.x.packets[0].damaged = !cut;
		find(&between, &both);
		ck_assert_uint_eq(between.hops[0][REQUESTS].icrc_broken, 0);
		ck_assert_uint_eq(between.hops[0][REQUESTS].broken_before, !cut);
		cleanup(&between, &both);
	}
}
END_TEST

Suite *rda_suite_between(void)
{
	Suite *suite = suite_create("between");
	TCase *tcase = tcase_create("between");

	tcase_add_test(tcase, a_lost_request);
	tcase_add_test(tcase, lost_at_the_end);
	tcase_add_test(tcase, doubled_overtaken_and_missed);
	tcase_add_test(tcase, changed_twice);
	tcase_add_test(tcase, another_packet_is_no_copy);
	tcase_add_test(tcase, times_of_another_century);
	tcase_add_test(tcase, what_is_lost_for_certain);
	tcase_add_test(tcase, stalls);
	tcase_add_test(tcase, nearly_all_are_damaged);
	tcase_add_test(tcase, a_damaged_stray);
	tcase_add_test(tcase, one_of_two_that_look_alike);
	tcase_add_test(tcase, damaged_on_the_way);
	tcase_add_test(tcase, damaged_before_perhaps);
	suite_add_tcase(suite, tcase);
	return suite;
}
