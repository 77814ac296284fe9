/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every test file includes: Check, the prototypes of the suites, and a check for loops.
 */
#ifndef RDA_TEST_SUITE_H
#define RDA_TEST_SUITE_H

#include <check.h>
#include <inttypes.h>

#define RDA_SUITE(name) Suite *rda_suite_##name(void);
#include "suites.def"
#undef RDA_SUITE

/*
 * Like ck_assert_msg, but silent while it holds: Check writes a message to a file for every
 * assertion, which is too slow for those made a million times.
 */
#define RDA_CHECK(condition, ...)                                                                  \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg("not so: " #condition ": " __VA_ARGS__);                      \
	} while (0)

/* RDA_CHECK of two numbers: says both. The format and its arguments say where, and where to look.
 */
#define RDA_CHECK_SAME(got, want, format, ...)                                                     \
	do {                                                                                       \
		uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                         \
                                                                                                   \
		if (got_ != want_)                                                                 \
			ck_abort_msg(#got " is 0x%" PRIx64 ", expected 0x%" PRIx64 ": " format,    \
				     got_, want_, __VA_ARGS__);                                    \
	} while (0)

#define RDA_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
