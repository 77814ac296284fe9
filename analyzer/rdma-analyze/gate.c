/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of the gate: read, judged by (report/trial.h), written. See gate.h.
 */
#include "analyzer/rdma-analyze/gate.h"

#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/diff.h"
#include "analyzer/report/trial.h"

#include <json-c/json.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct rda_gate {
	const struct rda_options *options;
	struct rda_expectations *expectations; /* NULL: none */
	json_object *old, *before;	   /* the documents of --baseline and --diff; NULL: none */
	struct rda_outfile *junit, *sarif; /* NULL: none is wanted */
};

/* ---- what is read ---------------------------------------------------------------------------- */

/* "FILE: REASON"; takes the reason. */
static bool fail(const char *file, char *reason, char **error)
{
	*error = g_strdup_printf("%s: %s", file, reason);
	g_free(reason);
	return false;
}

static bool read_text(const char *file, char **text, gsize *length, char **error)
{
	GError *failure = NULL;

	if (g_file_get_contents(file, text, length, &failure))
		return true;
	*error = g_strdup(failure->message);
	g_error_free(failure);
	return false;
}

static bool read_expectations(struct rda_gate *gate, const char *file, char **error)
{
	char *text, *mistake = NULL;
	json_object *shape;

	if (!read_text(file, &text, NULL, error))
		return false;
	shape = rda_report_shape();
	gate->expectations = rda_expectations_parse(text, shape, &mistake);
	if (mistake)
		*error = g_strdup_printf("%s:%s", file, mistake);
	g_free(mistake);
	json_object_put(shape);
	g_free(text);
	return gate->expectations != NULL;
}

static bool is_document(json_object *document)
{
	json_object *schema = NULL;

	return json_object_is_type(document, json_type_object) &&
	       json_object_object_get_ex(document, "schema", &schema) &&
	       json_object_is_type(schema, json_type_string) &&
	       strcmp(json_object_get_string(schema), RDA_SCHEMA) == 0;
}

static bool read_document(json_object **document, const char *file, char **error)
{
	json_tokener *tokener = json_tokener_new();
	enum json_tokener_error failure;
	gsize length;
	char *text;
	bool good;

	if (!read_text(file, &text, &length, error)) {
		json_tokener_free(tokener);
		return false;
	}
	*document = length < INT_MAX ? json_tokener_parse_ex(tokener, text, (int)length) : NULL;
	good = is_document(*document);
	failure = json_tokener_get_error(tokener);
	if (!*document && failure != json_tokener_success)
		fail(file,
		     g_strdup_printf("offset %zu: %s", json_tokener_get_parse_end(tokener),
				     failure == json_tokener_continue
					     ? "the document ends too early"
					     : json_tokener_error_desc(failure)),
		     error);
	else if (!good)
		fail(file, g_strdup("no document of --format json (schema \"" RDA_SCHEMA "\")"),
		     error);
	json_tokener_free(tokener);
	g_free(text);
	return good;
}

static bool begin_file(struct rda_outfile **file, const char *name, char **error)
{
	char *reason;

	*file = rda_outfile_new(name, &reason);
	return *file || fail(name, reason, error);
}

struct rda_gate *rda_gate_new(const struct rda_options *options, char **error)
{
	struct rda_gate *gate = g_new0(struct rda_gate, 1);

	gate->options = options;
	if ((!options->expect || read_expectations(gate, options->expect, error)) &&
	    (!options->baseline || read_document(&gate->old, options->baseline, error)) &&
	    (!options->diff || read_document(&gate->before, options->diff, error)) &&
	    (!options->junit || begin_file(&gate->junit, options->junit, error)) &&
	    (!options->sarif || begin_file(&gate->sarif, options->sarif, error)))
		return gate;
	rda_gate_free(gate);
	return NULL;
}

void rda_gate_free(struct rda_gate *gate)
{
	rda_expectations_free(gate->expectations);
	json_object_put(gate->old);
	json_object_put(gate->before);
	rda_outfile_drop(gate->junit);
	rda_outfile_drop(gate->sarif);
	g_free(gate);
}

/* ---- judging --------------------------------------------------------------------------------- */

/* What takes the records of one document. */
struct taker {
	struct rda_expectations *expectations;
	struct rda_baseline *baseline;
};

static void take_record(void *context, const char *list, unsigned index, json_object *record)
{
	const struct taker *taker = context;

	if (taker->expectations)
		rda_expectations_take(taker->expectations, list, index, record);
	rda_baseline_take(taker->baseline, list, index, record);
}

/* As rda_report_each does it of a report. */
static void each_record(json_object *document, rda_take_record *take, void *context)
{
	json_object_object_foreach(document, list, records)
	{
		size_t count = json_object_is_type(records, json_type_array)
				       ? json_object_array_length(records)
				       : 0;

		for (size_t i = 0; i < count; i++)
			take(context, list, (unsigned)i, json_object_array_get_idx(records, i));
	}
}

/* The older document, of which the expectations keep nothing but how often each was violated. */
static uint64_t *take_document(struct taker *taker, json_object *document)
{
	struct rda_expectations *expectations = taker->expectations;
	uint64_t *violated = NULL;

	each_record(document, take_record, taker);
	if (!expectations)
		return NULL;
	rda_expectations_end(expectations);
	violated = g_new(uint64_t, expectations->lines->len);
	for (unsigned i = 0; i < expectations->lines->len; i++)
		violated[i] =
			((const struct rda_expect_line *)g_ptr_array_index(expectations->lines, i))
				->violated;
	rda_expectations_reset(expectations);
	return violated;
}

/* With an older document any finding counts, unless --fail-on says which. */
static int least_severity(const struct rda_options *options)
{
	switch (options->fail_on) {
	case RDA_FAIL_ON_NOTE: return RDA_SEVERITY_NOTE;
	case RDA_FAIL_ON_WARNING: return RDA_SEVERITY_WARNING;
	case RDA_FAIL_ON_ERROR: return RDA_SEVERITY_ERROR;
	default: return options->baseline ? RDA_SEVERITY_NOTE : RDA_SEVERITY_COUNT;
	}
}

/* ---- what is written ------------------------------------------------------------------------- */

static void say(const struct rda_trial *trial)
{
	struct rda_output messages;

	rda_output_init(&messages, RDA_OUTPUT_KEEP, false);
	rda_trial_print(&messages, trial);
	rda_complain_lines(messages.text->str);
	rda_output_cleanup(&messages);
}

static void write_file(struct rda_outfile **file, const char *name, const struct rda_trial *trial,
		       void (*print)(struct rda_output *, const struct rda_trial *), char **error)
{
	struct rda_output out;
	char *reason;

	if (!*file)
		return;
	rda_output_init(&out, rda_outfile_fd(*file), false);
	print(&out, trial);
	if (!rda_outfile_finish(*file, rda_output_failure(&out), &reason)) {
		g_free(*error);
		fail(name, reason, error);
	}
	*file = NULL;
	rda_output_cleanup(&out);
}

bool rda_gate_passes(struct rda_gate *gate, const struct rda_run *run, char **error)
{
	struct rda_report report = rda_run_report(run);
	struct rda_baseline now, old = {.keys = NULL};
	struct rda_trial trial = {
		.report = &report,
		.unread = run->failed,
		.fail_on = least_severity(gate->options),
		.checks_off = gate->options->checks.off,
		.expectations = gate->expectations,
		.expect_file = gate->options->expect,
		.now = &now,
	};
	struct taker taker = {gate->expectations, &now};
	uint64_t *violated = NULL;
	bool passes;

	rda_baseline_init(&now);
	if (gate->old) {
		rda_baseline_init(&old);
		trial.old = &old;
		trial.old_violated = violated =
			take_document(&(struct taker){gate->expectations, &old}, gate->old);
	}
	if (gate->expectations || gate->old || gate->sarif)
		rda_report_each(&report, take_record, &taker);
	if (gate->expectations)
		rda_expectations_end(gate->expectations);
	if (rda_run_input_count(run) > 0)
		say(&trial);
	write_file(&gate->junit, gate->options->junit, &trial, rda_trial_junit, error);
	write_file(&gate->sarif, gate->options->sarif, &trial, rda_trial_sarif, error);
	passes = !rda_trial_failures(&trial);
	rda_baseline_cleanup(&now);
	rda_baseline_cleanup(&old);
	g_free(violated);
	return passes;
}

static void take_for_diff(void *context, const char *list, unsigned index, json_object *record)
{
	rda_diff_take(context, list, index, record);
}

void rda_gate_print_diff(const struct rda_gate *gate, const struct rda_run *run,
			 struct rda_output *out)
{
	struct rda_report report = rda_run_report(run);
	struct rda_diff old, now;

	rda_diff_init(&old);
	rda_diff_init(&now);
	each_record(gate->before, take_for_diff, &old);
	rda_report_each(&report, take_for_diff, &now);
	rda_diff_print(out, &old, &now);
	rda_diff_cleanup(&old);
	rda_diff_cleanup(&now);
}
