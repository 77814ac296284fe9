/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q10: requests and READ responses that came late, how many others had overtaken them, and how long
 * before (reach.h). What it cost is told behind that by sequence/reordered.c, ACKs by
 * answer/ack_order.c.
 */
#include "analyzer/checks/capture/state.h"

#include "analyzer/track/roce/copies.h"

#include <glib.h>

static struct rda_reorder_watch *watch_of(struct rda_flow *flow)
{
	struct rda_capture_watch *watch = rda_capture_watch(flow);

	if (!watch->reordered)
		watch->reordered = g_new0(struct rda_reorder_watch, 1);
	return watch->reordered;
}

/* Late, and nobody had sent it again. */
void rda_reorder_request(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_reach reach = rda_reach_of_request(at->asker->account, event->psn);

	rda_finding_add(&at->judge->findings, RDA_CHECK_Q10, rda_about_flow(at->asker),
			event->frame);
	if (!event->other_frame) /* else it is told of an earlier packet */
		rda_reach_join(&watch_of(at->asker)->requests, &reach);
}

/* A finding of the flow that sent them. */
void rda_reorder_response(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_reach reach =
		rda_reach_of_response(at->asker->account, event->psn, event->time_ns);

	rda_finding_add(&at->judge->findings, RDA_CHECK_Q10, rda_about_flow(at->asker->peer),
			event->frame);
	rda_reach_join(&watch_of(at->asker->peer)->responses, &reach);
}

static void came_behind(const struct rda_at *at, uint64_t *count, uint64_t place)
{
	++*count;
	rda_finding_add(&at->judge->findings, RDA_CHECK_Q10, rda_about_flow(at->asker), place);
}

void rda_reorder_resent(const struct rda_at *at, const struct rda_event *event)
{
	if (event->overtaken && rda_account_requests_numbered(at->asker->account))
		came_behind(at, &watch_of(at->asker)->resent, event->frame);
}

void rda_reorder_overtaken(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_reorder_watch *watch = watch_of(at->asker);

	if (rda_account_requests_numbered(at->asker->account))
		came_behind(at, &watch->news, event->frame);
	else if (!watch->blind++)
		watch->blind_place = event->frame;
}

/* So late that a timer may have sent it again, and no NAK asks for anything: a loss looks the same
 * where a responder takes packets out of order and its requester repeats only what is missing. */
static bool is_a_timer_late(const struct rda_flow *flow, const struct rda_reach *late)
{
	return late->late_ns >= RDA_TIMER_IN_USE_NS && flow->peer &&
	       !rda_flow_rare(flow->peer)->naks[RDA_NAK_SEQUENCE];
}

/* A response did not pass, and what is behind it was answered: the capture misses packets, a NAK
 * perhaps. */
static bool lacks_a_response(const struct rda_flow *flow)
{
	return rda_account_answered(flow->account) < rda_account_taken(flow->account);
}

/* What came late: neither answers tell it for certain, nor the order of sending. A requester that
 * repeats only what is missing makes the same of a NAK that the capture missed. */
static bool may_be_sent_again(const struct rda_connection *connection, const struct rda_flow *flow,
			      const struct rda_reach *late)
{
	return rda_account_doubts_late(flow->account) ||
	       ((!rda_capture_has_all_answers(connection, flow) || lacks_a_response(flow) ||
		 rda_account_counts(flow)->selective_repeat || is_a_timer_late(flow, late)) &&
		rda_account_lost_order(flow->account));
}

/* Requests came again, and nothing tells whether the network copied them: so one that comes late.
 */
static bool may_be_copies(const struct rda_flow *flow)
{
	const struct rda_request_counts *counts = rda_account_counts(flow);

	return counts->doubts.copies || rda_copies_are_untold(flow, RDA_ROLE_REQUEST);
}

static bool asked_atomics(const struct rda_flow *asker)
{
	return rda_flow_messages(asker, RDA_MESSAGE_ATOMIC).count;
}

/*
 * Requests behind what was sent later that nothing else is said of. Those that came before it was
 * known what identifications tell are told where nothing else is: some may be told otherwise.
 */
static uint64_t behind_of(struct rda_judge *judge, const struct rda_flow *flow,
			  const struct rda_reorder_watch *watch, struct rda_finding **finding)
{
	if (!(watch->resent || watch->news || watch->blind) ||
	    !rda_account_requests_numbered(flow->account))
		return 0;
	if (!*finding) {
		*finding = rda_finding_add_as(&judge->findings, RDA_CHECK_Q10, RDA_SEVERITY_NOTE,
					      RDA_PROOF_SUSPECTED, rda_about_flow(flow),
					      watch->blind_place);
		(*finding)->count += watch->blind - 1;
		return watch->blind;
	}
	return watch->resent + watch->news;
}

#define REACH(reach, packets_name, more_name, time_name)                                           \
	RDA_ARG_IF((reach).packets, RDA_ARG_NUMBER(packets_name, (reach).packets)),                \
		RDA_ARG_IF((reach).packets,                                                        \
			   RDA_ARG_FLAG(more_name, (reach).packets >= RDA_REACH_MOST)),            \
		RDA_ARG_IF((reach).packets && (reach).late_ns,                                     \
			   RDA_ARG_TIME(time_name, (reach).late_ns))

void rda_reorder_tell(struct rda_judge *judge, const struct rda_connection *connection,
		      const struct rda_flow *flow)
{
	static const struct rda_reorder_watch none;
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_Q10, rda_about_flow(flow));
	const struct rda_reorder_watch *watch =
		flow->watch.capture && flow->watch.capture->reordered
			? flow->watch.capture->reordered
			: &none;
	uint64_t requests = rda_account_counts(flow)->packets[RDA_REQUEST_REORDERED];
	uint64_t responses = rda_account_late_responses(flow->peer);
	uint64_t behind = behind_of(judge, flow, watch, &finding);
	bool perhaps = requests && may_be_sent_again(connection, flow, &watch->requests);

	if (!finding)
		return;
	if (requests)
		rda_finding_retell(finding, RDA_SAY_Q10_LATE, RDA_ARG_NUMBER("late", requests),
				   RDA_ARG_NUMBER("packets", flow->request_packets),
				   REACH(watch->requests, "overtaken", "or_more", "late_ns"),
				   RDA_ARG_FLAG("perhaps_resent", perhaps),
				   RDA_ARG_FLAG("perhaps_copied", perhaps && may_be_copies(flow)));
	if (behind)
		rda_finding_say_more(finding, RDA_SAY_Q10_OVERTAKEN,
				     RDA_ARG_NUMBER("behind", behind),
				     RDA_ARG_FLAG("all_again", behind == watch->resent),
				     RDA_ARG_IF(watch->resent && behind > watch->resent,
						RDA_ARG_NUMBER("behind_again", watch->resent)));
	if (responses)
		rda_finding_say_more(finding, RDA_SAY_Q10_RESPONSES,
				     RDA_ARG_NUMBER("late_responses", responses),
				     RDA_ARG_NUMBER("responses", rda_flow_answers(flow)->packets),
				     RDA_ARG_FLAG("atomics", asked_atomics(flow->peer)),
				     REACH(watch->responses, "responses_overtaken",
					   "responses_or_more", "responses_late_ns"));
	/* what seemed late was sent again, as later packets told; ACKs, answer/ack_order.c adds */
	finding->withheld = !rda_finding_is_said(finding);
}
