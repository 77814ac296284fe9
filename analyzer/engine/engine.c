/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One packet's way through the engine: dissect, count for its capture, check its ICRC, and hand it
 * to its half-flow, its hosts and the CM tracker. A packet that is known to be damaged stops at the
 * counters: nothing is learnt from its contents.
 */
#include "analyzer/engine/state.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/congestion/slowing.h"
#include "analyzer/track/roce/reaction.h"
#include "analyzer/track/steps.h"
#include "analyzer/engine/part.h"
#include "analyzer/engine/upper_layers.h"
#include "analyzer/engine/result_state.h"
#include "dissectors/icrc.h"

#include <string.h>

static struct rda_flow *fpdu_flow(void *engine, const struct rda_flow_key *key,
				  const struct rda_meta *meta);
static void take_key_event(void *context, const struct rda_key_event *event);
static void take_event(void *context, const struct rda_event *event);

struct rda_engine *rda_engine_new(const struct rda_config *config)
{
	struct rda_engine *engine = g_new0(struct rda_engine, 1);
	uint64_t seed = config ? config->hash_seed : 0;

	if (config)
		engine->config = *config;
	rda_budget_limits(&engine->config);
	engine->captures = g_array_new(FALSE, TRUE, sizeof(struct rda_capture));
	engine->others = g_array_new(FALSE, TRUE, sizeof(struct rda_others_frames));
	rda_flows_init(&engine->flows, seed);
	rda_table_init(&engine->hosts, sizeof(struct rda_address), sizeof(struct rda_host), seed);
	rda_icrc_ways_init(&engine->icrc, seed);
	engine->cm = rda_cm_track_new(seed);
	engine->exchanges = rda_exchanges_new(seed);
	rda_matcher_init(&engine->matcher, seed);
	engine->copies = rda_copies_new();
	rda_judge_init(&engine->judge, seed);
	rda_judge_weigh_as(&engine->judge, &engine->config);
	engine->key_ledger = rda_key_ledger_new(seed, engine->config.keys_cap);
	engine->judge.key_ledger = engine->key_ledger;
	engine->judge.icrc_ways = &engine->icrc;
	engine->judge.part = engine->config.part;
	if (engine->config.keep_key_events || engine->config.part)
		engine->key_log = rda_key_log_new(engine->config.key_events_cap);
	engine->key_sink = (struct rda_key_sink){take_key_event, engine};
	engine->sink = (struct rda_event_sink){take_event, engine};
	engine->posting = (struct rda_posting){.packet = &engine->packet, .sink = &engine->sink};
	engine->posting.window_cap = engine->config.window_cap;
	rda_upper_layers_init(engine, seed);
	rda_fpdus_init(&engine->fpdus, seed, engine->config.trace, &engine->judge, &engine->slowest,
		       &engine->key_sink, engine->config.count_only ? NULL : &engine->ulps,
		       fpdu_flow, engine);
	rda_iwarp_limit(engine->fpdus.iwarp, engine->config.iwarp_cap, engine->config.held_cap);
	rda_budget_begin(engine);
	return engine;
}

void rda_engine_free(struct rda_engine *engine)
{
	if (!engine)
		return;
	rda_fpdus_cleanup(&engine->fpdus);
	rda_judge_cleanup(&engine->judge, &engine->flows.table);
	rda_key_ledger_free(engine->key_ledger);
	rda_key_log_free(engine->key_log);
	g_array_free(engine->captures, TRUE);
	g_array_free(engine->others, TRUE);
	rda_flows_cleanup(&engine->flows);
	rda_table_cleanup(&engine->hosts, NULL);
	rda_icrc_ways_cleanup(&engine->icrc);
	rda_cm_track_free(engine->cm);
	rda_exchanges_free(engine->exchanges);
	rda_matcher_cleanup(&engine->matcher);
	rda_copies_free(engine->copies);
	rda_holds_free(engine->holds);
	rda_ulps_cleanup(&engine->ulps);
	rda_tracer_cleanup(&engine->tracer);
	g_free(engine);
}

void rda_engine_continue_capture(struct rda_engine *engine)
{
	g_array_set_size(engine->captures, engine->captures->len + 1);
	g_array_set_size(engine->others, engine->captures->len);
	engine->capture =
		&g_array_index(engine->captures, struct rda_capture, engine->captures->len - 1);
	engine->capture->continues = true;
}

void rda_engine_begin_capture(struct rda_engine *engine)
{
	rda_engine_continue_capture(engine);
	engine->capture->continues = false;
	engine->scope = engine->captures->len - 1;
	rda_cm_track_begin(engine->cm, engine->scope);
}

void rda_engine_dropped(struct rda_engine *engine, uint64_t packets)
{
	if (engine->capture)
		engine->capture->dropped += packets;
}

/* What was agreed on a new flow; of iWARP the key has TCP's ports instead of QPNs. */
static void bind_flow(struct rda_engine *engine, struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = NULL;

	if (flow->key.carrier != RDA_CARRIER_IWARP && !flow->key.datagram)
		pair = rda_cm_track_bind(engine->cm, flow);
	flow->path_mtu = pair ? pair->path_mtu : 0;
}

RDA_COLD static void know_flow(struct rda_engine *engine, struct rda_flow *flow)
{
	flow->sender = rda_host_of(&engine->hosts, &flow->key.source);
	flow->receiver = rda_host_of(&engine->hosts, &flow->key.destination);
	rda_copies_follow(flow);
	bind_flow(engine, flow);
	rda_matcher_follow(&engine->matcher, &engine->flows, flow);
	rda_ulps_flow(flow);
	rda_key_track_over(rda_flow_rare(flow)->before, flow->first_place, &engine->key_sink);
}

/* The place of the frame at hand; behind all frames that of `place`. */
static uint64_t place_or_end(const struct rda_engine *engine, uint64_t place)
{
	return engine->place ? engine->place : RDA_KEY_LOG_FLUSHED | place;
}

static struct rda_flow *fpdu_flow(void *context, const struct rda_flow_key *key,
				  const struct rda_meta *meta)
{
	struct rda_engine *engine = context;
	bool made;
	struct rda_flow *flow = rda_flows_of_key(&engine->flows, key, meta,
						 rda_place_id(engine->scope, meta->number), &made);

	if (made) {
		uint64_t place = place_or_end(engine, flow->first_place);

		if (place != flow->first_place)
			rda_flow_make_rare(flow)->known_place = place;
		know_flow(engine, flow);
	}
	return flow;
}

/* A damaged packet makes no flow: NULL then. */
static struct rda_flow *flow_of(struct rda_engine *engine, const struct rda_at *at)
{
	struct rda_flow *flow;
	bool made;

	if (at->damaged)
		return rda_flows_find(&engine->flows, at->meta, at->packet);
	flow = rda_flows_of(&engine->flows, &engine->posting, &made);
	if (made)
		know_flow(engine, flow);
	return flow;
}

/* Somebody is told to slow down: a CNP goes to who sends. */
RDA_APART static void follow_cnp(struct rda_engine *engine, const struct rda_at *at)
{
	if (!at->flow->peer) /* it may come before a response */
		rda_matcher_try_pair(&engine->matcher, &engine->flows, at->flow);
	if (at->flow->peer)
		rda_slowing_notice(at->flow->peer, at->meta->time_ns, at->place);
}

/* Holds requests and responses of a reliable service against each other. */
RDA_INLINE void follow(struct rda_engine *engine, struct rda_at *at,
		       const struct rda_posting *posting, struct rda_request *request)
{
	const struct rda_packet *packet = at->packet;
	struct rda_flow *flow = at->flow;
	int8_t transport = packet->opcode->transport;

	if (engine->config.count_only)
		return;
	if (packet->opcode->roles & RDA_ROLE_CNP)
		follow_cnp(engine, at);
	else
		rda_slowing_packet(flow, at->meta, at->frame, packet);
	if (transport != RDA_TRANSPORT_RC && transport != RDA_TRANSPORT_XRC)
		return;
	if (!flow->in_matcher) {
		flow->in_matcher = true;
		if (!flow->peer)
			rda_matcher_add(&engine->matcher, flow);
	}
	if (packet->opcode->roles & RDA_ROLE_REQUEST) {
		at->asker = flow;
		at->request = request;
		rda_holds_packet(engine->holds, posting, flow);
		at->kind = rda_account_request(flow, posting, request, &at->original);
		if (engine->config.trace || engine->config.times)
			rda_account_log_time(flow, &engine->tracer.times);
		if (at->kind == RDA_REQUEST_MIRRORED)
			rda_copies_by_time(flow, at->place);
	} else if (packet->opcode->roles & RDA_ROLE_RESPONSE) {
		/* the QP number of one alone may be damaged */
		if (!flow->peer && (at->credible || flow->packets > 1))
			rda_matcher_try(&engine->matcher, &engine->flows, flow, packet);
		at->asker = flow->peer;
		if (engine->config.trace)
			engine->tracer.trace.answers =
				rda_account_asked(at->asker, packet->bth.psn);
		rda_holds_packet(engine->holds, posting, at->asker);
		rda_account_response(flow, posting);
		if (at->asker && rda_giveup_of(at->asker))
			rda_giveup_response(at->asker, packet, at->meta->time_ns, at->place);
		rda_flows_answered(&engine->flows, at->asker, packet);
	}
}

/* Checks the packet's ICRC; true where it, or a length beyond the frame, tells damage already. */
static bool check_icrc(struct rda_engine *engine, struct rda_at *at)
{
	/* cut packets, which most captures are full of, are not worth a call */
	enum rda_icrc_check check = at->frame->captured < engine->packet.end_offset
					    ? RDA_ICRC_CHECK_NONE
					    : rda_icrc_check(at->frame, &engine->packet);
	struct rda_capture *capture = engine->capture;
	struct rda_icrc_source *source;

	at->icrc = (uint8_t)check;
	if (check == RDA_ICRC_CHECK_NONE) {
		capture->icrc[RDA_ICRC_NOT_CHECKABLE]++;
		return engine->packet.faults & 1u << RDA_FAULT_LENGTH_EXCEEDS &&
		       rda_ip4_checksum_fails(at->frame, &engine->packet);
	}
	source = rda_icrc_way(&engine->icrc, at->capture, at->meta, &engine->packet);
	rda_icrc_note(source, check, at->place);
	if (check != RDA_ICRC_CHECK_DAMAGED)
		at->icrc_source = source;
	if (check == RDA_ICRC_CHECK_MATCH) {
		capture->icrc[RDA_ICRC_GOOD]++;
		return false;
	}
	return rda_icrc_judge(source, check) == RDA_ICRC_BAD;
}

/* In the capture once more: only that is counted, and told by the checks that are about copies. */
RDA_APART static void follow_copy(struct rda_engine *engine, struct rda_at *at,
				  const struct rda_posting *posting, struct rda_request *request)
{
	struct rda_flow *flow = at->flow;

	if (at->icrc_source)
		rda_icrc_copied(rda_icrc_way(&engine->icrc, at->capture, at->meta, at->packet),
				(enum rda_icrc_check)at->icrc);
	rda_flow_copy(flow, at->frame, at->packet);
	at->original = at->copy_of;
	if (at->damaged)
		return;
	if (at->packet->opcode->roles & RDA_ROLE_REQUEST && flow->account) {
		at->asker = flow;
		at->request = request;
		at->kind = rda_account_copy(flow, posting, request, at->copy_of);
	} else if (at->packet->opcode->roles & RDA_ROLE_RESPONSE) {
		at->asker = flow->peer;
		if (engine->config.trace)
			engine->tracer.trace.answers =
				rda_account_asked(at->asker, at->packet->bth.psn);
	}
}

RDA_COLD static void track_management(struct rda_engine *engine, struct rda_at *at,
				      struct rda_cm_step *step)
{
	if (!rda_cm_track_packet(engine->cm, at->meta, at->place, at->frame, at->packet, step))
		return;
	at->step = step;
	if (!step->pair)
		return;
	if (step->pair->carrier == RDA_CM_FLOW_NONE)
		step->pair->carrier = at->flow->index;
	rda_flows_tie(&engine->flows, step->past, at->meta, at->place);
	if (!step->fresh || !rda_cm_is_tied(step->pair))
		return;
	if (step->cm.id == RDA_CM_REP)
		rda_flows_tie(&engine->flows, step->pair, at->meta, at->place);
	for (unsigned i = 0; i < 2 && rda_cm_is_over(step->pair); i++)
		if (step->pair->flows[i])
			rda_flows_over(&engine->flows, step->pair->flows[i]);
}

/* When an event of a key came: at the packet at hand, or behind all packets. */
static uint64_t when_told(const struct rda_engine *engine, const struct rda_key_event *event)
{
	const struct rda_flow *flow = engine->flows.table.items[event->flow];
	const struct rda_flow *back;

	if (engine->place)
		return engine->place;
	back = rda_flows_back(&engine->flows, flow);
	return place_or_end(engine,
			    back ? MIN(flow->first_place, back->first_place) : flow->first_place);
}

/* An event of a key: for the ledger, then for the judge; and kept, for those of several engines. */
static void take_key_event(void *context, const struct rda_key_event *event)
{
	struct rda_engine *engine = context;
	struct rda_key_news news;

	if (!engine->config.part) {
		rda_key_ledger_take(engine->key_ledger, event, &news);
		rda_judge_key(&engine->judge, event, &news);
	}
	if (engine->key_log)
		rda_key_log_event(engine->key_log, when_told(engine, event), event);
}

/* What a tracker noticed: first for those that make other facts of it, then for the judge. */
static void take_event(void *context, const struct rda_event *event)
{
	struct rda_engine *engine = context;
	const struct rda_at *at = engine->at;

	if (event->kind == RDA_EVENT_RESEND || event->kind == RDA_EVENT_RNR)
		rda_giveup_event(at->asker, event, at->packet->ip_id);
	if (event->kind == RDA_EVENT_RESEND || event->kind == RDA_EVENT_NAK_SEQUENCE)
		rda_reaction_event(at->asker, event);
	else if (event->kind == RDA_EVENT_MESSAGE_DONE && at->asker) {
		rda_upper_layers_done(engine, at->asker, event);
		rda_steps_take(at->asker, event->exchange);
	} else if (at->asker &&
		   (event->kind == RDA_EVENT_ACK || event->kind == RDA_EVENT_NAK_FATAL))
		rda_key_track_event(at->asker, event);
	if (engine->config.trace)
		rda_tracer_event(&engine->tracer, event);
	rda_judge_event(at, event);
}

/* Data in which keys are looked for. */
static bool begins_send(const struct rda_packet *packet)
{
	const uint16_t both = RDA_ROLE_SEND | RDA_ROLE_FIRST;

	return (packet->opcode->roles & both) == both && packet->payload_length;
}

/* Data in which no key is looked for. */
RDA_INLINE void pass_data(struct rda_engine *engine, const struct rda_at *at)
{
	if (!engine->config.part)
		rda_key_ledger_data(engine->key_ledger, at->flow->receiver->index, at->place);
	if (engine->key_log)
		rda_key_log_data(engine->key_log, at->place, at->flow->receiver->index);
}

/* What happens to memory keys at a packet that has to do with some. */
RDA_APART static void take_keys(struct rda_engine *engine, const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	const bool fits = rda_judge_is_checked(at);
	const struct rda_key_at key_at = {
		at->frame, packet,	 at->place,	    at->flow, at->asker,    at->request,
		at->kind,  at->original, &engine->key_sink, at->meta, at->credible, fits};

	if (rda_key_is_named(packet))
		rda_key_track_request(&key_at);
	else if (packet->opcode->roles & RDA_ROLE_RESPONSE && (!at->asker || at->asker->keys))
		rda_key_track_response(&key_at);
	if (begins_send(packet)) {
		rda_key_track_message(&key_at);
		if (!at->flow->ulp && rda_ulp_is_open(at->flow))
			rda_upper_layers_packet(engine, at);
	} else if (packet->payload_length) {
		pass_data(engine, at);
	}
	if (at->step)
		rda_key_track_cm(&key_at, at->step);
}

/* Most packets have nothing to do with memory keys, but for the data that they carry. */
RDA_INLINE void track_keys(struct rda_engine *engine, const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (at->flow->ulp)
		rda_upper_layers_packet(engine, at);
	if (rda_key_is_named(packet) || begins_send(packet) || at->step ||
	    (packet->opcode->roles & RDA_ROLE_RESPONSE && (!at->asker || at->asker->keys)))
		take_keys(engine, at);
	else if (packet->payload_length)
		pass_data(engine, at);
}

/* An RDMA packet's way through the trackers. */
RDA_INLINE void track(struct rda_engine *engine, struct rda_at *at, struct rda_request *request,
		      struct rda_cm_step *step)
{
	struct rda_posting *posting = &engine->posting;

	engine->at = at;
	posting->meta = at->meta;
	posting->frame = at->frame;
	posting->place = at->place;
	at->damaged = check_icrc(engine, at);
	at->credible = rda_is_credible(at);
	posting->icrc_fits = at->icrc == RDA_ICRC_CHECK_MATCH;
	if (!at->packet->plain) {
		if (at->packet->has_vcrc)
			at->vcrc_fails = rda_capture_vcrc(engine->capture, at->frame, at->packet);
		if (!rda_has(at->packet, BTH))
			return;
	}
	engine->flow = at->flow = flow_of(engine, at);
	at->copy_of = rda_copies_packet(engine->copies, at->flow, posting);
	if (at->copy_of) {
		follow_copy(engine, at, posting, request);
		return;
	}
	if (at->damaged) {
		if (at->flow) {
			rda_flow_damaged(at->flow, at->meta, at->frame);
			rda_account_damaged(at->flow, posting);
		}
		return;
	}
	rda_flow_packet(at->flow, at->meta, at->frame, at->packet, at->credible);
	follow(engine, at, posting, request);
	rda_host_packet(at->flow->sender, at->flow->receiver, at->frame, at->packet);
	if (rda_has(at->packet, MAD))
		track_management(engine, at, step);
	if (!engine->config.count_only)
		track_keys(engine, at);
}

/* TCP may carry iWARP, whose flow is returned, or programs tell each other their QPs. */
RDA_APART static struct rda_flow *track_tcp(struct rda_engine *engine, const struct rda_at *at)
{
	struct rda_flow *flow = rda_fpdus_segment(&engine->fpdus, engine->capture, at->capture,
						  at->meta, at->frame, at->packet);
	struct rda_cm_said said[2];

	if (!engine->config.part && rda_exchanges_packet(engine->exchanges, at->meta, at->place,
							 at->frame, at->packet, said))
		rda_part_told(engine, at->meta, said);
	return flow;
}

const struct rda_packet *rda_engine_packet(struct rda_engine *engine, const struct rda_meta *meta,
					   const struct rda_frame *frame)
{
	struct rda_packet *packet = &engine->packet;
	struct rda_request request; /* at.request points to it when it is filled */
	struct rda_cm_step step;    /* at.step points to it when it is filled */
	struct rda_at at = {
		.judge = &engine->judge,
		.cm = engine->cm,
		.meta = meta,
		.frame = frame,
		.packet = packet,
	};

	if (engine->config.trace || engine->config.times) {
		rda_tracer_begin(&engine->tracer, &at);
		rda_fpdus_forget(&engine->fpdus); /* it has some only where packets are traced */
	}
	if (!engine->capture)
		rda_engine_begin_capture(engine);
	if (engine->config.part)
		rda_part_own(engine, meta);
	else if (meta->number % RDA_BUDGET_FRAMES == 0)
		rda_budget_look(engine, 1);
	at.capture = engine->scope;
	at.place = engine->place = rda_place_id(at.capture, meta->number);
	rda_dissect(packet, frame, &engine->config.dissect);
	rda_capture_frame(engine->capture, meta, frame, packet);
	engine->flow = NULL;
	if (packet->carrier != RDA_CARRIER_NONE)
		track(engine, &at, &request, &step);
	else if (rda_has(packet, TCP))
		engine->flow = track_tcp(engine, &at);
	else if (rda_holds_asked(packet))
		rda_part_stop(engine, meta, frame);
	if (!engine->config.count_only)
		at.copy_of ? rda_judge_copy(&at) : rda_judge_packet(&at);
	if (engine->config.trace && packet->carrier != RDA_CARRIER_NONE && rda_has(packet, BTH))
		rda_tracer_packet(&engine->tracer, engine->key_ledger);
	return packet;
}

void rda_engine_end(struct rda_engine *engine)
{
	engine->place = 0;
	if (engine->capture)
		rda_fpdus_end(&engine->fpdus, engine->capture);
}
