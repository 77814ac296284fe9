/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record as a tree of json-c's objects, for whoever looks things up in it; and the shape of one.
 */
#include "analyzer/report/machine_record.h"

#include <json-c/json.h>

#ifndef JSON_C_OBJECT_ADD_CONSTANT_KEY /* its name before json-c 0.16 */
#define JSON_C_OBJECT_ADD_CONSTANT_KEY JSON_C_OBJECT_KEY_IS_CONSTANT
#endif

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

static void open_branch(struct rda_record *record, const char *name, bool list)
{
	record->object[record->depth] = list ? json_object_new_array() : json_object_new_object();
	add(record, name, record->object[record->depth]);
}

static void close_branch(struct rda_record *record)
{
	(void)record;
}

static json_object *leaf(const struct rda_member *value)
{
	if (value->there != RDA_THERE)
		return NULL;
	switch (value->type) {
	case RDA_MEMBER_NUMBER: return json_object_new_uint64(value->number);
	case RDA_MEMBER_SIGNED: return json_object_new_int64((int64_t)value->number);
	case RDA_MEMBER_FLAG: return json_object_new_boolean(value->number != 0);
	case RDA_MEMBER_DECIMAL:
		return json_object_new_double_s(g_ascii_strtod(value->text, NULL), value->text);
	case RDA_MEMBER_TEXT: break;
	}
	return json_object_new_string(value->text);
}

static void value_leaf(struct rda_record *record, const char *name, const struct rda_member *value)
{
	add(record, name, leaf(value));
}

/* The name of its type. */
static void value_shape(struct rda_record *record, const char *name, const struct rda_member *value)
{
	static const char *const types[] = {
		[RDA_MEMBER_NUMBER] = "number",	 [RDA_MEMBER_SIGNED] = "number",
		[RDA_MEMBER_DECIMAL] = "number", [RDA_MEMBER_FLAG] = "flag",
		[RDA_MEMBER_TEXT] = "text",
	};

	add(record, name, json_object_new_string(types[value->type]));
}

void rda_record_init_shape(struct rda_record *record)
{
	static const struct rda_record_sink sink = {.columns = true,
						    .shape = true,
						    .open = open_branch,
						    .close = close_branch,
						    .value = value_shape};

	*record = (struct rda_record){.sink = &sink, .depth = 1};
	record->object[0] = json_object_new_object();
}

void rda_record_init_tree(struct rda_record *record)
{
	static const struct rda_record_sink sink = {
		.open = open_branch, .close = close_branch, .value = value_leaf};

	*record = (struct rda_record){.sink = &sink, .depth = 1};
	record->object[0] = json_object_new_object();
}
