/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the readers behind a source say why there is no more to be had of a file, or nothing at all.
 */
#ifndef RDA_SOURCE_END_H
#define RDA_SOURCE_END_H

#include "analyzer/rdma-analyze/records.h"
#include "analyzer/rdma-analyze/source.h"

/* Why a file could not be opened. A reason of NULL: it is of no format that the reader knows. */
struct rda_refusal {
	char *reason;
	int64_t offset;
};

/*
 * The end for a source that reads records: DAMAGED where they end with an error or inside of one,
 * or where a library said why not to read on; else END.
 */
enum rda_source_result rda_source_end(struct rda_source *source,
				      const struct rda_file_records *records, const char *why);

/* The same for a file that could not even be opened. */
void rda_source_refuse(struct rda_refusal *refusal, const struct rda_file_records *records,
		       const char *why);

/* The end for a source that cannot read on. Takes `reason` (g_malloc). Returns DAMAGED. */
enum rda_source_result rda_source_damage(struct rda_source *source, char *reason, int64_t offset,
					 bool packed);

/* Adds to a reason that the offset counts unpacked bytes, where that is so. Takes `reason`. */
char *rda_source_reason(char *reason, int64_t offset, bool packed);

#endif
