/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reports for machines: one JSON document, one JSON object a line, or CSV. Each record is
 * written as soon as it is made, so that their number costs no memory.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/describe.h"

/* The records of one kind: how many, and how to tell the one of an index. */
struct kind {
	const char *list;   /* "connections", the member of the document */
	const char *record; /* "connection", what it is called in NDJSON */
	unsigned (*count)(const struct rda_run *run);
	void (*describe)(struct rda_record *record, const struct rda_run *run, unsigned index);
	bool (*is_told)(const struct rda_run *run, unsigned index); /* NULL: all are */
};

static unsigned capture_count(const struct rda_run *run)
{
	return rda_run_input_count(run);
}

static void describe_capture(struct rda_record *record, const struct rda_run *run, unsigned index)
{
	rda_describe_capture(record, rda_engine_capture(run->engine, index),
			     rda_run_input(run, index));
}

static unsigned host_count(const struct rda_run *run)
{
	return rda_engine_host_count(run->engine);
}

static void describe_host(struct rda_record *record, const struct rda_run *run, unsigned index)
{
	rda_describe_host(record, rda_engine_host(run->engine, index));
}

static unsigned connection_count(const struct rda_run *run)
{
	return rda_engine_connection_count(run->engine);
}

static void describe_connection(struct rda_record *record, const struct rda_run *run,
				unsigned index)
{
	rda_describe_connection(record, rda_engine_connection(run->engine, index));
}

static unsigned conversation_count(const struct rda_run *run)
{
	return rda_engine_conversation_count(run->engine);
}

static bool is_unconnected(const struct rda_run *run, unsigned index)
{
	return rda_is_unconnected(rda_engine_conversation(run->engine, index));
}

static void describe_conversation(struct rda_record *record, const struct rda_run *run,
				  unsigned index)
{
	rda_describe_conversation(record, rda_engine_conversation(run->engine, index));
}

static unsigned finding_count(const struct rda_run *run)
{
	return rda_engine_finding_count(run->engine);
}

static void describe_finding(struct rda_record *record, const struct rda_run *run, unsigned index)
{
	rda_describe_finding(record, run->engine, rda_engine_finding(run->engine, index));
}

static unsigned slow_message_count(const struct rda_run *run)
{
	return rda_engine_slow_message_count(run->engine);
}

static void describe_slow_message(struct rda_record *record, const struct rda_run *run,
				  unsigned index)
{
	rda_describe_slow_message(record, rda_engine_slow_message(run->engine, index));
}

static unsigned key_count(const struct rda_run *run)
{
	return rda_engine_key_count(run->engine);
}

static void describe_key(struct rda_record *record, const struct rda_run *run, unsigned index)
{
	rda_describe_key(record, run->engine, rda_engine_key(run->engine, index));
}

static const struct kind kinds[] = {
	{"captures", "capture", capture_count, describe_capture, NULL},
	{"hosts", "host", host_count, describe_host, NULL},
	{"connections", "connection", connection_count, describe_connection, NULL},
	{"conversations", "conversation", conversation_count, describe_conversation,
	 is_unconnected},
	{"memory_keys", "memory_key", key_count, describe_key, NULL},
	{"findings", "finding", finding_count, describe_finding, NULL},
	{"slowest_messages", "slow_message", slow_message_count, describe_slow_message, NULL},
};

static bool is_told(const struct kind *kind, const struct rda_run *run, unsigned index)
{
	return !kind->is_told || kind->is_told(run, index);
}

static bool print_list(struct rda_output *out, const struct rda_run *run, const struct kind *kind)
{
	unsigned count = kind->count(run);
	bool any = false;

	rda_print(out, ",\n  \"%s\": [", kind->list);
	for (unsigned i = 0; i < count; i++) {
		struct rda_record record;

		if (!is_told(kind, run, i))
			continue;
		rda_print(out, "%s\n    ", any ? "," : "");
		any = true;
		rda_record_init(&record);
		kind->describe(&record, run, i);
		rda_record_json(&record, out->text);
		if (!rda_output_more(out))
			return false;
	}
	rda_print(out, "%s]", any ? "\n  " : "");
	return true;
}

void rda_report_json(struct rda_output *out, const struct rda_run *run)
{
	rda_print(out, "{\n  \"schema\": \"" RDA_SCHEMA "\"");
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!print_list(out, run, &kinds[i]))
			return;
	rda_print(out, "\n}\n");
}

void rda_report_ndjson(struct rda_output *out, const struct rda_run *run)
{
	for (unsigned kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
		for (unsigned i = 0; i < kinds[kind].count(run); i++) {
			struct rda_record record;

			if (!is_told(&kinds[kind], run, i))
				continue;
			rda_record_init(&record);
			rda_record_text(&record, "record", kinds[kind].record);
			kinds[kind].describe(&record, run, i);
			rda_record_json(&record, out->text);
			rda_print(out, "\n");
			if (!rda_output_more(out))
				return;
		}
}

static void print_flow(struct rda_output *out, const struct rda_connection *connection,
		       unsigned flow, bool names)
{
	struct rda_record record;

	rda_record_init_csv(&record, out->text, names);
	rda_describe_flow_line(&record, connection, flow);
	rda_record_end_line(&record);
}

void rda_report_csv(struct rda_output *out, const struct rda_run *run)
{
	static const struct rda_connection empty;

	print_flow(out, &empty, 0, true);
	for (unsigned i = 0; i < connection_count(run); i++)
		for (unsigned flow = 0; flow < 2; flow++) {
			print_flow(out, rda_engine_connection(run->engine, i), flow, false);
			if (!rda_output_more(out))
				return;
		}
}
