/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What connections did over time, for the page's charts: packets as marks, what was outstanding,
 * bytes, latencies; and the bytes and pauses of all. Made while the packets of a finished run come
 * by, and small whatever the capture's length: points are thinned (thin.h) where there are more
 * than RDA_TIMELINE_POINTS, sums are of slots of time.
 *
 * Each connection has two flows, as elsewhere. A mark stands with the flow that asked: requests of
 * flow 0, and what the other side answers to them, are marks of flow 0 and have its PSNs.
 */
#ifndef RDA_TIMELINE_H
#define RDA_TIMELINE_H

#include "analyzer/report/describe.h"

/* Marks that stay, of all connections together; each connection has its share. */
#define RDA_TIMELINE_POINTS 100000

/* Of these, marks of what does not go on all the time stay without being thinned, up to that. */
#define RDA_TIMELINE_RARE_POINTS 50000

/* Slots of sums, of all connections together; and of one, at most and at least. */
#define RDA_TIMELINE_SLOTS	 40000
#define RDA_TIMELINE_SLOTS_MOST	 400
#define RDA_TIMELINE_SLOTS_LEAST 20

/* Of so many of these slots together stay the least and the greatest latency, first and last. */
#define RDA_TIMELINE_LATENCY_SLOTS 2

/* Of so many of them together is told where the time went. */
#define RDA_TIMELINE_TIME_SLOTS 2

struct rda_timelines;

/* Of the connections with told[id] only. Both are borrowed, and outlive it. */
struct rda_timelines *rda_timelines_new(const struct rda_report *report, const bool *told);
void rda_timelines_free(struct rda_timelines *timelines);

/* The next packet, FPDU or pause frame. */
void rda_timelines_sight(struct rda_timelines *timelines, const struct rda_sight *sight);

/* The next part of the time of a direction. */
void rda_timelines_time(struct rda_timelines *timelines, const struct rda_time_sight *time);

/* All came: the members "begin_ns", "names", "connections" and "all" of what the script reads. */
void rda_timelines_describe(struct rda_timelines *timelines, struct rda_record *record);

#endif
