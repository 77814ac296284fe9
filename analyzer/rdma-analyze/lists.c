/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of opcodes and headers as text, JSON and Markdown. docs/opcodes.md and docs/headers.md
 * are this Markdown; tests/program/test_lists.py compares them.
 */
#include "analyzer/rdma-analyze/lists.h"

#include "analyzer/checks/saying.h"
#include "analyzer/rdma-analyze/options.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/machine_record.h"
#include "analyzer/report/output.h"
#include "analyzer/track/connection.h"
#include "dissectors/opcode.h"
#include "dissectors/values.h"

#include <string.h>

/* ---- rows as text or Markdown --------------------------------------------------------------- */

struct list {
	struct rda_output *out;
	struct rda_columns columns;
	bool measuring; /* text: the first of the two passes */
	bool markdown;
};

static void put_titles(struct list *list)
{
	const struct rda_columns *columns = &list->columns;

	if (!list->markdown) {
		rda_columns_titles(&list->columns, list->out);
		return;
	}
	for (unsigned i = 0; i < columns->count; i++)
		rda_print(list->out, "| %s ", columns->column[i].title);
	rda_print(list->out, "|\n");
	for (unsigned i = 0; i < columns->count; i++)
		rda_print(list->out, "|%s", columns->column[i].right ? "---:" : "---");
	rda_print(list->out, "|\n");
}

static void put_row(struct list *list, const char *const *cells)
{
	if (!list->markdown) {
		rda_columns_row(&list->columns, list->measuring ? NULL : list->out, cells);
		return;
	}
	for (unsigned i = 0; i < list->columns.count; i++)
		rda_print(list->out, "| %s ", cells[i]);
	rda_print(list->out, "|\n");
}

/* Text needs its rows twice: to be measured and to be printed. */
static void put_table(struct list *list, void (*put_rows)(struct list *, const void *),
		      const void *context)
{
	if (!list->markdown) {
		list->measuring = true;
		put_rows(list, context);
		list->measuring = false;
	}
	put_titles(list);
	put_rows(list, context);
}

/* ---- opcodes -------------------------------------------------------------------------------- */

static const struct rda_opcode *known_opcode(unsigned value)
{
	const struct rda_opcode *opcode = rda_opcode((uint8_t)value);

	return opcode->kind == RDA_OPCODE_KNOWN ? opcode : NULL;
}

static const char *direction_of(const struct rda_opcode *opcode)
{
	if (opcode->roles & RDA_ROLE_REQUEST)
		return "request";
	return opcode->roles & RDA_ROLE_RESPONSE ? "response" : "notice";
}

static const char *payload_of(const struct rda_opcode *opcode)
{
	static const char *const words[] = {
		[RDA_PAYLOAD_NONE] = "0",      [RDA_PAYLOAD_FULL] = "MTU",
		[RDA_PAYLOAD_SOME] = "1..MTU", [RDA_PAYLOAD_ANY] = "0..MTU",
		[RDA_PAYLOAD_EIGHT] = "8",
	};

	return words[opcode->payload];
}

/* The ids of the headers that follow the BTH. */
static unsigned headers_of(const struct rda_opcode *opcode, const char *ids[RDA_HEADER_COUNT])
{
	unsigned count = 0;

	for (unsigned i = 0; i < RDA_HEADER_COUNT; i++)
		if (opcode->headers & UINT64_C(1) << i)
			ids[count++] = rda_headers[i].id;
	return count;
}

static void put_opcodes(struct list *list, const void *context)
{
	(void)context;
	for (unsigned value = 0; value < 256; value++) {
		const struct rda_opcode *opcode = known_opcode(value);
		const char *ids[RDA_HEADER_COUNT + 1] = {NULL};
		char number[8], *headers;

		if (!opcode)
			continue;
		headers_of(opcode, ids);
		headers = g_strjoinv(", ", (char **)ids);
		g_snprintf(number, sizeof(number), "0x%02x", value);
		put_row(list, (const char *[]){number, opcode->name, direction_of(opcode),
					       payload_of(opcode), headers});
		g_free(headers);
	}
}

static void list_opcodes_json(struct rda_output *out)
{
	bool begun = false;

	rda_print(out, "[");
	for (unsigned value = 0; value < 256; value++) {
		const struct rda_opcode *opcode = known_opcode(value);
		const char *ids[RDA_HEADER_COUNT];
		struct rda_record record;

		if (!opcode)
			continue;
		rda_print(out, "%s\n  ", begun ? "," : "");
		rda_record_init(&record, out->text);
		rda_record_number(&record, "opcode", value);
		rda_record_text(&record, "name", opcode->name);
		rda_record_text(&record, "direction", direction_of(opcode));
		rda_record_text(&record, "payload", payload_of(opcode));
		rda_record_words(&record, "headers", ids, headers_of(opcode, ids));
		rda_record_end(&record);
		begun = true;
	}
	rda_print(out, "\n]\n");
}

void rda_list_opcodes(struct rda_output *out, int form)
{
	struct list list = {
		.out = out,
		.columns = {.column = {{"Opcode", false, 0, 0},
				       {"Name", false, 0, 0},
				       {"Direction", false, 0, 0},
				       {"Payload", false, 0, 0},
				       {"Headers", false, 0, 0}},
			    .count = 5,
			    .width = out->width},
		.markdown = form == RDA_LISTING_MARKDOWN,
	};

	if (form == RDA_LISTING_JSON) {
		list_opcodes_json(out);
		return;
	}
	if (list.markdown)
		rda_print(out,
			  "# Opcodes\n\nMade by `rdma-analyze --list-opcodes=markdown` from "
			  "dissectors/opcodes.def. Opcodes from 0x%02x on\nare the manufacturers' "
			  "own; those in no row are reserved. Headers are those that follow the "
			  "BTH,\n"
			  "in their order on the wire.\n\n",
			  RDA_VENDOR_OPCODES);
	put_table(&list, put_opcodes, NULL);
}

/* ---- headers -------------------------------------------------------------------------------- */

static const char *type_of(const struct rda_field *field)
{
	static const char *const words[] = {
		[RDA_SHOW_DEC] = "number",  [RDA_SHOW_HEX] = "number", [RDA_SHOW_FLAG] = "flag",
		[RDA_SHOW_MAC] = "mac",	    [RDA_SHOW_IP4] = "ip4",    [RDA_SHOW_IP6] = "ip6",
		[RDA_SHOW_BYTES] = "bytes",
	};

	return words[field->show];
}

static void put_fields(struct list *list, const void *context)
{
	const struct rda_header *header = context;

	for (unsigned i = 0; i < header->field_count; i++) {
		const struct rda_field *field = &header->fields[i];
		char bit[8], width[8] = "rest";

		g_snprintf(bit, sizeof(bit), "%u", field->bit);
		if (field->width)
			g_snprintf(width, sizeof(width), "%u", field->width);
		put_row(list,
			(const char *[]){field->member, bit, width, type_of(field), field->name});
	}
}

static void list_header(struct rda_output *out, const struct rda_header *header, bool markdown)
{
	struct list list = {
		.out = out,
		.columns = {.column = {{"Field", false, 0, 0},
				       {"Bit", true, 0, 0},
				       {"Bits", true, 0, 0},
				       {"Type", false, 0, 0},
				       {"Name", false, 0, 0}},
			    .count = 5,
			    .width = out->width},
		.markdown = markdown,
	};

	rda_print_in(out, RDA_STYLE_CYAN, markdown ? "## %s\n\n%s" : "%s: %s", header->id,
		     header->name);
	rda_print(out, ", %u bytes (%s)\n%s", header->bytes, header->source, markdown ? "\n" : "");
	put_table(&list, put_fields, header);
}

static void list_headers_json(struct rda_output *out)
{
	rda_print(out, "[");
	for (unsigned i = 0; i < RDA_HEADER_COUNT; i++) {
		const struct rda_header *header = &rda_headers[i];
		struct rda_record record;

		rda_print(out, "%s\n  ", i ? "," : "");
		rda_record_init(&record, out->text);
		rda_record_text(&record, "header", header->id);
		rda_record_text(&record, "name", header->name);
		rda_record_text(&record, "source", header->source);
		rda_record_number(&record, "bytes", header->bytes);
		rda_record_open_list(&record, "fields");
		for (unsigned j = 0; j < header->field_count; j++) {
			const struct rda_field *field = &header->fields[j];

			rda_record_open(&record, NULL);
			rda_record_text(&record, "field", field->member);
			rda_record_text(&record, "name", field->name);
			rda_record_number(&record, "bit", field->bit);
			if (field->width)
				rda_record_number(&record, "bits", field->width);
			else
				rda_record_null(&record, "bits");
			rda_record_text(&record, "type", type_of(field));
			rda_record_close(&record);
		}
		rda_record_close(&record);
		rda_record_end(&record);
	}
	rda_print(out, "\n]\n");
}

void rda_list_headers(struct rda_output *out, int form)
{
	bool markdown = form == RDA_LISTING_MARKDOWN;

	if (form == RDA_LISTING_JSON) {
		list_headers_json(out);
		return;
	}
	if (markdown)
		rda_print(
			out,
			"# Headers\n\nMade by `rdma-analyze --list-headers=markdown` from "
			"dissectors/headers.def. A field begins at its\nbit, counted from the "
			"start of the header with the most significant bit first; fields without\n"
			"a width (rest) go to the end of the header, options and private data "
			"included.\n");
	for (unsigned i = 0; i < RDA_HEADER_COUNT; i++) {
		rda_print(out, i || markdown ? "\n" : "");
		list_header(out, &rda_headers[i], markdown);
	}
}
