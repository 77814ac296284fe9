/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole program on a capture of any bytes: one of its outputs, as options ask for it.
 *
 *     output 1 | file
 *
 * Documents are JSON in the strict sense, and UTF-8; in no output and in no complaint are control
 * characters but ends of lines; tables of CSV have as many columns in each line.
 */
#define _GNU_SOURCE
#include "analyzer/rdma-analyze/packets.h"
#include "analyzer/rdma-analyze/run.h"
#include "analyzer/report/report.h"
#include "tests/fuzz/fuzz_file.h"

#include <glib.h>
#include <json-c/json.h>
#include <string.h>

/* Behind a report's first words; NULL ends each. */
static const char *const outputs[][4] = {
	{"--format=json"},
	{"--all", "--keys"},
	{"--format=ndjson"},
	{"--format=csv"},
	{"--packets"},
	{"--packets", "--headers", "--format=ndjson"},
	{"--packets", "--headers"},
	{"--packets", "--format=csv"},
	{"--count-only", "--format=json"},
	{"--jobs=2", "--format=json"},
	{"--memory=64M", "--top=3"},
	{"--packets", "--format=json"},
};

/* ---- what has to be so ----------------------------------------------------------------------- */

static void check_text(const char *text, size_t length)
{
	RDA_MUST(strlen(text) == length);
	RDA_MUST(g_utf8_validate(text, (gssize)length, NULL));
	for (const char *at = text; *at; at = g_utf8_next_char(at)) {
		gunichar letter = g_utf8_get_char(at);

		RDA_MUST(letter == '\n' || !g_unichar_iscntrl(letter));
	}
}

static void check_document(const char *text, size_t length)
{
	struct json_tokener *tokener = json_tokener_new_ex(64);
	struct json_object *document;

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	document = json_tokener_parse_ex(tokener, text, (int)length);
	RDA_MUST(document && json_tokener_get_error(tokener) == json_tokener_success);
	RDA_MUST(json_tokener_get_parse_end(tokener) == length);
	json_object_put(document);
	json_tokener_free(tokener);
}

static void check_lines(const char *text)
{
	while (*text) {
		const char *end = strchr(text, '\n');

		RDA_MUST(end); /* the last one has its end too */
		check_document(text, (size_t)(end - text));
		text = end + 1;
	}
}

/* A comma inside quotes separates nothing; no line ends there, as text has no ends of lines. */
static unsigned columns_of(const char *line, const char *end)
{
	unsigned columns = 1;
	bool quoted = false;

	for (; line < end; line++) {
		quoted ^= *line == '"';
		columns += *line == ',' && !quoted;
	}
	RDA_MUST(!quoted);
	return columns;
}

/* Tables are apart by empty lines. */
static void check_tables(const char *text)
{
	unsigned columns = 0;

	while (*text) {
		const char *end = strchr(text, '\n');

		RDA_MUST(end);
		if (end == text)
			columns = 0;
		else if (columns)
			RDA_MUST(columns_of(text, end) == columns);
		else
			columns = columns_of(text, end);
		text = end + 1;
	}
}

static void check(int format, const GString *text)
{
	check_text(text->str, text->len);
	switch (format) {
	case RDA_FORMAT_JSON: check_document(text->str, strlen(g_strchomp(text->str))); break;
	case RDA_FORMAT_NDJSON: check_lines(text->str); break;
	case RDA_FORMAT_CSV: check_tables(text->str); break;
	default: break;
	}
}

/* ---- the program ----------------------------------------------------------------------------- */

static void report(struct rda_run *run, struct rda_output *out)
{
	struct rda_report told = rda_run_report(run);

	if (run->options->packets)
		rda_print_packets(out, run);
	else if (run->options->format == RDA_FORMAT_JSON)
		rda_report_json(out, &told);
	else if (run->options->format == RDA_FORMAT_NDJSON)
		rda_report_ndjson(out, &told);
	else if (run->options->format == RDA_FORMAT_CSV)
		rda_report_csv(out, &told);
	else
		rda_report_text(out, &told);
}

/* What it prints; NULL: it could not open the file. */
static GString *run_on(const char *const output[4], char *file, int *format)
{
	char *arguments[] = {"rdma-analyze", "--no-progress", file, NULL, NULL, NULL, NULL};
	struct rda_options options;
	struct rda_output out;
	struct rda_run run;
	GString *text = NULL;
	char *error = NULL;
	int count = 3;

	for (; output[count - 3]; count++)
		arguments[count] = (char *)output[count - 3];
	RDA_MUST(rda_options_parse(&options, count, arguments, &error));
	RDA_MUST(rda_run_init(&run, &options, NULL, &error));
	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	rda_run_read(&run, &out);
	if (rda_run_input_count(&run) > 0) {
		report(&run, &out);
		text = g_string_new_len(out.text->str, (gssize)out.text->len);
	}
	*format = (int)options.format;
	rda_output_cleanup(&out);
	rda_run_cleanup(&run);
	rda_options_cleanup(&options);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *real = stderr;
	char *said = NULL;
	size_t length = 0;
	GString *text;
	int format;

	if (size < 1)
		return 0;
	stderr = open_memstream(&said, &length); /* complaints; sanitizers have their own */
	text = run_on(outputs[data[0] % G_N_ELEMENTS(outputs)], rda_fuzz_file(data + 1, size - 1),
		      &format);
	fclose(stderr);
	stderr = real;
	check_text(said, length);
	free(said);
	if (text)
		check(format, text);
	if (text)
		g_string_free(text, TRUE);
	return 0;
}
