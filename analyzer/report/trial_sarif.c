/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SARIF 2.1.0 (OASIS). Frames are locations: the number of a frame stands as the line, since
 * whoever shows a result wants one, and a logical location names it a frame.
 */
#include "analyzer/report/trial.h"

#include "analyzer/base/address.h"
#include "analyzer/report/machine_record.h"

#include <inttypes.h>
#include <string.h>

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"

/* ---- rules ----------------------------------------------------------------------------------- */

static void put_message(struct rda_record *record, const char *name, const char *text)
{
	rda_record_open(record, name);
	rda_record_text(record, "text", text);
	rda_record_close(record);
}

static void put_rule(struct rda_record *record, const char *code, const char *name,
		     const char *severity, const char *meaning, const char *advice)
{
	rda_record_open(record, NULL);
	rda_record_text(record, "id", code);
	rda_record_text(record, "name", name);
	put_message(record, "shortDescription", name);
	put_message(record, "fullDescription", meaning);
	put_message(record, "help", advice);
	rda_record_open(record, "defaultConfiguration");
	rda_record_text(record, "level", severity);
	rda_record_close(record);
	rda_record_close(record);
}

static void print_driver(struct rda_output *out)
{
	struct rda_record record;

	rda_record_init(&record, out->text);
	rda_record_text(&record, "name", "rdma-analyze");
	rda_record_text(&record, "version", RDA_VERSION);
	rda_record_open_list(&record, "rules");
	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);

		put_rule(&record, row->code, row->name, rda_severity_name(row->severity),
			 row->meaning, row->advice);
	}
	put_rule(&record, "expectation", "expectation-does-not-hold", "error",
		 "The captures are not as the file of expectations has it.",
		 "Look at the line, and at the values that were seen.");
	rda_record_close(&record);
	rda_record_end(&record);
}

/* ---- places ---------------------------------------------------------------------------------- */

static char *uri_of(const char *file)
{
	char *uri = g_path_is_absolute(file) ? g_filename_to_uri(file, NULL, NULL) : NULL;

	return uri ? uri : g_uri_escape_string(file, "/", FALSE);
}

/* The members of a location; a line of 0 is none. */
static void put_physical(struct rda_record *record, const char *file, uint64_t line)
{
	char *uri = uri_of(file);

	rda_record_open(record, "physicalLocation");
	rda_record_open(record, "artifactLocation");
	rda_record_text(record, "uri", uri);
	rda_record_close(record);
	if (line) {
		rda_record_open(record, "region");
		rda_record_number(record, "startLine", line);
		rda_record_close(record);
	}
	rda_record_close(record);
	g_free(uri);
}

static void put_frame(struct rda_record *record, const struct rda_report *report, uint64_t place)
{
	uint32_t capture = rda_place_capture(place);
	char name[32];

	g_snprintf(name, sizeof(name), "frame %" PRIu64, rda_place_number(place));
	rda_record_open(record, NULL);
	put_physical(record, capture < report->origin_count ? report->origins[capture]->file : "-",
		     rda_place_number(place));
	rda_record_open_list(record, "logicalLocations");
	rda_record_open(record, NULL);
	rda_record_text(record, "name", name);
	rda_record_text(record, "kind", "frame");
	rda_record_close(record);
	rda_record_close(record);
	rda_record_close(record);
}

/* The most telling frame is the location, the others are related to it; without any the capture. */
static void put_places(struct rda_record *record, const struct rda_report *report,
		       const struct rda_finding *finding)
{
	rda_record_open_list(record, "locations");
	if (finding->place_count) {
		put_frame(record, report, finding->places[0]);
	} else if (report->origin_count == 1) {
		rda_record_open(record, NULL);
		put_physical(record, report->origins[0]->file, 0);
		rda_record_close(record);
	}
	rda_record_close(record);
	if (finding->place_count < 2)
		return;
	rda_record_open_list(record, "relatedLocations");
	for (unsigned i = 1; i < finding->place_count; i++)
		put_frame(record, report, finding->places[i]);
	rda_record_close(record);
}

/* ---- results --------------------------------------------------------------------------------- */

static void put_finding(struct rda_record *record, const struct rda_trial *trial, unsigned index)
{
	static const char *const states[] = {
		[RDA_BASELINE_NEW] = "new",
		[RDA_BASELINE_WORSE] = "updated",
		[RDA_BASELINE_SAME] = "unchanged",
	};
	const struct rda_finding *finding = rda_result_finding(trial->report->result, index);
	char *text = rda_finding_text(finding);

	rda_record_text(record, "ruleId", rda_check_row(finding->key.check)->code);
	rda_record_number(record, "ruleIndex", finding->key.check);
	rda_record_text(record, "level", rda_severity_name(finding->severity));
	put_message(record, "message", text ? text : "");
	put_places(record, trial->report, finding);
	rda_record_open(record, "partialFingerprints");
	rda_record_text(record, "hosts/v1", rda_baseline_key(trial->now, index));
	rda_record_close(record);
	if (trial->old)
		rda_record_text(record, "baselineState",
				states[rda_baseline_state(trial->now, trial->old, index)]);
	rda_record_open(record, "properties");
	rda_record_text(record, "proof", rda_proof_name(finding->proof));
	rda_record_signed_known(record, "connection", finding->connection >= 0,
				finding->connection);
	rda_record_signed_known(record, "flow", finding->flow >= 0, finding->flow);
	rda_record_number(record, "count", finding->count);
	rda_record_flag(record, "fails", rda_trial_finding_fails(trial, index));
	rda_record_close(record);
	g_free(text);
}

static void put_line(struct rda_record *record, const struct rda_trial *trial, unsigned index)
{
	const struct rda_expect_line *e = g_ptr_array_index(trial->expectations->lines, index);
	GString *text = g_string_new(e->text);

	g_string_append(text, " does not hold");
	for (unsigned i = 0; i < e->told->len; i++)
		g_string_append_printf(text, "%s%s", i ? "; " : ": ",
				       (const char *)g_ptr_array_index(e->told, i));
	if (e->violated > e->told->len)
		g_string_append_printf(text, "; and %" PRIu64 " more", e->violated - e->told->len);
	rda_record_text(record, "ruleId", "expectation");
	rda_record_number(record, "ruleIndex", RDA_CHECK_COUNT);
	rda_record_text(record, "level", rda_trial_line_fails(trial, index) ? "error" : "note");
	put_message(record, "message", text->str);
	rda_record_open_list(record, "locations");
	rda_record_open(record, NULL);
	put_physical(record, trial->expect_file, e->line);
	rda_record_close(record);
	rda_record_close(record);
	g_string_free(text, TRUE);
}

static void print_results(struct rda_output *out, const struct rda_trial *trial)
{
	unsigned count = rda_result_finding_count(trial->report->result), lines;
	struct rda_record record;
	const char *between = "\n";

	lines = trial->expectations ? trial->expectations->lines->len : 0;
	for (unsigned i = 0; i < count + lines; i++) {
		if (i >= count && !((const struct rda_expect_line *)g_ptr_array_index(
					    trial->expectations->lines, i - count))
					   ->violated)
			continue;
		rda_print(out, "%s", between);
		rda_record_init(&record, out->text);
		if (i < count)
			put_finding(&record, trial, i);
		else
			put_line(&record, trial, i - count);
		rda_record_end(&record);
		between = ",\n";
		if (!rda_output_more(out))
			return;
	}
}

/* How reading went. */
static void print_invocation(struct rda_output *out, const struct rda_trial *trial)
{
	struct rda_record record;

	rda_record_init(&record, out->text);
	rda_record_flag(&record, "executionSuccessful", !trial->unread);
	rda_record_open_list(&record, "toolExecutionNotifications");
	for (unsigned i = 0; i < trial->report->origin_count; i++) {
		const struct rda_origin *origin = trial->report->origins[i];

		if (!origin->damage)
			continue;
		rda_record_open(&record, NULL);
		rda_record_text(&record, "level", "error");
		put_message(&record, "message", origin->damage);
		rda_record_open_list(&record, "locations");
		rda_record_open(&record, NULL);
		put_physical(&record, origin->file, 0);
		rda_record_close(&record);
		rda_record_close(&record);
		rda_record_close(&record);
	}
	rda_record_close(&record);
	rda_record_end(&record);
}

void rda_trial_sarif(struct rda_output *out, const struct rda_trial *trial)
{
	rda_print(out, "{\"$schema\": \"" SCHEMA "\", \"version\": \"2.1.0\", \"runs\": [{\n"
		       "\"tool\": {\"driver\": ");
	print_driver(out);
	rda_print(out, "},\n\"invocations\": [");
	print_invocation(out, trial);
	rda_print(out, "],\n\"results\": [");
	print_results(out, trial);
	rda_print(out, "\n]}]}\n");
}
