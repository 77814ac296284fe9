/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record for machines: named values, told once (describe_*.c) and taken by a sink, be it one that
 * writes JSON or one that writes a line of CSV, so that they can never differ in names or order.
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
#include <stdbool.h>
#include <stdint.h>

#define RDA_RECORD_DEPTH 8

struct json_object;
struct rda_record;

/* Whether a record has a value: no such member, the value, or a member that is null. */
enum rda_there {
	RDA_ABSENT = false,
	RDA_THERE = true,
	RDA_NULL,
};

enum rda_member_type {
	RDA_MEMBER_NUMBER,
	RDA_MEMBER_SIGNED,
	RDA_MEMBER_DECIMAL,
	RDA_MEMBER_FLAG,
	RDA_MEMBER_TEXT,
};

struct rda_member {
	enum rda_member_type type;
	enum rda_there there;
	uint64_t number;  /* NUMBER; FLAG: 0 or 1; SIGNED: the bits of an int64_t */
	const char *text; /* TEXT, in UTF-8; DECIMAL: its digits */
};

/* What takes the members; those of a list have no name: NULL. */
struct rda_record_sink {
	bool columns; /* every member is told each time, also of what is absent or null */
	bool shape;   /* of what there can be: every list has an element */
	bool rows;    /* lists of objects are tables */
	/* with columns: whether an object is left out where it is not known; NULL: none is */
	bool (*leaves_out)(const struct rda_record *record, const char *name);
	void (*open)(struct rda_record *record, const char *name, bool list);
	void (*close)(struct rda_record *record);
	void (*value)(struct rda_record *record, const char *name, const struct rda_member *value);
};

struct rda_record {
	const struct rda_record_sink *sink;
	unsigned depth;
	/* of what is open, outermost first, as the sink needs it */
	bool list[RDA_RECORD_DEPTH];
	const char *prefix[RDA_RECORD_DEPTH];
	struct json_object *object[RDA_RECORD_DEPTH];
	GString *text; /* borrowed; appended to */
	bool begun;    /* CSV: the line has a cell */
	void *context; /* the sink's */
};

/* A JSON object, appended to `text`, that ends with rda_record_end. */
void rda_record_init(struct rda_record *record, GString *text);
/* A line of CSV, or of its column names, that ends with rda_record_end. */
void rda_record_init_csv(struct rda_record *record, GString *text, bool names);
void rda_record_end(struct rda_record *record);

/* A tree of json-c's objects, for whoever looks things up in it: object[0], the caller's. */
void rda_record_init_tree(struct rda_record *record);
/*
 * The same of what a record of that kind can have: every member is there, with its type's name in
 * place of a value, and lists have an element. An object whose members depend on the case is empty.
 */
void rda_record_init_shape(struct rda_record *record);

/* How many elements of a list are to be told, of `count` that there are: one of a shape. */
static inline uint32_t rda_record_count(const struct rda_record *record, uint32_t count)
{
	return record->sink->shape && !count ? 1 : count;
}

void rda_record_open(struct rda_record *record, const char *name);
/*
 * Where a whole object is not known JSON has null instead, and it stays closed: returns false. CSV
 * needs the names of its members in any case: returns true, and they are to be null.
 */
bool rda_record_open_if(struct rda_record *record, const char *name, bool known);
/* Not in CSV. */
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

/* Where it is not there, the record has what it has instead: false. */
bool rda_record_has(struct rda_record *record, const char *name, enum rda_there there);
void rda_record_number_there(struct rda_record *record, const char *name, enum rda_there there,
			     uint64_t value);
void rda_record_hex_there(struct rda_record *record, const char *name, enum rda_there there,
			  uint64_t value, int digits);
void rda_record_flag_there(struct rda_record *record, const char *name, enum rda_there there,
			   bool value);
/*
 * A time since 1970, told twice: as a number of nanoseconds, and in words (RFC 3339), since many
 * readers of JSON have no numbers above 2^53. NAME is that of the words, a literal: "first_time".
 */
#define rda_record_time(record, NAME, known, ns)                                                   \
	rda_record_time_named(record, NAME "_ns", NAME, known, ns)
void rda_record_time_named(struct rda_record *record, const char *name_ns, const char *name,
			   bool known, int64_t ns);
/* Null unless it is known. */
void rda_record_number_known(struct rda_record *record, const char *name, bool known,
			     uint64_t value);
void rda_record_signed_known(struct rda_record *record, const char *name, bool known,
			     int64_t value);

#endif
