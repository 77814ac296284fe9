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
		latencies->kinds[i] = rda_latency_dup(messages->latency[i]);
	latencies->first_response = rda_latency_dup(messages->first_response);
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

	memcpy(facts->requests, counts->packets, sizeof(facts->requests));
	facts->requests[RDA_REQUEST_NEW] = rda_account_new_requests(flow);
	facts->requests[RDA_REQUEST_REORDERED] +=
		counts->late_resends + rda_account_late_responses(flow->peer) +
		rda_account_response_counts(flow->peer)->reordered_acks +
		rda_flow_rare(flow)->overtaken;
}

static void take_losses(struct rda_flow_troubles *troubles, const struct rda_flow *flow)
{
	const struct rda_request_counts *counts = rda_account_counts(flow);
	const struct rda_response_counts *responses = rda_account_response_counts(flow->peer);

	troubles->forgotten_requests = rda_account_forgotten(flow);
	memcpy(troubles->resends, counts->resends, sizeof(troubles->resends));
	troubles->lost_before = counts->lost_before + responses->lost_before +
				rda_account_responses_unshown(flow->peer, NULL);
	troubles->lost_after = counts->lost_after + responses->lost_after;
	troubles->lost_by_capture = counts->lost_by_capture;
	troubles->lost_damaged = counts->lost_damaged;
	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		troubles->stalled_ns[i] = rda_account_stalled_ns(flow, (enum rda_trigger)i);
}

static void take_doubts(struct rda_flow_doubts *doubts, const struct rda_flow *flow)
{
	const struct rda_request_counts *counts = rda_account_counts(flow);
	const struct rda_run_doubts *runs = &counts->doubts;

	for (unsigned i = 0; i < RDA_FLOW_IDS; i++)
		doubts->alike +=
			rda_flow_ids(flow, i)->vary ? rda_flow_rare(flow)->alike[i].refused : 0;
	if (!flow->peer)
		return;
	doubts->untold = rda_account_unexpected(flow)->untold;
	doubts->runs_on = runs->on;
	doubts->runs_anew = runs->anew;
	if (runs->anew)
		doubts->resent_anew = counts->packets[RDA_REQUEST_RESENT] - runs->before;
	doubts->unanswered = rda_account_unanswered(flow);
}

static const struct rda_flow_troubles no_troubles;

/* NULL: there are none. */
static struct rda_flow_troubles *troubles_of(const struct rda_flow *flow)
{
	const struct rda_flow_rare *rare = rda_flow_rare(flow);
	struct rda_flow_troubles troubles;

	memset(&troubles, 0, sizeof(troubles)); /* padding too */
	memcpy(troubles.naks, rare->naks, sizeof(troubles.naks));
	troubles.rnr_naks = rare->rnr_naks;
	troubles.cnps = rare->cnps;
	troubles.ce_marked = rare->ce_marked;
	troubles.copies = rare->copies;
	troubles.damaged = rare->damaged;
	take_losses(&troubles, flow);
	take_doubts(&troubles.doubts, flow);
	if (memcmp(&troubles, &no_troubles, sizeof(troubles)) == 0)
		return NULL;
	return g_memdup2(&troubles, sizeof(troubles));
}

const struct rda_flow_troubles *rda_flow_troubles(const struct rda_flow_facts *facts)
{
	return facts->troubles ? facts->troubles : &no_troubles;
}

static void take_time(struct rda_flow_facts *facts, const struct rda_flow *flow)
{
	struct rda_held held[RDA_HELD_KINDS];
	struct rda_flow_time time;

	rda_time_facts_of(&time, held, flow);
	if (time.known)
		facts->time = g_memdup2(&time, sizeof(time));
	if (held[RDA_HELD_REQUESTS].gaps || held[RDA_HELD_RESPONSES].gaps)
		facts->held = g_memdup2(held, sizeof(held));
}

void rda_flow_facts_of(struct rda_flow_facts *facts, const struct rda_flow *flow)
{
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
		.request_packets = flow->request_packets,
		.response_packets = rda_flow_answers(flow)->packets,
		.payload_bytes = flow->payload_bytes,
		.first_psn = flow->first_psn,
		.last_psn = flow->last_psn,
		.full_payload = flow->full_payload,
		.acks = rda_flow_answers(flow)->acks,
		.message_kind = flow->message_kind,
		.messages = flow->messages,
		.other_messages = g_memdup2(flow->other_messages,
					    RDA_MESSAGE_COUNT * sizeof(*flow->other_messages)),
		.troubles = troubles_of(flow),
		.latencies = latencies_of(messages_of(flow)),
		.messages_not_timed = not_timed(flow),
		.conversation = -1,
		.reads_most = -1,
	};
	take_account(facts, flow);
	facts->steps = rda_steps_copy(flow->steps);
	facts->mark_log = rda_mark_log_copy(rda_flow_rare(flow)->mark_log);
	facts->slowdown = rda_slowdown_copy(rda_slowing_facts(flow->slowing));
	take_time(facts, flow);
}

struct rda_flow_facts *rda_flow_facts_copy(const struct rda_flow_facts *from)
{
	struct rda_flow_facts *to = g_memdup2(from, sizeof(*from));

	to->time = g_memdup2(from->time, sizeof(*from->time));
	to->held = g_memdup2(from->held, RDA_HELD_KINDS * sizeof(*from->held));
	to->steps = rda_steps_copy(from->steps);
	to->mark_log = rda_mark_log_copy(from->mark_log);
	to->slowdown = rda_slowdown_copy(from->slowdown);
	to->troubles = g_memdup2(from->troubles, sizeof(*from->troubles));
	to->other_messages =
		g_memdup2(from->other_messages, RDA_MESSAGE_COUNT * sizeof(*from->other_messages));
	if (!from->latencies)
		return to;
	to->latencies = g_new(struct rda_flow_latencies, 1);
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		to->latencies->kinds[i] = rda_latency_dup(from->latencies->kinds[i]);
	to->latencies->first_response = rda_latency_dup(from->latencies->first_response);
	rda_latency_copy(&to->latencies->acks, &from->latencies->acks);
	return to;
}

void rda_flow_facts_free(struct rda_flow_facts *facts)
{
	if (!facts)
		return;
	g_free(facts->time);
	g_free(facts->held);
	g_free(facts->troubles);
	g_free(facts->other_messages);
	rda_steps_free(facts->steps);
	rda_slowdown_free(facts->slowdown);
	rda_mark_log_free(facts->mark_log);
	for (unsigned i = 0; facts->latencies && i < RDA_MESSAGE_COUNT; i++)
		rda_latency_free(facts->latencies->kinds[i]);
	if (facts->latencies) {
		rda_latency_free(facts->latencies->first_response);
		rda_latency_cleanup(&facts->latencies->acks);
	}
	g_free(facts->latencies);
	g_free(facts);
}

struct rda_message_count rda_flow_message_count(const struct rda_flow_facts *facts,
						enum rda_message kind)
{
	if (kind == facts->message_kind)
		return facts->messages;
	return facts->other_messages ? facts->other_messages[kind] : (struct rda_message_count){0};
}

struct rda_latency rda_flow_message_latency(const struct rda_flow_facts *facts)
{
	struct rda_latency all = {0};

	for (unsigned i = 0; facts->latencies && i < RDA_MESSAGE_COUNT; i++)
		rda_latency_merge(&all, facts->latencies->kinds[i]);
	return all;
}

int64_t rda_flow_stalled_ns(const struct rda_flow_facts *facts)
{
	const int64_t *stalled_ns = rda_flow_troubles(facts)->stalled_ns;
	int64_t sum = 0;

	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		sum = rda_ns_sum(sum, stalled_ns[i]);
	return sum;
}
