/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a side by now, where damage may have made what it said.
 */
#include "analyzer/track/iwarp/state.h"

#include "tests/unit/suite.h"

static struct rda_iwarp_connection connection;

static struct rda_iwarp_side side_of(const struct rda_iwarp_half *half)
{
	const struct rda_iwarp_at at = {.connection = &connection};

	connection.sides[0] = *half;
	return rda_iwarp_side_of(&at, 0);
}

/* A start frame that does not fit, beside so many that do and do not. */
START_TEST(a_start_frame_is_doubtful_alone_or_beside_others_that_fit)
{
	struct rda_iwarp_half half = {.begun_doubtful = true};

	half.checksums.bad = 1;
	ck_assert(side_of(&half).start_doubtful);
	ck_assert(side_of(&half).doubted);
	half.checksums.bad = 2; /* the NIC puts them in behind the capture */
	ck_assert(!side_of(&half).start_doubtful);
	half.checksums.good = 1;
	ck_assert(side_of(&half).start_doubtful);
}
END_TEST

START_TEST(bytes_of_which_damaged_copies_are_there_only_are_doubted)
{
	struct rda_iwarp_half half = {0};

	ck_assert(!side_of(&half).doubted);
	half.stream.accepted = true;
	ck_assert(side_of(&half).doubted);
}
END_TEST

Suite *rda_suite_iwarp_facts(void)
{
	Suite *suite = suite_create("iwarp_facts");
	TCase *tcase = tcase_create("iwarp_facts");

	tcase_add_test(tcase, a_start_frame_is_doubtful_alone_or_beside_others_that_fit);
	tcase_add_test(tcase, bytes_of_which_damaged_copies_are_there_only_are_doubted);
	suite_add_tcase(suite, tcase);
	return suite;
}
