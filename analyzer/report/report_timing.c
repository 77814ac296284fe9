/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest messages for people: which, how long they took, and where to look at them.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/columns.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/terminal.h"
#include "analyzer/report/units.h"

#include <inttypes.h>

/* Messages that are told; JSON has a few more. */
enum { TOLD = 3 };

/* "47" or, where there are several files, "2:47" */
static void append_place(GString *to, const struct rda_report *report, uint64_t place)
{
	if (rda_result_capture_count(report->result) > 1)
		g_string_append_printf(to, "%" PRIu32 ":", rda_place_capture(place) + 1);
	g_string_append_printf(to, "%" PRIu64, rda_place_number(place));
}

/* One row. Measured when `out` is NULL. */
static void put_row(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_report *report, unsigned index)
{
	const struct rda_slow_facts *slow = rda_result_slow_message(report->result, index);
	const struct rda_exchange *exchange = &slow->exchange;
	char id[16], bytes[RDA_UNITS_TEXT], took[RDA_UNITS_TEXT], resent[RDA_UNITS_TEXT] = "";
	char *kind = g_ascii_strup(rda_message_name(exchange->kind), -1);
	GString *frames = g_string_new(NULL);
	const char *cells[] = {id, kind, bytes, took, resent, ""};

	g_snprintf(id, sizeof(id), "%" PRIu32, slow->connection);
	g_strdelimit(kind, "_", ' ');
	rda_compact(bytes, exchange->bytes);
	rda_duration(took, exchange->latency_ns);
	if (exchange->resent)
		rda_compact(resent, exchange->resent);
	append_place(frames, report, exchange->first_frame);
	g_string_append(frames, " to ");
	append_place(frames, report, exchange->last_frame);
	cells[5] = frames->str;
	rda_columns_row(columns, out, cells);
	g_string_free(frames, TRUE);
	g_free(kind);
}

void rda_report_slowest(struct rda_output *out, const struct rda_report *report)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Message", false, 0, 0},
			   {"Bytes", true, 0, 0},
			   {"Took", true, 0, 0},
			   {"Resent", true, 0, 0},
			   {"Frames", false, 0, 0}},
		.count = 6,
		.width = RDA_TEXT_WIDTH,
	};

	/* of fewer all are in the table of connections */
	if (rda_result_slow_message_count(report->result) < RDA_SLOWEST_KEPT)
		return;
	rda_style(out, RDA_STYLE_BOLD);
	rda_print(out, "\nSlowest messages");
	rda_style(out, RDA_STYLE_PLAIN);
	rda_print(out, ", from the first packet to the completion\n");
	for (unsigned i = 0; i < TOLD; i++)
		put_row(&columns, NULL, report, i);
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < TOLD; i++)
		put_row(&columns, out, report, i);
}
