/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of checks (checks.def), expanded.
 */
#ifndef RDA_CHECK_H
#define RDA_CHECK_H

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

/* RDA_SEVERITIES(S): S(ID, "name in the output"), mildest first */
#define RDA_SEVERITIES(S)                                                                          \
	S(NOTE, "note")                                                                            \
	S(WARNING, "warning")                                                                      \
	S(ERROR, "error")

enum rda_severity {
#define RDA_S(ID, name) RDA_SEVERITY_##ID,
	RDA_SEVERITIES(RDA_S)
#undef RDA_S
		RDA_SEVERITY_COUNT
};

/* RDA_PROOFS(P): P(ID, "name in the output"), weakest first */
#define RDA_PROOFS(P)                                                                              \
	P(SUSPECTED, "suspected")                                                                  \
	P(PROVEN, "proven")

enum rda_proof {
#define RDA_P(ID, name) RDA_PROOF_##ID,
	RDA_PROOFS(RDA_P)
#undef RDA_P
		RDA_PROOF_COUNT
};

struct rda_check_row {
	const char *code, *name;
	uint8_t severity;	 /* enum rda_severity, as a rule */
	uint8_t proof;		 /* enum rda_proof, at best */
	uint8_t needs, requires; /* masks of enum rda_seen_bit (connection.h): to be proven, to
				    speak at all */
	const char *reference;	 /* or NULL */
	const char *meaning, *advice;
};

const struct rda_check_row *rda_check_row(enum rda_check check);

/* The title of a group of checks, by the letter of their codes. */
const char *rda_check_group_title(char letter);

const char *rda_severity_name(enum rda_severity severity);
const char *rda_proof_name(enum rda_proof proof);

#endif
