/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group Q: what the trackers and the connections tell of the capture's quality. Time stamps are in
 * clock.c, what came late in reorder.c, directions that are missing in direction.c.
 *
 * An acknowledgment proves that a packet arrived. What was acknowledged and is not in the capture
 * was missed by the capture, not by the network.
 */
#include "analyzer/checks/capture/state.h"

#include "analyzer/base/psn.h"
#include "analyzer/checks/answer/state.h"
#include "analyzer/checks/capture/clock.h"
#include "analyzer/track/roce/copies.h"

#include <glib.h>

/* Of a flow's request packets in percent: more are copies only where a port is mirrored twice. */
enum { MIRRORED_PERCENT = 30, MIRRORED_FEW = 10 };

/* Of so many packets one may lack its copy, or have another, where a mirror shows all twice. */
enum { TWICE_IN = 16 };

struct rda_capture_state {
	struct rda_clock clock;
};

void rda_check_capture_begin(struct rda_judge *judge)
{
	judge->capture = g_new0(struct rda_capture_state, 1);
	rda_clock_init(&judge->capture->clock);
}

void rda_check_capture_free(struct rda_judge *judge)
{
	rda_clock_cleanup(&judge->capture->clock);
	g_free(judge->capture);
}

void rda_check_capture_forget(struct rda_flow *flow)
{
	if (flow->watch.capture)
		g_free(flow->watch.capture->reordered);
	g_free(flow->watch.capture);
}

struct rda_capture_watch *rda_capture_watch(struct rda_flow *flow)
{
	if (!flow->watch.capture)
		flow->watch.capture = g_new0(struct rda_capture_watch, 1);
	return flow->watch.capture;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Q11: a frame that no link carries. */
RDA_COLD static void host_capture_artefacts(const struct rda_at *at)
{
	struct rda_finding *finding = rda_finding_add(&at->judge->findings, RDA_CHECK_Q11,
						      rda_about_capture(at->capture), at->place);

	rda_finding_say(finding, RDA_SAY_Q11_FRAME, RDA_ARG_NUMBER("bytes", at->frame->wire));
}

/* One that may be damaged is of another QP, perhaps. */
static struct rda_finding *mid_stream(const struct rda_at *at)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_Q09);

	finding->lowered |= !at->credible;
	return finding;
}

/* Q09: the first packet of a direction is no beginning. */
RDA_COLD static void mid_stream_start(const struct rda_at *at)
{
	uint16_t roles = at->packet->opcode->roles;

	if (!at->credible)
		rda_capture_watch(at->flow)->begins_doubted = true;
	if (roles & RDA_ROLE_REQUEST && roles & (RDA_ROLE_MIDDLE | RDA_ROLE_LAST) &&
	    !(roles & RDA_ROLE_FIRST))
		rda_finding_say(mid_stream(at), RDA_SAY_Q09_REQUEST,
				RDA_ARG_WORD("opcode", at->packet->opcode->name));
	else if (roles & RDA_ROLE_RESPONSE && !at->asker &&
		 at->packet->opcode->transport != RDA_TRANSPORT_RD) /* who asked is not followed */
		rda_finding_say(mid_stream(at), RDA_SAY_Q09_RESPONSE,
				RDA_ARG_WORD("opcode", at->packet->opcode->name));
}

void rda_check_capture_frame(const struct rda_at *at)
{
	rda_clock_frame(&at->judge->capture->clock, at);
	if (at->frame->wire > RDA_LONGEST_FRAME)
		host_capture_artefacts(at);
}

void rda_check_capture_packet(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (at->flow->packets == 1)
		mid_stream_start(at);
	if (!packet->plain &&
	    (packet->opcode->kind == RDA_OPCODE_RESERVED || packet->status == RDA_STATUS_MALFORMED))
		rda_capture_watch(at->flow)->undecodable++;
	if (!at->flow->peer && at->request && at->request->ack_req)
		rda_direction_asked(at);
}

void rda_check_capture_copy(const struct rda_at *at)
{
	unsigned kind = rda_copies_kind(at->packet->opcode->roles);
	const struct rda_flow_ids *ids = rda_flow_ids(at->flow, kind);
	const struct rda_flow_alike *alike = &rda_flow_rare(at->flow)->alike[kind];
	bool by_chance =
		alike->chances >= alike->copies && rda_copies_are_few(alike->copies, ids->packets);
	struct rda_finding *finding;

	rda_clock_frame(&at->judge->capture->clock, at);
	if (at->asker || at->damaged)
		return; /* told by events, and by answer/ack_order.c */
	finding = rda_finding_add_as(&at->judge->findings, RDA_CHECK_Q05, RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(at->flow), at->place);
	rda_finding_frame(finding, at->copy_of);
	rda_finding_retell(finding, RDA_SAY_Q05_COPIES, RDA_ARG_NUMBER("copies", alike->copies),
			   RDA_ARG_TIME("within_ns", RDA_COPY_NS),
			   RDA_ARG_FLAG("perhaps_resent", !ids->independent || by_chance));
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Q01: acknowledged, and never captured; perhaps, where a request tells it that was itself covered
 * before it passed: that ACK may be of nothing. What is missing as the capture begins may have
 * passed before that. */
static void acked_but_unseen(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_finding *finding = rda_finding_add(&at->judge->findings, RDA_CHECK_Q01,
						      rda_about_flow(at->asker), event->frame);

	finding->count += event->count - 1;
	if (rda_account_is_early(at->asker->account, event->psn,
				 event->psn + (int64_t)event->count))
		rda_capture_watch(at->asker)->missed_early = true;
	finding->lowered |=
		event->doubted || rda_capture_may_be_anew(at, event) ||
		(at->request && rda_account_answered_ahead(at->asker->account, at->request->begin));
}

/* Q01, Q02, taken back: what seemed to be missed comes late, or is asked for again after all. */
static void take_back(const struct rda_at *at, const struct rda_event *event, enum rda_check check)
{
	struct rda_finding *finding =
		rda_finding_find(&at->judge->findings, check, rda_about_flow(at->asker));

	if (finding)
		finding->count -= MIN(finding->count, event->count);
}

/* Q02: a READ went on although responses are missing. */
static void read_answered_but_responses_unseen(const struct rda_at *at,
					       const struct rda_event *event)
{
	struct rda_finding *finding = rda_finding_add(&at->judge->findings, RDA_CHECK_Q02,
						      rda_about_flow(at->asker), event->frame);

	finding->count += event->count - 1;
	rda_finding_frame(finding, event->other_frame);
}

/* Q05: copies of one packet. */
static void mirror_duplicates(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_finding *finding = rda_finding_add_as(
		&at->judge->findings, RDA_CHECK_Q05, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
		rda_about_flow(at->asker), event->overtaken ? 0 : event->frame);

	rda_finding_frame(finding, event->other_frame);
}

void rda_check_capture_event(const struct rda_at *at, const struct rda_event *event)
{
	if (!at->asker)
		return;
	switch (event->kind) {
	case RDA_EVENT_ACKED_UNSEEN: acked_but_unseen(at, event); break;
	case RDA_EVENT_UNSEEN_FOUND: take_back(at, event, RDA_CHECK_Q01); break;
	case RDA_EVENT_RESPONSE_UNSEEN: read_answered_but_responses_unseen(at, event); break;
	case RDA_EVENT_RESPONSE_ASKED: take_back(at, event, RDA_CHECK_Q02); break;
	case RDA_EVENT_MIRRORED: mirror_duplicates(at, event); break;
	case RDA_EVENT_REORDERED: rda_reorder_request(at, event); break;
	case RDA_EVENT_OVERTAKEN: rda_reorder_overtaken(at, event); break;
	case RDA_EVENT_RESENT: rda_reorder_resent(at, event); break;
	case RDA_EVENT_RESPONSE_REORDERED: rda_reorder_response(at, event); break;
	default: break;
	}
}

/* ---- connections ----------------------------------------------------------------------------- */

/* So many answers that each tell of some are no accident. */
enum { LEAPS_LEAST = 3 };

/* Few answers tell of more than came in all, and count fewer messages: a PSN may have come damaged,
 * or the QP been set up anew a little ahead, where no connection management tells of it. */
static bool is_leap(const struct rda_finding *missed, const struct rda_flow *flow)
{
	return !rda_cm_set_up(flow) && missed->place_count < LEAPS_LEAST &&
	       missed->count > flow->request_packets &&
	       (rda_answer_watched(flow)->msn.msn & RDA_PSN_MASK) < (int64_t)missed->count;
}

static void tell_missed(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_ghost_watch *ghost;
	const struct rda_capture_watch *watch = flow->watch.capture;
	bool early = watch && watch->missed_early;
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_Q01, rda_about_flow(flow));

	if (!finding)
		return;
	finding->withheld |= finding->count == 0; /* all of it came late */
	/* an ACK was ahead of what it covers: others may be of what was not sent yet, too; or they
	 * acknowledge another connection's; or the PSN that was seen first was damaged */
	ghost = rda_answer_watched(flow)->ghost;
	finding->lowered |= (ghost && ghost->ahead) || flow->among_others ||
			    is_leap(finding, flow) || early || (watch && watch->begins_doubted);
	rda_finding_retell(finding, RDA_SAY_Q01_MISSED, RDA_ARG_NUMBER("missed", finding->count),
			   RDA_ARG_NUMBER("packets", flow->request_packets),
			   RDA_ARG_FLAG("early", early));
}

/* Q01: answered, and the capture is at its end: no request behind it tells that it was missed. */
static void tell_unsettled(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_finding *finding;
	uint64_t place, unseen = rda_account_unseen(flow, &place);

	if (!unseen)
		return;
	finding = rda_finding_add_proof(&judge->findings, RDA_CHECK_Q01, RDA_PROOF_SUSPECTED,
					rda_about_flow(flow), place);
	finding->count += unseen - 1;
	rda_finding_say(finding, RDA_SAY_Q01_AT_THE_END, RDA_ARG_NUMBER("missed", unseen),
			RDA_ARG_NUMBER("packets", flow->request_packets));
}

static void tell_missed_responses(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_Q02, rda_about_flow(flow));

	if (!finding)
		return;
	finding->withheld |= finding->count == 0; /* all of it was asked for again */
	rda_finding_retell(finding, RDA_SAY_Q02_MISSED, RDA_ARG_NUMBER("missed", finding->count));
}

bool rda_capture_has_all_answers(const struct rda_connection *connection,
				 const struct rda_flow *flow)
{
	return flow->peer && rda_flow_answers(flow->peer)->packets &&
	       connection->seen & RDA_SEEN_UNBROKEN;
}

/* Who answers asked for something again. Where that passed before it was known whose answer it is,
 * what came again does not count as sent again for it. */
static bool is_asked_again(const struct rda_flow *flow)
{
	const struct rda_flow_rare *answers = rda_flow_rare(flow->peer);

	return answers->naks[RDA_NAK_SEQUENCE] || answers->rnr_naks;
}

/* It asks for responses: where one is lost behind the tap all behind it is sent again, and nothing
 * here tells why, nor identifications that are silent, or made of the PSNs. */
static bool may_lack_responses(const struct rda_flow *flow)
{
	uint64_t by_time = rda_account_counts(flow)->packets[RDA_REQUEST_MIRRORED] -
			   rda_flow_rare(flow)->copies.requests;

	return (by_time || !flow->ids.independent) &&
	       (rda_flow_messages(flow, RDA_MESSAGE_READ).count ||
		rda_flow_messages(flow, RDA_MESSAGE_ATOMIC).count);
}

/* What counts as copies: two transmissions that came together look so as well, where
 * identifications are silent; or random, and a run of resends is just there. */
static bool may_be_resends(const struct rda_connection *connection, const struct rda_flow *flow)
{
	const uint64_t *packets = rda_account_counts(flow)->packets;
	const struct rda_flow_alike *alike =
		&rda_flow_rare(flow)->alike[rda_copies_kind(RDA_ROLE_REQUEST)];
	uint64_t mirrored = packets[RDA_REQUEST_MIRRORED];
	uint64_t by_id = rda_flow_rare(flow)->copies.requests;
	uint64_t requests = flow->request_packets + by_id;
	bool by_a_mirror = !alike->slow && !rda_account_counts(flow)->copied_again &&
			   mirrored * 2 + requests / TWICE_IN >= requests &&
			   mirrored * 2 <= requests + requests / TWICE_IN;

	if (by_a_mirror && !packets[RDA_REQUEST_RESENT] && !may_lack_responses(flow) &&
	    rda_capture_has_all_answers(connection, flow) && !is_asked_again(flow))
		return false;
	return mirrored > by_id || !flow->ids.independent || alike->chances >= by_id;
}

static void tell_mirrored(struct rda_judge *judge, const struct rda_connection *connection,
			  const struct rda_flow *flow)
{
	uint64_t mirrored = rda_account_counts(flow)->packets[RDA_REQUEST_MIRRORED], share;
	uint64_t by_id = rda_flow_rare(flow)->copies.requests;
	uint64_t requests = flow->request_packets + by_id;
	unsigned request = rda_copies_kind(RDA_ROLE_REQUEST);
	int64_t by_id_ns = by_id ? MAX(RDA_COPY_NS, rda_flow_rare(flow)->alike[request].within_ns)
				 : RDA_MIRROR_NS;
	int64_t within_ns = MAX(by_id_ns, rda_account_counts(flow)->copied_ns);
	bool elsewhere = rda_flow_is_copied_elsewhere(flow, mirrored - by_id);
	struct rda_finding *finding;

	if (!mirrored)
		return;
	share = mirrored * 100 / requests;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_Q05, RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow), 0);
	finding->count--; /* it was counted packet by packet */
	if (share > MIRRORED_PERCENT && requests >= MIRRORED_FEW && !elsewhere)
		finding->severity = RDA_SEVERITY_WARNING;
	rda_finding_retell(finding, RDA_SAY_Q05_REQUESTS, RDA_ARG_NUMBER("copies", mirrored),
			   RDA_ARG_NUMBER("percent", share), RDA_ARG_TIME("within_ns", within_ns),
			   RDA_ARG_FLAG("perhaps_resent", may_be_resends(connection, flow)));
	if (elsewhere)
		rda_finding_say_more(finding, RDA_SAY_Q05_INTERFACES, RDA_ARG_NONE);
}

/* Q09, taken back: what its first answer answers came just behind. */
static void tell_mid_stream(struct rda_judge *judge, const struct rda_flow *flow,
			    const struct rda_flow *asker)
{
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_Q09, rda_about_flow(flow));

	if (finding && rda_flow_answers(flow)->packets &&
	    asker->first_time_ns - flow->first_time_ns < RDA_MIRROR_NS &&
	    rda_ranges_has(&asker->requests, rda_psn_widen(rda_psn_first(asker->first_psn),
							   rda_flow_answers(flow)->first_psn)))
		finding->withheld = true;
}

/* Q12: RoCE by its port, and by nothing else. */
static void flow_not_decodable(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_capture_watch *watch = flow->watch.capture;

	if (flow->key.carrier != RDA_CARRIER_ROCEV2 || !watch || watch->undecodable < flow->packets)
		return;
	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_Q12, rda_about_flow(flow),
					flow->first_place),
			RDA_SAY_Q12_PORT, RDA_ARG_NUMBER("packets", flow->packets));
}

void rda_check_capture_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (!flow)
			continue;
		flow_not_decodable(judge, flow);
		rda_reorder_tell(judge, connection, flow);
		if (!flow->account)
			continue;
		tell_missed(judge, flow);
		tell_unsettled(judge, flow);
		tell_missed_responses(judge, flow);
		tell_mirrored(judge, connection, flow);
	}
	if (connection->flows[0] && connection->flows[1]) {
		tell_mid_stream(judge, connection->flows[0], connection->flows[1]);
		tell_mid_stream(judge, connection->flows[1], connection->flows[0]);
	}
	if (!connection->flows[0] || !connection->flows[1])
		rda_direction_tell(judge, connection);
}

/* ---- captures -------------------------------------------------------------------------------- */

/* Q04: cut by the snap length. */
static void snaplen_truncation(struct rda_judge *judge, uint32_t index)
{
	const struct rda_capture *capture = &judge->overall->captures[index];

	if (capture->cut_by_snaplen)
		rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_Q04,
						rda_about_capture(index),
						rda_place_id(index, capture->first_cut)),
				RDA_SAY_Q04_CUT, RDA_ARG_NUMBER("cut", capture->cut_by_snaplen),
				RDA_ARG_NUMBER("packets", capture->packets));
}

/* Q08: what the capturing program says that it dropped. */
static void capture_dropped(struct rda_judge *judge, uint32_t index)
{
	const struct rda_capture *capture = &judge->overall->captures[index];

	if (capture->dropped)
		rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_Q08,
						rda_about_capture(index), 0),
				RDA_SAY_Q08_DROPPED, RDA_ARG_NUMBER("dropped", capture->dropped),
				RDA_ARG_NUMBER("packets", capture->packets));
}

void rda_check_capture_others(const struct rda_at *at, const struct rda_share *share)
{
	(void)share;
	rda_clock_others(&at->judge->capture->clock, at);
}

void rda_check_capture_between(const struct rda_at *at)
{
	rda_clock_between(&at->judge->capture->clock, at);
}

void rda_check_capture_join(struct rda_judge *to, const struct rda_judge *from,
			    const struct rda_moved *moved)
{
	(void)moved;
	rda_clock_join(&to->capture->clock, &from->capture->clock);
}

struct rda_stamps rda_capture_stamps(const struct rda_judge *judge, uint32_t capture)
{
	return rda_clock_stamps(&judge->capture->clock, capture);
}

void rda_check_capture_overall(struct rda_judge *judge)
{
	for (uint32_t i = 0; i < judge->overall->capture_count; i++) {
		snaplen_truncation(judge, i);
		capture_dropped(judge, i);
	}
	rda_clock_overall(&judge->capture->clock, judge);
	rda_direction_overall(judge);
}

void rda_check_capture_retire(struct rda_judge *judge, const struct rda_moved *moved)
{
	(void)moved;
	judge->capture->clock.previous_flow = NULL;
}

void rda_check_capture_pack(struct rda_pack *pack, struct rda_judge *judge)
{
	rda_clock_pack(pack, &judge->capture->clock);
}
