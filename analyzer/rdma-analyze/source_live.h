/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of interfaces, as they are sent and received: a source (source.h) for all of them, each a
 * tap, in the order of their times.
 *
 * Two interfaces hand out their packets in blocks, so the next packet of one that has none at hand
 * may be older than that of another. A packet is handed out when all interfaces have a later one at
 * hand, or when it is RDA_LIVE_HOLD_MS old, by which time the kernel has handed out what came
 * before. Packets wait in the kernel's buffers: what does not fit there is counted as dropped.
 *
 * After SIGINT or SIGTERM what came till then is handed out before the end.
 *
 * The next() of this source gives RDA_SOURCE_IDLE when no packet came for a while, so that its
 * caller can look at signals and at the clock.
 */
#ifndef RDA_SOURCE_LIVE_H
#define RDA_SOURCE_LIVE_H

#include "analyzer/rdma-analyze/options.h"
#include "analyzer/rdma-analyze/source.h"
#include "analyzer/report/output.h"

#define RDA_LIVE_HOLD_MS 250

/*
 * Opens options->interfaces with the filter in the kernel. NULL on failure, with the reason in
 * *error (g_free it), which names the interface.
 */
struct rda_source *rda_source_live_open(const struct rda_options *options, char **error);

/* The name of the interface that is a tap; NULL: the source is of no interfaces. */
const char *rda_source_live_tap(const struct rda_source *source, uint32_t tap);

/* --list-interfaces. False on failure, with the reason in *error (g_free it). */
bool rda_source_live_list(struct rda_output *out, char **error);

#endif
