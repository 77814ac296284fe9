/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports on one file after the other. See each.h.
 */
#include "analyzer/rdma-analyze/each.h"

#include "analyzer/rdma-analyze/gate.h"
#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/run.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/units.h"

#include <inttypes.h>

/* A file's line in the table. */
struct row {
	const char *file;
	uint64_t packets, rdma_packets;
	uint32_t connections, findings[RDA_SEVERITY_COUNT];
};

static struct row row_of(const struct rda_run *run, const char *file)
{
	struct row row = {.file = file, .connections = rda_result_connection_count(run->result)};

	for (unsigned i = 0; i < rda_result_capture_count(run->result); i++) {
		const struct rda_capture *capture = rda_result_capture(run->result, i);

		row.packets += capture->packets;
		for (unsigned carrier = 0; carrier < RDA_CARRIER_COUNT; carrier++)
			row.rdma_packets += capture->rdma_packets[carrier];
	}
	for (unsigned i = 0; i < rda_result_finding_count(run->result); i++)
		row.findings[rda_finding_severity(rda_result_finding(run->result, i))]++;
	return row;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void put_row(struct rda_columns *columns, struct rda_output *out, const struct row *row)
{
	char packets[RDA_UNITS_TEXT], rdma[RDA_UNITS_TEXT], connections[16];
	char findings[RDA_SEVERITY_COUNT][16];
	char *name = rda_output_harmless(row->file);

	g_snprintf(connections, sizeof(connections), "%" PRIu32, row->connections);
	for (unsigned i = 0; i < RDA_SEVERITY_COUNT; i++)
		g_snprintf(findings[i], sizeof(findings[i]), "%" PRIu32, row->findings[i]);
	rda_columns_row(columns, out,
			(const char *[]){rda_units_grouped(packets, row->packets),
					 rda_units_grouped(rdma, row->rdma_packets), connections,
					 findings[RDA_SEVERITY_ERROR],
					 findings[RDA_SEVERITY_WARNING],
					 findings[RDA_SEVERITY_NOTE], name});
	g_free(name);
}

static void print_table(struct rda_output *out, const GArray *rows)
{
	struct rda_columns columns = {.column = {{"Packets", true, 0, 0},
						 {"RDMA", true, 0, 0},
						 {"Connections", true, 0, 0},
						 {"Errors", true, 0, 0},
						 {"Warnings", true, 0, 0},
						 {"Notes", true, 0, 0},
						 {"File", false, 0, 0}},
				      .count = 7,
				      .width = out->width};

	rda_print_in(out, RDA_STYLE_BOLD, "\n%u files\n", rows->len);
	for (guint i = 0; i < rows->len; i++)
		put_row(&columns, NULL, &g_array_index(rows, struct row, i));
	rda_columns_titles(&columns, out);
	for (guint i = 0; i < rows->len && rda_output_more(out); i++)
		put_row(&columns, out, &g_array_index(rows, struct row, i));
}

static void describe_row(struct rda_record *record, const struct row *row)
{
	rda_record_text(record, "file", row->file);
	rda_record_number(record, "packets", row->packets);
	rda_record_number(record, "rdma_packets", row->rdma_packets);
	rda_record_number(record, "connections", row->connections);
	rda_record_number(record, "errors", row->findings[RDA_SEVERITY_ERROR]);
	rda_record_number(record, "warnings", row->findings[RDA_SEVERITY_WARNING]);
	rda_record_number(record, "notes", row->findings[RDA_SEVERITY_NOTE]);
}

static void print_records(struct rda_output *out, const GArray *rows, bool lines)
{
	for (guint i = 0; i < rows->len && rda_output_more(out); i++) {
		struct rda_record record;

		rda_print(out, "%s", lines ? "" : i ? ",\n    " : "\n    ");
		rda_record_init(&record, out->text);
		if (lines)
			rda_record_text(&record, "record", "file");
		describe_row(&record, &g_array_index(rows, struct row, i));
		rda_record_end(&record);
		rda_print(out, "%s", lines ? "\n" : "");
	}
}

/* ---- reports --------------------------------------------------------------------------------- */

static void print_report(struct rda_output *out, const struct rda_run *run, bool first)
{
	struct rda_report report = rda_run_report(run);
	char *name = rda_output_harmless(report.origins[0]->file);

	switch (run->options->format) {
	case RDA_FORMAT_JSON:
		rda_print(out, first ? "\n" : ",\n");
		rda_report_json(out, &report);
		break;
	case RDA_FORMAT_NDJSON: rda_report_ndjson(out, &report); break;
	default:
		rda_print_in(out, RDA_STYLE_BOLD, "%s==== %s\n\n", first ? "" : "\n", name);
		rda_report_text(out, &report);
	}
	g_free(name);
}

/* One file; false: the options make no sense. */
static bool report_on(struct rda_output *out, const struct rda_options *all, char *file,
		      GArray *rows, struct rda_each_outcome *outcome, char **error)
{
	struct rda_options options = *all;
	struct rda_gate *gate;
	struct rda_run run;

	options.files = (char *[]){file, NULL};
	gate = rda_gate_new(&options, error);
	if (!gate)
		return false;
	if (!rda_run_init(&run, &options, NULL, error)) {
		rda_run_cleanup(&run);
		rda_gate_free(gate);
		return false;
	}
	rda_run_read(&run, out);
	if (rda_run_input_count(&run) > 0) {
		struct row row = row_of(&run, file);

		print_report(out, &run, rows->len == 0);
		g_array_append_val(rows, row);
		outcome->found |= !rda_gate_passes(gate, &run, error);
	}
	outcome->failed |= run.failed;
	rda_run_cleanup(&run);
	rda_gate_free(gate);
	return *error == NULL;
}

struct rda_each_outcome rda_each_report(struct rda_output *out, const struct rda_options *options,
					char **error)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	struct rda_each_outcome outcome = {false, false};
	bool json = options->format == RDA_FORMAT_JSON;

	*error = NULL;
	if (json)
		rda_print(out, "{\"schema\": \"" RDA_SCHEMA "\", \"reports\": [");
	for (char **file = options->files; *file; file++)
		if (!report_on(out, options, *file, rows, &outcome, error) ||
		    !rda_output_more(out) || rda_interrupt_came())
			break;
	if (json) {
		rda_print(out, "],\n  \"files\": [");
		print_records(out, rows, false);
		rda_print(out, "]}\n");
	} else if (options->format == RDA_FORMAT_NDJSON) {
		print_records(out, rows, true);
	} else if (rows->len) {
		print_table(out, rows);
	}
	g_array_free(rows, TRUE);
	return outcome;
}
