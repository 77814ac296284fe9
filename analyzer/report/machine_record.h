/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record for machines: named values, told once (describe_*.c) and written either as JSON or as a
 * line of CSV, so that the two can never differ in names or order.
 *
 *     rda_record_open(record, "naks");
 *     rda_record_number(record, "sequence", 3);
 *     rda_record_close(record);
 *
 * gives "naks":{"sequence":3} in JSON, and the column naks.sequence in CSV. Whoever tells a record
 * must name the same things in the same order each time: what a record lacks is rda_record_absent
 * (JSON leaves it out, CSV has an empty cell), what cannot be known is rda_record_null.
 */
#ifndef RDA_MACHINE_RECORD_H
#define RDA_MACHINE_RECORD_H

#include "analyzer/rda.h"

#include <glib.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#define RDA_RECORD_DEPTH 8

enum rda_record_form {
	RDA_RECORD_JSON,
	RDA_RECORD_CSV,
	RDA_RECORD_CSV_NAMES, /* the line of column names; values are ignored */
};

struct rda_record {
	enum rda_record_form form;
	unsigned depth;
	json_object *object[RDA_RECORD_DEPTH]; /* JSON: what is open, outermost first */
	const char *prefix[RDA_RECORD_DEPTH];  /* CSV: the names of what is open */
	GString *line;			       /* CSV: borrowed */
	bool begun;			       /* CSV: the line has a cell */
};

/* A JSON object to be filled, then rda_record_json to take it. */
void rda_record_init(struct rda_record *record);

/* A line of CSV, appended to `line`; rda_record_end_line ends it. */
void rda_record_init_csv(struct rda_record *record, GString *line, bool names);
void rda_record_end_line(struct rda_record *record);

/* Appends the JSON object to `text`, and frees it. */
void rda_record_json(struct rda_record *record, GString *text);

void rda_record_open(struct rda_record *record, const char *name);
/*
 * Where a whole object is not known JSON has null instead, and it stays closed: returns false. CSV
 * needs the names of its members in any case: returns true, and they are to be null.
 */
bool rda_record_open_if(struct rda_record *record, const char *name, bool known);
/* JSON only. The members of a list have no name: NULL. */
void rda_record_open_list(struct rda_record *record, const char *name);
void rda_record_close(struct rda_record *record);

void rda_record_number(struct rda_record *record, const char *name, uint64_t value);
void rda_record_signed(struct rda_record *record, const char *name, int64_t value);
void rda_record_decimal(struct rda_record *record, const char *name,
			const char *digits); /* "12.3" */
void rda_record_flag(struct rda_record *record, const char *name, bool value);
/* A `value` of NULL is null. */
void rda_record_text(struct rda_record *record, const char *name, const char *value);
void rda_record_hex(struct rda_record *record, const char *name, uint64_t value, int digits);
/* A list of `count` texts; in CSV one cell, with "; " between them. */
void rda_record_words(struct rda_record *record, const char *name, const char *const *words,
		      unsigned count);
/* Null of none. */
void rda_record_address(struct rda_record *record, const char *name,
			const struct rda_address *address);
void rda_record_null(struct rda_record *record, const char *name);
void rda_record_absent(struct rda_record *record, const char *name);

/* Whether a record has a value: no such member, the value, or a member that is null. */
enum rda_there {
	RDA_ABSENT = false,
	RDA_THERE = true,
	RDA_NULL,
};
/* Where it is not there, the record has what it has instead: false. */
bool rda_record_has(struct rda_record *record, const char *name, enum rda_there there);
void rda_record_number_there(struct rda_record *record, const char *name, enum rda_there there,
			     uint64_t value);
void rda_record_hex_there(struct rda_record *record, const char *name, enum rda_there there,
			  uint64_t value, int digits);
void rda_record_flag_there(struct rda_record *record, const char *name, enum rda_there there,
			   bool value);
/* Null unless it is known. */
void rda_record_number_known(struct rda_record *record, const char *name, bool known,
			     uint64_t value);
void rda_record_signed_known(struct rda_record *record, const char *name, bool known,
			     int64_t value);

#endif
