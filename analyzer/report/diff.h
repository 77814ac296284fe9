/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between two JSON documents: findings by their check and hosts (baseline.h), and
 * numbers, each as one for all of a document, since connections of two runs are not the same ones.
 */
#ifndef RDA_DIFF_H
#define RDA_DIFF_H

#include "analyzer/report/baseline.h"
#include "analyzer/report/output.h"

/* One of the two documents. */
struct rda_diff {
	struct rda_baseline findings;
	GPtrArray *paths;    /* of char *, borrowed of `numbers`: in the order of the document */
	GHashTable *numbers; /* path ("hosts[*].counters.cnp_sent") -> its number */
};

void rda_diff_init(struct rda_diff *diff);
void rda_diff_cleanup(struct rda_diff *diff);

/* One record of the document, in its order. */
void rda_diff_take(struct rda_diff *diff, const char *list, unsigned index,
		   struct json_object *record);

void rda_diff_print(struct rda_output *out, const struct rda_diff *old, const struct rda_diff *now);

#endif
