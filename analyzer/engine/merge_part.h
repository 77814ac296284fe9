/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that merge results share.
 */
#ifndef RDA_MERGE_PART_H
#define RDA_MERGE_PART_H

#include "analyzer/engine/join.h"
#include "analyzer/engine/part_keys.h"
#include "analyzer/engine/result_state.h"

/* The new index of what is not taken over. */
#define RDA_LEFT_OUT RDA_GONE

/* One of the two, and where its members went. */
struct rda_part {
	const struct rda_result *from;
	struct rda_result *spent; /* the same, if it is owned, and nobody asks for it any more */
	uint32_t *flows, *connections, *hosts, *conversations; /* new indices; owned */
	/* what is told of it (join.h); NULL: it is merged */
	const struct rda_joined *joined;
};

/* The new indices of what is of a part. */
static inline struct rda_moved rda_part_moved(const struct rda_part *part)
{
	return (struct rda_moved){part->flows, part->connections, part->hosts, part->conversations};
}

/* Whether something is told: NULL for all. */
static inline bool rda_part_tells(const bool *told, uint32_t index)
{
	return !told || told[index];
}

/* Hosts and NICs of both, and where they went. */
void rda_merge_hosts(struct rda_result *to, struct rda_part part[2]);

/* Memory keys of both, and what is found of them, once flows, hosts and other findings are merged.
 */
void rda_merge_keys(struct rda_result *to, const struct rda_part part[2]);

/* Memory keys of all parts at once, where their events were told while these read. */
void rda_part_keys_settle(struct rda_part_keys *keys, struct rda_result *to);

/* Findings of both, once all else is merged; `keys`: NULL, or of all parts. */
void rda_merge_findings(struct rda_result *to, const struct rda_part part[2],
			struct rda_part_keys *keys);

/* Findings and memory keys of results that are joined, once all else is. */
void rda_join_findings(struct rda_result *to, const struct rda_part part[2]);
void rda_join_keys(struct rda_result *to, const struct rda_part part[2]);

#endif
