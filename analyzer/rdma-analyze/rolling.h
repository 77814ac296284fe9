/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --every: what is new since the last time, while packets come, from snapshots of the engine
 * (rda_engine_result). As text a line of sums, then a line for each finding that is new or has more
 * cases; as NDJSON one record:
 *
 *     18:31:50  12,345 packets (+1,234), 5 connections (+1), 33 resent (+3), 12 lost
 *               new: error F01 icrc-mismatch, proven, 10.10.0.1 > 10.10.0.2: 1 of ...
 *               more: warning S02 retransmission, proven, 10.10.0.1 > 10.10.0.2: 12 cases (+9)
 *
 * Findings are told by check and pair of hosts, so that a thousand connections with one trouble are
 * one line, and memory is bounded by these.
 */
#ifndef RDA_ROLLING_H
#define RDA_ROLLING_H

#include "analyzer/engine/result.h"
#include "analyzer/report/output.h"

struct rda_rolling;

/* `out` is borrowed; ndjson: else text. */
struct rda_rolling *rda_rolling_new(struct rda_output *out, bool ndjson);
void rda_rolling_free(struct rda_rolling *rolling);

/* What comes is of another tap, which is told by itself. */
void rda_rolling_tap_end(struct rda_rolling *rolling);

/* Tells what is new in the result, as of `time_ns`, and writes it out. */
void rda_rolling_take(struct rda_rolling *rolling, const struct rda_result *result,
		      int64_t time_ns);

#endif
