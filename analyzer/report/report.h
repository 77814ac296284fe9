/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a result is printed as.
 */
#ifndef RDA_REPORT_H
#define RDA_REPORT_H

#include "analyzer/report/output.h"
#include "analyzer/report/report_input.h"

void rda_report_text(struct rda_output *out, const struct rda_report *report);
/* Parts of it: about connections, how CM set them up, memory keys, findings, slow messages, what
 * the capture lacks. */
void rda_report_connections(struct rda_output *out, const struct rda_report *report);
void rda_report_set_up(struct rda_output *out, const struct rda_report *report);
void rda_report_keys(struct rda_output *out, const struct rda_report *report);
void rda_report_verdict(struct rda_output *out, const struct rda_report *report);
void rda_report_findings(struct rda_output *out, const struct rda_report *report);
void rda_report_slowest(struct rda_output *out, const struct rda_report *report);
void rda_report_limits(struct rda_output *out, const struct rda_report *report);

void rda_report_json(struct rda_output *out, const struct rda_report *report);
void rda_report_ndjson(struct rda_output *out, const struct rda_report *report);
void rda_report_csv(struct rda_output *out, const struct rda_report *report);

#endif
