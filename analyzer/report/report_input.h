/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What reports are made of: a result, and what only who read the captures knows.
 */
#ifndef RDA_REPORT_INPUT_H
#define RDA_REPORT_INPUT_H

#include "analyzer/engine/result.h"
#include "analyzer/report/others.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a capture came from. */
struct rda_origin {
	const char *file;	  /* as given; "-" is standard input */
	char *damage;		  /* why no more could be read; NULL: it was read to its end */
	int64_t damaged_at;	  /* byte offset; negative: not known */
	struct rda_others others; /* what its frames without RDMA were */
};

/* All is borrowed. */
struct rda_report {
	const struct rda_result *result;
	const struct rda_origin *const *origins; /* one for each capture of the result */
	unsigned origin_count;
	bool keys;	 /* list memory keys in the text */
	bool count_only; /* nothing was judged */
};

#endif
