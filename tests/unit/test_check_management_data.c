/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks of check_management_data.c: what fires each, and what does not.
 */
#include "analyzer/check_management_data.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

Suite *rda_suite_check_management_data(void)
{
	Suite *suite = suite_create("check_management_data");

	return suite;
}
