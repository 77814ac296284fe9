/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applications by their ports.
 */
#include "analyzer/track/application.h"

#include "tests/unit/suite.h"

static const char *of_ports(int32_t one, int32_t other)
{
	struct rda_connection connection = {.service = RDA_SERVICE_IWARP};
	struct rda_cm_track cm;
	const char *name;

	connection.endpoints[0].port = one;
	connection.endpoints[1].port = other;
	rda_cm_track_init(&cm, 0);
	name = rda_application_of(&connection, &cm);
	rda_cm_track_cleanup(&cm);
	return name;
}

START_TEST(either_end_may_have_the_port)
{
	ck_assert_str_eq(of_ports(50000, 4420), "nvme");
	ck_assert_str_eq(of_ports(20049, 50000), "nfs");
	ck_assert_ptr_null(of_ports(50000, 50001));
}
END_TEST

/* QP1 carries the management of all of them. */
START_TEST(management_is_of_no_application)
{
	struct rda_connection connection = {.service = RDA_SERVICE_CM};

	ck_assert_ptr_null(rda_application_of(&connection, NULL));
}
END_TEST

Suite *rda_suite_application(void)
{
	Suite *suite = suite_create("application");
	TCase *tcase = tcase_create("application");

	tcase_add_test(tcase, either_end_may_have_the_port);
	tcase_add_test(tcase, management_is_of_no_application);
	suite_add_tcase(suite, tcase);
	return suite;
}
