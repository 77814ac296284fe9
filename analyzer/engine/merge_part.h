/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that merge results share.
 */
#ifndef RDA_MERGE_PART_H
#define RDA_MERGE_PART_H

#include "analyzer/engine/part_keys.h"
#include "analyzer/engine/result_state.h"

/* One of the two, and where its members went. */
struct rda_part {
	const struct rda_result *from;
	uint32_t *flows, *connections, *hosts, *conversations; /* new indices; owned */
};

/* Memory keys of both, and what is found of them, once flows, hosts and other findings are merged.
 */
void rda_merge_keys(struct rda_result *to, const struct rda_part part[2]);

/* Memory keys of all parts at once, where their events were told while these read. */
void rda_part_keys_settle(struct rda_part_keys *keys, struct rda_result *to);

/* Findings of both, once all else is merged; `keys`: NULL, or of all parts. */
void rda_merge_findings(struct rda_result *to, const struct rda_part part[2],
			struct rda_part_keys *keys);

#endif
