/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as rows of tables. See row_sink.h.
 */
#include "analyzer/rdma-analyze/row_sink.h"

#include <string.h>

/* What becomes of a member of a row. */
enum form {
	ROW,	/* the object itself is a row */
	ROWS,	/* a list of objects that are rows */
	NAMED,	/* an object of objects that are rows, told apart by their names */
	PAIRS,	/* an object of values: rows of name and value */
	PART,	/* an object that is part of the row */
	JOINED, /* a list of words: one value */
};

/*
 * Members that are tables of their own, by the table that they are members of. `key` is what tells
 * rows of one owner apart; `also` are columns of the owner that its rows have too.
 */
static const struct rule {
	const char *owner, *member, *table, *key;
	enum form form;
	const char *also[4];
} rules[] = {
	{"connection", "endpoints", "endpoint", "endpoint", ROWS, {NULL}},
	{"connection", "cm", "conversation", NULL, ROW, {NULL}},
	{"connection", "flows", "flow", "flow", ROWS, {NULL}},
	{"connection", "hops", "hop", "position", ROWS, {NULL}},
	{"connection", "waits", "wait", "position", ROWS, {NULL}},
	{"tap", "captures", "tap_capture", "position", ROWS, {NULL}},
	{"collective", "ranks", "collective_rank", "rank", ROWS, {NULL}},
	{"pause", "held", "pause_held", "position", ROWS, {"sender", "priority", NULL}},
	{"slowdown", "first_cuts", "slowdown_cut", "position", ROWS, {"connection", "flow", NULL}},
	{"path", "shared", "path_shared", "position", ROWS, {NULL}},
	{"flow", "messages", "message", "message", NAMED, {NULL}},
	{"conversation", "endpoints", "conversation_endpoint", "endpoint", ROWS, {NULL}},
	{"upper_layer",
	 "operations",
	 "command",
	 "position",
	 ROWS,
	 {"connection", "flow", "protocol", NULL}},
	{"upper_layer",
	 "errors",
	 "command_error",
	 "position",
	 ROWS,
	 {"connection", "flow", "protocol", NULL}},
	{"upper_layer",
	 "congested_ports",
	 "congested_port",
	 "position",
	 ROWS,
	 {"connection", "protocol", NULL}},
	{"explained", "found", "explained_value", "position", ROWS, {NULL}},
	{"explained", "candidates", "explained_candidate", "position", ROWS, {NULL}},
	{"nic_counters", "counters", "nic_counter", "counter_number", ROWS, {NULL}},
	{"nic_counter", "why", "nic_counter_reason", "position", ROWS, {NULL}},
	{"memory_key", "users", "memory_key_user", "position", ROWS, {NULL}},
	{"finding", "arguments", "finding_argument", "name", PAIRS, {NULL}},
	{"finding", "frames", "finding_frame", "position", ROWS, {NULL}},
};

struct level {
	enum form form;
	struct rda_row_table *table; /* whose row is at hand, or of which rows are to come */
	const struct rule *rule;
	int64_t position; /* ROWS */
	size_t prefix;	  /* length of sink->name before this */
};

static struct level *innermost(struct rda_row_sink *sink)
{
	return &g_array_index(sink->levels, struct level, sink->levels->len - 1);
}

static struct rda_row_table *find_table(struct rda_row_sink *sink, const char *name)
{
	struct rda_row_table *table;

	for (guint i = 0; i < sink->tables->len; i++) {
		table = g_ptr_array_index(sink->tables, i);
		if (strcmp(table->name, name) == 0)
			return table;
	}
	g_assert(sink->declaring);
	table = g_new0(struct rda_row_table, 1);
	table->name = name;
	table->columns = g_array_new(FALSE, TRUE, sizeof(struct rda_row_column));
	table->cells = g_array_new(FALSE, TRUE, sizeof(struct rda_row_cell));
	g_ptr_array_add(sink->tables, table);
	return table;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static const char *type_of(const struct rda_member *member)
{
	switch (member->type) {
	case RDA_MEMBER_NUMBER:
	case RDA_MEMBER_SIGNED:
	case RDA_MEMBER_FLAG: return "INTEGER";
	case RDA_MEMBER_DECIMAL: return "REAL";
	case RDA_MEMBER_TEXT: break;
	}
	return "TEXT";
}

/* Makes the column if it is not there yet. */
static void declare(struct rda_row_table *table, const char *name, const char *type)
{
	struct rda_row_column column = {g_strdup(name), type};
	struct rda_row_cell cell = {0};

	for (guint i = 0; i < table->columns->len; i++)
		if (strcmp(g_array_index(table->columns, struct rda_row_column, i).name, name) ==
		    0) {
			g_free(column.name);
			return;
		}
	g_array_append_val(table->columns, column);
	g_array_append_val(table->cells, cell);
}

/* The next value of the row at hand: records tell the same members in the same order. */
static void put(struct rda_row_sink *sink, struct rda_row_table *table, const char *name,
		const struct rda_member *member, const char *type)
{
	struct rda_row_cell *cell;

	if (sink->declaring) {
		declare(table, name, type);
		return;
	}
	if (table->next && strcmp(name, "id") == 0)
		return; /* the record's own, which is the row's */
	while (strcmp(g_array_index(table->columns, struct rda_row_column, table->next).name,
		      name) != 0) {
		table->next++;
		g_assert(table->next < table->columns->len);
	}
	cell = &g_array_index(table->cells, struct rda_row_cell, table->next++);
	cell->known = member->there == RDA_THERE;
	cell->member = *member;
	if (cell->known && member->text)
		cell->member.text = g_string_chunk_insert(sink->texts, member->text);
}

static void put_number(struct rda_row_sink *sink, struct rda_row_table *table, const char *name,
		       int64_t number)
{
	put(sink, table, name,
	    &(struct rda_member){RDA_MEMBER_SIGNED, RDA_THERE, (uint64_t)number, NULL}, "INTEGER");
}

static void put_text(struct rda_row_sink *sink, struct rda_row_table *table, const char *name,
		     const char *text)
{
	put(sink, table, name, &(struct rda_member){RDA_MEMBER_TEXT, RDA_THERE, 0, text}, "TEXT");
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void forget_row(struct rda_row_table *table)
{
	table->next = 0;
	if (table->cells->len)
		memset(table->cells->data, 0, table->cells->len * sizeof(struct rda_row_cell));
}

static void copy(struct rda_row_sink *sink, struct rda_row_table *to,
		 const struct rda_row_table *from, guint index, const char *name)
{
	const struct rda_row_column *column =
		&g_array_index(from->columns, struct rda_row_column, index);
	const struct rda_row_cell *cell = &g_array_index(from->cells, struct rda_row_cell, index);
	struct rda_member member = cell->member;

	member.there = cell->known ? RDA_THERE : RDA_NULL;
	put(sink, to, name, &member, column->type);
}

/* A row of a rule's table begins with the keys of its owner, whose "id" has the owner's name. */
static void put_owner(struct rda_row_sink *sink, struct rda_row_table *table,
		      const struct rda_row_table *owner, const struct rule *rule)
{
	for (guint i = 0; i < owner->keys; i++) {
		const char *name = g_array_index(owner->columns, struct rda_row_column, i).name;

		copy(sink, table, owner, i, strcmp(name, "id") == 0 ? owner->name : name);
	}
	if (sink->declaring && rule->key)
		table->keys = owner->keys + 1;
}

static void put_also(struct rda_row_sink *sink, struct rda_row_table *table,
		     const struct rda_row_table *owner, const char *also)
{
	for (guint i = 0; i < owner->columns->len; i++)
		if (strcmp(g_array_index(owner->columns, struct rda_row_column, i).name, also) == 0)
			copy(sink, table, owner, i, also);
}

static struct rda_row_table *owner_of(struct rda_row_sink *sink)
{
	for (guint i = sink->levels->len - 1; i-- > 0;) {
		const struct level *level = &g_array_index(sink->levels, struct level, i);

		if (level->form == ROW)
			return level->table;
	}
	g_assert_not_reached();
}

/* Of others of its owner it is told by its name, or by its position if that is NULL. */
static void begin_row(struct rda_row_sink *sink, struct rda_row_table *table,
		      const struct rda_row_table *owner, const struct rule *rule, int64_t position,
		      const char *name)
{
	forget_row(table);
	if (!rule || !rule->key) {
		put_number(sink, table, "id", table->rows);
		if (sink->declaring)
			table->keys = 1;
	}
	if (rule)
		put_owner(sink, table, owner, rule);
	if (rule && rule->key && name)
		put_text(sink, table, rule->key, name);
	else if (rule && rule->key)
		put_number(sink, table, rule->key, position);
	for (unsigned i = 0; rule && rule->also[i]; i++)
		put_also(sink, table, owner, rule->also[i]);
}

static void end_row(struct rda_row_sink *sink, struct rda_row_table *table)
{
	if (sink->declaring)
		return;
	sink->take(sink->context, table);
	table->rows++;
}

static void put_pair(struct rda_row_sink *sink, const struct level *level, const char *name,
		     const struct rda_member *member)
{
	begin_row(sink, level->table, owner_of(sink), level->rule, 0, name);
	put(sink, level->table, "value", member, "");
	end_row(sink, level->table);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static const struct rule *rule_of(struct rda_row_sink *sink, const char *member)
{
	const struct level *level = innermost(sink);

	if (level->form != ROW)
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(rules); i++)
		if (strcmp(rules[i].owner, level->table->name) == 0 &&
		    strcmp(rules[i].member, member) == 0)
			return &rules[i];
	return NULL;
}

/* "naks", "sequence" -> "naks_sequence" */
static void push_name(struct rda_row_sink *sink, const char *name)
{
	if (sink->name->len)
		g_string_append_c(sink->name, '_');
	g_string_append(sink->name, name);
}

/* Levels within a row of its own begin with no name; what is outside of it is kept in `prefix`. */
static void push_row(struct rda_row_sink *sink, struct rda_row_table *table,
		     const struct rule *rule, int64_t position, const char *name)
{
	struct level level = {.form = ROW, .table = table, .rule = rule};

	g_array_append_val(sink->levels, level);
	begin_row(sink, table, rule ? owner_of(sink) : NULL, rule, position, name);
}

static void open_level(struct rda_record *record, const char *name, bool list)
{
	struct rda_row_sink *sink = record->context;
	struct level *outer = innermost(sink), level = {.prefix = sink->name->len};
	const struct rule *rule = name ? rule_of(sink, name) : NULL;

	if (outer->form == ROWS || outer->form == NAMED) {
		push_row(sink, outer->table, outer->rule, outer->position++, name);
		return;
	}
	if (rule && rule->form == ROW) {
		push_row(sink, find_table(sink, rule->table), rule, 0, NULL);
		return;
	}
	level.form = rule ? rule->form : list ? JOINED : PART;
	level.table = rule ? find_table(sink, rule->table) : outer->table;
	level.rule = rule ? rule : outer->rule;
	g_array_append_val(sink->levels, level);
	if (rule && sink->declaring && rule->form == PAIRS)
		put_pair(sink, innermost(sink), "", &(struct rda_member){.type = RDA_MEMBER_TEXT});
	else if (!rule)
		push_name(sink, name);
	g_string_truncate(sink->joined, 0);
}

static bool is_of_pairs(struct rda_row_sink *sink, struct level **pairs)
{
	for (guint i = sink->levels->len; i-- > 0;) {
		*pairs = &g_array_index(sink->levels, struct level, i);
		if ((*pairs)->form != PART)
			return (*pairs)->form == PAIRS;
	}
	return false;
}

static void take_value(struct rda_record *record, const char *name, const struct rda_member *member)
{
	struct rda_row_sink *sink = record->context;
	struct level *level = innermost(sink), *pairs;
	size_t length = sink->name->len;

	if (level->form == JOINED) {
		g_string_append_printf(sink->joined, "%s%s", sink->joined->len ? "; " : "",
				       member->text);
		return;
	}
	push_name(sink, name);
	if (is_of_pairs(sink, &pairs))
		put_pair(sink, pairs, sink->name->str, member);
	else
		put(sink, level->table, sink->name->str, member, type_of(member));
	g_string_truncate(sink->name, length);
}

static void close_level(struct rda_record *record)
{
	struct rda_row_sink *sink = record->context;
	struct level level = *innermost(sink);

	if (level.form == ROW)
		end_row(sink, level.table);
	g_array_set_size(sink->levels, sink->levels->len - 1);
	if (level.form == JOINED)
		put_text(sink, level.table, sink->name->str, sink->joined->str);
	if (level.form == JOINED || level.form == PART)
		g_string_truncate(sink->name, level.prefix);
}

static bool leaves_out(const struct rda_record *record, const char *name)
{
	struct rda_row_sink *sink = record->context;

	return rule_of(sink, name) != NULL;
}

void rda_row_sink_begin(struct rda_row_sink *sink, struct rda_record *record, const char *table)
{
	static const struct rda_record_sink shape = {true,	 true,	      true,	 NULL,
						     open_level, close_level, take_value},
					    rows = {true,	false,	     true,	leaves_out,
						    open_level, close_level, take_value};

	*record = (struct rda_record){
		.sink = sink->declaring ? &shape : &rows, .depth = 1, .context = sink};
	g_string_chunk_clear(sink->texts);
	push_row(sink, find_table(sink, table), NULL, 0, NULL);
}

static void free_table(void *data)
{
	struct rda_row_table *table = data;

	for (guint i = 0; i < table->columns->len; i++)
		g_free(g_array_index(table->columns, struct rda_row_column, i).name);
	g_array_unref(table->columns);
	g_array_unref(table->cells);
	g_free(table);
}

void rda_row_sink_init(struct rda_row_sink *sink)
{
	*sink = (struct rda_row_sink){
		.tables = g_ptr_array_new_with_free_func(free_table),
		.levels = g_array_new(FALSE, FALSE, sizeof(struct level)),
		.name = g_string_new(NULL),
		.joined = g_string_new(NULL),
		.texts = g_string_chunk_new(4096),
		.declaring = true,
	};
}

void rda_row_sink_cleanup(struct rda_row_sink *sink)
{
	g_ptr_array_unref(sink->tables);
	g_array_unref(sink->levels);
	g_string_free(sink->name, TRUE);
	g_string_free(sink->joined, TRUE);
	g_string_chunk_free(sink->texts);
}
