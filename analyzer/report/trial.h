/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures on trial: what they were held against and what came of it, for the reports that CI
 * systems read.
 */
#ifndef RDA_TRIAL_H
#define RDA_TRIAL_H

#include "analyzer/report/baseline.h"
#include "analyzer/report/expect.h"
#include "analyzer/report/report.h"

/* All is borrowed. */
struct rda_trial {
	const struct rda_report *report;
	bool unread; /* a file could not be read, or not to its end */
	int fail_on; /* findings from this severity on fail; RDA_SEVERITY_COUNT: none does */
	const bool *checks_off;			     /* by number */
	const struct rda_expectations *expectations; /* NULL: none; `expect_file` has them */
	const char *expect_file;
	const struct rda_baseline *now;
	const struct rda_baseline *old; /* NULL: there is none, and all is new */
	const uint64_t
		*old_violated; /* of each expectation, in the older one; NULL: no older one */
};

/* Whether it fails the trial: it is weighty, and as far as there is an older document, new or
 * worse. */
bool rda_trial_finding_fails(const struct rda_trial *trial, unsigned finding);

/* Whether it does not hold, and did not hold in fewer places before. */
bool rda_trial_line_fails(const struct rda_trial *trial, unsigned line);

/* How many findings and lines fail. */
unsigned rda_trial_failures(const struct rda_trial *trial);

/* For stderr: the lines that fail, and with an older document the findings that do. */
void rda_trial_print(struct rda_output *out, const struct rda_trial *trial);

/* JUnit's XML: a case for each capture, each expectation and, if findings can fail, each check. */
void rda_trial_junit(struct rda_output *out, const struct rda_trial *trial);

/* SARIF 2.1.0: the findings and the expectations that do not hold; rules are the table of checks.
 */
void rda_trial_sarif(struct rda_output *out, const struct rda_trial *trial);

#endif
