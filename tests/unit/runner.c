/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the unit tests: all suites, or those named by their files.
 *
 *     rda-unit                 every suite
 *     rda-unit cursor ranges   test_cursor.c and test_ranges.c
 *
 * A suite that checks nothing fails: a test that cannot fail is none. CK_FORK=no, for a debugger,
 * and the other variables of Check work as usual.
 */
#include "analyzer/rdma-analyze/wiretap_module.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RDA_SUITE(name) Suite *rda_suite_##name(void);
#include "suites.def"
#undef RDA_SUITE

static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = {
#define RDA_SUITE(name) {#name, rda_suite_##name},
#include "suites.def"
#undef RDA_SUITE
};

#define SUITE_COUNT (sizeof(suites) / sizeof(suites[0]))

/* Each suite has a runner of its own, so that an empty one is seen. */
static bool run(Suite *(*make)(void))
{
	SRunner *runner = srunner_create(make());
	bool passed;

	srunner_run_all(runner, CK_ENV);
	passed = srunner_ntests_run(runner) > 0 && srunner_ntests_failed(runner) == 0;
	srunner_free(runner);
	return passed;
}

/* Check's 4 s are not enough on a busy machine with sanitizers; what hangs is ctest's to end. */
static void give_time(void)
{
	setenv("CK_DEFAULT_TIMEOUT", "1200", 0);
}

static bool run_named(const char *name)
{
	for (size_t i = 0; i < SUITE_COUNT; i++)
		if (strcmp(suites[i].name, name) == 0)
			return run(suites[i].make);
	fprintf(stderr, "rda-unit: no suite '%s'\n", name);
	return false;
}

int main(int argc, char **argv)
{
	bool passed = true;

	rda_wiretap_module_in(RDA_MODULES);
	give_time();
	for (int i = 1; i < argc; i++)
		passed &= run_named(argv[i]);
	for (size_t i = 0; argc == 1 && i < SUITE_COUNT; i++)
		passed &= run(suites[i].make);
	return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
