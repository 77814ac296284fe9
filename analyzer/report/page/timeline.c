/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets become points and sums. See timeline.h; describe_timeline.c tells them.
 */
#include "analyzer/report/page/timeline_state.h"

#include "analyzer/base/psn.h"
#include "analyzer/engine/fpdus.h"
#include "dissectors/icrc.h"

#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

static void find_times(struct rda_timelines *t)
{
	int64_t last = INT64_MIN;

	t->begin_ns = INT64_MAX;
	for (unsigned i = 0; i < rda_result_capture_count(t->report->result); i++) {
		const struct rda_capture *capture = rda_result_capture(t->report->result, i);

		if (!capture->packets)
			continue;
		t->begin_ns = MIN(t->begin_ns, capture->first_time_ns);
		last = MAX(last, capture->last_time_ns);
	}
	if (t->begin_ns > last)
		t->begin_ns = last = 0;
	t->all.slot_ns = (last - t->begin_ns) / RDA_TIMELINE_SLOTS_MOST + 1;
}

static uint64_t packets_of(const struct rda_result *result,
			   const struct rda_connection_facts *connection)
{
	uint64_t packets = 0;

	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);

		packets += flow ? flow->packets : 0;
	}
	return packets;
}

/* Kinds of points that are thinned: each keeps up to 4 of a slot. */
static unsigned common_kinds(const struct rda_result *result,
			     const struct rda_connection_facts *connection)
{
	unsigned kinds = 0;

	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);

		if (!flow)
			continue;
		kinds += flow->request_packets > 0;
		kinds += flow->acks > 0;
		kinds += flow->response_packets > flow->acks;
	}
	return MAX(kinds, 1);
}

/* Its points may be as large a share of all points as its packets are of all packets. */
static void begin_connection(struct rda_timelines *t, struct rda_timeline *line, uint64_t all,
			     unsigned slots)
{
	const struct rda_connection_facts *connection = line->connection;
	const struct rda_connection_times times =
		rda_result_connection_times(t->report->result, connection);
	int64_t span = times.last_ns - times.first_ns;
	uint64_t share = RDA_TIMELINE_POINTS;

	line->begin_ns = times.first_ns - t->begin_ns;
	line->packets = packets_of(t->report->result, connection);
	if (all > RDA_TIMELINE_POINTS)
		share = MAX((uint64_t)((double)line->packets * RDA_TIMELINE_POINTS / (double)all),
			    16);
	if (line->packets > share) {
		share /= common_kinds(t->report->result, connection) * 4;
		line->point_slot_ns = span / (int64_t)MAX(share, 1) + 1;
	}
	line->slot_ns = span / slots + 1;
	line->slots = (unsigned)(span / line->slot_ns) + 1;
	for (unsigned i = 0; i < 2; i++) {
		struct rda_timeline_flow *flow = &line->flows[i];

		for (unsigned mark = 0; mark < RDA_MARK_COUNT; mark++)
			flow->marks[mark].slot_ns =
				rda_mark_is_common(mark) ? line->point_slot_ns : 0;
		flow->latency.slot_ns = line->slot_ns * RDA_TIMELINE_LATENCY_SLOTS;
		flow->points = g_array_new(FALSE, FALSE, sizeof(struct rda_point));
		flow->latencies = g_array_new(FALSE, FALSE, sizeof(struct rda_point));
		flow->sums = g_new0(struct rda_timeline_sum, line->slots);
		rda_time_slots_init(&flow->times, times.first_ns,
				    line->slot_ns * RDA_TIMELINE_TIME_SLOTS,
				    (line->slots - 1) / RDA_TIMELINE_TIME_SLOTS + 1);
	}
}

struct rda_timelines *rda_timelines_new(const struct rda_report *report, const bool *told)
{
	struct rda_timelines *t = g_new0(struct rda_timelines, 1);
	unsigned count = rda_result_connection_count(report->result), lines = 0;
	uint64_t packets = 0;

	t->report = report;
	t->names = g_ptr_array_new();
	t->name_index = g_hash_table_new(g_str_hash, g_str_equal);
	t->line_of = g_new0(struct rda_timeline *, MAX(count, 1));
	t->count = count;
	find_times(t);
	t->all.sums = g_new0(struct rda_timeline_total, RDA_TIMELINE_SLOTS_MOST + 1);
	for (unsigned id = 0; id < count; id++) {
		if (!told[id])
			continue;
		lines++;
		packets += packets_of(report->result, rda_result_connection(report->result, id));
	}
	for (unsigned id = 0; id < count; id++) {
		if (!told[id])
			continue;
		t->line_of[id] = g_new0(struct rda_timeline, 1);
		t->line_of[id]->connection = rda_result_connection(report->result, id);
		begin_connection(t, t->line_of[id], packets,
				 CLAMP(RDA_TIMELINE_SLOTS / lines, RDA_TIMELINE_SLOTS_LEAST,
				       RDA_TIMELINE_SLOTS_MOST));
	}
	return t;
}

void rda_timelines_free(struct rda_timelines *t)
{
	for (unsigned id = 0; id < t->count; id++) {
		struct rda_timeline *line = t->line_of[id];

		for (unsigned i = 0; line && i < 2; i++) {
			g_array_free(line->flows[i].points, TRUE);
			g_array_free(line->flows[i].latencies, TRUE);
			g_free(line->flows[i].sums);
			rda_time_slots_cleanup(&line->flows[i].times);
		}
		g_free(line);
	}
	g_free(t->line_of);
	g_free(t->all.sums);
	g_ptr_array_free(t->names, TRUE);
	g_hash_table_destroy(t->name_index);
	g_free(t);
}

/* ---- points ---------------------------------------------------------------------------------- */

static uint16_t name_index(struct rda_timelines *t, const char *name)
{
	void *index;

	if (g_hash_table_lookup_extended(t->name_index, name, NULL, &index))
		return (uint16_t)GPOINTER_TO_UINT(index);
	g_hash_table_insert(t->name_index, (char *)name, GUINT_TO_POINTER(t->names->len));
	g_ptr_array_add(t->names, (char *)name);
	return (uint16_t)(t->names->len - 1);
}

static void add_point(struct rda_timelines *t, struct rda_timeline *line, unsigned asker,
		      const struct rda_point *point)
{
	struct rda_thin *thin = &line->flows[asker].marks[point->mark];

	if (!rda_mark_is_common(point->mark) && ++t->rare > RDA_TIMELINE_RARE_POINTS)
		thin->slot_ns = line->slot_ns;
	line->points++;
	rda_thin_add(thin, point, line->flows[asker].points);
}

static void add_latency(struct rda_timeline *line, unsigned asker, struct rda_point point,
			uint8_t message, int64_t latency_ns)
{
	struct rda_timeline_flow *flow = &line->flows[asker];

	if (latency_ns < 0)
		return;
	point.mark = message;
	point.y = latency_ns;
	rda_thin_add(&flow->latency, &point, flow->latencies);
}

/* Losses that the packet let notice, and messages that it completed. */
static void add_events(struct rda_timelines *t, struct rda_timeline *line, unsigned asker,
		       const struct rda_sight *sight, struct rda_point point)
{
	const struct rda_flow_facts *flow =
		rda_result_flow(t->report->result, line->connection, asker);

	for (unsigned i = 0; i < sight->event_count; i++) {
		const struct rda_event *event = &sight->events[i];
		enum rda_mark mark = rda_mark_of_event(event);

		if (event->kind == RDA_EVENT_MESSAGE_DONE) {
			point.about = event->other_frame;
			add_latency(line, asker, point, event->message, event->wait_ns);
		}
		if (mark == RDA_MARK_NONE || !flow)
			continue;
		point.mark = (uint8_t)mark;
		point.y = event->psn - rda_psn_first(flow->first_psn);
		point.size = (uint32_t)MAX(event->count, 1);
		point.about = event->other_frame;
		add_point(t, line, asker, &point);
	}
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_flight(struct rda_timeline_sum *sum, const struct rda_trace *trace)
{
	if (trace->flight_known) {
		if (!sum->flight_known || trace->psns_in_flight < sum->psns_least)
			sum->psns_least = trace->psns_in_flight;
		sum->psns_last = trace->psns_in_flight;
		sum->psns_most = MAX(sum->psns_most, trace->psns_in_flight);
		sum->bytes_most = MAX(sum->bytes_most, trace->bytes_in_flight);
		sum->flight_known = true;
	}
	if (trace->reads_known)
		sum->reads_most = MAX(sum->reads_most, trace->reads_outstanding);
}

static struct rda_timeline_sum *sum_at(const struct rda_timeline *line, unsigned flow,
				       int64_t time_ns)
{
	int64_t slot = (time_ns - line->begin_ns) / line->slot_ns;

	return &line->flows[flow].sums[CLAMP(slot, 0, (int64_t)line->slots - 1)];
}

static struct rda_timeline_total *total_at(const struct rda_timelines *t, int64_t time_ns)
{
	int64_t slot = time_ns / t->all.slot_ns;

	return &t->all.sums[CLAMP(slot, 0, RDA_TIMELINE_SLOTS_MOST)];
}

/* ---- a packet, an FPDU ----------------------------------------------------------------------- */

static bool is_first_time(const struct rda_trace *trace)
{
	return !trace->retransmission_of && trace->standing != RDA_STANDING_MIRRORED;
}

static void take_packet(struct rda_timelines *t, struct rda_timeline *line,
			const struct rda_sight *sight, struct rda_point point)
{
	const struct rda_packet *packet = sight->packet;
	const struct rda_trace *trace = &sight->trace;
	unsigned flow = (unsigned)sight->verdict.flow;
	bool asks = !(packet->opcode->roles & (RDA_ROLE_RESPONSE | RDA_ROLE_CNP));
	unsigned asker = asks ? flow : 1 - flow;
	struct rda_timeline_sum *sum = sum_at(line, flow, point.time_ns);
	int64_t *latest = &line->flows[asker].latest;

	if (trace->relative_known && !(packet->opcode->roles & RDA_ROLE_CNP))
		*latest = trace->relative_psn;
	point.y = *latest; /* a CNP has no PSN: it stands at the latest */
	point.name = name_index(t, packet->opcode->name);
	point.about = asks ? trace->retransmission_of : trace->answers;
	point.trigger = trace->trigger;
	point.size = packet->payload_known ? packet->payload_length : 0;
	sum->bytes += sight->frame->wire;
	if (is_first_time(trace))
		sum->good_bytes += point.size;
	add_flight(sum_at(line, asker, point.time_ns), trace);
	add_events(t, line, asker, sight, point);
	if (point.mark != RDA_MARK_NONE)
		add_point(t, line, asker, &point);
	if (rda_ip4_is_marked(sight->frame, packet)) {
		point.mark = RDA_MARK_CE;
		add_point(t, line, asker, &point);
	}
}

/* iWARP has no PSNs: its marks stand at the bytes that the side had sent. */
static void take_fpdu(struct rda_timelines *t, struct rda_timeline *line,
		      const struct rda_sight *sight, struct rda_point point)
{
	const struct rda_fpdu_told *told = sight->fpdu;
	unsigned flow = (unsigned)sight->verdict.flow;
	struct rda_timeline_sum *sum = sum_at(line, flow, point.time_ns);

	point.size =
		told->is_start ? told->start.private_data_length : told->fpdu.ulpdu.payload_length;
	line->flows[flow].latest += point.size;
	point.y = line->flows[flow].latest;
	point.name = name_index(t, rda_describe_fpdu_name(told));
	sum->bytes += point.size;
	sum->good_bytes += point.size;
	add_point(t, line, flow, &point);
	if (told->done)
		add_latency(line, 1 - flow, point, told->done_kind, told->latency_ns);
	total_at(t, point.time_ns)->bytes += point.size;
}

void rda_timelines_sight(struct rda_timelines *t, const struct rda_sight *sight)
{
	int32_t id = sight->verdict.connection;
	struct rda_timeline *line = id >= 0 ? t->line_of[id] : NULL;
	struct rda_point point = {
		.time_ns = sight->meta->time_ns - t->begin_ns,
		.place = rda_place_id(sight->input, sight->meta->number),
		.trigger = RDA_TRIGGER_NONE,
		.mark = RDA_MARK_NONE,
	};

	if (!sight->fpdu && sight->packet->carrier == RDA_CARRIER_NONE) {
		if (rda_sight_is_pause(sight))
			total_at(t, point.time_ns)->pauses++;
		return;
	}
	if (!sight->fpdu)
		total_at(t, point.time_ns)->bytes += sight->frame->wire;
	if (!line || sight->verdict.flow < 0)
		return;
	point.mark = (uint8_t)rda_mark_of(sight);
	if (sight->fpdu)
		take_fpdu(t, line, sight, point);
	else if (rda_has(sight->packet, BTH))
		take_packet(t, line, sight, point);
}

void rda_timelines_time(struct rda_timelines *t, const struct rda_time_sight *time)
{
	struct rda_timeline *line = t->line_of[time->connection];

	if (line)
		rda_time_slots_add(&line->flows[time->side].times, time);
}
