/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of text. See columns.h.
 */
#include "analyzer/report/columns.h"

#include "analyzer/base/assert.h"

#include <string.h>

#define INDENT 1
#define GAP    2

static void measure(struct rda_columns *columns, const char *const *cells)
{
	for (unsigned i = 0; i < columns->count; i++) {
		struct rda_column *column = &columns->column[i];
		unsigned width = (unsigned)g_utf8_strlen(cells[i], -1);

		if (!column->limit || width <= column->limit)
			column->width = MAX(column->width, width);
	}
}

/* Where a column begins. */
static unsigned begin_of(const struct rda_columns *columns, unsigned index)
{
	unsigned begin = INDENT;

	for (unsigned i = 0; i < index; i++)
		begin += columns->column[i].width + GAP;
	return begin;
}

/* The last cell, broken behind commas where it is too long; indented from where the line is. */
static void print_last(struct rda_columns *columns, GString *line, struct rda_output *out,
		       const char *cell)
{
	const struct rda_column *column = &columns->column[columns->count - 1];
	unsigned width = (unsigned)g_utf8_strlen(cell, -1);
	unsigned begin = begin_of(columns, columns->count - 1) +
			 (column->right && width < column->width ? column->width - width : 0);
	char **parts = g_strsplit(cell, ", ", -1);

	for (char **part = parts; *part; part++) {
		const char *comma = part[1] ? "," : "";
		size_t more = strlen(*part) + strlen(comma);

		if (part > parts && line->len + 1 + more > columns->width) {
			rda_print(out, "%s\n", line->str);
			g_string_truncate(line, 0);
		} else if (part > parts) {
			g_string_append_c(line, ' ');
		}
		if (line->len < begin)
			g_string_append_printf(line, "%*s", (int)(begin - line->len), "");
		g_string_append_printf(line, "%s%s", *part, comma);
	}
	g_strfreev(parts);
}

static void print_row(struct rda_columns *columns, struct rda_output *out, const char *const *cells)
{
	GString *line = g_string_new(NULL);

	RDA_ASSERT(columns->count > 0);
	for (unsigned i = 0; i + 1 < columns->count; i++) {
		const struct rda_column *column = &columns->column[i];
		unsigned width = (unsigned)g_utf8_strlen(cells[i], -1);
		unsigned begin = begin_of(columns, i);

		if (!width)
			continue;
		if (column->right && width < column->width)
			begin += column->width - width;
		g_string_append_printf(line, "%*s%s", (int)(begin - MIN(line->len, begin)), "",
				       cells[i]);
		if (width > column->width) {
			rda_print(out, "%s\n", line->str);
			g_string_truncate(line, 0);
		}
	}
	if (cells[columns->count - 1][0])
		print_last(columns, line, out, cells[columns->count - 1]);
	if (line->len)
		rda_print(out, "%s\n", line->str);
	g_string_free(line, TRUE);
}

void rda_columns_row(struct rda_columns *columns, struct rda_output *out, const char *const *cells)
{
	if (out)
		print_row(columns, out, cells);
	else
		measure(columns, cells);
}

void rda_columns_titles(struct rda_columns *columns, struct rda_output *out)
{
	const char *titles[RDA_COLUMNS_MAX];

	for (unsigned i = 0; i < columns->count; i++)
		titles[i] = columns->column[i].title;
	measure(columns, titles);
	rda_style(out, RDA_STYLE_BOLD);
	print_row(columns, out, titles);
	rda_style(out, RDA_STYLE_PLAIN);
}
