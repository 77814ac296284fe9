/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a source, in the same words whichever reader came to it; below all of them.
 */
#include "analyzer/rdma-analyze/source_reader.h"

#include <glib.h>

char *rda_source_reason(char *reason, int64_t offset, bool packed)
{
	char *longer;

	if (!packed || offset == RDA_OFFSET_UNKNOWN)
		return reason;
	longer = g_strconcat(reason, " (the offset counts unpacked bytes)", NULL);
	g_free(reason);
	return longer;
}

enum rda_source_result rda_source_damage(struct rda_source *source, char *reason, int64_t offset,
					 bool packed)
{
	source->error = rda_source_reason(reason, offset, packed);
	source->offset = offset;
	return RDA_SOURCE_DAMAGED;
}

/* Why there is no more to be had of the records, in our words where they say more; else NULL. */
static char *why_ended(const struct rda_file_records *records, const char *why)
{
	char *words;

	if (records->error)
		return g_strdup(records->error);
	words = rda_records_cut_words(records);
	return words ? words : g_strdup(why);
}

enum rda_source_result rda_source_end(struct rda_source *source,
				      const struct rda_file_records *records, const char *why)
{
	char *reason = why_ended(records, why);

	if (!reason)
		return RDA_SOURCE_END;
	return rda_source_damage(source, reason, records->record.offset,
				 rda_records_packed(records));
}

void rda_source_refuse(struct rda_refusal *refusal, const struct rda_file_records *records,
		       const char *why)
{
	refusal->offset = records->record.offset;
	refusal->reason = rda_source_reason(why_ended(records, why), refusal->offset,
					    rda_records_packed(records));
}
