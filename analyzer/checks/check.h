/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of checks (checks.def), expanded.
 */
#ifndef RDA_CHECK_H
#define RDA_CHECK_H

#include "analyzer/rda.h"
#include "analyzer/checks/checks.def"

#include <stdbool.h>
#include <stdint.h>

/* a check's number, by its code: RDA_CHECK_S01 */
enum rda_check {
#define RDA_C(CODE, name, severity, proof, needs, requires, reference, meaning, advice)            \
	RDA_CHECK_##CODE,
#define RDA_S(...)
	RDA_CHECKS(RDA_C, RDA_S)
#undef RDA_S
#undef RDA_C
		RDA_CHECK_COUNT
};

const struct rda_check_row *rda_check_row(enum rda_check check);

/* The title of a group of checks, by the letter of their codes. */
const char *rda_check_group_title(char letter);

#endif
