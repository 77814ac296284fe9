/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reports for machines: one JSON document, one JSON object a line, or CSV. Each record is
 * written as soon as it is made, so that their number costs no memory.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/describe.h"

#include <json-c/json.h>
#include <limits.h>

/* The records of one kind: how many, and how to tell the one of an index. */
struct kind {
	const char *list;   /* "connections", the member of the document */
	const char *record; /* "connection", what it is called in NDJSON */
	unsigned (*count)(const struct rda_report *report);
	/* without a report (NULL) one of which nothing is known, for the shape */
	void (*describe)(struct rda_record *record, const struct rda_report *report,
			 unsigned index);
	bool (*is_told)(const struct rda_report *report, unsigned index); /* NULL: all are */
	bool absent_if_empty; /* the document has no list of this kind then */
};

static unsigned capture_count(const struct rda_report *report)
{
	return report->origin_count;
}

static void describe_capture(struct rda_record *record, const struct rda_report *report,
			     unsigned index)
{
	static const struct rda_capture nothing;
	static const struct rda_origin nowhere;

	if (report)
		rda_describe_capture(record, rda_result_capture(report->result, index),
				     report->origins[index]);
	else
		rda_describe_capture(record, &nothing, &nowhere);
}

static unsigned host_count(const struct rda_report *report)
{
	return rda_result_host_count(report->result);
}

static void describe_host(struct rda_record *record, const struct rda_report *report,
			  unsigned index)
{
	static const struct rda_host nobody;
	static const struct rda_nic nothing;
	const struct rda_host *host = report ? rda_result_host(report->result, index) : &nobody;

	rda_describe_host(record, host,
			  report ? rda_result_nic(report->result, host->index) : &nothing);
}

static unsigned connection_count(const struct rda_report *report)
{
	return rda_result_connection_count(report->result);
}

static void describe_connection(struct rda_record *record, const struct rda_report *report,
				unsigned index)
{
	static const struct rda_connection_facts nothing = {.flows = {-1, -1}};

	if (report)
		rda_describe_connection(record, report->result,
					rda_result_connection(report->result, index));
	else
		rda_describe_connection(record, NULL, &nothing);
}

static bool is_chosen(const struct rda_report *report, unsigned index)
{
	return !report->connections || report->connections[index];
}

static unsigned conversation_count(const struct rda_report *report)
{
	return rda_result_conversation_count(report->result);
}

static bool is_unconnected(const struct rda_report *report, unsigned index)
{
	return rda_describe_is_unconnected(rda_result_conversation(report->result, index));
}

static void describe_conversation(struct rda_record *record, const struct rda_report *report,
				  unsigned index)
{
	static const struct rda_conversation nothing;

	rda_describe_conversation(record, report ? rda_result_conversation(report->result, index)
						 : &nothing);
}

static unsigned finding_count(const struct rda_report *report)
{
	return rda_result_finding_count(report->result);
}

static void describe_finding(struct rda_record *record, const struct rda_report *report,
			     unsigned index)
{
	static const struct rda_finding nothing;

	if (report)
		rda_describe_finding(record, report->result,
				     rda_result_finding(report->result, index));
	else
		rda_describe_finding(record, NULL, &nothing);
}

static unsigned slow_message_count(const struct rda_report *report)
{
	return rda_result_slow_message_count(report->result);
}

static void describe_slow_message(struct rda_record *record, const struct rda_report *report,
				  unsigned index)
{
	static const struct rda_slow_facts nothing;

	if (report)
		rda_describe_slow_message(record, report->result,
					  rda_result_slow_message(report->result, index));
	else
		rda_describe_slow_message(record, NULL, &nothing);
}

static unsigned key_count(const struct rda_report *report)
{
	return rda_result_key_count(report->result);
}

static void describe_key(struct rda_record *record, const struct rda_report *report, unsigned index)
{
	static const struct rda_key_facts nothing;

	if (report)
		rda_describe_key(record, report->result, rda_result_key(report->result, index));
	else
		rda_describe_key(record, NULL, &nothing);
}

static unsigned ulp_count(const struct rda_report *report)
{
	return rda_result_ulp_count(report->result);
}

static void describe_ulp(struct rda_record *record, const struct rda_report *report, unsigned index)
{
	static const struct rda_ulp_facts nothing;

	rda_describe_ulp(record, report ? rda_result_ulp(report->result, index) : &nothing);
}

static unsigned slow_command_count(const struct rda_report *report)
{
	return rda_result_slow_command_count(report->result);
}

static void describe_slow_command(struct rda_record *record, const struct rda_report *report,
				  unsigned index)
{
	static const struct rda_ulp_slow nothing;

	rda_describe_slow_command(record, report ? rda_result_slow_command(report->result, index)
						 : &nothing);
}

static const struct kind kinds[] = {
	{"captures", "capture", capture_count, describe_capture, NULL, false},
	{"hosts", "host", host_count, describe_host, NULL, false},
	{"connections", "connection", connection_count, describe_connection, is_chosen, false},
	{"conversations", "conversation", conversation_count, describe_conversation, is_unconnected,
	 false},
	{"upper_layers", "upper_layer", ulp_count, describe_ulp, NULL, true},
	{"memory_keys", "memory_key", key_count, describe_key, NULL, false},
	{"findings", "finding", finding_count, describe_finding, NULL, false},
	{"slowest_messages", "slow_message", slow_message_count, describe_slow_message, NULL,
	 false},
	{"slowest_commands", "slow_command", slow_command_count, describe_slow_command, NULL, true},
};

static bool is_told(const struct kind *kind, const struct rda_report *report, unsigned index)
{
	return !kind->is_told || kind->is_told(report, index);
}

static bool print_list(struct rda_output *out, const struct rda_report *report,
		       const struct kind *kind)
{
	unsigned count = kind->count(report), left = report->most ? report->most : UINT_MAX;
	bool any = false;

	if (!count && kind->absent_if_empty)
		return true;
	rda_print(out, ",\n  \"%s\": [", kind->list);
	for (unsigned i = 0; i < count && left > 0; i++) {
		struct rda_record record;

		if (!is_told(kind, report, i))
			continue;
		left--;
		rda_print(out, "%s\n    ", any ? "," : "");
		any = true;
		rda_record_init(&record, out->text);
		kind->describe(&record, report, i);
		rda_record_end(&record);
		if (!rda_output_more(out))
			return false;
	}
	rda_print(out, "%s]", any ? "\n  " : "");
	return true;
}

/* How many records of each kind there are, where not all are told. */
static void print_counts(struct rda_output *out, const struct rda_report *report)
{
	struct rda_report whole = *report;

	whole.connections = NULL;
	rda_print(out, ",\n  \"counts\": {");
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
		unsigned count = 0;

		for (unsigned index = 0; index < kinds[i].count(&whole); index++)
			count += is_told(&kinds[i], &whole, index);
		rda_print(out, "%s\"%s\": %u", i ? ", " : "", kinds[i].list, count);
	}
	rda_print(out, "}");
}

void rda_report_json(struct rda_output *out, const struct rda_report *report)
{
	rda_print(out, "{\n  \"schema\": \"" RDA_SCHEMA "\"");
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!print_list(out, report, &kinds[i]))
			return;
	if (report->most)
		print_counts(out, report);
	rda_print(out, "\n}\n");
}

void rda_report_each(const struct rda_report *report, rda_take_record *take, void *context)
{
	for (unsigned kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
		for (unsigned i = 0, told = 0; i < kinds[kind].count(report); i++) {
			struct rda_record record;

			if (!is_told(&kinds[kind], report, i))
				continue;
			rda_record_init_tree(&record);
			kinds[kind].describe(&record, report, i);
			take(context, kinds[kind].list, told++, record.object[0]);
			json_object_put(record.object[0]);
		}
}

json_object *rda_report_shape(void)
{
	json_object *shape = json_object_new_object();

	for (unsigned kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
		json_object *list = json_object_new_array();
		struct rda_record record;

		rda_record_init_shape(&record);
		kinds[kind].describe(&record, NULL, 0);
		json_object_array_add(list, record.object[0]);
		json_object_object_add(shape, kinds[kind].list, list);
	}
	return shape;
}

void rda_report_ndjson(struct rda_output *out, const struct rda_report *report)
{
	for (unsigned kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
		for (unsigned i = 0; i < kinds[kind].count(report); i++) {
			struct rda_record record;

			if (!is_told(&kinds[kind], report, i))
				continue;
			rda_record_init(&record, out->text);
			rda_record_text(&record, "record", kinds[kind].record);
			kinds[kind].describe(&record, report, i);
			rda_record_end(&record);
			rda_print(out, "\n");
			if (!rda_output_more(out))
				return;
		}
}

static void print_flow(struct rda_output *out, const struct rda_result *result,
		       const struct rda_connection_facts *connection, unsigned flow, bool names)
{
	struct rda_record record;

	rda_record_init_csv(&record, out->text, names);
	rda_describe_flow_line(&record, result, connection, flow);
	rda_record_end(&record);
}

void rda_report_csv(struct rda_output *out, const struct rda_report *report)
{
	static const struct rda_connection_facts empty;

	print_flow(out, NULL, &empty, 0, true);
	for (unsigned i = 0; i < connection_count(report); i++)
		for (unsigned flow = 0; flow < 2; flow++) {
			print_flow(out, report->result, rda_result_connection(report->result, i),
				   flow, false);
			if (!rda_output_more(out))
				return;
		}
}
