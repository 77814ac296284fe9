/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G: CE marks, CNPs, pause frames; see checks.def.
 *
 *     check_congestion_watch   what is watched of a half-flow
 *     check_congestion_class   classes of traffic, the form of CNPs
 *     check_congestion_notice  marks and the CNPs that follow
 *     check_congestion_rate    whether senders slow down
 *     check_congestion_pause   PFC and pause frames
 *     check_congestion_pacing  by what CNPs are paced
 *     check_congestion_ways    what shares a UDP source port
 */
#include "analyzer/checks/judge.h"

#include "analyzer/checks/congestion/state.h"

#include <glib.h>

struct rda_congestion_state {
	struct rda_notifiers notifiers;
	struct rda_pauses pauses;
};

const struct rda_pauses *rda_congestion_pauses(const struct rda_judge *judge)
{
	return &judge->congestion->pauses;
}

void rda_check_congestion_begin(struct rda_judge *judge)
{
	uint64_t seed = judge->findings.table.seed;

	judge->congestion = g_new0(struct rda_congestion_state, 1);
	rda_notifiers_init(&judge->congestion->notifiers, seed);
	rda_pauses_init(&judge->congestion->pauses, seed);
}

void rda_check_congestion_free(struct rda_judge *judge)
{
	rda_notifiers_cleanup(&judge->congestion->notifiers);
	rda_pauses_cleanup(&judge->congestion->pauses);
	g_free(judge->congestion);
	judge->congestion = NULL;
}

void rda_check_congestion_forget(struct rda_flow *flow)
{
	rda_congestion_watch_free(flow);
}

/* Whether the packet says anything about congestion or its class. */
static bool is_classed(const struct rda_packet *packet)
{
	return packet->dscp || packet->ecn || packet->bth.becn || packet->bth.fecn ||
	       packet->opcode->roles & RDA_ROLE_CNP || packet->tagged;
}

void rda_check_congestion_frame(const struct rda_at *at)
{
	rda_notifiers_time(&at->judge->congestion->notifiers, at);
}

void rda_check_congestion_other_frame(const struct rda_at *at)
{
	if (at->packet->carrier == RDA_CARRIER_NONE && rda_holds_asked(at->packet))
		rda_pauses_frame(&at->judge->congestion->pauses, at);
}

void rda_check_congestion_packet(const struct rda_at *at)
{
	struct rda_congestion_state *state = at->judge->congestion;
	const struct rda_packet *packet = at->packet;

	if (!at->credible) {
		/* perhaps damaged: its class is not taken, and not taken for DSCP 0 either */
		rda_congestion_watch_of(at->flow, packet);
		return;
	}
	if (!at->flow->watch.congestion) {
		if (!is_classed(packet)) {
			rda_pauses_rdma(&state->pauses, at);
			return;
		}
		rda_congestion_watch_of(at->flow, packet);
	}
	rda_congestion_class(&state->pauses, at);
	rda_congestion_notice(&state->notifiers, at);
}

void rda_check_congestion_others(const struct rda_at *at, const struct rda_share *share)
{
	rda_check_congestion_between(at);
	if (share->stops_link)
		rda_pauses_frame(&at->judge->congestion->pauses, at);
}

void rda_check_congestion_between(const struct rda_at *at)
{
	rda_notifiers_time(&at->judge->congestion->notifiers, at);
}

void rda_check_congestion_event(const struct rda_at *at, const struct rda_event *event)
{
	if (event->kind == RDA_EVENT_RESEND && event->trigger == RDA_TRIGGER_NAK && at->asker)
		rda_pauses_loss(&at->judge->congestion->pauses, at, event);
}

void rda_check_congestion_connection(struct rda_judge *judge,
				     const struct rda_connection *connection)
{
	rda_congestion_class_connection(judge, connection);
	rda_congestion_notice_connection(judge, connection);
}

void rda_check_congestion_join(struct rda_judge *to, const struct rda_judge *from,
			       const struct rda_moved *moved)
{
	rda_notifiers_join(&to->congestion->notifiers, &from->congestion->notifiers, moved);
	rda_pauses_join(&to->congestion->pauses, &from->congestion->pauses);
}

void rda_check_congestion_pack(struct rda_pack *pack, struct rda_judge *judge)
{
	struct rda_pauses *pauses = &judge->congestion->pauses;

	rda_notifiers_pack(pack, &judge->congestion->notifiers);
	rda_pack_table(pack, &pauses->pausers, NULL);
	rda_pack_table(pack, &pauses->links, NULL);
	rda_pack_bytes(pack, &pauses->not_kept, sizeof(pauses->not_kept));
	rda_pack_bytes(pack, &pauses->told_gbits, sizeof(pauses->told_gbits));
}

void rda_check_congestion_overall(struct rda_judge *judge)
{
	rda_congestion_class_overall(judge);
	rda_congestion_notice_overall(&judge->congestion->notifiers, judge);
	rda_pauses_overall(&judge->congestion->pauses, judge);
	rda_congestion_ways_overall(judge);
	rda_congestion_pacing_overall(judge);
}

/* ---- what is watched of a half-flow ---------------------------------------------------------- */

RDA_COLD struct rda_congestion_watch *rda_congestion_watch_of(struct rda_flow *flow,
							      const struct rda_packet *packet)
{
	bool counts = packet && !(packet->opcode->roles & RDA_ROLE_CNP);
	struct rda_classes *classes;

	if (flow->watch.congestion)
		return flow->watch.congestion;
	flow->watch.congestion = g_new0(struct rda_congestion_watch, 1);
	classes = &flow->watch.congestion->classes;
	if (flow->packets == rda_flow_rare(flow)->damaged + rda_flow_rare(flow)->cnps + counts)
		return flow->watch.congestion;
	classes->dscps = 1;
	classes->firsts_twice = true;
	classes->first_place = flow->first_place;
	if (flow->payload_bytes > (counts && packet->payload_known ? packet->payload_length : 0))
		classes->incapable_place = flow->first_place;
	return flow->watch.congestion;
}

void rda_congestion_watch_free(struct rda_flow *flow)
{
	if (flow->watch.congestion) {
		g_free(flow->watch.congestion->rate);
		g_free(flow->watch.congestion->marks);
		g_free(flow->watch.congestion->notices);
	}
	g_free(flow->watch.congestion);
	flow->watch.congestion = NULL;
}

void rda_check_congestion_retire(struct rda_judge *judge, const struct rda_moved *moved)
{
	rda_notifiers_retire(&judge->congestion->notifiers, moved);
}
