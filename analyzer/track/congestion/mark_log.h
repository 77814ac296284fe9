/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When packets of a direction were marked (CE), and when CNPs about it came: the first of them, for
 * whoever asks by what a receiver paces its CNPs (pacing.h). Marks that are closer than a
 * microsecond are one.
 */
#ifndef RDA_MARK_LOG_H
#define RDA_MARK_LOG_H

#include "analyzer/track/flow.h"

/* A packet of the flow with a mark; ACKs have no say. */
void rda_mark_log_mark(struct rda_flow *flow, int64_t time_ns);

/* A CNP for the sender of the flow. */
void rda_mark_log_notice(struct rda_flow *flow, int64_t time_ns, uint64_t place);

/* Both take NULL. */
struct rda_mark_log *rda_mark_log_copy(const struct rda_mark_log *log);
void rda_mark_log_free(struct rda_mark_log *log);

#endif
