/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hosts are told, as events of memory keys: SENDs, in which keys may stand, and what
 * connection management says of QPs, and of their end. Requests that name keys are key_track.c's.
 */
#include "analyzer/track/keys/key_track.h"

#include "analyzer/track/keys/track_state.h"

static void tell(const struct rda_key_at *at, const struct rda_key_event *event)
{
	at->sink->event(at->sink->context, event);
}

void rda_key_track_message(const struct rda_key_at *at)
{
	struct rda_key_event event = rda_key_event_of(RDA_KEY_MESSAGE, at->flow, at->place);

	event.bytes = rda_packet_payload(at->frame, at->packet, &event.length);
	event.other = at->packet->payload_length;
	tell(at, &event);
}

/* A REQ or REP tells the QPN and the PSN that its sender begins with. */
static void tell_numbers(const struct rda_key_at *at, const struct rda_cm *cm)
{
	struct rda_key_event event = rda_key_event_of(RDA_KEY_NUMBER, at->flow, at->place);

	if (!rda_cm_knows(cm, "local_qpn") || !rda_cm_knows(cm, "starting_psn"))
		return;
	if (cm->id == RDA_CM_REQ) {
		event.key = cm->cm_req.local_qpn;
		event.other = cm->cm_req.starting_psn;
	} else if (cm->id == RDA_CM_REP) {
		event.key = cm->cm_rep.local_qpn;
		event.other = cm->cm_rep.starting_psn;
	} else {
		return;
	}
	tell(at, &event);
}

void rda_key_track_over(const struct rda_flow *flow, uint64_t place,
			const struct rda_key_sink *sink)
{
	struct rda_key_event event;

	if (!flow || !flow->keys)
		return;
	event = rda_key_event_of(RDA_KEY_DEAD, flow, place);
	sink->event(sink->context, &event);
}

void rda_key_track_cm(const struct rda_key_at *at, const struct rda_cm_step *step)
{
	tell_numbers(at, &step->cm);
	if (!step->pair || !step->fresh || !rda_cm_is_over(step->pair))
		return;
	rda_key_track_over(step->pair->flows[0], at->place, at->sink);
	rda_key_track_over(step->pair->flows[1], at->place, at->sink);
}
