/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of checks.def, by number.
 */
#include "analyzer/checks/check.h"

#include "analyzer/track/connection.h"

#include <stddef.h>
#include <string.h>

_Static_assert(RDA_CHECK_COUNT <= RDA_CHECKS_MAX, "rda_config.checks_off has a member for each");

static const struct rda_check_row rows[RDA_CHECK_COUNT] = {
#define RDA_C(CODE, name, severity, proof, needs, requires, reference, meaning, advice)            \
	[RDA_CHECK_##CODE] = {#CODE,                                                               \
			      name,                                                                \
			      RDA_SEVERITY_##severity,                                             \
			      RDA_PROOF_##proof,                                                   \
			      (needs),                                                             \
			      (requires),                                                          \
			      reference,                                                           \
			      meaning,                                                             \
			      advice},
#define RDA_S(...)
	RDA_CHECKS(RDA_C, RDA_S)
#undef RDA_S
#undef RDA_C
};

const struct rda_check_row *rda_check_row(enum rda_check check)
{
	return &rows[check];
}

const char *rda_check_group_title(char letter)
{
	switch (letter) {
#define RDA_G(group, title)                                                                        \
	case group: return title;
		RDA_CHECK_GROUPS(RDA_G)
#undef RDA_G
	default: return "";
	}
}

const char *rda_severity_name(enum rda_severity severity)
{
	static const char *const names[] = {
#define RDA_S(ID, name) [RDA_SEVERITY_##ID] = name,
		RDA_SEVERITIES(RDA_S)
#undef RDA_S
	};

	return names[severity];
}

enum rda_severity rda_severity_of(const char *name)
{
	unsigned severity = 0;

	while (severity < RDA_SEVERITY_COUNT &&
	       strcmp(name, rda_severity_name((enum rda_severity)severity)) != 0)
		severity++;
	return (enum rda_severity)severity;
}

const char *rda_proof_name(enum rda_proof proof)
{
	static const char *const names[] = {
#define RDA_P(ID, name) [RDA_PROOF_##ID] = name,
		RDA_PROOFS(RDA_P)
#undef RDA_P
	};

	return names[proof];
}

int rda_check_number(const char *code)
{
	for (int i = 0; i < RDA_CHECK_COUNT; i++)
		if (strcmp(rows[i].code, code) == 0)
			return i;
	return -1;
}
