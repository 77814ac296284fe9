/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP trouble differs by shape. What identifications, D-SACK and pauses tell of it: scenarios
 * (tests/scenarios/iwarp).
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

static void ten_writes(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	for (unsigned i = 0; i < 10; i++)
		rda_iwarp_write(w, 0, 0x1100, 0x7000, 200);
}

static const struct {
	const char *name;
	struct rda_iwarp_shape shape;
	uint16_t window;
	uint64_t trouble, not_aligned;
	const char *words;
} lower[] = {
	{"one FPDU a segment", {.mss = 0}, 500, 0, 0, NULL},
	{"FPDUs over segments", {.mss = 100}, 500, 0, 0, NULL},
	{"segments twice",
	 {.duplicate = true},
	 500,
	 11,
	 0,
	 "11 of 22 TCP segments with data repeated bytes"},
	{"the last first",
	 {.mss = 100, .reverse = true},
	 500,
	 20,
	 0,
	 "20 of 31 TCP segments with data came after later ones"},
	{"closed windows", {.mss = 0}, 0, 11, 0, "11 TCP segments closed the window"},
};

START_TEST(trouble_below_is_told)
{
	struct rda_iwarp_feed w;
	uint64_t cases;

	rda_iwarp_feed_begin(&w);
	w.shape = lower[_i].shape;
	w.window = lower[_i].window;
	ten_writes(&w);
	rda_iwarp_finish(&w);
	cases = rda_iwarp_cases(&w, RDA_CHECK_W27);
	ck_assert_int_eq(cases > 0, lower[_i].trouble > 0);
	ck_assert_uint_eq(rda_iwarp_cases(&w, RDA_CHECK_W26) > 0, lower[_i].not_aligned > 0);
	if (lower[_i].words)
		ck_assert_msg(rda_iwarp_says(&w, RDA_CHECK_W27, lower[_i].words), "%s",
			      lower[_i].name);
	rda_iwarp_feed_end(&w);
}
END_TEST

/* The last WRITE is sent again and again; `answered`: and then acknowledged. */
static void send_in_vain(struct rda_iwarp_feed *w, bool answered)
{
	uint32_t before;

	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 200);
	rda_iwarp_bytes(w, 1, NULL, 0); /* an acknowledgment */
	before = w->streams[0].sequence;
	for (unsigned i = 0; i < 5; i++) {
		w->streams[0].sequence = before;
		rda_iwarp_write(w, 0, 0x1100, 0x7000, 200);
	}
	if (answered)
		rda_iwarp_bytes(w, 1, NULL, 0);
	rda_iwarp_finish(w);
}

START_TEST(what_was_never_acknowledged_is_told)
{
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	send_in_vain(&w, _i);
	ck_assert_uint_eq(rda_iwarp_cases(&w, RDA_CHECK_W27), 4);
	ck_assert_int_eq(
		rda_iwarp_says(&w, RDA_CHECK_W27,
			       "no acknowledgment of the last 220 bytes was seen, though 4 "
			       "segments of them were sent again within"),
		!_i);
	rda_iwarp_feed_end(&w);
}
END_TEST

Suite *rda_suite_check_iwarp_trouble(void)
{
	Suite *suite = suite_create("check_iwarp_trouble");
	TCase *tcase = tcase_create("check_iwarp_trouble");

	tcase_add_loop_test(tcase, trouble_below_is_told, 0, RDA_COUNT(lower));
	tcase_add_loop_test(tcase, what_was_never_acknowledged_is_told, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
