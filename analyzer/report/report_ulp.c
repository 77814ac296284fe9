/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upper layers for people: a table of the kinds of commands of each, over all its connections, and
 * the slowest commands with their frames.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/columns.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"

#include <inttypes.h>

/* Slowest commands that are told; JSON has a few more. */
enum { TOLD = 3 };

/* What all connections with one upper layer did. */
struct sum {
	struct rda_ulp_facts facts; /* counts only */
	unsigned connections;
	uint8_t protocol;
	GArray *operations; /* struct rda_ulp_operation */
};

static void add_operation(GArray *operations, const struct rda_ulp_operation *from)
{
	struct rda_ulp_operation *to = NULL, empty = {.name = from->name, .code = from->code};

	for (guint i = 0; i < operations->len && !to; i++) {
		struct rda_ulp_operation *row =
			&g_array_index(operations, struct rda_ulp_operation, i);

		if (row->code == from->code)
			to = row;
	}
	if (!to) {
		g_array_append_val(operations, empty);
		to = &g_array_index(operations, struct rda_ulp_operation, operations->len - 1);
	}
	to->asked += from->asked;
	to->answered += from->answered;
	to->failed += from->failed;
	to->bytes += from->bytes;
	rda_latency_merge(&to->latency, &from->latency);
	rda_latency_merge(&to->before, &from->before);
	rda_latency_merge(&to->data, &from->data);
	rda_latency_merge(&to->after, &from->after);
}

static void add(struct sum *sum, const struct rda_ulp_facts *ulp)
{
	struct rda_ulp_facts *facts = &sum->facts;

	sum->connections++;
	facts->asked += ulp->asked;
	facts->failed += ulp->failed;
	facts->unanswered += ulp->unanswered;
	facts->replaced += ulp->replaced;
	facts->unasked += ulp->unasked;
	facts->cut += ulp->cut;
	facts->unread += ulp->unread;
	facts->forgotten += ulp->forgotten;
	facts->port_count += ulp->port_count;
	facts->limited_ns = rda_ns_sum(facts->limited_ns, ulp->limited_ns);
	facts->depth_most = MAX(facts->depth_most, ulp->depth_most);
	for (uint32_t i = 0; i < ulp->operation_count; i++)
		add_operation(sum->operations, &ulp->operations[i]);
}

static void clear(struct sum *sum)
{
	for (guint i = 0; i < sum->operations->len; i++) {
		struct rda_ulp_operation *row =
			&g_array_index(sum->operations, struct rda_ulp_operation, i);

		rda_latency_cleanup(&row->latency);
		rda_latency_cleanup(&row->before);
		rda_latency_cleanup(&row->data);
		rda_latency_cleanup(&row->after);
	}
	g_array_free(sum->operations, TRUE);
}

static void append_count(GString *to, uint64_t count, const char *words)
{
	char number[RDA_UNITS_TEXT];

	if (count)
		g_string_append_printf(to, ", %s %s", rda_units_grouped(number, count), words);
}

/* What is counted, and how it ends. */
static const struct words {
	const char *one, *unanswered, *unasked;
} words_of_commands = {"command", "not answered", "answers to what was not captured"},
  words_of_messages = {"message", "not acknowledged", "acknowledgements of what was not captured"};

/* "NVMe over RDMA, 412 commands on 3 connections, 2 failed" */
static void print_head(struct rda_output *out, const struct sum *sum)
{
	const struct words *words =
		sum->protocol == RDA_ULP_RDS ? &words_of_messages : &words_of_commands;
	const struct rda_ulp_facts *facts = &sum->facts;
	char number[RDA_UNITS_TEXT];
	GString *line = g_string_new(NULL);

	rda_style(out, RDA_STYLE_BOLD);
	rda_print(out, "\n%s", rda_ulp_people_name(sum->protocol));
	rda_style(out, RDA_STYLE_PLAIN);
	g_string_append_printf(line, ", %s %s%s on %u connection%s, at most %u under way",
			       rda_units_grouped(number, facts->asked), words->one,
			       rda_words_plural(facts->asked), sum->connections,
			       rda_words_plural(sum->connections), facts->depth_most);
	append_count(line, facts->failed, "failed");
	append_count(line, facts->unanswered, words->unanswered);
	append_count(line, facts->replaced, "of which the number was used again before an answer");
	append_count(line, facts->unasked, words->unasked);
	append_count(line, facts->cut, "messages cut before they tell what they are");
	append_count(line, facts->unread, "messages encrypted or not understood");
	append_count(line, facts->forgotten, "not followed: too many at once");
	append_count(line, facts->port_count,
		     facts->port_count == 1 ? "congested port" : "congested ports");
	if (facts->limited_ns)
		g_string_append_printf(line, ", held by the target's request limit for %s",
				       rda_units_duration(number, facts->limited_ns));
	rda_output_wrap(out, line->str, strlen(rda_ulp_people_name(sum->protocol)), 2);
	g_string_free(line, TRUE);
}

static const char *span(char text[RDA_UNITS_TEXT], const struct rda_latency *latency,
			unsigned percent)
{
	if (!latency->count)
		return "";
	return rda_units_duration(text, percent == 100 ? latency->max
						       : rda_latency_percentile(latency, percent));
}

static const char *name_of(char text[RDA_ULP_OPERATION_ROOM], uint8_t protocol, const char *name,
			   uint32_t code)
{
	const char *known = rda_ulp_operation_name(text, protocol, name, code);

	if (known)
		return known;
	g_snprintf(text, RDA_ULP_OPERATION_ROOM, "code 0x%04" PRIx32, code);
	return text;
}

/* One row. Measured when `out` is NULL. */
static void put_operation(struct rda_columns *columns, struct rda_output *out, uint8_t protocol,
			  const struct rda_ulp_operation *row)
{
	char name[RDA_ULP_OPERATION_ROOM], count[RDA_UNITS_TEXT], failed[RDA_UNITS_TEXT] = "",
								  bytes[RDA_UNITS_TEXT];
	char times[3][RDA_UNITS_TEXT];
	const char *cells[] = {
		name_of(name, protocol, row->name, row->code),
		rda_units_compact(count, row->asked),
		row->failed ? rda_units_compact(failed, row->failed) : "",
		rda_units_compact(bytes, row->bytes),
		span(times[0], &row->latency, 50),
		span(times[1], &row->latency, 99),
		span(times[2], &row->latency, 100),
	};

	rda_columns_row(columns, out, cells);
}

/* The parts of the time of commands whose data was captured. */
static void put_parts(struct rda_columns *columns, struct rda_output *out, uint8_t protocol,
		      const struct rda_ulp_operation *row)
{
	char name[RDA_ULP_OPERATION_ROOM], times[6][RDA_UNITS_TEXT];
	const char *cells[] = {
		name_of(name, protocol, row->name, row->code),
		span(times[0], &row->before, 50),
		span(times[1], &row->before, 99),
		span(times[2], &row->data, 50),
		span(times[3], &row->data, 99),
		span(times[4], &row->after, 50),
		span(times[5], &row->after, 99),
	};

	if (row->data.count)
		rda_columns_row(columns, out, cells);
}

static void print_rows(struct rda_output *out, const struct sum *sum, struct rda_columns *columns,
		       void (*put)(struct rda_columns *, struct rda_output *, uint8_t,
				   const struct rda_ulp_operation *))
{
	for (guint i = 0; i < sum->operations->len; i++)
		put(columns, NULL, sum->protocol,
		    &g_array_index(sum->operations, struct rda_ulp_operation, i));
	rda_columns_titles(columns, out);
	for (guint i = 0; i < sum->operations->len && rda_output_more(out); i++)
		put(columns, out, sum->protocol,
		    &g_array_index(sum->operations, struct rda_ulp_operation, i));
}

static void print_operations(struct rda_output *out, const struct sum *sum)
{
	bool rds = sum->protocol == RDA_ULP_RDS;
	struct rda_columns columns = {
		.column = {{rds ? "Ports" : "Command", false, 0, 0},
			   {"Count", true, 0, 0},
			   {"Failed", true, 0, 0},
			   {"Bytes", true, 0, 0},
			   {"p50", true, 0, 0},
			   {"p99", true, 0, 0},
			   {"Max", true, 0, 0}},
		.count = 7,
		.width = out->width,
	};
	struct rda_columns parts = {
		.column = {{"With data", false, 0, 0},
			   {"Before", true, 0, 0},
			   {"p99", true, 0, 0},
			   {"Data", true, 0, 0},
			   {"p99", true, 0, 0},
			   {"After", true, 0, 0},
			   {"p99", true, 0, 0}},
		.count = 7,
		.width = out->width,
	};
	bool any = false;

	print_rows(out, sum, &columns, put_operation);
	for (guint i = 0; i < sum->operations->len; i++)
		any |= g_array_index(sum->operations, struct rda_ulp_operation, i).data.count > 0;
	if (any)
		print_rows(out, sum, &parts, put_parts);
}

static void put_slow(struct rda_columns *columns, struct rda_output *out,
		     const struct rda_report *report, unsigned index)
{
	const struct rda_ulp_slow *slow = rda_result_slow_command(report->result, index);
	char id[16], name[RDA_ULP_OPERATION_ROOM], bytes[RDA_UNITS_TEXT], took[RDA_UNITS_TEXT],
		status[24] = "";
	GString *frames = g_string_new(NULL);
	const char *cells[] = {
		id,	name_of(name, slow->protocol, slow->operation, slow->operation_code),
		bytes,	took,
		status, ""};

	g_snprintf(id, sizeof(id), "%" PRIu32, slow->connection);
	rda_units_compact(bytes, slow->bytes);
	rda_units_duration(took, slow->latency_ns);
	if (slow->status)
		g_snprintf(status, sizeof(status), "0x%04" PRIx32, slow->status);
	rda_report_append_place(frames, report, slow->place);
	g_string_append(frames, " to ");
	rda_report_append_place(frames, report, slow->answer_place);
	cells[5] = frames->str;
	rda_columns_row(columns, out, cells);
	g_string_free(frames, TRUE);
}

static void print_slowest(struct rda_output *out, const struct rda_report *report)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Command", false, 0, 0},
			   {"Bytes", true, 0, 0},
			   {"Took", true, 0, 0},
			   {"Error", false, 0, 0},
			   {"Frames", false, 0, 0}},
		.count = 6,
		.width = out->width,
	};
	unsigned count = MIN(rda_result_slow_command_count(report->result), TOLD);

	if (!count)
		return;
	rda_style(out, RDA_STYLE_BOLD);
	rda_print(out, "\nSlowest commands");
	rda_style(out, RDA_STYLE_PLAIN);
	rda_print(out, ", from the first packet to the end of the answer\n");
	for (unsigned i = 0; i < count; i++)
		put_slow(&columns, NULL, report, i);
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < count; i++)
		put_slow(&columns, out, report, i);
}

void rda_report_ulps(struct rda_output *out, const struct rda_report *report)
{
	uint64_t not_followed = rda_result_ulps_not_followed(report->result);
	char number[RDA_UNITS_TEXT];

	for (unsigned protocol = 0; protocol < RDA_ULP_COUNT; protocol++) {
		struct sum sum = {
			.protocol = (uint8_t)protocol,
			.operations = g_array_new(FALSE, FALSE, sizeof(struct rda_ulp_operation))};

		for (unsigned i = 0; i < rda_result_ulp_count(report->result); i++)
			if (rda_result_ulp(report->result, i)->protocol == protocol)
				add(&sum, rda_result_ulp(report->result, i));
		if (sum.connections) {
			print_head(out, &sum);
			print_operations(out, &sum);
		}
		clear(&sum);
	}
	if (rda_result_ulp_count(report->result))
		print_slowest(out, report);
	if (not_followed)
		rda_print(out, "The upper layers of %s more connections were not followed.\n",
			  rda_units_grouped(number, not_followed));
}
