/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client's requests pass x and then y, its server's answers y and then x; y's clock is a second
 * ahead. Where the answers were while the client waited is known.
 */
#include "analyzer/taps/residence.h"

#include "analyzer/taps/between.h"
#include "tests/unit/suite.h"

#define AHEAD INT64_C(1000000000)
#define EACH  INT64_C(1000000) /* from request to request */

enum { REQUESTS, ANSWERS, FLOWS, WAY = 5000, BUSY = 300000, TIMES = 40 };

struct both {
	struct rda_passages x, y;
	struct rda_between between;
};

static int64_t asked_at(uint32_t psn)
{
	return (int64_t)psn * EACH + 1;
}

static void request(struct both *both, uint64_t hash, uint32_t psn, int64_t time_ns, bool arrives)
{
	struct rda_passage passage = {.hash = hash,
				      .pair = 1,
				      .time_ns = time_ns,
				      .flow = REQUESTS,
				      .sequence = psn,
				      .forward = true,
				      .answered = true};

	rda_passages_add(&both->x, &passage);
	passage.time_ns += AHEAD + WAY;
	if (arrives)
		rda_passages_add(&both->y, &passage);
}

/* It comes to x then. */
static void answer(struct both *both, uint64_t hash, uint32_t psn, int64_t time_ns, bool refuses)
{
	struct rda_passage passage = {.hash = hash,
				      .pair = 1,
				      .time_ns = time_ns + AHEAD - WAY,
				      .flow = ANSWERS,
				      .sequence = psn,
				      .refuses = refuses};

	rda_passages_add(&both->y, &passage);
	passage.time_ns = time_ns;
	rda_passages_add(&both->x, &passage);
}

static void wait_for(struct both *both, int64_t from, int64_t to)
{
	rda_passages_add_wait(&both->x,
			      &(struct rda_passage_wait){from, to, REQUESTS, RDA_TIME_WAITING, 1});
}

static void begin(struct both *both)
{
	rda_passages_init(&both->x);
	rda_passages_init(&both->y);
	for (uint32_t psn = 1; psn <= TIMES; psn++) {
		int64_t t = asked_at(psn);

		request(both, 1000 + psn, psn, t, true);
		answer(both, 2000 + psn, psn, t + 2 * WAY + BUSY, false);
	}
}

/* `swapped`: the clocks are those of x against y. */
static struct rda_residence_part find(struct both *both, bool swapped, int64_t *all)
{
	struct rda_residence_part sum = {0, 0, 0};
	const struct rda_between_tap x = {
		.passages = &both->x, .flow_count = FLOWS, .last_ns = TIMES * 10 * EACH};
	const struct rda_between_tap y = {.passages = &both->y,
					  .flow_count = FLOWS,
					  .first_ns = AHEAD,
					  .last_ns = AHEAD + TIMES * 10 * EACH};
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct rda_residence_part));
	struct rda_residence *residence;

	rda_between_find(&both->between, swapped ? &y : &x, swapped ? &x : &y);
	ck_assert(rda_clocks_known(&both->between.clocks));
	residence = rda_residence_new(
		&(struct rda_residence_taps){&both->x, &both->y, &both->between.clocks, swapped},
		FLOWS);
	*all = rda_residence_flow(residence, REQUESTS, ANSWERS, parts);
	for (guint i = 0; i < parts->len; i++) {
		sum.network_ns += g_array_index(parts, struct rda_residence_part, i).network_ns;
		sum.responder_ns += g_array_index(parts, struct rda_residence_part, i).responder_ns;
	}
	rda_residence_free(residence);
	g_array_free(parts, TRUE);
	rda_between_cleanup(&both->between, FLOWS, FLOWS);
	rda_passages_cleanup(&both->x);
	rda_passages_cleanup(&both->y);
	return sum;
}

/* Less than is true, by what clocks leave open. */
static void is_about(int64_t ns, int64_t truth, int64_t open)
{
	ck_assert_int_le(ns, truth);
	ck_assert_int_ge(ns, truth - open);
}

START_TEST(each_request_waits)
{
	for (unsigned swapped = 0; swapped < 2; swapped++) {
		struct rda_residence_part sum;
		struct both both;
		int64_t all;

		begin(&both);
		for (uint32_t psn = 1; psn <= TIMES; psn++)
			wait_for(&both, asked_at(psn), asked_at(psn) + 2 * WAY + BUSY);
		sum = find(&both, swapped, &all);
		ck_assert_int_eq(all, TIMES * (2 * WAY + BUSY));
		is_about(sum.network_ns, TIMES * 2 * WAY, TIMES * BUSY / 100);
		is_about(sum.responder_ns, TIMES * BUSY, TIMES * BUSY / 100);
	}
}
END_TEST

/* Half of its time the request was there already: all that is left but the way back. */
START_TEST(a_wait_that_begins_later)
{
	struct rda_residence_part sum;
	struct both both;
	int64_t all;

	begin(&both);
	wait_for(&both, asked_at(9) + WAY + BUSY / 2, asked_at(9) + 2 * WAY + BUSY);
	sum = find(&both, false, &all);
	is_about(sum.responder_ns, BUSY / 2, 3 * WAY + BUSY / 100);
	ck_assert_int_le(sum.network_ns, WAY);
}
END_TEST

/* Who was waited for till the next request passed is not known behind the answer. */
START_TEST(behind_the_answer)
{
	struct rda_residence_part sum;
	struct both both;
	int64_t all;

	begin(&both);
	wait_for(&both, asked_at(9), asked_at(10));
	sum = find(&both, false, &all);
	ck_assert_int_eq(all, EACH);
	ck_assert_int_le(sum.network_ns + sum.responder_ns, 2 * WAY + BUSY);
	is_about(sum.responder_ns, BUSY, BUSY / 100);
}
END_TEST

/* Sent twice, and both came: what holds of either. Where a NAK dropped the first, the second. */
START_TEST(sent_again)
{
	for (unsigned refused = 0; refused < 2; refused++) {
		const uint32_t lost = TIMES + 1, psn = TIMES + 2;
		int64_t first = asked_at(psn), second = first + 2 * BUSY, all;
		struct rda_residence_part sum;
		struct both both;

		begin(&both);
		request(&both, 5, lost, first - 10, false);
		request(&both, 1, psn, first, true);
		if (refused)
			answer(&both, 2, lost, second - BUSY, true);
		request(&both, 3, psn, second, true);
		answer(&both, 4, psn, second + 2 * WAY + BUSY, false);
		wait_for(&both, refused ? second - BUSY : first, second + 2 * WAY + BUSY);
		sum = find(&both, false, &all);
		is_about(sum.responder_ns, BUSY, BUSY / 100);
		is_about(sum.network_ns, 2 * WAY, refused ? BUSY / 100 : 2 * WAY);
	}
}
END_TEST

/* It was lost between the taps: what was waited for is not known. */
START_TEST(not_seen_at_the_other_tap)
{
	struct rda_residence_part sum;
	struct both both;
	int64_t all;

	begin(&both);
	request(&both, 1, TIMES + 1, asked_at(TIMES + 1), false);
	answer(&both, 2, TIMES + 1, asked_at(TIMES + 1) + BUSY, false);
	wait_for(&both, asked_at(TIMES + 1), asked_at(TIMES + 1) + BUSY);
	sum = find(&both, false, &all);
	ck_assert_int_eq(sum.responder_ns + sum.network_ns, 0);
}
END_TEST

Suite *rda_suite_residence(void)
{
	Suite *suite = suite_create("residence");
	TCase *tcase = tcase_create("residence");

	tcase_add_test(tcase, each_request_waits);
	tcase_add_test(tcase, a_wait_that_begins_later);
	tcase_add_test(tcase, behind_the_answer);
	tcase_add_test(tcase, sent_again);
	tcase_add_test(tcase, not_seen_at_the_other_tap);
	suite_add_tcase(suite, tcase);
	return suite;
}
