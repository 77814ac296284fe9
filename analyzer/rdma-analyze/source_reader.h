/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two readers behind a source share, and how source.c opens them. For those files only.
 */
#ifndef RDA_SOURCE_READER_H
#define RDA_SOURCE_READER_H

#include "analyzer/rdma-analyze/records.h"
#include "analyzer/rdma-analyze/source.h"

#include <glib.h>
#include <time.h>

#define RDA_TAPS_PER_SECTION 65536

/* Why a file could not be opened. A reason of NULL: it is of no format that the reader knows. */
struct rda_refusal {
	char *reason;
	int64_t offset;
};

/* NULL on failure, with *refusal filled. */
struct rda_source *rda_source_pcap_open(const char *file, struct rda_refusal *refusal);
/* A file that grows: rda_unpack_grows. */
struct rda_source *rda_source_pcap_open_growing(const char *file, bool (*grows)(void *context),
						void *context, struct rda_refusal *refusal);

/* For a pcapng whose first record is begun. Takes `records`. */
struct rda_source *rda_source_pcapng_open(struct rda_file_records *records,
					  struct rda_refusal *refusal);

/* Nanoseconds since 1970, within 2^62; a time beyond is the nearest that is not. */
int64_t rda_source_time(int64_t seconds, uint32_t nanoseconds);

/* What libraries hand out as a time_t. Seconds of captures are unsigned: where a time_t has 32 bits
 * they are right up to 2106, and not only up to 2038. */
static inline int64_t rda_source_seconds(time_t seconds)
{
	return sizeof(seconds) == sizeof(uint32_t) ? (int64_t)(uint32_t)seconds : (int64_t)seconds;
}

/* One number for each kind of link: the values that libpcap has from old systems become LINKTYPE_.
 */
uint16_t rda_source_link(unsigned link);

/* More captured bytes than this and the record is damaged: as libpcap and libwiretap see it. */
uint32_t rda_source_most_captured(unsigned link);

/* ---- why there is no more to be had of a file, or nothing at all ------------------------------
 */

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
