/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as rows of tables: what machine_record.h tells, for a database.
 *
 * Objects in a record are columns of its row, named with '_' where JSON has an object in an object
 * (naks_sequence), and lists of words one column. Lists of objects, and a few objects, are rows of
 * tables of their own, which begin with the keys of the row that they are of: the list of these is
 * in row_sink.c. There is no list of columns: telling a record of nothing names them.
 */
#ifndef RDA_ROW_SINK_H
#define RDA_ROW_SINK_H

#include "analyzer/report/machine_record.h"

struct rda_row_cell {
	bool known;
	struct rda_member member; /* its text is the sink's */
};

struct rda_row_column {
	char *name;
	const char *type; /* of SQL: "INTEGER", "REAL", "TEXT"; "": any */
};

struct rda_row_table {
	const char *name;
	GArray *columns; /* struct rda_row_column */
	unsigned keys;	 /* the first columns that tell a row from the others; 0: none do */
	int64_t rows;
	void *statement; /* whoever takes the rows: anything */
	/* of the row at hand */
	GArray *cells; /* struct rda_row_cell */
	guint next;    /* the column of the next value */
};

struct rda_row_sink {
	GPtrArray *tables; /* struct rda_row_table, in the order in which they were declared */
	bool declaring;	   /* columns are made, and no rows */
	void (*take)(void *context, struct rda_row_table *table);
	void *context;
	GArray *levels; /* of what is open */
	GString *name, *joined;
	GStringChunk *texts; /* of the record at hand */
};

void rda_row_sink_init(struct rda_row_sink *sink);
void rda_row_sink_cleanup(struct rda_row_sink *sink);

/* A record that is a row of `table`, and what it has of rows of others; ends with rda_record_end.
 * `table` is a literal. */
void rda_row_sink_begin(struct rda_row_sink *sink, struct rda_record *record, const char *table);

#endif
