/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two readers behind a source share, and how source.c opens them. For those files only.
 */
#ifndef RDA_SOURCE_READER_H
#define RDA_SOURCE_READER_H

#include <glib.h>

#include "analyzer/rdma-analyze/records.h"
#include "analyzer/rdma-analyze/source.h"
#include "analyzer/rdma-analyze/source_end.h"

#define RDA_TAPS_PER_SECTION 65536

/* NULL on failure, with *refusal filled. */
struct rda_source *rda_source_pcap_open(const char *file, struct rda_refusal *refusal);
struct rda_source *rda_source_wiretap_open(const char *file, struct rda_refusal *refusal);

/* For a pcapng whose first record is begun. Takes `records`. */
struct rda_source *rda_source_pcapng_open(struct rda_file_records *records,
					  struct rda_refusal *refusal);

/* Nanoseconds since 1970, within 2^62; a time beyond is the nearest that is not. */
int64_t rda_source_time(int64_t seconds, uint32_t nanoseconds);

/* One number for each kind of link: the values that libpcap has from old systems become LINKTYPE_.
 */
uint16_t rda_source_link(unsigned link);

#endif
