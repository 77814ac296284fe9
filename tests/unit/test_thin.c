/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thinning: what stays of a slot, in what order; and that no extreme is ever lost.
 */
#include "analyzer/report/page/thin.h"
#include "tests/unit/suite.h"

static GArray *kept;
static struct rda_thin thin;

static void begin(int64_t slot_ns)
{
	thin = (struct rda_thin){.slot_ns = slot_ns};
	kept = g_array_new(FALSE, FALSE, sizeof(struct rda_point));
}

static void add(int64_t time_ns, int64_t y)
{
	struct rda_point point = {.time_ns = time_ns, .y = y};

	rda_thin_add(&thin, &point, kept);
}

/* "time:y time:y " */
static void expect(const char *points)
{
	GString *got = g_string_new(NULL);

	rda_thin_end(&thin, kept);
	for (unsigned i = 0; i < kept->len; i++) {
		const struct rda_point *point = &g_array_index(kept, struct rda_point, i);

		g_string_append_printf(got, "%d:%d ", (int)point->time_ns, (int)point->y);
	}
	ck_assert_str_eq(got->str, points);
	g_string_free(got, TRUE);
	g_array_free(kept, TRUE);
}

START_TEST(without_slots_all_stay)
{
	begin(0);
	for (int i = 0; i < 4; i++)
		add(5, 7);
	expect("5:7 5:7 5:7 5:7 ");
	begin(0);
	expect("");
}
END_TEST

START_TEST(of_a_slot_first_low_high_last_stay)
{
	begin(10);
	add(10, 5);
	add(11, 6);
	add(12, 9);
	add(13, 6);
	add(14, 1);
	add(15, 5);
	add(19, 6);
	add(20, 3); /* the next slot */
	expect("10:5 12:9 14:1 19:6 20:3 ");
}
END_TEST

START_TEST(a_point_that_is_several_stays_once)
{
	begin(10);
	add(1, 1);
	add(2, 2);
	add(3, 3);
	expect("1:1 3:3 ");
	begin(10);
	add(1, 4);
	expect("1:4 ");
}
END_TEST

/* A cloud without order: each slot's least and greatest y are among what stays. */
START_TEST(no_extreme_is_lost)
{
	enum { SLOTS = 50, SLOT = 100 };
	int64_t low[SLOTS], high[SLOTS];
	uint32_t seed = 1;

	begin(SLOT);
	for (int time = 0; time < SLOTS * SLOT; time++) {
		int64_t y = (int64_t)((seed = seed * 1103515245 + 12345) >> 8) % 100000;

		if (time % SLOT == 0)
			low[time / SLOT] = high[time / SLOT] = y;
		low[time / SLOT] = MIN(low[time / SLOT], y);
		high[time / SLOT] = MAX(high[time / SLOT], y);
		add(time, y);
	}
	rda_thin_end(&thin, kept);
	ck_assert_uint_le(kept->len, SLOTS * 4);
	for (int slot = 0; slot < SLOTS; slot++) {
		bool has_low = false, has_high = false;

		for (unsigned i = 0; i < kept->len; i++) {
			const struct rda_point *point = &g_array_index(kept, struct rda_point, i);

			if (point->time_ns / SLOT != slot)
				continue;
			has_low = has_low || point->y == low[slot];
			has_high = has_high || point->y == high[slot];
		}
		ck_assert_msg(has_low && has_high, "slot %d lost its least or greatest", slot);
	}
	g_array_free(kept, TRUE);
}
END_TEST

Suite *rda_suite_thin(void)
{
	Suite *suite = suite_create("thin");
	TCase *thinning = tcase_create("thin");

	tcase_add_test(thinning, without_slots_all_stay);
	tcase_add_test(thinning, of_a_slot_first_low_high_last_stay);
	tcase_add_test(thinning, a_point_that_is_several_stays_once);
	tcase_add_test(thinning, no_extreme_is_lost);
	suite_add_tcase(suite, thinning);
	return suite;
}
