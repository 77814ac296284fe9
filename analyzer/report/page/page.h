/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of HTML that tells all of a run, and needs nothing but itself: its style, its script,
 * the charting library (dygraphs) and the data are inside.
 *
 *     page = rda_page_new(&report);
 *     ... rda_page_sight(page, sight) for each packet, rda_page_time for each part of time ...
 *     rda_page_print(page, out);
 *     rda_page_free(page);
 *
 * The data are the JSON document of rda_report_json, at most RDA_PAGE_MOST records of a kind, and
 * the timelines (timeline.h), in elements that a browser does not execute and in which no '<' is
 * left. The content security policy inside the page allows the two scripts and two styles of the
 * build, by their hashes, and nothing else: no markup, script or address from a capture can do
 * anything. The script builds what is shown from text nodes only.
 */
#ifndef RDA_PAGE_H
#define RDA_PAGE_H

#include "analyzer/report/describe.h"

#define RDA_PAGE_MOST 500

struct rda_page;

/* The report is borrowed, and outlives the page. */
struct rda_page *rda_page_new(const struct rda_report *report);
void rda_page_free(struct rda_page *page);

void rda_page_sight(struct rda_page *page, const struct rda_sight *sight);
void rda_page_time(struct rda_page *page, const struct rda_time_sight *time);

void rda_page_print(struct rda_page *page, struct rda_output *out);

/* Whether the build had the charting library: without it the page has tables and no charts. */
bool rda_page_has_charts(void);

#endif
