/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long messages took, for people: by kind, over all connections that are told of.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/columns.h"
#include "analyzer/report/units.h"

/* Measured when `out` is NULL. */
static void put_kind(struct rda_columns *columns, struct rda_output *out, const char *name,
		     const struct rda_latency *latency)
{
	char *title = g_ascii_strup(name, -1);
	char count[RDA_UNITS_TEXT], median[RDA_UNITS_TEXT], most[RDA_UNITS_TEXT],
		longest[RDA_UNITS_TEXT];

	g_strdelimit(title, "_", ' ');
	rda_columns_row(
		columns, out,
		(const char *[]){title, rda_units_grouped(count, latency->count),
				 rda_units_duration(median, rda_latency_percentile(latency, 50)),
				 rda_units_duration(most, rda_latency_percentile(latency, 99)),
				 rda_units_duration(longest, latency->max)});
	g_free(title);
}

static void print_kinds(struct rda_output *out, const struct rda_latency *kinds)
{
	struct rda_columns columns = {
		.column = {{"Message", false, 0, 0},
			   {"Timed", true, 0, 0},
			   {"p50", true, 0, 0},
			   {"p99", true, 0, 0},
			   {"Max", true, 0, 0}},
		.count = 5,
		.width = out->width,
	};
	bool any = false;

	for (unsigned kind = 0; kind < RDA_MESSAGE_COUNT; kind++)
		if (kinds[kind].count) {
			put_kind(&columns, NULL, rda_message_name((uint8_t)kind), &kinds[kind]);
			any = true;
		}
	if (!any)
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\nHow long messages took");
	rda_print(out, ", from the first packet to the completion\n");
	rda_columns_titles(&columns, out);
	for (unsigned kind = 0; kind < RDA_MESSAGE_COUNT; kind++)
		if (kinds[kind].count)
			put_kind(&columns, out, rda_message_name((uint8_t)kind), &kinds[kind]);
}

static void add_flow(void *context, const struct rda_connection_facts *connection, unsigned side,
		     const struct rda_flow_facts *flow)
{
	struct rda_latency *kinds = context;

	(void)connection, (void)side;
	for (unsigned kind = 0; flow->latencies && kind < RDA_MESSAGE_COUNT; kind++)
		rda_latency_merge(&kinds[kind], flow->latencies->kinds[kind]);
}

void rda_report_latencies(struct rda_output *out, const struct rda_report *report)
{
	struct rda_latency kinds[RDA_MESSAGE_COUNT] = {0};

	rda_choice_each_flow(&report->choice, report->result, add_flow, kinds);
	print_kinds(out, kinds);
	for (unsigned kind = 0; kind < RDA_MESSAGE_COUNT; kind++)
		rda_latency_cleanup(&kinds[kind]);
}
