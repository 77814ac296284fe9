/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From FPDUs to events of memory keys; see stag_track.h.
 */
#include "analyzer/track/keys/stag_track.h"

#include "analyzer/track/flow.h"
#include "analyzer/track/keys/track_state.h"

#include <glib.h>

/* layer and type of a Terminate that concerns an STag */
enum { LAYER_DDP = 1, TYPE_PROTECTION = 1 };

static struct rda_key_event event_of(const struct rda_stag_at *at, enum rda_key_event_kind kind,
				     const struct rda_flow *flow, uint32_t stag)
{
	struct rda_key_event event = rda_key_event_of(kind, flow, at->place);

	event.key = stag;
	event.stag = true;
	return event;
}

static void tell(const struct rda_stag_at *at, const struct rda_key_event *event)
{
	at->sink->event(at->sink->context, event);
}

/* ---- uses ------------------------------------------------------------------------------------ */

static void tell_use(const struct rda_stag_at *at, enum rda_key_use use, uint32_t stag,
		     uint64_t offset, uint64_t bytes)
{
	struct rda_key_event event = event_of(at, RDA_KEY_ASKED, at->flow, stag);

	event.use = (uint8_t)use;
	event.va = offset;
	event.length = (uint32_t)MIN(bytes, UINT32_MAX);
	event.asked_place = at->step->message.first_place;
	tell(at, &event);
}

static void note_use(const struct rda_stag_at *at)
{
	const struct rda_ulpdu *u = &at->fpdu->ulpdu;
	const struct rda_rdmap_message *m = &at->step->message;

	if (u->present & RDA_HAS(RDMAP_READ))
		tell_use(at, RDA_KEY_USE_READ, u->read.source_stag, u->read.source_offset,
			 u->read.size);
	else if (u->present & RDA_HAS(RDMAP_ATOMIC))
		tell_use(at, RDA_KEY_USE_ATOMIC, u->atomic.stag, u->atomic.offset, 8);
	else if (at->step->ends && m->opcode == RDA_RDMAP_OPCODE_WRITE && m->tagged)
		tell_use(at, RDA_KEY_USE_WRITE, m->target, m->offset, m->bytes);
}

/* The whole answer is there: what it was asked with is good. */
static void note_worked(const struct rda_stag_at *at)
{
	const struct rda_rdmap_asked *asked = &at->step->asked;
	struct rda_key_event event;

	if (at->step->fit != RDA_RDMAP_FITS || !at->step->ends || !at->peer)
		return;
	event = event_of(at, RDA_KEY_WORKED, at->peer, asked->read.source_stag);
	event.use = at->fpdu->ulpdu.opcode == RDA_RDMAP_OPCODE_READ_RESPONSE ? RDA_KEY_USE_READ
									     : RDA_KEY_USE_ATOMIC;
	event.va = asked->read.source_offset;
	event.length = asked->read.size;
	event.asked_place = asked->place;
	tell(at, &event);
}

/* ---- invalidation ---------------------------------------------------------------------------- */

static bool invalidates(const struct rda_ulpdu *u)
{
	return !u->tagged && u->last &&
	       (u->opcode == RDA_RDMAP_OPCODE_SEND_INV ||
		u->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV);
}

static uint64_t sends_of(const struct rda_flow *flow)
{
	return flow && flow->rdmap ? rda_rdmap_sends(flow->rdmap) : 0;
}

static void note_invalidated(const struct rda_stag_at *at)
{
	struct rda_key_track_rare *rare;
	uint32_t stag = at->fpdu->ulpdu.ddp_untagged.invalidate_stag;
	struct rda_key_event event;

	if (!invalidates(&at->fpdu->ulpdu))
		return;
	rare = rda_key_track_rare(rda_key_track_of(at->flow));
	if (!rare->stags)
		rare->stags = g_new0(struct rda_stag_invalidated, RDA_STAGS_INVALIDATED_KEPT);
	rare->stags[rare->stags_next++ % RDA_STAGS_INVALIDATED_KEPT] =
		(struct rda_stag_invalidated){stag, at->fpdu->place, sends_of(at->peer)};
	event = event_of(at, RDA_KEY_WORKED, at->flow, stag);
	event.use = RDA_KEY_USE_INVALIDATE;
	event.asked_place = at->fpdu->place;
	tell(at, &event);
}

bool rda_stag_is_used(const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step,
		      uint32_t *stag)
{
	const struct rda_ulpdu *u = &fpdu->ulpdu;

	if (u->opcode == RDA_RDMAP_OPCODE_WRITE && step->begins && u->payload_length)
		*stag = u->ddp_tagged.stag;
	else if (u->present & RDA_HAS(RDMAP_READ) && u->read.size)
		*stag = u->read.source_stag;
	else if (u->present & RDA_HAS(RDMAP_ATOMIC))
		*stag = u->atomic.stag;
	else
		return false;
	return true;
}

uint64_t rda_stag_invalidated(const struct rda_flow *flow, const struct rda_flow *peer,
			      uint32_t stag)
{
	const struct rda_key_track *track = flow->keys;

	if (!peer || !track || track->broken || !track->rare || !track->rare->stags)
		return 0;
	for (unsigned i = 0; i < RDA_STAGS_INVALIDATED_KEPT; i++) {
		const struct rda_stag_invalidated *was = &track->rare->stags[i];

		if (was->place && was->stag == stag && was->sends == sends_of(peer))
			return was->place;
	}
	return 0;
}

static void look_for_invalidated(const struct rda_stag_at *at)
{
	struct rda_key_event event;
	uint32_t stag;

	if (!at->flow->keys || !rda_stag_is_used(at->fpdu, at->step, &stag) ||
	    !rda_stag_invalidated(at->flow, at->peer, stag))
		return;
	event = event_of(at, RDA_KEY_USED_AFTER, at->flow, stag);
	tell(at, &event);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void note_refused(const struct rda_stag_at *at)
{
	const struct rda_terminate *t = &at->fpdu->ulpdu.terminate;
	struct rda_rdmap_refused refused;
	struct rda_key_event event;

	if (!(at->fpdu->ulpdu.present & RDA_HAS(RDMAP_TERMINATE)) || !at->peer || !t->has_ddp ||
	    t->layer > LAYER_DDP || t->type != TYPE_PROTECTION)
		return;
	rda_rdmap_refused(at->peer->rdmap, t, &refused);
	if (!refused.read && !t->tagged)
		return;
	event = event_of(at, RDA_KEY_REFUSED, at->peer,
			 refused.read ? refused.from.source_stag : t->ddp_tagged.stag);
	event.va = refused.read ? refused.from.source_offset : t->ddp_tagged.offset;
	event.asked_place = at->fpdu->place;
	if (refused.message) {
		event.length = (uint32_t)MIN(refused.message->bytes, UINT32_MAX);
		event.asked_place = refused.message->first_place;
	}
	tell(at, &event);
}

/* ---- FPDUs ----------------------------------------------------------------------------------- */

void rda_stag_track_fpdu(const struct rda_stag_at *at)
{
	if (at->step->counted) {
		note_use(at);
		note_worked(at);
		look_for_invalidated(at);
		note_invalidated(at);
	}
	note_refused(at);
}

void rda_stag_track_lost(struct rda_flow *flow)
{
	rda_key_track_of(flow)->broken = true;
}
