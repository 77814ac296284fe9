/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of a flow, from the trackers. See flow_facts.h.
 */
#include "analyzer/facts/flow_facts.h"

#include "analyzer/track/congestion/slowing.h"
#include "analyzer/track/steps.h"

#include "analyzer/facts/time_facts.h"
#include "analyzer/track/iwarp/rdmap_track.h"
#include "analyzer/track/roce/account.h"
#include "dissectors/values.h"

#include <glib.h>
#include <string.h>

static const struct rda_messages *messages_of(const struct rda_flow *flow)
{
	if (flow->account)
		return rda_account_messages(flow);
	return flow->rdmap ? rda_rdmap_messages(flow->rdmap) : NULL;
}

static struct rda_flow_latencies *latencies_of(const struct rda_messages *messages)
{
	struct rda_flow_latencies *latencies;

	if (!messages)
		return NULL;
	latencies = g_new0(struct rda_flow_latencies, 1);
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		rda_latency_copy(&latencies->kinds[i],
				 rda_messages_of(messages, (enum rda_message)i));
	rda_latency_copy(&latencies->first_response, rda_messages_first(messages));
	rda_latency_copy(&latencies->acks, &messages->acks);
	return latencies;
}

/* READs that were forgotten are among them. */
static int64_t not_timed(const struct rda_flow *flow)
{
	const struct rda_messages *messages = messages_of(flow);

	if (flow->peer)
		return (int64_t)((messages ? messages->not_timed : 0) +
				 rda_account_forgotten_reads(flow));
	if (flow->rdmap)
		return (int64_t)(rda_rdmap_forgotten(flow->rdmap) +
				 rda_rdmap_outstanding(flow->rdmap));
	return -1;
}

static void take_account(struct rda_flow_facts *facts, const struct rda_flow *flow)
{
	const struct rda_request_counts *counts = rda_account_counts(flow);
	const struct rda_response_counts *responses = rda_account_response_counts(flow->peer);

	memcpy(facts->requests, counts->packets, sizeof(facts->requests));
	facts->requests[RDA_REQUEST_NEW] = rda_account_new_requests(flow);
	facts->requests[RDA_REQUEST_REORDERED] +=
		counts->late_resends + rda_account_late_responses(flow->peer) +
		responses->reordered_acks + rda_flow_rare(flow)->overtaken;
	facts->forgotten_requests = rda_account_forgotten(flow);
	memcpy(facts->resends, counts->resends, sizeof(facts->resends));
	facts->lost_before = counts->lost_before + responses->lost_before;
	facts->lost_after = counts->lost_after + responses->lost_after;
	facts->lost_by_capture = counts->lost_by_capture;
	facts->lost_damaged = counts->lost_damaged;
	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		facts->stalled_ns[i] = rda_account_stalled_ns(flow, (enum rda_trigger)i);
}

static void take_doubts(struct rda_flow_doubts *doubts, const struct rda_flow *flow)
{
	const struct rda_request_counts *counts = rda_account_counts(flow);
	const struct rda_run_doubts *runs = &counts->doubts;

	doubts->untold = rda_account_unexpected(flow)->untold;
	doubts->runs_on = runs->on;
	doubts->runs_anew = runs->anew;
	if (runs->anew)
		doubts->resent_anew = counts->packets[RDA_REQUEST_RESENT] - runs->before;
	doubts->unanswered = rda_account_unanswered(flow);
	for (unsigned i = 0; i < RDA_FLOW_IDS; i++)
		doubts->alike +=
			rda_flow_ids(flow, i)->vary ? rda_flow_rare(flow)->alike[i].refused : 0;
}

void rda_flow_facts_of(struct rda_flow_facts *facts, const struct rda_flow *flow)
{
	struct rda_flow_time time;

	*facts = (struct rda_flow_facts){
		.key = flow->key,
		.first_place = flow->first_place,
		.known_place = rda_flow_rare(flow)->known_place ? flow->rare->known_place
								: flow->first_place,
		.first_time_ns = flow->first_time_ns,
		.last_time_ns = flow->last_time_ns,
		.source_port = flow->source_port,
		.source_port_known = flow->source_port_known,
		.management = flow->management,
		.has_account = flow->account != NULL,
		.has_peer = flow->peer != NULL,
		.unreliable = flow->transport == RDA_TRANSPORT_UC,
		.packets = flow->packets,
		.bytes = flow->bytes,
		.copies = rda_flow_rare(flow)->copies,
		.damaged = rda_flow_rare(flow)->damaged,
		.request_packets = flow->request_packets,
		.response_packets = rda_flow_answers(flow)->packets,
		.payload_bytes = flow->payload_bytes,
		.first_psn = flow->first_psn,
		.last_psn = flow->last_psn,
		.full_payload = flow->full_payload,
		.acks = rda_flow_answers(flow)->acks,
		.rnr_naks = rda_flow_rare(flow)->rnr_naks,
		.cnps = rda_flow_rare(flow)->cnps,
		.ce_marked = rda_flow_rare(flow)->ce_marked,
		.latencies = latencies_of(messages_of(flow)),
		.messages_not_timed = not_timed(flow),
		.conversation = -1,
		.reads_most = -1,
	};
	memcpy(facts->naks, rda_flow_rare(flow)->naks, sizeof(facts->naks));
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		facts->messages[i] = rda_flow_messages(flow, (enum rda_message)i);
	take_account(facts, flow);
	take_doubts(&facts->doubts, flow);
	rda_time_facts_of(&time, flow);
	facts->steps = rda_steps_copy(flow->steps);
	facts->mark_log = rda_mark_log_copy(rda_flow_rare(flow)->mark_log);
	facts->slowdown = rda_slowdown_copy(rda_slowing_facts(flow->slowing));
	if (time.known)
		facts->time = g_memdup2(&time, sizeof(time));
}

void rda_flow_facts_free(struct rda_flow_facts *facts)
{
	if (!facts)
		return;
	g_free(facts->time);
	rda_steps_free(facts->steps);
	rda_slowdown_free(facts->slowdown);
	rda_mark_log_free(facts->mark_log);
	for (unsigned i = 0; facts->latencies && i < RDA_MESSAGE_COUNT; i++)
		rda_latency_cleanup(&facts->latencies->kinds[i]);
	if (facts->latencies) {
		rda_latency_cleanup(&facts->latencies->first_response);
		rda_latency_cleanup(&facts->latencies->acks);
	}
	g_free(facts->latencies);
	g_free(facts);
}

struct rda_latency rda_flow_message_latency(const struct rda_flow_facts *facts)
{
	struct rda_latency all = {0};

	for (unsigned i = 0; facts->latencies && i < RDA_MESSAGE_COUNT; i++)
		rda_latency_merge(&all, &facts->latencies->kinds[i]);
	return all;
}

int64_t rda_flow_stalled_ns(const struct rda_flow_facts *facts)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		sum = rda_ns_sum(sum, facts->stalled_ns[i]);
	return sum;
}
