/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group S: PSN sequence, losses and retransmission. The hooks; state.h lists the
 * parts that do the work.
 */
#include "analyzer/checks/judge.h"

#include "analyzer/checks/sequence/spurious.h"

#include <glib.h>

void rda_check_sequence_forget(struct rda_flow *flow)
{
	struct rda_sequence_watch *watch = flow->watch.sequence;

	if (!watch)
		return;
	g_free(watch->reads);
	g_free(watch->losses);
	g_free(watch->datagrams);
	g_free(watch->other_hop);
	g_free(watch);
}

RDA_COLD static struct rda_sequence_watch *make_watch(struct rda_flow *flow)
{
	flow->watch.sequence = g_new0(struct rda_sequence_watch, 1);
	return flow->watch.sequence;
}

struct rda_sequence_watch *rda_sequence_watch(struct rda_flow *flow)
{
	return flow->watch.sequence ? flow->watch.sequence : make_watch(flow);
}

/* What a request or response of a reliable service is to the parts. */
static void reliable(const struct rda_at *at)
{
	struct rda_sequence_watch *watch;

	if (at->request) {
		watch = rda_sequence_watch(at->flow);
		if (!watch->next_hop)
			rda_next_hop_first(at, watch);
		if (at->kind == RDA_REQUEST_NEW)
			rda_order_request(at, watch);
		if (at->request->roles & RDA_ROLE_READ)
			rda_read_request(at, watch);
		if (watch->reads && at->flow->peer)
			rda_read_adopt(at, &watch->reads->orphans);
		return;
	}
	if (at->packet->opcode->roles & RDA_ROLE_READ)
		rda_read_response(at);
	watch = at->asker->watch.sequence;
	if (watch && watch->losses)
		rda_spurious_response(at, watch->losses);
}

void rda_check_sequence_packet(const struct rda_at *at)
{
	int8_t transport;

	if (at->asker) {
		reliable(at);
		return;
	}
	transport = at->packet->opcode->transport;
	if ((transport == RDA_TRANSPORT_UC || transport == RDA_TRANSPORT_UD) &&
	    at->packet->opcode->roles & RDA_ROLE_REQUEST)
		rda_datagram_packet(at);
}

void rda_check_sequence_event(const struct rda_at *at, const struct rda_event *event)
{
	rda_losses_event(at, event);
	if (event->kind != RDA_EVENT_RESENT)
		return;
	if (!rda_resent_packet(at, event))
		rda_losses_differs(at->asker->watch.sequence->losses);
	if (event->trigger == RDA_TRIGGER_TIMEOUT)
		rda_next_hop_resent(at, at->asker->watch.sequence, event);
}

/* As they are if no more packets come; false: there is nothing to tell. */
static bool close_losses(struct rda_judge *judge, const struct rda_flow *flow,
			 struct rda_losses *closed)
{
	const struct rda_losses *losses =
		flow && flow->watch.sequence ? flow->watch.sequence->losses : NULL;

	if (!losses && !(flow && (rda_account_owed(flow->peer, 0) ||
				  rda_account_responses_unshown(flow->peer, NULL))))
		return false;
	*closed = losses ? *losses : (struct rda_losses){0};
	rda_missing_responses_owed(judge, flow, closed);
	if (flow->account)
		rda_losses_close(judge, flow, closed);
	return true;
}

void rda_check_sequence_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	struct rda_losses closed[2]; /* three KiB each */
	bool any[2];

	for (unsigned i = 0; i < 2; i++)
		any[i] = close_losses(judge, connection->flows[i], &closed[i]);
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (!flow)
			continue;
		if (any[i])
			rda_losses_tell(judge, flow, &closed[i],
					flow->peer && any[1 - i] ? &closed[1 - i] : NULL);
		rda_next_hop_finish(judge, flow);
		rda_read_finish(judge, flow);
		rda_datagram_finish(judge, flow);
	}
}
