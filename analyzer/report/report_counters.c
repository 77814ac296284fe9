/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of NICs beside what the capture shows, for people: what is the same in one line, what is
 * not with the reasons.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/words.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/nic_compare.h"
#include "analyzer/report/units.h"

/* Names of counters without a like on the wire that are told unless all are asked for. */
enum { NAMES_TOLD = 12 };

/* "5 lost ...; 2 perhaps ..."; of one without reasons the verdict. */
static char *words_of(const struct rda_nic_row *row)
{
	GString *text = g_string_new(NULL);
	char number[RDA_UNITS_TEXT];

	for (unsigned i = 0; i < row->why_count; i++)
		g_string_append_printf(text, "%s%s %s", i ? "; " : "",
				       rda_units_grouped(number, row->whys[i].count),
				       rda_nic_reason_words(row->whys[i].reason));
	if (row->verdict == RDA_NIC_VERDICT_DIFFERS)
		g_string_append_printf(text, "%s%s without a reason in the capture",
				       text->len ? "; " : "",
				       rda_units_grouped(number, row->unexplained));
	if (!text->len)
		g_string_append(text, rda_nic_verdict_words(row->verdict));
	return g_string_free(text, FALSE);
}

static const char *number_or_none(char text[RDA_UNITS_TEXT], uint64_t number)
{
	return number == RDA_UNKNOWN ? "-" : rda_units_grouped(text, number);
}

static void put_row(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_nic_row *row)
{
	char nic[RDA_UNITS_TEXT], wire[RDA_UNITS_TEXT];

	rda_columns_row(columns, out,
			(const char *[]){row->name, number_or_none(nic, row->nic),
					 number_or_none(wire, row->wire)});
}

/* Whether it has a line of its own. */
static bool is_told(const struct rda_nic_row *row)
{
	return row->verdict != RDA_NIC_VERDICT_SAME;
}

static void print_rows(struct rda_output *out, const struct rda_nic_compared *compared)
{
	struct rda_columns columns = {
		.column = {{"Counter", false, 0, 0}, {"NIC", true, 0, 0}, {"Capture", true, 0, 0}},
		.count = 3,
		.width = out->width,
	};
	bool any = false;

	for (int print = 0; print < 2; print++) {
		if (print && any)
			rda_columns_titles(&columns, out);
		for (guint i = 0; i < compared->rows->len; i++) {
			const struct rda_nic_row *row =
				&g_array_index(compared->rows, struct rda_nic_row, i);
			char *words;

			if (!is_told(row))
				continue;
			any = true;
			put_row(&columns, print ? out : NULL, row);
			if (!print)
				continue;
			words = words_of(row);
			rda_print(out, "      ");
			rda_output_wrap(out, words, 6, 6);
			g_free(words);
		}
	}
}

/* "  The same: a (3), b"; of those that are 0 the name alone */
static void print_same(struct rda_output *out, const struct rda_nic_compared *compared)
{
	GString *text = g_string_new(NULL);
	char number[RDA_UNITS_TEXT];

	for (guint i = 0; i < compared->rows->len; i++) {
		const struct rda_nic_row *row =
			&g_array_index(compared->rows, struct rda_nic_row, i);

		if (is_told(row))
			continue;
		g_string_append_printf(text, "%s%s", text->len ? ", " : "The same: ", row->name);
		if (row->nic)
			g_string_append_printf(text, " (%s)", rda_units_grouped(number, row->nic));
	}
	if (text->len) {
		rda_print(out, "  ");
		rda_output_wrap(out, text->str, 2, 4);
	}
	g_string_free(text, TRUE);
}

static void print_not_compared(struct rda_output *out, const struct rda_nic_compared *compared,
			       bool all)
{
	guint count = compared->not_compared->len;
	guint told = all ? count : MIN(count, NAMES_TOLD);
	GString *text = g_string_new("Not compared: ");
	char number[RDA_UNITS_TEXT];

	for (guint i = 0; i < told; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "",
				       (const char *)g_ptr_array_index(compared->not_compared, i));
	if (told < count)
		g_string_append_printf(text, " and %s more (--all)",
				       rda_units_grouped(number, count - told));
	if (count) {
		rda_print(out, "  ");
		rda_output_wrap(out, text->str, 2, 4);
	}
	if (compared->counters.not_understood)
		rda_print(out, "  %s line%s not understood\n",
			  rda_units_grouped(number, compared->counters.not_understood),
			  compared->counters.not_understood == 1 ? " was" : "s were");
	if (compared->counters.not_kept)
		rda_print(out, "  %s more counters were not kept\n",
			  rda_units_grouped(number, compared->counters.not_kept));
	g_string_free(text, TRUE);
}

void rda_report_counters(struct rda_output *out, const struct rda_report *report)
{
	for (unsigned i = 0; i < report->compared_count && rda_output_more(out); i++) {
		const struct rda_nic_compared *compared = report->compared[i];
		char *host = rda_output_harmless(compared->host);

		rda_print_in(out, RDA_STYLE_BOLD, "\nCounters of %s", host);
		rda_print(out, ", beside what the capture shows\n");
		print_rows(out, compared);
		print_same(out, compared);
		print_not_compared(out, compared, report->choice.all);
		g_free(host);
	}
}
