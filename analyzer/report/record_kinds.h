/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of records that a result is told in: THE list for JSON, NDJSON and databases.
 */
#ifndef RDA_RECORD_KINDS_H
#define RDA_RECORD_KINDS_H

#include "analyzer/report/machine_record.h"
#include "analyzer/report/report.h"

struct rda_record_kind {
	const char *list;   /* "connections", the member of the document */
	const char *record; /* "connection", what it is called in NDJSON, and its table */
	unsigned (*count)(const struct rda_report *report);
	/* without a report (NULL) one of which nothing is known, for the shape */
	void (*describe)(struct rda_record *record, const struct rda_report *report,
			 unsigned index);
	bool (*is_told)(const struct rda_report *report, unsigned index); /* NULL: all are */
	bool absent_if_empty; /* the document has no list of this kind then */
};

extern const struct rda_record_kind rda_record_kinds[];
extern const unsigned rda_record_kind_count;

/* Whether the record of an index is told at all. */
bool rda_record_kind_tells(const struct rda_record_kind *kind, const struct rda_report *report,
			   unsigned index);

#endif
