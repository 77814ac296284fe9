/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks of check_management_silence.c: what fires each, and what does not.
 */
#include "analyzer/check_management_silence.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

Suite *rda_suite_check_management_silence(void)
{
	Suite *suite = suite_create("check_management_silence");

	return suite;
}
