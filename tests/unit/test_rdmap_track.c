/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of one side of an iWARP connection: what waits, what is kept.
 */
#include "analyzer/track/iwarp/rdmap_track.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

/* An FPDU whose ULPDU is given in hex. */
static struct rda_rdmap_step take(struct rda_rdmap *mine, struct rda_rdmap *other, const char *hex,
				  int64_t time_ns)
{
	struct rda_fpdu_seen fpdu = {
		.first_place = 1, .place = 1, .first_ns = time_ns, .time_ns = time_ns};
	struct rda_rdmap_step step;
	struct rda_build b = {0};

	rda_put_hex(&b, hex);
	rda_read_ulpdu(&fpdu.ulpdu, b.bytes, b.length, (uint16_t)b.length);
	rda_rdmap_fpdu(mine, other, &fpdu, &step);
	return step;
}

static const char read_request[] = "4141 00000000 00000001 00000001 00000000 00005100 "
				   "0000000000009000 00000004 00001100 0000000000007000";

START_TEST(what_waits_is_bounded)
{
	struct rda_rdmap *r = rda_rdmap_new(true);

	for (unsigned i = 0; i < 3 * RDA_RDMAP_ASKED_MAX; i++)
		take(r, NULL, read_request, 0);
	ck_assert_uint_eq(rda_rdmap_outstanding(r), RDA_RDMAP_ASKED_MAX);
	ck_assert_uint_eq(rda_rdmap_forgotten(r), 2 * RDA_RDMAP_ASKED_MAX);
	ck_assert(rda_rdmap_is_unsure(r));
	rda_rdmap_free(r);
}
END_TEST

START_TEST(a_read_takes_from_its_request_to_the_last_of_its_answer)
{
	struct rda_rdmap *a = rda_rdmap_new(true), *b = rda_rdmap_new(true);
	struct rda_rdmap_step step;

	take(a, b, read_request, 1000);
	step = take(b, a, "8142 00005100 0000000000009000 aaaa", 1500);
	ck_assert_uint_eq(step.fit, RDA_RDMAP_FITS);
	step = take(b, a, "c142 00005100 0000000000009002 aaaa", 1700);
	ck_assert_uint_eq(step.fit, RDA_RDMAP_FITS);
	ck_assert_uint_eq(rda_rdmap_outstanding(a), 0);
	ck_assert_uint_eq(rda_rdmap_messages(a)->latency[RDA_MESSAGE_READ]->count, 1);
	ck_assert_int_eq(rda_rdmap_messages(a)->latency[RDA_MESSAGE_READ]->max, 700);
	ck_assert_int_eq(rda_rdmap_messages(a)->first_response->max, 500);
	rda_rdmap_free(a);
	rda_rdmap_free(b);
}
END_TEST

/* A tap that shows one side late shows an answer before anything of who asked. */
START_TEST(what_was_answered_before_it_was_seen_is_not_sure_to_wait)
{
	for (unsigned answered = 0; answered < 2; answered++) {
		struct rda_rdmap *a = NULL, *b = rda_rdmap_new(true);

		take(b, NULL,
		     answered ? "c142 00005100 0000000000009000 aaaaaaaa"
			      : "c140 00005100 0000000000009000 aaaaaaaa",
		     1000);
		a = rda_rdmap_new(true);
		rda_rdmap_late(a, b);
		take(a, b, read_request, 1500);
		ck_assert_uint_eq(rda_rdmap_outstanding(a), 1);
		ck_assert(rda_rdmap_is_unsure(a) == (answered == 1));
		rda_rdmap_free(a);
		rda_rdmap_free(b);
	}
}
END_TEST

Suite *rda_suite_rdmap_track(void)
{
	Suite *suite = suite_create("rdmap_track");
	TCase *tcase = tcase_create("rdmap_track");

	tcase_add_test(tcase, what_waits_is_bounded);
	tcase_add_test(tcase, a_read_takes_from_its_request_to_the_last_of_its_answer);
	tcase_add_test(tcase, what_was_answered_before_it_was_seen_is_not_sure_to_wait);
	suite_add_tcase(suite, tcase);
	return suite;
}
