/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --sqlite: the records of a run (record_kinds.h) as the rows of a SQLite database. See database.h;
 * what is a table and what a column, row_sink.h decides.
 *
 * There is no journal: the file has its name only when it is complete (outfile.h).
 */
#include "analyzer/rdma-analyze/database.h"

#include "analyzer/rdma-analyze/row_sink.h"
#include "analyzer/rdma-analyze/sights.h"
#include "analyzer/report/record_kinds.h"

#include <sqlite3.h>

#define PACKETS "packet"

/* What is looked up by, besides the keys. */
static const struct {
	const char *table, *columns;
} indices[] = {
	{"finding", "code"},	       {"finding", "connection"},     {"finding_frame", "frame"},
	{"finding_argument", "name"},  {"endpoint", "address"},	      {"memory_key", "key"},
	{"upper_layer", "connection"}, {"command", "operation"},      {"command", "connection"},
	{"message", "message"},	       {PACKETS, "connection, flow"}, {PACKETS, "frame"},
	{PACKETS, "time_ns"},
};

struct database {
	sqlite3 *handle;
	struct rda_row_sink sink;
	char *error; /* the first */
};

static void note_error(struct database *database, int result)
{
	if (result != SQLITE_OK && result != SQLITE_DONE && !database->error)
		database->error = g_strdup(sqlite3_errmsg(database->handle));
}

static void run_sql(struct database *database, const char *sql)
{
	if (!database->error)
		note_error(database, sqlite3_exec(database->handle, sql, NULL, NULL, NULL));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void append_names(GString *sql, const struct rda_row_table *table, guint count)
{
	for (guint i = 0; i < count; i++)
		g_string_append_printf(
			sql, "%s\"%s\"", i ? ", " : "",
			g_array_index(table->columns, struct rda_row_column, i).name);
}

static void create_table(struct database *database, const struct rda_row_table *table)
{
	bool numbered = table->keys == 1; /* by "id" */
	GString *sql = g_string_new(NULL);

	g_string_append_printf(sql, "CREATE TABLE \"%s\" (", table->name);
	for (guint i = 0; i < table->columns->len; i++) {
		const struct rda_row_column *column =
			&g_array_index(table->columns, struct rda_row_column, i);

		g_string_append_printf(sql, "%s\"%s\" %s%s", i ? ", " : "", column->name,
				       column->type, i == 0 && numbered ? " PRIMARY KEY" : "");
	}
	if (!numbered) {
		g_string_append(sql, ", PRIMARY KEY (");
		append_names(sql, table, table->keys);
		g_string_append(sql, ")");
	}
	g_string_append(sql, numbered ? ")" : ") WITHOUT ROWID");
	run_sql(database, sql->str);
	g_string_free(sql, TRUE);
}

static void prepare_insert(struct database *database, struct rda_row_table *table)
{
	GString *sql = g_string_new(NULL);
	sqlite3_stmt *statement = NULL;

	g_string_append_printf(sql, "INSERT INTO \"%s\" VALUES (", table->name);
	for (guint i = 0; i < table->columns->len; i++)
		g_string_append(sql, i ? ", ?" : "?");
	g_string_append(sql, ")");
	if (!database->error)
		note_error(database,
			   sqlite3_prepare_v2(database->handle, sql->str, -1, &statement, NULL));
	table->statement = statement;
	g_string_free(sql, TRUE);
}

static void describe_no_packet(struct rda_record *record, const struct rda_report *report,
			       unsigned index)
{
	static const struct rda_meta meta;
	static const struct rda_frame frame;
	static const struct rda_packet packet;
	const struct rda_sight sight = {.meta = &meta, .frame = &frame, .packet = &packet};

	(void)report, (void)index;
	rda_describe_packet(record, &sight);
}

static void declare(struct database *database, const char *name,
		    void (*describe)(struct rda_record *, const struct rda_report *, unsigned))
{
	struct rda_record record;

	rda_row_sink_begin(&database->sink, &record, name);
	describe(&record, NULL, 0);
	rda_record_end(&record);
}

static void declare_all(struct database *database)
{
	GPtrArray *tables = database->sink.tables;

	for (unsigned i = 0; i < rda_record_kind_count; i++)
		declare(database, rda_record_kinds[i].record, rda_record_kinds[i].describe);
	declare(database, PACKETS, describe_no_packet);
	database->sink.declaring = false;
	for (guint i = 0; i < tables->len; i++)
		create_table(database, g_ptr_array_index(tables, i));
	for (guint i = 0; i < tables->len; i++)
		prepare_insert(database, g_ptr_array_index(tables, i));
}

static void make_indices(struct database *database)
{
	for (guint i = 0; i < G_N_ELEMENTS(indices); i++) {
		char *sql = g_strdup_printf("CREATE INDEX \"%s by %s\" ON \"%s\" (%s)",
					    indices[i].table, indices[i].columns, indices[i].table,
					    indices[i].columns);

		run_sql(database, sql);
		g_free(sql);
	}
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int bind(sqlite3_stmt *statement, int index, const struct rda_row_cell *cell)
{
	const struct rda_member *member = &cell->member;

	if (!cell->known)
		return sqlite3_bind_null(statement, index);
	switch (member->type) {
	case RDA_MEMBER_NUMBER: /* no count comes near 2^63 */
	case RDA_MEMBER_SIGNED:
	case RDA_MEMBER_FLAG:
		return sqlite3_bind_int64(statement, index, (sqlite3_int64)member->number);
	case RDA_MEMBER_DECIMAL:
		return sqlite3_bind_double(statement, index, g_ascii_strtod(member->text, NULL));
	case RDA_MEMBER_TEXT: break;
	}
	return sqlite3_bind_text(statement, index, member->text, -1, SQLITE_STATIC);
}

static void take_row(void *context, struct rda_row_table *table)
{
	struct database *database = context;

	if (database->error)
		return;
	for (guint i = 0; i < table->cells->len; i++)
		note_error(database, bind(table->statement, (int)i + 1,
					  &g_array_index(table->cells, struct rda_row_cell, i)));
	note_error(database, sqlite3_step(table->statement));
	note_error(database, sqlite3_reset(table->statement));
}

static void insert_records(struct database *database, const struct rda_report *report)
{
	struct rda_record record;

	for (unsigned k = 0; k < rda_record_kind_count; k++) {
		const struct rda_record_kind *kind = &rda_record_kinds[k];
		unsigned count = kind->count(report);

		for (unsigned i = 0; i < count && !database->error; i++) {
			if (!rda_record_kind_tells(kind, report, i))
				continue;
			rda_row_sink_begin(&database->sink, &record, kind->record);
			kind->describe(&record, report, i);
			rda_record_end(&record);
		}
	}
}

static bool take_sight(void *context, const struct rda_sight *sight)
{
	struct database *database = context;
	struct rda_record record;

	if (!sight->fpdu && sight->packet->carrier == RDA_CARRIER_NONE && !sight->note_count)
		return true;
	rda_row_sink_begin(&database->sink, &record, PACKETS);
	if (sight->fpdu)
		rda_describe_fpdu(&record, sight);
	else
		rda_describe_packet(&record, sight);
	rda_record_end(&record);
	return !database->error;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void fill(struct database *database, struct rda_run *run)
{
	const struct rda_report report = rda_run_report(run);
	GPtrArray *tables = database->sink.tables;

	run_sql(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
			  "PRAGMA user_version = 1; BEGIN");
	declare_all(database);
	insert_records(database, &report);
	if (run->options->packets)
		rda_sights_take(run, take_sight, NULL, database);
	make_indices(database);
	run_sql(database, "COMMIT");
	for (guint i = 0; i < tables->len; i++)
		sqlite3_finalize(((struct rda_row_table *)g_ptr_array_index(tables, i))->statement);
}

bool rda_database_write(struct rda_run *run, struct rda_outfile *file, char **error)
{
	struct database database = {0};

	rda_row_sink_init(&database.sink);
	database.sink.take = take_row;
	database.sink.context = &database;
	note_error(&database, sqlite3_open(rda_outfile_path(file), &database.handle));
	if (!database.error)
		fill(&database, run);
	if (sqlite3_close(database.handle) != SQLITE_OK && !database.error)
		database.error = g_strdup("the database could not be closed");
	rda_row_sink_cleanup(&database.sink);
	if (database.error) {
		rda_outfile_drop(file);
		*error = database.error;
		return false;
	}
	return rda_outfile_finish(file, 0, error);
}
