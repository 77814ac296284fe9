/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time went, for people: of directions with requests, of hosts and of all, by cause.
 */
#include "analyzer/report/report.h"

#include "analyzer/facts/time_facts.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/units.h"

#include <inttypes.h>

/* Hosts that are told; JSON has all. */
enum { TOLD = 12 };

/* Causes of less than so many of a thousand are not told. */
enum { LEAST_PER_MILLE = 5 };

/* Longer addresses have a line of their own. */
enum { ADDRESS_LIMIT = 25 };

/* "61.3 % held by the requester's own limit, 38.7 % nothing asked": the most first */
static char *parts_of(const struct rda_flow_time *time)
{
	GString *text = g_string_new(NULL);
	struct rda_flow_time left = *time;
	uint8_t cause;

	while ((cause = rda_time_facts_most(&left)) < RDA_TIME_CAUSE_COUNT) {
		double per_mille = (double)left.ns[cause] * 1000 / (double)time->total_ns;

		if (per_mille < LEAST_PER_MILLE)
			break;
		g_string_append_printf(text, "%s%.1f %% %s", text->len ? ", " : "", per_mille / 10,
				       rda_time_words(cause));
		left.ns[cause] = 0;
	}
	return g_string_free(text, FALSE);
}

/* Measured when `out` is NULL. */
static void put_row(struct rda_columns *columns, struct rda_output *out, const char *id,
		    const char *who, const struct rda_flow_time *time)
{
	char total[RDA_UNITS_TEXT], *parts = parts_of(time);
	const char *cells[] = {id, who, rda_units_duration(total, time->total_ns), parts};

	rda_columns_row(columns, out, cells);
	g_free(parts);
}

static bool is_told(const struct rda_flow_facts *flow)
{
	return flow && flow->time && flow->time->total_ns > 0 && flow->request_packets > 0;
}

/* Whether connections have their rows: many have them where all are asked for. */
static bool has_rows(const struct rda_report *report)
{
	const struct rda_choice *choice = &report->choice;

	return choice->all || rda_choice_is_part(choice) ||
	       rda_result_connection_count(report->result) <= RDA_CHOICE_TOP;
}

/* Of the chosen connections. Returns how many rows there are. */
static unsigned put_flows(struct rda_columns *columns, struct rda_output *out,
			  const struct rda_result *result, const GArray *connections)
{
	unsigned count = 0;

	for (unsigned i = 0; i < 2 * connections->len; i++) {
		const struct rda_connection_facts *connection =
			rda_result_connection(result, g_array_index(connections, uint32_t, i / 2));
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, i % 2);
		char id[16], address[RDA_ADDRESS_TEXT];

		if (!is_told(flow))
			continue;
		count++;
		g_snprintf(id, sizeof(id), "%" PRIu32, connection->id);
		put_row(columns, out, id, rda_address_text(address, &flow->key.source), flow->time);
	}
	return count;
}

static unsigned put_hosts(struct rda_columns *columns, struct rda_output *out,
			  const struct rda_result *result)
{
	unsigned count = 0;

	for (unsigned i = 0; i < rda_result_host_count(result); i++) {
		const struct rda_host *host = rda_result_host(result, i);
		const struct rda_flow_time *time = rda_result_host_time(result, host->index);
		char address[RDA_ADDRESS_TEXT];

		/* what one direction says is said */
		if (time->directions > 1 && time->total_ns > 0 && count++ < TOLD)
			put_row(columns, out, "all", rda_address_text(address, &host->address),
				time);
	}
	return count;
}

static unsigned put_captures(struct rda_columns *columns, struct rda_output *out,
			     const struct rda_result *result)
{
	unsigned count = 0;

	for (unsigned i = 0; i < rda_result_capture_count(result); i++) {
		const struct rda_flow_time *time = rda_result_capture_time(result, i);
		char name[24] = "all";

		if (!rda_result_is_one_series(result))
			g_snprintf(name, sizeof(name), "all of file %u", i + 1);
		if (time->total_ns <= 0)
			continue;
		put_row(columns, out, "", name, time);
		count++;
	}
	return count;
}

static void put_rows(struct rda_output *out, const struct rda_report *report,
		     const GArray *connections)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Requester", false, ADDRESS_LIMIT, 0},
			   {"Time", true, 0, 0},
			   {"Where it went", false, 0, 0}},
		.count = 4,
		.width = out->width,
	};
	const struct rda_result *result = report->result;
	unsigned flows = put_flows(&columns, NULL, result, connections);
	bool sums = flows > 1 && !rda_choice_is_part(&report->choice);
	unsigned hosts = sums ? put_hosts(&columns, NULL, result) : 0;
	char number[RDA_UNITS_TEXT];

	if (sums)
		put_captures(&columns, NULL, result);
	if (!flows)
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\nWhere the time went");
	rda_print(out, ", from a connection's first packet to its last\n");
	rda_columns_titles(&columns, out);
	put_flows(&columns, out, result, connections);
	if (!sums)
		return;
	put_hosts(&columns, out, result);
	if (hosts > TOLD)
		rda_print(out, "  and %s more hosts\n", rda_units_grouped(number, hosts - TOLD));
	put_captures(&columns, out, result);
}

void rda_report_time(struct rda_output *out, const struct rda_report *report)
{
	uint32_t *problems;
	GArray *connections;

	if (!has_rows(report))
		return;
	problems = rda_choice_problems(report->result);
	connections = rda_choice_connections(&report->choice, report->result, problems);
	put_rows(out, report, connections);
	g_array_unref(connections);
	g_free(problems);
}
