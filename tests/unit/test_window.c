/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window against a plain array: appends, cuts and drops in random order.
 */
#include "analyzer/track/roce/window.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { MODEL = 4096, ROUNDS = 40, STEPS = 1500 };

/* PSNs [0, end), of which those below `begin` are dropped; each knows its record. */
struct model {
	uint32_t record[MODEL], payload[MODEL];
	int64_t begin, end;
	uint32_t records;
};

static unsigned next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static uint32_t model_count(const struct model *m)
{
	uint32_t count = 0;

	for (int64_t psn = m->begin; psn < m->end; psn++)
		count += psn == m->begin || m->record[psn] != m->record[psn - 1];
	return count;
}

static void model_drop_first(struct model *m)
{
	uint32_t record = m->record[m->begin];

	while (m->begin < m->end && m->record[m->begin] == record)
		m->begin++;
}

static void model_split(struct model *m, int64_t begin, int64_t end)
{
	uint32_t old = m->record[begin], middle = ++m->records, behind = ++m->records;

	for (int64_t psn = begin; psn < m->end && m->record[psn] == old; psn++)
		m->record[psn] = psn < end ? middle : behind;
}

static void check_same(const struct rda_window *window, const struct model *m)
{
	int64_t index = -1;

	RDA_CHECK(window->count == model_count(m), "%u records", window->count);
	RDA_CHECK(rda_window_find(window, m->begin - 1) == -1, "found what was dropped");
	RDA_CHECK(rda_window_find(window, m->end) == -1, "found what was not sent");
	for (int64_t psn = m->begin; psn < m->end; psn++) {
		index += psn == m->begin || m->record[psn] != m->record[psn - 1];
		RDA_CHECK(rda_window_find(window, psn) == index, "PSN %lld", (long long)psn);
		RDA_CHECK(rda_window_at(window, index)->payload == m->payload[psn], "which");
	}
}

static void append(struct rda_window *window, struct model *m, int64_t length)
{
	struct rda_sent record = {.begin = m->end, .end = m->end + length, .payload = ++m->records};

	for (; m->end < record.end; m->end++) {
		m->record[m->end] = m->records;
		m->payload[m->end] = m->records;
	}
	*rda_window_append(window) = record;
}

START_TEST(random_steps)
{
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint32_t state = round + 1;
		struct rda_window window;
		struct model m = {0};

		rda_window_init(&window, 0);
		for (unsigned i = 0; i < STEPS && m.end < MODEL - 8; i++) {
			unsigned what = next_random(&state) % 8;

			if (what < 4 || !window.count) {
				append(&window, &m, 1 + next_random(&state) % 8);
			} else if (what < 6) {
				int64_t index = next_random(&state) % window.count, got;
				struct rda_sent old = *rda_window_at(&window, index);
				int64_t begin = old.begin + next_random(&state) %
								    (uint64_t)(old.end - old.begin);
				int64_t end = begin + 1 +
					      next_random(&state) % (uint64_t)(old.end - begin);

				got = rda_window_split(&window, index, begin, end);
				RDA_CHECK(rda_window_at(&window, got)->begin == begin, "begin");
				RDA_CHECK(rda_window_at(&window, got)->end == end, "end");
				model_split(&m, begin, end);
			} else {
				rda_window_drop_first(&window);
				model_drop_first(&m);
			}
			if (i % 16 == 0)
				check_same(&window, &m);
		}
		check_same(&window, &m);
		ck_assert_uint_eq(window.dropped, 0);
		rda_window_cleanup(&window);
	}
}
END_TEST

START_TEST(the_cap_drops_the_oldest)
{
	struct rda_window window;
	struct model m = {0};

	rda_window_init(&window, 8);
	for (unsigned i = 0; i < 20; i++)
		append(&window, &m, 2);
	ck_assert_uint_eq(window.count, 8);
	ck_assert_uint_eq(window.dropped, 12);
	ck_assert_int_eq(rda_window_at(&window, 0)->begin, 24);
	ck_assert_int_eq(rda_window_find(&window, 23), -1);
	ck_assert_int_eq(rda_window_find(&window, 24), 0);
	rda_window_cleanup(&window);
}
END_TEST

/* Cuts make records too. */
START_TEST(the_cap_holds_for_cuts)
{
	struct rda_sent hole = {.begin = 0, .end = 100000};
	struct rda_window window;

	rda_window_init(&window, 8);
	*rda_window_append(&window) = hole;
	for (int64_t psn = 1; psn < 50000; psn += 2) {
		int64_t index = rda_window_find(&window, psn);

		index = rda_window_split(&window, index, psn, psn + 1);
		RDA_CHECK(rda_window_at(&window, index)->begin == psn, "the record that was cut");
		RDA_CHECK(window.count <= 8, "%u records", window.count);
	}
	ck_assert_uint_gt(window.dropped, 49000);
	rda_window_cleanup(&window);
}
END_TEST

/* A long connection keeps its memory. */
START_TEST(room_at_the_head_is_used_again)
{
	struct rda_window window;
	struct rda_sent record = {0};

	rda_window_init(&window, 0);
	for (int64_t psn = 0; psn < 100000; psn++) {
		record.begin = psn;
		record.end = psn + 1;
		*rda_window_append(&window) = record;
		if (window.count > 100)
			rda_window_drop_first(&window);
	}
	ck_assert_uint_le(window.allocated, 500);
	rda_window_cleanup(&window);
	ck_assert_int_eq(rda_window_find(&window, 5), -1);
}
END_TEST

Suite *rda_suite_window(void)
{
	Suite *suite = suite_create("window");
	TCase *tcase = tcase_create("window");

	tcase_add_test(tcase, random_steps);
	tcase_add_test(tcase, the_cap_drops_the_oldest);
	tcase_add_test(tcase, the_cap_holds_for_cuts);
	tcase_add_test(tcase, room_at_the_head_is_used_again);
	suite_add_tcase(suite, tcase);
	return suite;
}
