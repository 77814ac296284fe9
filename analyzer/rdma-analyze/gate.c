/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --fail-on and --expect. See gate.h; what expectations are is report/expect.h.
 */
#include "analyzer/rdma-analyze/gate.h"

#include "analyzer/report/expect.h"

#include <json-c/json.h>
#include <unistd.h>

struct rda_gate {
	const struct rda_options *options;
	struct rda_expectations *expectations; /* NULL: none */
};

static bool read_expectations(struct rda_gate *gate, const char *file, char **error)
{
	json_object *shape;
	GError *failure = NULL;
	char *text, *mistake = NULL;

	if (!g_file_get_contents(file, &text, NULL, &failure)) {
		*error = g_strdup(failure->message);
		g_error_free(failure);
		return false;
	}
	shape = rda_report_shape();
	gate->expectations = rda_expectations_parse(text, shape, &mistake);
	if (mistake)
		*error = g_strdup_printf("%s:%s", file, mistake);
	g_free(mistake);
	json_object_put(shape);
	g_free(text);
	return gate->expectations != NULL;
}

struct rda_gate *rda_gate_new(const struct rda_options *options, char **error)
{
	struct rda_gate *gate = g_new0(struct rda_gate, 1);

	gate->options = options;
	if (!options->expect || read_expectations(gate, options->expect, error))
		return gate;
	rda_gate_free(gate);
	return NULL;
}

void rda_gate_free(struct rda_gate *gate)
{
	rda_expectations_free(gate->expectations);
	g_free(gate);
}

/* Whether there is a finding at or above what --fail-on names. */
static bool has_failed(const struct rda_run *run)
{
	static const int8_t least[] = {
		[RDA_FAIL_ON_NEVER] = RDA_SEVERITY_COUNT,
		[RDA_FAIL_ON_NOTE] = RDA_SEVERITY_NOTE,
		[RDA_FAIL_ON_WARNING] = RDA_SEVERITY_WARNING,
		[RDA_FAIL_ON_ERROR] = RDA_SEVERITY_ERROR,
	};

	/* the first is of the greatest severity */
	return rda_result_finding_count(run->result) > 0 &&
	       rda_result_finding(run->result, 0)->severity >= least[run->options->fail_on];
}

static void take_record(void *context, const char *list, unsigned index, json_object *record)
{
	rda_expectations_take(context, list, index, record);
}

static bool is_as_expected(struct rda_gate *gate, const struct rda_report *report)
{
	struct rda_output messages;
	unsigned violated;

	rda_report_each(report, take_record, gate->expectations);
	violated = rda_expectations_end(gate->expectations);
	if (!violated)
		return true;
	rda_output_init(&messages, STDERR_FILENO, false);
	rda_expectations_print(gate->expectations, gate->options->expect, &messages);
	rda_print(&messages, "rdma-analyze: %u of %u expectations %s not hold\n", violated,
		  gate->expectations->lines->len, violated == 1 ? "does" : "do");
	rda_output_flush(&messages);
	rda_output_cleanup(&messages);
	return false;
}

bool rda_gate_passes(struct rda_gate *gate, const struct rda_run *run)
{
	struct rda_report report = rda_run_report(run);
	bool expected = !gate->expectations || is_as_expected(gate, &report);

	return !has_failed(run) && expected;
}
