/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group T: latencies, timers, stalls; see checks.def. What is watched of a flow is in
 * latency.c, pace.c and timer.c, of a capture in burst.c.
 */
#include "analyzer/checks/judge.h"

#include "analyzer/checks/time/state.h"

#include <glib.h>

struct rda_time_state {
	struct rda_bursts bursts;
};

struct rda_time_watch {
	struct rda_pace requests; /* of several packets */
	/* owned; NULL until there is something to watch */
	struct rda_pace *responses; /* to READs */
	struct rda_waits *waits;
	struct rda_turns *turns;
};

void rda_check_time_begin(struct rda_judge *judge)
{
	judge->time = g_new0(struct rda_time_state, 1);
	rda_bursts_init(&judge->time->bursts);
}

void rda_check_time_free(struct rda_judge *judge)
{
	rda_bursts_cleanup(&judge->time->bursts);
	g_free(judge->time);
}

void rda_check_time_forget(struct rda_flow *flow)
{
	struct rda_time_watch *watch = flow->watch.time;

	if (!watch)
		return;
	if (watch->turns)
		rda_turns_cleanup(watch->turns);
	g_free(watch->turns);
	rda_pace_cleanup(&watch->requests);
	if (watch->responses)
		rda_pace_cleanup(watch->responses);
	g_free(watch->responses);
	rda_waits_free(watch->waits);
	g_free(watch);
}

uint64_t rda_check_time_bytes(const struct rda_flow *flow)
{
	const struct rda_time_watch *watch = flow->watch.time;
	uint64_t bytes = 0;

	if (!watch)
		return 0;
	bytes += rda_latency_bytes(&watch->requests.gaps);
	if (watch->responses)
		bytes += rda_latency_bytes(&watch->responses->gaps);
	if (watch->waits)
		bytes += rda_waits_bytes(watch->waits);
	if (watch->turns)
		bytes += rda_latency_bytes(&watch->turns->replies);
	return bytes;
}

RDA_COLD static struct rda_time_watch *make_watch(struct rda_flow *flow)
{
	flow->watch.time = g_new0(struct rda_time_watch, 1);
	return flow->watch.time;
}

static struct rda_time_watch *watch_of(struct rda_flow *flow)
{
	return flow->watch.time ? flow->watch.time : make_watch(flow);
}

/* ---- while packets come ---------------------------------------------------------------------- */

static struct rda_pace *responses_of(struct rda_flow *flow)
{
	struct rda_time_watch *watch = watch_of(flow);

	if (!watch->responses)
		watch->responses = g_new0(struct rda_pace, 1);
	return watch->responses;
}

static struct rda_waits *waits_of(struct rda_flow *flow)
{
	struct rda_time_watch *watch = watch_of(flow);

	if (!watch->waits)
		watch->waits = g_new0(struct rda_waits, 1);
	return watch->waits;
}

static struct rda_turns *turns_of(struct rda_flow *flow)
{
	struct rda_time_watch *watch = watch_of(flow);

	if (!watch->turns)
		watch->turns = g_new0(struct rda_turns, 1);
	return watch->turns;
}

/* A message of one packet says nothing of pace. */
static bool is_part(uint16_t roles)
{
	return (roles & RDA_ROLE_ONLY) != RDA_ROLE_ONLY;
}

static void take_request(const struct rda_at *at)
{
	uint16_t roles = at->packet->opcode->roles;
	struct rda_flow *peer = at->flow->peer;
	struct rda_turns *peers = peer && peer->watch.time ? peer->watch.time->turns : NULL;
	bool sends =
		(roles & RDA_ROLE_SEND && roles & RDA_ROLE_ONLY) || roles & RDA_ROLE_USES_RECEIVE;

	if (is_part(roles))
		rda_pace_packet(&watch_of(at->flow)->requests, at);
	if (sends && at->kind == RDA_REQUEST_NEW)
		rda_turns_packet(turns_of(at->flow), peers, at);
	else if (peers && roles & RDA_ROLE_FIRST && at->kind == RDA_REQUEST_NEW)
		rda_turns_data(peers);
	if (at->flow->gap_ns >= RDA_IDLE_NS)
		rda_pace_idle(at);
}

void rda_check_time_frame(const struct rda_at *at)
{
	if (at->packet->carrier != RDA_CARRIER_NONE && !at->judge->part)
		rda_bursts_packet(&at->judge->time->bursts, at);
}

void rda_check_time_packet(const struct rda_at *at)
{
	uint16_t roles = at->packet->opcode->roles;

	if (at->request)
		take_request(at);
	else if (roles & RDA_ROLE_READ && roles & RDA_ROLE_RESPONSE && is_part(roles))
		rda_pace_packet(responses_of(at->flow), at);
}

/* What a READ that is sent again asks for goes on with no response that came before it. */
static void asked_anew(struct rda_flow *responder)
{
	struct rda_time_watch *watch = responder ? responder->watch.time : NULL;

	if (watch && watch->responses)
		watch->responses->inside = false;
}

void rda_check_time_event(const struct rda_at *at, const struct rda_event *event)
{
	switch (event->kind) {
	case RDA_EVENT_MIRRORED:
		if (!event->overtaken)
			rda_bursts_copied(&at->judge->time->bursts, at);
		break;
	case RDA_EVENT_RNR: rda_waits_refused(waits_of(at->asker), at, event); break;
	case RDA_EVENT_RESEND:
		asked_anew(at->asker->peer);
		if (event->trigger == RDA_TRIGGER_RNR)
			rda_waits_resent(waits_of(at->asker), event);
		else if (event->trigger == RDA_TRIGGER_TIMEOUT)
			rda_timer_resent(at, event);
		break;
	default: break;
	}
}

/* ---- at the end ------------------------------------------------------------------------------ */

void rda_check_time_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];
		struct rda_time_watch *watch = flow ? flow->watch.time : NULL;

		if (!flow)
			continue;
		rda_latency_end(judge, flow);
		rda_timer_end(judge, flow);
		if (!watch)
			continue;
		rda_pace_end(&watch->requests, judge, flow, "messages");
		if (watch->responses)
			rda_pace_end(watch->responses, judge, flow, "READ responses");
		if (watch->turns)
			rda_turns_end(watch->turns, judge, flow);
		if (watch->waits)
			rda_waits_end(watch->waits, judge, flow);
	}
	rda_spent_end(judge, connection);
}

/* ---- hosts and captures ---------------------------------------------------------------------- */

void rda_check_time_copy(const struct rda_at *at)
{
	rda_bursts_copied(&at->judge->time->bursts, at);
}

void rda_check_time_others(const struct rda_at *at, const struct rda_share *share)
{
	if (share->rdma)
		rda_bursts_packet(&at->judge->time->bursts, at);
}

void rda_check_time_join(struct rda_judge *to, const struct rda_judge *from,
			 const struct rda_moved *moved)
{
	(void)moved;
	rda_bursts_join(&to->time->bursts, &from->time->bursts);
}

void rda_check_time_pack(struct rda_pack *pack, struct rda_judge *judge)
{
	struct rda_bursts *bursts = &judge->time->bursts;

	rda_pack_array(pack, bursts->captures);
	rda_pack_bytes(pack, &bursts->capture, sizeof(bursts->capture));
	rda_pack_bytes(pack, &bursts->begin, sizeof(bursts->begin));
	rda_pack_bytes(pack, &bursts->bytes, sizeof(bursts->bytes));
}

void rda_check_time_overall(struct rda_judge *judge)
{
	rda_bursts_overall(&judge->time->bursts, judge);
	rda_late_overall(judge);
}
