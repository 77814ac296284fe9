/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as JSON (json-c) and as CSV (RFC 4180, with '\n' for line ends). See machine_record.h.
 */
#include "analyzer/report/machine_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void rda_record_init(struct rda_record *record)
{
	*record = (struct rda_record){.form = RDA_RECORD_JSON, .depth = 1};
	record->object[0] = json_object_new_object();
}

void rda_record_init_csv(struct rda_record *record, GString *line, bool names)
{
	*record = (struct rda_record){.form = names ? RDA_RECORD_CSV_NAMES : RDA_RECORD_CSV,
				      .line = line};
}

void rda_record_end_line(struct rda_record *record)
{
	g_string_append_c(record->line, '\n');
}

void rda_record_json(struct rda_record *record, GString *text)
{
	size_t length;
	const char *json = json_object_to_json_string_length(
		record->object[0], JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE,
		&length);

	g_assert(record->depth == 1); /* each rda_record_open has its rda_record_close */
	g_string_append_len(text, json, (gssize)length);
	json_object_put(record->object[0]);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void append_quoted(GString *line, const char *value)
{
	if (!strpbrk(value, ",\"\r\n")) {
		g_string_append(line, value);
		return;
	}
	g_string_append_c(line, '"');
	for (; *value; value++) {
		if (*value == '"')
			g_string_append_c(line, '"');
		g_string_append_c(line, *value);
	}
	g_string_append_c(line, '"');
}

static void cell(struct rda_record *record, const char *name, const char *value)
{
	if (record->begun)
		g_string_append_c(record->line, ',');
	record->begun = true;
	if (record->form == RDA_RECORD_CSV) {
		append_quoted(record->line, value);
		return;
	}
	for (unsigned i = 0; i < record->depth; i++)
		g_string_append_printf(record->line, "%s.", record->prefix[i]);
	g_string_append(record->line, name);
}

/* ---- both ----------------------------------------------------------------------------------- */

/* Adds to the object or list that is open. */
static void add(struct rda_record *record, const char *name, json_object *value)
{
	json_object *open = record->object[record->depth - 1];

	if (json_object_is_type(open, json_type_array))
		json_object_array_add(open, value);
	else /* names are literals, and new: no copy, no look-up */
		json_object_object_add_ex(open, name, value,
					  JSON_C_OBJECT_ADD_KEY_IS_NEW |
						  JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

static void push(struct rda_record *record, const char *name, json_object *object)
{
	g_assert(record->depth < RDA_RECORD_DEPTH);
	record->object[record->depth] = object;
	record->prefix[record->depth] = name;
	record->depth++;
}

void rda_record_open(struct rda_record *record, const char *name)
{
	json_object *object = NULL;

	if (record->form == RDA_RECORD_JSON) {
		object = json_object_new_object();
		add(record, name, object);
	}
	push(record, name, object);
}

bool rda_record_open_if(struct rda_record *record, const char *name, bool known)
{
	if (record->form == RDA_RECORD_JSON && !known) {
		rda_record_null(record, name);
		return false;
	}
	rda_record_open(record, name);
	return true;
}

void rda_record_open_list(struct rda_record *record, const char *name)
{
	json_object *list = json_object_new_array();

	g_assert(record->form == RDA_RECORD_JSON);
	add(record, name, list);
	push(record, name, list);
}

void rda_record_close(struct rda_record *record)
{
	record->depth--;
}

void rda_record_number(struct rda_record *record, const char *name, uint64_t value)
{
	char text[24];

	if (record->form == RDA_RECORD_JSON) {
		add(record, name, json_object_new_uint64(value));
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64, value);
	cell(record, name, text);
}

void rda_record_signed(struct rda_record *record, const char *name, int64_t value)
{
	char text[24];

	if (record->form == RDA_RECORD_JSON) {
		add(record, name, json_object_new_int64(value));
		return;
	}
	snprintf(text, sizeof(text), "%" PRId64, value);
	cell(record, name, text);
}

void rda_record_decimal(struct rda_record *record, const char *name, const char *digits)
{
	if (record->form == RDA_RECORD_JSON)
		add(record, name, json_object_new_double_s(g_ascii_strtod(digits, NULL), digits));
	else
		cell(record, name, digits);
}

void rda_record_flag(struct rda_record *record, const char *name, bool value)
{
	if (record->form == RDA_RECORD_JSON)
		add(record, name, json_object_new_boolean(value));
	else
		cell(record, name, value ? "true" : "false");
}

/* File names are bytes; JSON and CSV are UTF-8. */
void rda_record_text(struct rda_record *record, const char *name, const char *value)
{
	char *valid;

	if (!value) {
		rda_record_null(record, name);
		return;
	}
	valid = g_utf8_validate(value, -1, NULL) ? NULL : g_utf8_make_valid(value, -1);
	if (record->form == RDA_RECORD_JSON)
		add(record, name, json_object_new_string(valid ? valid : value));
	else
		cell(record, name, valid ? valid : value);
	g_free(valid);
}

void rda_record_hex(struct rda_record *record, const char *name, uint64_t value, int digits)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%0*" PRIx64, digits, value);
	rda_record_text(record, name, text);
}

void rda_record_words(struct rda_record *record, const char *name, const char *const *words,
		      unsigned count)
{
	GString *joined;

	if (record->form == RDA_RECORD_JSON) {
		rda_record_open_list(record, name);
		for (unsigned i = 0; i < count; i++)
			rda_record_text(record, NULL, words[i]);
		rda_record_close(record);
		return;
	}
	joined = g_string_new(NULL);
	for (unsigned i = 0; i < count; i++)
		g_string_append_printf(joined, "%s%s", i ? "; " : "", words[i]);
	cell(record, name, joined->str);
	g_string_free(joined, TRUE);
}

void rda_record_null(struct rda_record *record, const char *name)
{
	if (record->form == RDA_RECORD_JSON)
		add(record, name, NULL);
	else
		cell(record, name, "");
}

void rda_record_absent(struct rda_record *record, const char *name)
{
	if (record->form != RDA_RECORD_JSON)
		cell(record, name, "");
}

void rda_record_address(struct rda_record *record, const char *name,
			const struct rda_address *address)
{
	char text[RDA_ADDRESS_TEXT];

	rda_record_text(record, name,
			address->kind == RDA_ADDRESS_NONE ? NULL : rda_address_text(text, address));
}

/* ---- what may be missing -------------------------------------------------------------------- */

bool rda_record_has(struct rda_record *record, const char *name, enum rda_there there)
{
	if (there == RDA_NULL)
		rda_record_null(record, name);
	else if (there == RDA_ABSENT)
		rda_record_absent(record, name);
	return there == RDA_THERE;
}

void rda_record_number_there(struct rda_record *record, const char *name, enum rda_there there,
			     uint64_t value)
{
	if (rda_record_has(record, name, there))
		rda_record_number(record, name, value);
}

void rda_record_hex_there(struct rda_record *record, const char *name, enum rda_there there,
			  uint64_t value, int digits)
{
	if (rda_record_has(record, name, there))
		rda_record_hex(record, name, value, digits);
}

void rda_record_flag_there(struct rda_record *record, const char *name, enum rda_there there,
			   bool value)
{
	if (rda_record_has(record, name, there))
		rda_record_flag(record, name, value);
}

void rda_record_number_known(struct rda_record *record, const char *name, bool known,
			     uint64_t value)
{
	rda_record_number_there(record, name, known ? RDA_THERE : RDA_NULL, value);
}

void rda_record_signed_known(struct rda_record *record, const char *name, bool known, int64_t value)
{
	if (rda_record_has(record, name, known ? RDA_THERE : RDA_NULL))
		rda_record_signed(record, name, value);
}
