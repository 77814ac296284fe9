/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fails. See trial.h.
 */
#include "analyzer/report/trial.h"

bool rda_trial_finding_fails(const struct rda_trial *trial, unsigned finding)
{
	return rda_result_finding(trial->report->result, finding)->severity >= trial->fail_on &&
	       (!trial->old ||
		rda_baseline_state(trial->now, trial->old, finding) != RDA_BASELINE_SAME);
}

bool rda_trial_line_fails(const struct rda_trial *trial, unsigned line)
{
	const struct rda_expect_line *e = g_ptr_array_index(trial->expectations->lines, line);

	return e->violated > (trial->old_violated ? trial->old_violated[line] : 0);
}

unsigned rda_trial_failures(const struct rda_trial *trial)
{
	unsigned failures = 0;

	for (unsigned i = 0; i < rda_result_finding_count(trial->report->result); i++)
		failures += rda_trial_finding_fails(trial, i);
	for (unsigned i = 0; trial->expectations && i < trial->expectations->lines->len; i++)
		failures += rda_trial_line_fails(trial, i);
	return failures;
}

static void print_lines(struct rda_output *out, const struct rda_trial *trial)
{
	unsigned violated = 0, failed = 0, count = trial->expectations->lines->len;

	for (unsigned i = 0; i < count; i++) {
		const struct rda_expect_line *line =
			g_ptr_array_index(trial->expectations->lines, i);

		violated += line->violated > 0;
		if (!rda_trial_line_fails(trial, i))
			continue;
		failed++;
		rda_expect_line_print(line, trial->expect_file, out);
	}
	if (violated)
		rda_print(out, "rdma-analyze: %u of %u expectations %s not hold", violated, count,
			  violated == 1 ? "does" : "do");
	if (violated && trial->old)
		rda_print(out, ", %u as before", violated - failed);
	rda_print(out, violated ? "\n" : "");
}

void rda_trial_print(struct rda_output *out, const struct rda_trial *trial)
{
	const struct rda_result *result = trial->report->result;
	unsigned failed = 0;

	if (trial->expectations)
		print_lines(out, trial);
	for (unsigned i = 0; trial->old && i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);
		bool new = rda_baseline_state(trial->now, trial->old, i) == RDA_BASELINE_NEW;
		char *text;

		if (!rda_trial_finding_fails(trial, i))
			continue;
		failed++;
		text = rda_finding_text(finding);
		rda_print(out, "%s: %s %s: %s\n", new ? "new" : "worse",
			  rda_severity_name(finding->severity), rda_baseline_key(trial->now, i),
			  text ? text : "");
		g_free(text);
	}
	if (failed)
		rda_print(out, "rdma-analyze: %u of %u findings are new or worse\n", failed,
			  rda_result_finding_count(result));
}
