/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record as a line of CSV (RFC 4180, with '\n' for line ends), or as the line of its names.
 */
#include "analyzer/report/machine_record.h"
#include "analyzer/report/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_plain(const char *value)
{
	while (*value >= ' ' && *value < 0x7f && *value != ',' && *value != '"')
		value++;
	return !*value;
}

/* Lines are looked at on terminals too: names in them are made harmless, their line ends too. */
static void append_quoted(GString *line, const char *value)
{
	char *harmless;

	if (is_plain(value)) {
		g_string_append(line, value);
		return;
	}
	harmless = rda_output_harmless(value);
	if (!strpbrk(harmless, ",\"")) {
		g_string_append(line, harmless);
	} else {
		g_string_append_c(line, '"');
		for (const char *at = harmless; *at; at++) {
			if (*at == '"')
				g_string_append_c(line, '"');
			g_string_append_c(line, *at);
		}
		g_string_append_c(line, '"');
	}
	g_free(harmless);
}

static void begin_cell(struct rda_record *record)
{
	if (record->begun)
		g_string_append_c(record->text, ',');
	record->begun = true;
}

static void open_cells(struct rda_record *record, const char *name, bool list)
{
	(void)record, (void)name;
	g_assert(!list); /* a line has no room for it */
}

static void close_cells(struct rda_record *record)
{
	if (record->depth == 0)
		g_string_append_c(record->text, '\n');
}

static void value_cell(struct rda_record *record, const char *name, const struct rda_member *value)
{
	char number[24];

	(void)name;
	begin_cell(record);
	if (value->there != RDA_THERE)
		return;
	switch (value->type) {
	case RDA_MEMBER_NUMBER:
		snprintf(number, sizeof(number), "%" PRIu64, value->number);
		g_string_append(record->text, number);
		break;
	case RDA_MEMBER_SIGNED:
		snprintf(number, sizeof(number), "%" PRId64, (int64_t)value->number);
		g_string_append(record->text, number);
		break;
	case RDA_MEMBER_FLAG:
		g_string_append(record->text, value->number ? "true" : "false");
		break;
	case RDA_MEMBER_DECIMAL:
	case RDA_MEMBER_TEXT: append_quoted(record->text, value->text); break;
	}
}

static void value_name(struct rda_record *record, const char *name, const struct rda_member *value)
{
	(void)value;
	begin_cell(record);
	for (unsigned i = 1; i < record->depth; i++)
		g_string_append_printf(record->text, "%s.", record->prefix[i]);
	g_string_append(record->text, name);
}

void rda_record_init_csv(struct rda_record *record, GString *text, bool names)
{
	static const struct rda_record_sink cells = {
		.columns = true, .open = open_cells, .close = close_cells, .value = value_cell};
	static const struct rda_record_sink titles = {
		.columns = true, .open = open_cells, .close = close_cells, .value = value_name};

	*record = (struct rda_record){.sink = names ? &titles : &cells, .depth = 1, .text = text};
}
