/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The findings for people, weightiest first: what was found with its numbers, where, what it means
 * and what to look at next; then what the capture cannot tell.
 *
 * Of one check only the weightiest few are told; the rest are counted (JSON has all).
 */
#include "analyzer/report/report.h"

#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"

#include <inttypes.h>
#include <string.h>

/* Findings of one check that are told, by severity. */
static const unsigned told_of[RDA_SEVERITY_COUNT] = {
	[RDA_SEVERITY_NOTE] = 1,
	[RDA_SEVERITY_WARNING] = 3,
	[RDA_SEVERITY_ERROR] = 3,
};

/* Frames of a finding that are told. */
enum { FRAMES = 8 };

enum { INDENT = 4 };

static const enum rda_style styles[RDA_SEVERITY_COUNT] = {
	[RDA_SEVERITY_NOTE] = RDA_STYLE_PLAIN,
	[RDA_SEVERITY_WARNING] = RDA_STYLE_YELLOW,
	[RDA_SEVERITY_ERROR] = RDA_STYLE_RED,
};

static void append_end(GString *to, const struct rda_endpoint *end)
{
	char text[RDA_ADDRESS_TEXT];

	g_string_append(to, rda_address_text(text, &end->address));
	if (end->qpn != RDA_QPN_UNKNOWN)
		g_string_append_printf(to, " QP 0x%06" PRIx32, end->qpn);
}

/* "connection 3, 10.0.0.1 QP 0x000011 to 10.0.0.2 QP 0x000012" */
static void append_subject(GString *to, const struct rda_report *report,
			   const struct rda_finding *finding)
{
	const struct rda_connection_facts *connection;
	unsigned side = finding->flow > 0;
	char text[RDA_ADDRESS_TEXT];

	if (finding->key.subject.kind == RDA_SUBJECT_HOST) {
		g_string_append(to, rda_address_text(text, &rda_result_host_of_index(
								    report->result,
								    finding->key.subject.index)
								    ->address));
		return;
	}
	if (finding->connection < 0) {
		char *name = rda_output_harmless(report->origins[finding->key.subject.index]->file);

		g_string_append(to, name);
		g_free(name);
		return;
	}
	connection = rda_result_connection(report->result, (unsigned)finding->connection);
	g_string_append_printf(to, "connection %" PRIu32 ", ", connection->id);
	append_end(to, &connection->endpoints[side]);
	g_string_append(to, finding->flow < 0 ? " and " : " to ");
	append_end(to, &connection->endpoints[1 - side]);
}

void rda_report_append_place(GString *to, const struct rda_report *report, uint64_t place)
{
	if (rda_result_capture_count(report->result) > 1)
		g_string_append_printf(to, "%" PRIu32 ":", rda_place_capture(place) + 1);
	g_string_append_printf(to, "%" PRIu64, rda_place_number(place));
}

/* "Frames 12, 15, 2:7" */
static void append_frames(GString *to, const struct rda_report *report,
			  const struct rda_finding *finding)
{
	unsigned count = MIN(finding->place_count, FRAMES);

	for (unsigned i = 0; i < count; i++) {
		g_string_append(to, i ? ", " : finding->place_count == 1 ? "Frame " : "Frames ");
		rda_report_append_place(to, report, finding->places[i]);
	}
	if (finding->place_count > FRAMES || finding->count > finding->place_count)
		g_string_append(to, ", ...");
}

static void put_line(struct rda_output *out, const char *text)
{
	rda_print(out, "%*s", INDENT, "");
	rda_output_wrap(out->text, text, INDENT, INDENT);
}

static void put_finding(struct rda_output *out, const struct rda_report *report,
			const struct rda_finding *finding, bool first)
{
	const struct rda_check_row *row = rda_check_row(finding->key.check);
	GString *line = g_string_new(NULL);
	char *text = rda_finding_text(finding);

	rda_print_in(out, styles[finding->severity], "  %s %s",
		     rda_severity_name(finding->severity), row->code);
	g_string_append_printf(line, "%s, %s: ", row->name, rda_proof_name(finding->proof));
	append_subject(line, report, finding);
	rda_print(out, " ");
	rda_output_wrap(out->text, line->str, strlen(rda_severity_name(finding->severity)) + 7,
			INDENT);
	if (text)
		put_line(out, text);
	g_free(text);
	g_string_truncate(line, 0);
	append_frames(line, report, finding);
	if (line->len)
		put_line(out, line->str);
	if (first && finding->severity > RDA_SEVERITY_NOTE) {
		const char *own = rda_finding_advice(finding);

		rda_style(out, RDA_STYLE_FAINT);
		if (own)
			g_string_assign(line, own);
		else
			g_string_printf(line, "%s %s", row->meaning, row->advice);
		put_line(out, line->str);
		rda_style(out, RDA_STYLE_PLAIN);
	}
	g_string_free(line, TRUE);
}

/* How many of each check and severity were left out. */
static void put_rest(struct rda_output *out, unsigned told[][RDA_SEVERITY_COUNT])
{
	GString *line = g_string_new(NULL);

	for (int i = 0; i < RDA_CHECK_COUNT; i++)
		for (int severity = 0; severity < RDA_SEVERITY_COUNT; severity++)
			if (told[i][severity] > told_of[severity])
				g_string_append_printf(line, "%s%s (%u)", line->len ? ", " : "",
						       rda_check_row((enum rda_check)i)->code,
						       told[i][severity] - told_of[severity]);
	if (line->len) {
		rda_print(out, "  More of ");
		rda_output_wrap(out->text, line->str, 10, 10);
	}
	g_string_free(line, TRUE);
}

void rda_report_findings(struct rda_output *out, const struct rda_report *report)
{
	unsigned told[RDA_CHECK_COUNT][RDA_SEVERITY_COUNT] = {0},
		 count = rda_result_finding_count(report->result);
	uint64_t not_kept = rda_result_findings_not_kept(report->result);

	if (!count)
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\n%u finding%s\n", count, rda_words_plural(count));
	for (unsigned i = 0; i < count && rda_output_more(out); i++) {
		const struct rda_finding *finding = rda_result_finding(report->result, i);

		unsigned *done = &told[finding->key.check][finding->severity];

		if ((*done)++ < told_of[finding->severity])
			put_finding(out, report, finding, *done == 1);
	}
	put_rest(out, told);
	if (not_kept)
		rda_print(out, "  %" PRIu64 " cases more, of lighter findings\n", not_kept);
}

/* ---- what the capture cannot tell ------------------------------------------------------------ */

/* The codes of checks that need `bit` and whose findings were withheld or lowered. */
static void append_codes(GString *to, const struct rda_result *result, uint8_t bit, bool withheld)
{
	bool begun = false;

	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);
		uint64_t cases = withheld ? rda_result_withheld(result, (enum rda_check)i)
					  : rda_result_lowered(result, (enum rda_check)i);

		if (!cases || !((withheld ? row->requires : row->needs) & bit))
			continue;
		g_string_append_printf(to, "%s%s", begun ? ", " : "", row->code);
		begun = true;
	}
}

static void put_limit(struct rda_output *out, const struct rda_report *report, uint8_t bit,
		      const char *name, const char *otherwise)
{
	unsigned connections = 0, count = rda_result_connection_count(report->result);
	GString *withheld = g_string_new(NULL), *lowered = g_string_new(NULL);
	GString *line = g_string_new(NULL);

	(void)name;
	for (unsigned i = 0; i < count; i++)
		connections += !(rda_result_connection(report->result, i)->seen & bit);
	append_codes(withheld, report->result, bit, true);
	append_codes(lowered, report->result, bit, false);
	if (connections && (withheld->len || lowered->len)) {
		g_string_append_printf(line, "Of %u connection%s %s:", connections,
				       rda_words_plural(connections), otherwise);
		if (withheld->len)
			g_string_append_printf(line, " not judged by %s;", withheld->str);
		if (lowered->len)
			g_string_append_printf(line, " suspected instead of proven by %s;",
					       lowered->str);
		line->str[line->len - 1] = '.';
		rda_print(out, "  ");
		rda_output_wrap(out->text, line->str, 2, 2);
	}
	g_string_free(withheld, TRUE);
	g_string_free(lowered, TRUE);
	g_string_free(line, TRUE);
}

void rda_report_limits(struct rda_output *out, const struct rda_report *report)
{
	uint64_t cases = 0;

	for (int i = 0; i < RDA_CHECK_COUNT; i++)
		cases += rda_result_withheld(report->result, (enum rda_check)i) +
			 rda_result_lowered(report->result, (enum rda_check)i);
	if (!cases)
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\nWhat this capture cannot tell\n");
#define RDA_X(ID, bit, name, otherwise) put_limit(out, report, RDA_SEEN_##ID, name, otherwise);
	RDA_SEEN(RDA_X)
#undef RDA_X
}
