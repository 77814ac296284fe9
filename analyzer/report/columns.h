/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of text that keep to the width of a page.
 *
 * The rows are given twice: first to be measured, then to be printed, so that a table of any length
 * needs no memory:
 *
 *     rda_columns_row(c, NULL, cells) for each row; rda_columns_titles(c, out);
 *     rda_columns_row(c, out, cells) for each row
 *
 * A cell that is longer than its column's limit (a full IPv6 address) has its line alone: the rest
 * of the row goes on below, in its columns. The last column takes what is left of the width and is
 * broken behind commas.
 */
#ifndef RDA_COLUMNS_H
#define RDA_COLUMNS_H

#include "analyzer/report/output.h"

#define RDA_COLUMNS_MAX 20

struct rda_column {
	const char *title;
	bool right;	/* numbers */
	unsigned limit; /* of its width; 0: none */
	unsigned width; /* as measured; starts as 0 */
};

struct rda_columns {
	struct rda_column column[RDA_COLUMNS_MAX];
	unsigned count;
	unsigned width; /* of the page */
};

void rda_columns_row(struct rda_columns *columns, struct rda_output *out, const char *const *cells);
void rda_columns_titles(struct rda_columns *columns, struct rda_output *out);

#endif
