/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reports for machines: one JSON document, one JSON object a line, or CSV. Each record is
 * written as soon as it is made, so that their number costs no memory.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/describe.h"
#include "analyzer/report/record_kinds.h"

#include <json-c/json.h>
#include <limits.h>

static bool print_list(struct rda_output *out, const struct rda_report *report,
		       const struct rda_record_kind *kind)
{
	unsigned count = kind->count(report), left = report->most ? report->most : UINT_MAX;
	bool any = false;

	if (!count && kind->absent_if_empty)
		return true;
	rda_print(out, ",\n  \"%s\": [", kind->list);
	for (unsigned i = 0; i < count && left > 0; i++) {
		struct rda_record record;

		if (!rda_record_kind_tells(kind, report, i))
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
	for (unsigned i = 0; i < rda_record_kind_count; i++) {
		unsigned count = 0;

		for (unsigned index = 0; index < rda_record_kinds[i].count(&whole); index++)
			count += rda_record_kind_tells(&rda_record_kinds[i], &whole, index);
		rda_print(out, "%s\"%s\": %u", i ? ", " : "", rda_record_kinds[i].list, count);
	}
	rda_print(out, "}");
}

void rda_report_json(struct rda_output *out, const struct rda_report *report)
{
	rda_print(out, "{\n  \"schema\": \"" RDA_SCHEMA "\"");
	for (unsigned i = 0; i < rda_record_kind_count; i++)
		if (!print_list(out, report, &rda_record_kinds[i]))
			return;
	if (report->most)
		print_counts(out, report);
	rda_print(out, "\n}\n");
}

void rda_report_each(const struct rda_report *report, rda_take_record *take, void *context)
{
	for (unsigned kind = 0; kind < rda_record_kind_count; kind++)
		for (unsigned i = 0, told = 0; i < rda_record_kinds[kind].count(report); i++) {
			struct rda_record record;

			if (!rda_record_kind_tells(&rda_record_kinds[kind], report, i))
				continue;
			rda_record_init_tree(&record);
			rda_record_kinds[kind].describe(&record, report, i);
			take(context, rda_record_kinds[kind].list, told++, record.object[0]);
			json_object_put(record.object[0]);
		}
}

json_object *rda_report_shape(void)
{
	json_object *shape = json_object_new_object();

	for (unsigned kind = 0; kind < rda_record_kind_count; kind++) {
		json_object *list = json_object_new_array();
		struct rda_record record;

		rda_record_init_shape(&record);
		rda_record_kinds[kind].describe(&record, NULL, 0);
		json_object_array_add(list, record.object[0]);
		json_object_object_add(shape, rda_record_kinds[kind].list, list);
	}
	return shape;
}

void rda_report_ndjson(struct rda_output *out, const struct rda_report *report)
{
	for (unsigned kind = 0; kind < rda_record_kind_count; kind++)
		for (unsigned i = 0; i < rda_record_kinds[kind].count(report); i++) {
			struct rda_record record;

			if (!rda_record_kind_tells(&rda_record_kinds[kind], report, i))
				continue;
			rda_record_init(&record, out->text);
			rda_record_text(&record, "record", rda_record_kinds[kind].record);
			rda_record_kinds[kind].describe(&record, report, i);
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
	for (unsigned i = 0; i < rda_result_connection_count(report->result); i++)
		for (unsigned flow = 0; flow < 2; flow++) {
			print_flow(out, report->result, rda_result_connection(report->result, i),
				   flow, false);
			if (!rda_output_more(out))
				return;
		}
}
