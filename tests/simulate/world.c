/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The path, and the clock.
 */
#include "tests/simulate/world.h"

#include "tests/simulate/rewrite.h"

#include <glib.h>
#include <string.h>

enum { EVENTS_MAX = 400000 };

void sim_later(struct sim_world *world, int64_t time_ns, enum sim_event_kind kind, uint8_t host,
	       uint32_t generation)
{
	struct sim_event event = {
		.time_ns = MAX(time_ns, world->now_ns),
		.kind = (uint8_t)kind,
		.host = host,
		.generation = generation,
	};

	sim_schedule_add(&world->schedule, &event);
}

/* A packet enters a stretch: 0 before the tap, 1 behind it. */
static void enter(struct sim_world *world, const struct sim_packet *packet, unsigned stretch)
{
	struct sim_passage passage = sim_link_pass(&world->link[packet->from][stretch],
						   &world->random, packet, world->now_ns);
	struct sim_sent *sent = &world->truth.sent[packet->sent];
	struct sim_event event = {
		.kind = stretch ? SIM_ARRIVES : SIM_AT_TAP,
		.packet = *packet,
	};

	event.packet.marked |= passage.marked;
	event.packet.damaged |= passage.damaged;
	if (passage.copies == 0 && stretch == 0)
		sent->lost_before++;
	else if (passage.copies == 0)
		sent->lost_after++;
	else if (stretch == 0)
		sent->copies = (uint8_t)(sent->copies + passage.copies - 1);
	for (uint32_t i = 0; i < passage.copies; i++) {
		event.time_ns = passage.arrives_ns[i];
		sim_schedule_add(&world->schedule, &event);
	}
}

enum { PAUSE_NS = 1000000, JUMP = 3000, OTHERS = 3 };

static uint16_t ip_id_of(struct sim_world *world, const struct sim_packet *packet)
{
	uint16_t *id = &world->ip_id[packet->from];
	bool paused = world->now_ns - world->sent_ns[packet->from] > PAUSE_NS;

	world->sent_ns[packet->from] = world->now_ns;
	switch (world->plan->ip_ids[packet->from]) {
	case SIM_ID_HOST: return *id = (uint16_t)(*id + sim_between(&world->random, 1, OTHERS));
	case SIM_ID_QP: return ++*id;
	case SIM_ID_JUMPS:
		return *id = (uint16_t)(*id + sim_between(&world->random, 1, paused ? JUMP : 1));
	case SIM_ID_RANDOM: return (uint16_t)sim_next(&world->random);
	case SIM_ID_PSN: return (uint16_t)packet->psn;
	case SIM_ID_ZERO: return 0;
	default: return packet->ip_id;
	}
}

void sim_send(struct sim_world *world, struct sim_packet *packet, bool resent)
{
	struct sim_sent sent = {
		.psn = packet->psn,
		.end = packet->end,
		.sent_ns = world->now_ns,
		.run = world->requester[packet->asker].run,
		.from = packet->from,
		.asker = packet->asker,
		.opcode = packet->opcode,
		.syndrome = packet->syndrome,
		.response = packet->response,
		.cnp = packet->cnp,
		.data = packet->response && !packet->cnp && packet->opcode != 0x11,
		.resent = resent,
		.taken = !packet->response &&
			 sim_responder_has(&world->responder[!packet->from], packet->psn),
	};

	packet->ip_id = ip_id_of(world, packet);
	sent.ip_id = packet->ip_id;
	packet->sent = sim_truth_sent(&world->truth, &sent);
	enter(world, packet, 0);
}

static void shown(struct sim_world *world, const struct sim_packet *packet)
{
	int64_t unit_ns = MAX(world->plan->tap.stamp_ns, 1);

	sim_truth_seen(&world->truth, packet->sent, world->now_ns, false);
	sim_capture_packet(&world->capture, world->plan, packet, world->now_ns / unit_ns * unit_ns);
	world->truth.sent[packet->sent].damaged += packet->damaged;
	if (world->plan->timed && packet->response && packet->asker == 0 && !packet->cnp &&
	    packet->opcode != 0x11)
		sim_spent_response(world, packet);
}

static bool is_hidden(const struct sim_tap_plan *plan, const struct sim_packet *packet,
		      int64_t now_ns)
{
	return plan->hides[packet->from] || now_ns < plan->begins_ns ||
	       (plan->ends_ns && now_ns >= plan->ends_ns);
}

static void at_tap(struct sim_world *world, const struct sim_packet *packet)
{
	const struct sim_tap_plan *plan = &world->plan->tap;

	if (plan->skew_ns[packet->from]) {
		struct sim_event event = {
			.kind = SIM_SHOWN,
			.time_ns = world->now_ns + plan->skew_ns[packet->from],
			.packet = *packet,
		};

		sim_schedule_add(&world->schedule, &event);
		enter(world, packet, 1);
		return;
	}
	if (is_hidden(plan, packet, world->now_ns)) {
		/* nobody looked */
	} else if (sim_chance(&world->random, plan->loss)) {
		world->truth.sent[packet->sent].missed++;
	} else {
		shown(world, packet);
		if (sim_chance(&world->random, plan->mirrored)) {
			sim_truth_seen(&world->truth, packet->sent, world->now_ns + 1, true);
			sim_capture_packet(&world->capture, world->plan, packet, world->now_ns + 1);
		}
	}
	enter(world, packet, 1);
}

/* A receiver tells the sender of congestion. */
static void notify(struct sim_world *world, const struct sim_packet *marked)
{
	struct sim_packet cnp = {
		.from = !marked->from,
		.asker = marked->asker,
		.response = true,
		.cnp = true,
		.ip_id = ++world->responder[!marked->from].ip_id,
		.opcode = 0x81,
	};

	world->truth.counts[marked->asker].cnps++;
	sim_send(world, &cnp, false);
}

static void arrives(struct sim_world *world, const struct sim_packet *packet)
{
	uint8_t host = !packet->from;

	if (packet->damaged) {
		world->truth.sent[packet->sent].lost_after++;
		return;
	}
	world->truth.sent[packet->sent].arrived++;
	if (packet->cnp) {
		sim_requester_slows(world, host);
		return;
	}
	if (packet->marked)
		notify(world, packet);
	if (packet->response)
		sim_requester_takes(world, host, packet);
	else
		sim_responder_takes(world, host, packet);
}

static void happens(struct sim_world *world, const struct sim_event *event)
{
	switch (event->kind) {
	case SIM_AT_TAP: at_tap(world, &event->packet); break;
	case SIM_ARRIVES: arrives(world, &event->packet); break;
	case SIM_SHOWN: shown(world, &event->packet); break;
	case SIM_REACTS: sim_requester_reacts(world, event->host, &event->packet); break;
	case SIM_SENDS: sim_requester_sends(world, event->host); break;
	case SIM_TIMER: sim_requester_timer(world, event->host, event->generation); break;
	default: sim_responder_answers(world, event->host);
	}
}

void sim_run(struct sim_world *world, const struct sim_plan *plan)
{
	struct sim_event event;
	uint32_t events = 0;

	memset(world, 0, sizeof(*world));
	world->plan = plan;
	world->random.state = plan->seed ^ 0x5eed;
	for (unsigned i = 0; i < 4; i++)
		world->link[i / 2][i % 2].plan = &plan->link[i / 2][i % 2];
	if (plan->managed)
		sim_capture_exchange(&world->capture, plan);
	for (uint8_t host = 0; host < 2; host++) {
		sim_requester_begin(world, host);
		sim_responder_begin(world, host);
	}
	while (sim_schedule_next(&world->schedule, &event) && events++ < EVENTS_MAX) {
		world->now_ns = event.time_ns;
		world->cause = event.kind == SIM_ARRIVES ? event.packet.sent + 1 : 0;
		if (plan->timed)
			sim_spent_before(world);
		happens(world, &event);
		if (plan->timed)
			sim_spent_after(world);
	}
	if (plan->watched_ns)
		sim_watch(&world->capture, SIM_EPOCH_NS + world->now_ns + plan->watched_ns);
	for (uint8_t host = 0; host < 2; host++)
		world->truth.gave_up |= !sim_requester_is_done(&world->requester[host]);
}

void sim_world_cleanup(struct sim_world *world)
{
	sim_schedule_cleanup(&world->schedule);
	for (unsigned i = 0; i < 2; i++) {
		sim_requester_cleanup(&world->requester[i]);
		sim_responder_cleanup(&world->responder[i]);
	}
	sim_truth_cleanup(&world->truth);
	sim_capture_cleanup(&world->capture);
	sim_spent_cleanup(&world->spent);
}
