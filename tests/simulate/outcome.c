/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Through the program's own records (describe.h), so that nothing that a user can see is left out.
 */
#include "tests/simulate/outcome.h"

#include "analyzer/report/describe.h"
#include "dissectors/link.h"
#include "tests/simulate/differ.h"
#include "tests/simulate/hold.h"

#include <glib.h>

/* What is being read. */
struct reading {
	struct rda_engine *engine;
	const struct rda_result *result; /* once all was read */
	const struct sim_capture *capture;
	uint32_t begin, end, split;
};

/* From 1 over all; 0 of no frame. */
static uint64_t frame_of(const struct reading *reading, uint64_t place)
{
	uint64_t number = rda_place_number(place);

	return rda_place_capture(place) ? number + reading->split - reading->begin : number;
}

static struct rda_frame bytes_of(const struct sim_capture *capture, uint32_t i)
{
	const struct sim_frame *f = &capture->frames[i];

	return (struct rda_frame){capture->store + f->offset, f->captured, f->wire,
				  RDA_LINK_ETHERNET};
}

static struct rda_meta meta_of(const struct reading *reading, uint32_t i)
{
	uint32_t from = i < reading->split ? reading->begin : reading->split;

	return (struct rda_meta){.time_ns = reading->capture->frames[i].time_ns,
				 .number = i - from + 1};
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* FNV-1a over what they are; their frames are in the findings. */
static uint64_t number_of(const struct rda_event *events, unsigned count)
{
	uint64_t number = UINT64_C(0xcbf29ce484222325);

	for (unsigned i = 0; i < count; i++) {
		const uint64_t members[] = {events[i].kind, events[i].trigger, events[i].count,
					    (uint64_t)events[i].wait_ns};

		for (unsigned k = 0; k < G_N_ELEMENTS(members); k++)
			number = (number ^ members[k]) * UINT64_C(0x100000001b3);
	}
	return number;
}

static void read_frames(const struct reading *reading, struct sim_outcome *outcome)
{
	for (uint32_t i = reading->begin; i < reading->end; i++) {
		const struct rda_frame frame = bytes_of(reading->capture, i);
		const struct rda_meta meta = meta_of(reading, i);
		const struct rda_event *events;
		struct rda_trace trace;
		unsigned count;

		if (i == reading->begin || i == reading->split)
			rda_engine_begin_capture(reading->engine);
		rda_engine_packet(reading->engine, &meta, &frame);
		trace = rda_engine_trace(reading->engine);
		events = rda_engine_events(reading->engine, &count);
		outcome->frames[i - reading->begin] = (struct sim_told){
			.relative_known = trace.relative_known,
			.relative_psn = trace.relative_psn,
			.retransmission_of = frame_of(reading, trace.retransmission_of),
			.answers = frame_of(reading, trace.answers),
			.cause = frame_of(reading, trace.cause),
			.message_frame = frame_of(reading, trace.message_frame),
			.trace = trace,
			.events = number_of(events, count),
		};
	}
}

/* What is known of them at the end. */
static void read_verdicts(const struct reading *reading, struct sim_outcome *outcome)
{
	for (uint32_t i = reading->begin; i < reading->end; i++) {
		const struct rda_frame frame = bytes_of(reading->capture, i);
		const struct rda_meta meta = meta_of(reading, i);
		struct sim_told *told = &outcome->frames[i - reading->begin];
		struct rda_packet packet;
		struct rda_verdict verdict;

		rda_dissect(&packet, &frame, NULL);
		verdict = rda_engine_verdict(reading->engine, i >= reading->split, &meta, &frame,
					     &packet);
		told->icrc = verdict.icrc;
		told->connection = verdict.connection;
		told->flow = verdict.flow;
	}
}

/* ---- the report ------------------------------------------------------------------------------ */

static json_object *hosts_of(const struct rda_result *result)
{
	json_object *list = json_object_new_array();

	for (unsigned i = 0; i < rda_result_host_count(result); i++) {
		const struct rda_host *host = rda_result_host(result, i);
		struct rda_record record;

		rda_record_init_tree(&record);
		rda_describe_host(&record, host, rda_result_nic(result, host->index),
				  rda_result_host_time(result, host->index));
		json_object_array_add(list, record.object[0]);
	}
	return list;
}

static void describe_account(struct rda_record *record, const struct rda_flow *flow)
{
	struct sim_found found;

	if (!sim_take(&found, flow)) {
		rda_record_null(record, NULL);
		return;
	}
	rda_record_open(record, NULL);
#define SIM_Q(name, where) rda_record_number(record, #name, found.name);
	SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
	rda_record_close(record);
}

/* The program counts frames in each file. */
static void count_over_all(json_object *moment, const void *reading)
{
	uint64_t place = rda_place_id((uint32_t)sim_number(moment, "file", 0),
				      (uint64_t)sim_number(moment, "frame", 0));

	json_object_object_del(moment, "file");
	json_object_object_add(moment, "frame",
			       json_object_new_int64((int64_t)frame_of(reading, place)));
}

static json_object *connections_of(const struct reading *reading)
{
	const struct rda_engine *engine = reading->engine;
	json_object *list = json_object_new_array();

	for (unsigned i = 0; i < rda_engine_connection_count(engine); i++) {
		const struct rda_connection *connection = rda_engine_connection(engine, i);
		struct rda_record record;

		rda_record_init_tree(&record);
		rda_describe_connection(&record, reading->result,
					rda_result_connection(reading->result, i));
		sim_each_moment(record.object[0], count_over_all, reading);
		rda_record_open_list(&record, "accounts");
		for (unsigned side = 0; side < 2; side++)
			describe_account(&record, connection->flows[side]);
		rda_record_close(&record);
		json_object_array_add(list, record.object[0]);
	}
	return list;
}

static json_object *conversations_of(const struct reading *reading)
{
	json_object *list = json_object_new_array();

	for (unsigned i = 0; i < rda_result_conversation_count(reading->result); i++) {
		const struct rda_conversation *told = rda_result_conversation(reading->result, i);
		struct rda_record record;

		if (!rda_describe_is_unconnected(told))
			continue;
		rda_record_init_tree(&record);
		rda_describe_conversation(&record, told);
		sim_each_moment(record.object[0], count_over_all, reading);
		json_object_array_add(list, record.object[0]);
	}
	return list;
}

/* Takes the place of a member: "frames" of the program are of one file each. */
static void put_frames(json_object *record, const struct reading *reading,
		       const struct rda_finding *finding)
{
	json_object *frames = json_object_new_array();

	for (unsigned i = 0; i < finding->place_count; i++)
		json_object_array_add(frames, json_object_new_int64((int64_t)frame_of(
						      reading, finding->places[i])));
	json_object_object_del(record, "file");
	json_object_object_add(record, "frames", frames);
}

static json_object *findings_of(const struct reading *reading)
{
	json_object *list = json_object_new_array();

	for (unsigned i = 0; i < rda_result_finding_count(reading->result); i++) {
		const struct rda_finding *finding = rda_result_finding(reading->result, i);
		const struct rda_subject *subject = &finding->key.subject;
		struct rda_record record, host;

		rda_record_init_tree(&record);
		rda_describe_finding(&record, reading->result, finding);
		put_frames(record.object[0], reading, finding);
		rda_record_flag(&record, "of_capture", subject->kind == RDA_SUBJECT_CAPTURE);
		if (subject->kind == RDA_SUBJECT_HOST) {
			rda_record_init_tree(&host);
			rda_describe_host(&host,
					  rda_result_host_of_index(reading->result, subject->index),
					  rda_result_nic(reading->result, subject->index),
					  rda_result_host_time(reading->result, subject->index));
			json_object_object_add(
				record.object[0], "host",
				json_object_get(json_object_object_get(host.object[0], "address")));
			json_object_put(host.object[0]);
		}
		json_object_array_add(list, record.object[0]);
	}
	return list;
}

static json_object *keys_of(const struct reading *reading)
{
	json_object *list = json_object_new_array();

	for (unsigned i = 0; i < rda_result_key_count(reading->result); i++) {
		const struct rda_key_facts *key = rda_result_key(reading->result, i);
		struct rda_record record;

		rda_record_init_tree(&record);
		rda_describe_key(&record, reading->result, key);
		json_object_object_del(record.object[0], "invalidated_at_frame");
		rda_record_number(&record, "invalidated_at_frame",
				  frame_of(reading, rda_key_troubles(key)->invalidated_place));
		json_object_array_add(list, record.object[0]);
	}
	return list;
}

static json_object *slowest_of(const struct reading *reading)
{
	json_object *list = json_object_new_array();

	for (unsigned i = 0; i < rda_result_slow_message_count(reading->result); i++) {
		const struct rda_slow_facts *slow = rda_result_slow_message(reading->result, i);
		struct rda_record record;

		rda_record_init_tree(&record);
		rda_describe_slow_message(&record, reading->result, slow);
		for (unsigned k = 0; k < 4; k++)
			json_object_object_del(
				record.object[0],
				((const char *[]){"file", "frame", "done_file", "done_frame"})[k]);
		rda_record_number(&record, "frame", frame_of(reading, slow->exchange.first_frame));
		rda_record_number(&record, "done_frame",
				  frame_of(reading, slow->exchange.last_frame));
		json_object_array_add(list, record.object[0]);
	}
	return list;
}

/* Cases by check. */
static json_object *cases_of(const struct rda_result *result,
			     uint64_t (*cases)(const struct rda_result *, enum rda_check))
{
	struct rda_record record;

	rda_record_init_tree(&record);
	for (unsigned check = 0; check < RDA_CHECK_COUNT; check++)
		if (cases(result, (enum rda_check)check))
			rda_record_number(&record, rda_check_row((enum rda_check)check)->code,
					  cases(result, (enum rda_check)check));
	return record.object[0];
}

static json_object *report_of(const struct reading *reading)
{
	json_object *report = json_object_new_object();

	json_object_object_add(report, "hosts", hosts_of(reading->result));
	json_object_object_add(report, "connections", connections_of(reading));
	json_object_object_add(report, "conversations", conversations_of(reading));
	json_object_object_add(report, "memory_keys", keys_of(reading));
	json_object_object_add(report, "findings", findings_of(reading));
	json_object_object_add(report, "slowest_messages", slowest_of(reading));
	json_object_object_add(report, "withheld", cases_of(reading->result, rda_result_withheld));
	json_object_object_add(report, "lowered", cases_of(reading->result, rda_result_lowered));
	return report;
}

void sim_outcome_read(struct sim_outcome *outcome, const struct sim_capture *capture,
		      uint32_t begin, uint32_t end, uint32_t split)
{
	const struct rda_config config = {.trace = true};
	struct reading reading = {rda_engine_new(&config), NULL, capture, begin, end, split};

	outcome->count = end - begin;
	outcome->frames = g_new0(struct sim_told, outcome->count + 1);
	read_frames(&reading, outcome);
	rda_engine_finish(reading.engine);
	reading.result = rda_engine_finished(reading.engine);
	read_verdicts(&reading, outcome);
	outcome->report = report_of(&reading);
	outcome->copies = 0;
	for (uint32_t i = 0; i < rda_result_flow_count(reading.result); i++)
		outcome->copies +=
			rda_flow_troubles(rda_result_flow_at(reading.result, i))->copies.packets;
	rda_engine_drop(reading.engine);
}

void sim_outcome_cleanup(struct sim_outcome *outcome)
{
	json_object_put(outcome->report);
	g_free(outcome->frames);
}
