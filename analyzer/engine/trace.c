/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taken from the trackers when they are through with a packet.
 */
#include "analyzer/engine/trace.h"

#include "analyzer/base/cold.h"
#include "analyzer/engine/state.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/keys/key_ledger.h"
#include "analyzer/track/keys/key_track.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/trail.h"

#include <glib.h>

G_STATIC_ASSERT((int)RDA_STANDING_NEW == (int)RDA_REQUEST_NEW);
G_STATIC_ASSERT((int)RDA_STANDING_RESENT == (int)RDA_REQUEST_RESENT);
G_STATIC_ASSERT((int)RDA_STANDING_REORDERED == (int)RDA_REQUEST_REORDERED);
G_STATIC_ASSERT((int)RDA_STANDING_MIRRORED == (int)RDA_REQUEST_MIRRORED);

const char *rda_standing_name(uint8_t standing)
{
	static const char *const names[] = {
#define RDA_P(ID, name) name,
		RDA_STANDINGS(RDA_P)
#undef RDA_P
			NULL};

	return names[standing];
}

const char *rda_trigger_name(uint8_t trigger)
{
	static const char *const names[] = {
#define RDA_T(ID, name, words) name,
		RDA_TRIGGERS(RDA_T)
#undef RDA_T
			NULL};

	return names[trigger];
}

const char *rda_trace_trigger_words(uint8_t trigger)
{
	static const char *const all[] = {
#define RDA_T(ID, name, words) words,
		RDA_TRIGGERS(RDA_T)
#undef RDA_T
			NULL};

	return all[trigger];
}

void rda_tracer_cleanup(struct rda_tracer *tracer)
{
	g_free(tracer->events);
	g_free(tracer->times.told);
	g_free(tracer->commands);
}

void rda_tracer_begin(struct rda_tracer *tracer, const struct rda_at *at)
{
	tracer->trace = rda_trace_of_none();
	tracer->event_count = 0;
	tracer->times.count = 0;
	tracer->command_count = 0;
	tracer->at = at;
}

void rda_tracer_event(struct rda_tracer *tracer, const struct rda_event *event)
{
	/* what answers has no request's standing of its own */
	if (event->kind == RDA_EVENT_RESPONSE_REORDERED && event->frame == tracer->at->place)
		tracer->trace.standing = tracer->trace.counts_as = RDA_STANDING_REORDERED;
	if (event->kind == RDA_EVENT_RESENT) {
		tracer->trace.trigger = event->trigger;
		tracer->trace.cause = event->cause_frame;
	}
	if (tracer->event_count == tracer->events_allocated) {
		tracer->events_allocated =
			tracer->events_allocated ? tracer->events_allocated * 2 : 8;
		tracer->events =
			g_renew(struct rda_event, tracer->events, tracer->events_allocated);
	}
	tracer->events[tracer->event_count] = *event;
	tracer->events[tracer->event_count++].exchange = NULL; /* of the call only */
}

void rda_tracer_command(struct rda_tracer *tracer, const struct rda_command_told *command)
{
	if (tracer->command_count == tracer->commands_allocated) {
		tracer->commands_allocated = MAX(8, 2 * tracer->commands_allocated);
		tracer->commands = g_renew(struct rda_command_told, tracer->commands,
					   tracer->commands_allocated);
	}
	tracer->commands[tracer->command_count++] = *command;
}

enum rda_standing rda_event_settles(const struct rda_event *event, uint64_t *frame)
{
	*frame = event->other_frame;
	if (event->kind == RDA_EVENT_FILLED)
		return RDA_STANDING_RESENT;
	if (event->kind == RDA_EVENT_REORDERED && event->other_frame)
		return RDA_STANDING_REORDERED;
	if (event->kind == RDA_EVENT_MIRRORED && event->overtaken)
		return RDA_STANDING_MIRRORED;
	return RDA_STANDING_NONE;
}

/* ---- the packet ------------------------------------------------------------------------------ */

/* What filled a hole after a NAK may be late or resent: the next packets tell. What is resent may
 * be late, as long as the order of sending may tell that. */
static bool is_open(const struct rda_at *at)
{
	const struct rda_account *account = at->flow->account;
	const struct rda_sent *sent;

	if (at->kind == RDA_REQUEST_RESENT)
		return rda_account_doubts_resends(account);
	sent = at->kind == RDA_REQUEST_REORDERED ? rda_account_sent(account, at->request->begin)
						 : NULL;
	return sent && sent->filled;
}

/* UC has no account of its requests. */
static bool is_overtaken(const struct rda_at *at)
{
	return rda_flow_rare(at->flow)->overtaken &&
	       rda_flow_rare(at->flow)->overtaken_at == at->flow->request_packets &&
	       at->packet->opcode->roles & RDA_ROLE_REQUEST && !at->copy_of;
}

static void trace_standing(struct rda_trace *trace, const struct rda_at *at)
{
	if (!at->request) {
		if (is_overtaken(at))
			trace->standing = trace->counts_as = RDA_STANDING_REORDERED;
		return;
	}
	trace->counts_as = (uint8_t)at->kind;
	trace->standing = is_open(at) ? RDA_STANDING_NONE : (uint8_t)at->kind;
	if (at->kind == RDA_REQUEST_RESENT && trace->trigger == RDA_TRIGGER_NONE) {
		/* one of the run that came late */
		trace->trigger = (uint8_t)rda_account_run_trigger(at->flow->account);
		trace->cause = rda_account_run(at->flow->account)->cause;
	}
	if (at->kind != RDA_REQUEST_RESENT) {
		trace->trigger = RDA_TRIGGER_NONE; /* of others, which this packet settled */
		trace->cause = 0;
	}
}

/* How many PSNs a READ takes is often known only when it is answered. */
static void take_span(struct rda_trail_packet *packet, const struct rda_flow *asker)
{
	const struct rda_sent *record;

	packet->begin = packet->psn;
	packet->end = packet->psn + 1;
	if (!(packet->roles & RDA_ROLE_READ) || !asker->account)
		return;
	record = rda_account_sent(asker->account, packet->psn);
	if (record && record->roles & RDA_ROLE_READ) {
		packet->begin = record->begin;
		packet->end = record->end;
	}
}

static void trace_message(struct rda_trace *trace, const struct rda_at *at, struct rda_flow *asker,
			  int64_t psn)
{
	struct rda_trail_packet packet = {
		.psn = psn,
		.frame = at->place,
		.roles = at->packet->opcode->roles,
		.payload = at->packet->payload_length,
	};
	const struct rda_trail_message *message;

	take_span(&packet, asker);
	message = rda_trail_packet(&rda_flow_make_rare(asker)->trail, &packet);
	if (!message)
		return;
	trace->message_known = true;
	trace->message = message->number;
	trace->message_frame = message->frame;
	trace->message_bytes = at->packet->payload_known ? rda_trail_bytes(message, &packet) : -1;
}

static uint32_t reads_of(const struct rda_account *account)
{
	const struct rda_pending *waiting;
	uint32_t reads = 0;

	for (uint32_t i = 0; (waiting = rda_account_waiting(account, i)) != NULL; i++)
		reads += waiting->read;
	return reads;
}

/* Of both directions only: else nothing tells what was acknowledged. */
static void trace_flight(struct rda_trace *trace, const struct rda_flow *asker)
{
	const struct rda_progress *progress;

	if (!rda_account_is_whole(asker))
		return;
	progress = rda_account_progress(asker->account);
	trace->flight_known = true;
	trace->psns_in_flight = (uint32_t)(progress->next - progress->acked);
	trace->bytes_in_flight = progress->flight_bytes;
	trace->reads_known = true;
	trace->reads_outstanding = reads_of(asker->account);
}

static void trace_key(struct rda_trace *trace, const struct rda_at *at,
		      const struct rda_key_ledger *ledger)
{
	const struct rda_packet *packet = at->packet;
	const struct rda_memory_key *key;
	uint32_t rkey;

	if (!rda_key_is_named(packet))
		return;
	rkey = rda_has(packet, RETH)	    ? packet->reth.rkey
	       : rda_has(packet, ATOMICETH) ? packet->atomiceth.rkey
					    : packet->ieth.rkey;
	key = rda_key_ledger_find(ledger, at->flow->receiver->index, rkey, at->flow->key.tap);
	if (!key)
		return;
	trace->key_known = true;
	trace->key = key->index;
	for (unsigned use = 0; use < RDA_KEY_USE_COUNT; use++)
		trace->key_uses += key->asked[use];
}

RDA_APART void rda_tracer_packet(struct rda_tracer *tracer, const struct rda_key_ledger *ledger)
{
	const struct rda_at *at = tracer->at;
	struct rda_trace *trace = &tracer->trace;
	uint16_t roles = at->packet->opcode->roles;
	struct rda_flow *asker;
	int64_t psn, first;

	if (!at->flow || at->damaged)
		return;
	asker = roles & RDA_ROLE_REQUEST ? at->flow : at->flow->peer;
	if (!(roles & (RDA_ROLE_REQUEST | RDA_ROLE_RESPONSE)) || !asker || !asker->request_packets)
		return;
	first = rda_psn_first(asker->first_psn);
	psn = rda_psn_widen(rda_ranges_end(&asker->requests, first), at->packet->bth.psn);
	trace->relative_known = true;
	trace->relative_psn = psn - first;
	trace->retransmission_of = at->original;
	trace_standing(trace, at);
	if (!at->copy_of) /* its message has it already */
		trace_message(trace, at, asker, psn);
	trace_flight(trace, asker);
	if (roles & RDA_ROLE_REQUEST)
		trace_key(trace, at, ledger);
}

/* ---- what shells ask of an engine (engine.h) --------------------------------------------------
 */

struct rda_trace rda_engine_trace(const struct rda_engine *engine)
{
	return engine->tracer.trace;
}

const struct rda_event *rda_engine_events(const struct rda_engine *engine, unsigned *count)
{
	*count = engine->tracer.event_count;
	return engine->tracer.events;
}

const struct rda_command_told *rda_engine_commands(const struct rda_engine *engine, unsigned *count)
{
	*count = engine->tracer.command_count;
	return engine->tracer.commands;
}

const struct rda_time_told *rda_engine_times(const struct rda_engine *engine, unsigned *count)
{
	*count = engine->tracer.times.count;
	return engine->tracer.times.told;
}

/* From when to when the time of a flow is told; false: it is not. */
static bool find_span(const struct rda_result *result, const struct rda_flow *flow, int64_t *begin,
		      int64_t *end)
{
	struct rda_verdict found = rda_result_place_of(result, &flow->key);
	const struct rda_connection_facts *connection;
	const struct rda_flow_facts *facts, *back;

	if (found.connection < 0)
		return false;
	connection = rda_result_connection(result, (unsigned)found.connection);
	facts = rda_result_flow(result, connection, (unsigned)found.flow);
	back = rda_result_flow(result, connection, 1 - (unsigned)found.flow);
	if (!facts || !back || !facts->time)
		return false;
	*begin = MIN(facts->first_time_ns, back->first_time_ns);
	*end = MAX(facts->last_time_ns, back->last_time_ns);
	return true;
}

void rda_engine_times_left(struct rda_engine *engine, const struct rda_result *result)
{
	const struct rda_flow *flow;
	int64_t begin, end;

	engine->tracer.times.count = 0;
	for (uint32_t i = 0; i < engine->flows.table.count; i++) {
		flow = engine->flows.table.items[i];
		if (find_span(result, flow, &begin, &end))
			rda_account_log_time_left(flow, begin, end, &engine->tracer.times);
	}
}

const struct rda_flow *rda_engine_flow(const struct rda_engine *engine)
{
	return engine->flow;
}

uint64_t rda_engine_retired(const struct rda_engine *engine)
{
	return engine->retired.connections;
}

bool rda_engine_knows_flow(const struct rda_engine *engine, uint32_t number)
{
	return rda_flows_has(&engine->flows, number);
}

const struct rda_flow *rda_engine_flow_back(const struct rda_engine *engine)
{
	return engine->flow ? rda_flows_back(&engine->flows, engine->flow) : NULL;
}

const struct rda_fpdu_told *rda_engine_fpdus(const struct rda_engine *engine, unsigned *count)
{
	return rda_fpdus_told(&engine->fpdus, count);
}

const struct rda_fpdu_told *rda_engine_fpdus_unfinished(const struct rda_engine *engine,
							unsigned *count)
{
	return rda_fpdus_unfinished(&engine->fpdus, count);
}

const struct rda_fpdu_part *rda_engine_fpdu_parts(const struct rda_engine *engine, unsigned *count)
{
	return rda_fpdus_parts(&engine->fpdus, count);
}

uint32_t rda_engine_key_number(const struct rda_engine *engine, uint32_t index)
{
	return rda_key_ledger_at(engine->key_ledger, index)->id.key;
}
