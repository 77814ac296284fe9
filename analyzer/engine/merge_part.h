/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that merge results share.
 */
#ifndef RDA_MERGE_PART_H
#define RDA_MERGE_PART_H

#include "analyzer/engine/result_state.h"

/* One of the two, and where its members went. */
struct rda_part {
	const struct rda_result *from;
	uint32_t *flows, *connections, *hosts, *conversations; /* new indices; owned */
};

/* Memory keys of both, and what is found of them, once flows, hosts and other findings are merged.
 */
void rda_merge_keys(struct rda_result *to, const struct rda_part part[2]);

/* Findings of both, once all else is merged. */
void rda_merge_findings(struct rda_result *to, const struct rda_part part[2]);

#endif
