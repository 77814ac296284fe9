/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way of a request that names a key; key_track.h has the figure.
 */
#include "analyzer/track/keys/key_track.h"

#include "analyzer/track/host.h"
#include "analyzer/track/keys/key_queue.h"
#include "analyzer/track/keys/track_state.h"
#include "analyzer/track/roce/giveup.h"
#include "analyzer/track/setup/cm_track.h"

#include <glib.h>
#include <string.h>

struct rda_key_track *rda_key_track_of(struct rda_flow *flow)
{
	if (!flow->keys)
		flow->keys = g_new0(struct rda_key_track, 1);
	return flow->keys;
}

struct rda_key_track_rare *rda_key_track_rare(struct rda_key_track *track)
{
	if (!track->rare) {
		track->rare = g_new0(struct rda_key_track_rare, 1);
		track->rare->refused_psn = -1;
	}
	return track->rare;
}

void rda_key_track_free(struct rda_key_track *track)
{
	if (!track)
		return;
	rda_key_queue_cleanup(&track->queue);
	if (track->rare)
		g_free(track->rare->stags);
	g_free(track->rare);
	g_free(track);
}

uint64_t rda_key_track_bytes(const struct rda_key_track *track)
{
	if (!track)
		return 0;
	return sizeof(*track) + track->queue.allocated * sizeof(*track->queue.items) +
	       (track->rare ? sizeof(*track->rare) : 0);
}

struct rda_key_event rda_key_event_of(enum rda_key_event_kind kind, const struct rda_flow *flow,
				      uint64_t place)
{
	return (struct rda_key_event){
		.kind = (uint8_t)kind,
		.place = place,
		.flow = flow->index,
		.peer = RDA_KEY_NO_FLOW,
		.requester = flow->sender->index,
		.responder = flow->receiver->index,
		.tap = flow->key.tap,
	};
}

static void tell(const struct rda_key_sink *sink, const struct rda_key_event *event)
{
	sink->event(sink->context, event);
}

/* An event of a request in the queue of `asker`, at a packet. */
static struct rda_key_event event_of(enum rda_key_event_kind kind, const struct rda_flow *asker,
				     const struct rda_key_pending *item, uint64_t place)
{
	struct rda_key_event event = rda_key_event_of(kind, asker, place);

	event.asked_place = item->place;
	event.va = item->va;
	event.psn = item->begin;
	event.key = item->key;
	event.length = item->length;
	event.use = item->use;
	event.atomic_write = item->atomic_write;
	event.answers = true;
	event.doubt = item->unchecked ? RDA_KEY_UNCHECKED : 0;
	return event;
}

/* Answers to a flow were not known to be in the capture before. */
static void note_paired(struct rda_flow *asker, const struct rda_key_sink *sink, uint64_t place)
{
	struct rda_key_event event;

	if (asker->keys->paired || !asker->peer)
		return;
	asker->keys->paired = true;
	event = rda_key_event_of(RDA_KEY_PAIRED, asker, place);
	tell(sink, &event);
}

/* ---- requests -------------------------------------------------------------------------------- */

static enum rda_key_use use_of(uint16_t roles)
{
	if (roles & RDA_ROLE_SEND)
		return RDA_KEY_USE_INVALIDATE;
	if (roles & RDA_ROLE_READ)
		return RDA_KEY_USE_READ;
	if (roles & RDA_ROLE_ATOMIC)
		return RDA_KEY_USE_ATOMIC;
	return roles & RDA_ROLE_FLUSH ? RDA_KEY_USE_FLUSH : RDA_KEY_USE_WRITE;
}

static void take_headers(struct rda_key_pending *item, const struct rda_key_at *at)
{
	const struct rda_packet *packet = at->packet;

	memset(item, 0, sizeof(*item));
	item->use = (uint8_t)use_of(packet->opcode->roles);
	item->atomic_write = packet->opcode->roles & RDA_ROLE_ATOMIC_WRITE;
	item->place = at->place;
	item->unchecked = !at->checked;
	if (rda_has(packet, RETH)) {
		item->key = packet->reth.rkey;
		item->va = packet->reth.va;
		item->length = packet->reth.dmalen;
	} else if (rda_has(packet, ATOMICETH)) {
		item->key = packet->atomiceth.rkey;
		item->va = packet->atomiceth.va;
		item->length = 8;
	} else {
		item->key = packet->ieth.rkey;
	}
}

/* The PSNs of the whole message: the first packet of a WRITE has as many bytes as the others. */
static void take_psns(struct rda_key_pending *item, const struct rda_key_at *at)
{
	const struct rda_request *q = at->request;

	int64_t psns = q->end - q->begin;

	item->begin = q->begin;
	if (!(q->roles & RDA_ROLE_LAST) && q->payload)
		psns = MIN(((int64_t)q->length + q->payload - 1) / q->payload, 0x7fffff);
	item->psns = (uint32_t)CLAMP(psns, 1, UINT32_MAX);
}

static struct rda_key_path path_of(const struct rda_key_at *at)
{
	return (struct rda_key_path){
		.mac = rda_packet_source_mac(at->frame, at->packet),
		.source_port = at->packet->source_port,
		.ttl = rda_packet_hop_limit(at->frame, at->packet),
	};
}

/* Another request under a PSN that is under way, which came another way: not so where one came both
 * of these ways before. */
static void look_for_rival(const struct rda_key_at *at, const struct rda_key_pending *item)
{
	const struct rda_key_pending *first =
		rda_key_queue_find(&at->flow->keys->queue, item->begin);
	struct rda_key_track_rare *rare;
	struct rda_key_rival rival;
	struct rda_key_event event;
	bool swapped;

	if (!first || first->begin != item->begin || first->place == at->place)
		return;
	rival = (struct rda_key_rival){first->use, first->key, rda_key_pending_path(first),
				       rda_key_pending_path(item)};
	if (rda_key_is_same_path(&rival.first, &rival.now))
		return;
	rare = rda_key_track_rare(at->flow->keys);
	if (rda_key_pending_is_alike(first, item)) {
		rare->ways[0] = rival.first;
		rare->ways[1] = rival.now;
		rare->two_ways = true;
		return;
	}
	swapped = rare->two_ways && rda_key_is_same_path(&rare->ways[1], &rival.first);
	if (rare->two_ways && rda_key_is_same_path(&rare->ways[swapped], &rival.first) &&
	    rda_key_is_same_path(&rare->ways[!swapped], &rival.now))
		return;
	event = event_of(RDA_KEY_RIVAL, at->flow, item, at->place);
	event.asked_place = first->place;
	event.other = at->packet->bth.psn;
	event.rival = &rival;
	tell(at->sink, &event);
}

/* Whether the request was not seen before. */
static bool is_first(const struct rda_key_at *at, struct rda_key_track *track)
{
	bool again;

	if (!at->request) { /* nobody acknowledges it, so nobody sends it again: a copy */
		again = track->datagram_known && track->datagram_psn == at->packet->bth.psn;
		track->datagram_psn = at->packet->bth.psn;
		track->datagram_known = true;
		return !again;
	}
	return rda_account_is_first(at->flow, at->request, at->kind, at->original);
}

/* The place where an exchange in clear told what the flow's receiver has. */
static uint64_t place_told(const struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = flow->pair;

	return rda_cm_receiver(pair, flow) == &pair->sides[RDA_CM_ACTIVE] ? pair->req.first_place
									  : pair->rep.first_place;
}

/* Another key than the one at hand was told for this very address. */
static void look_for_contradiction(const struct rda_key_at *at, const struct rda_key_event *asked)
{
	const struct rda_flow *flow = at->flow;
	const struct rda_cm_side *owner = flow->pair ? rda_cm_receiver(flow->pair, flow) : NULL;
	struct rda_key_event event = *asked;

	if (!owner || !owner->key || owner->key == asked->key || owner->va != asked->va ||
	    !asked->length || asked->use == RDA_KEY_USE_INVALIDATE)
		return;
	event.kind = RDA_KEY_CONTRADICTS;
	event.asked_place = place_told(flow);
	event.other = owner->key;
	tell(at->sink, &event);
}

static struct rda_key_atomic atomic_of(const struct rda_packet *packet)
{
	const struct rda_atomiceth *operands = &packet->atomiceth;

	return (struct rda_key_atomic){
		.swap_add = operands->swap_add,
		.compare = operands->compare,
		.swaps = packet->bth.opcode ==
			 (RDA_OPERATION_COMPARE_SWAP | (packet->bth.opcode & 0xe0)),
	};
}

/* Resends that nothing answers show how long the timer takes; else it is what was agreed on. */
static int64_t wait_of(const struct rda_flow *flow)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	int64_t longest_ns = rda_cm_longest_timer_of(flow);
	struct rda_tries tries;

	if (!giveup || !giveup->retries.timeouts)
		return longest_ns;
	tries = rda_giveup_timer_tries(&giveup->retries);
	return tries.count ? MIN(longest_ns,
				 rda_schedule_of(&tries, rda_cm_ack_timeout_of(flow)).patience_ns)
			   : longest_ns;
}

static void tell_again(const struct rda_key_at *at, const struct rda_key_pending *item)
{
	struct rda_key_event event = event_of(RDA_KEY_AGAIN, at->flow, item, at->place);

	event.time_ns = at->meta->time_ns;
	event.wait_ns = wait_of(at->flow);
	tell(at->sink, &event);
}

void rda_key_track_request(const struct rda_key_at *at)
{
	struct rda_key_track *track = rda_key_track_of(at->flow);
	struct rda_key_pending item;
	struct rda_key_path path;
	struct rda_key_atomic atomic;
	struct rda_key_event event;

	take_headers(&item, at);
	if (at->request) {
		take_psns(&item, at);
		path = path_of(at);
		rda_key_pending_set_path(&item, &path);
		if (at->kind != RDA_REQUEST_NEW) {
			look_for_rival(at, &item);
			if (rda_key_queue_again(&track->queue, &item))
				tell_again(at, &item);
		}
	}
	if (!is_first(at, track))
		return;
	note_paired(at->flow, at->sink, at->place);
	event = event_of(RDA_KEY_ASKED, at->flow, &item, at->place);
	event.time_ns = at->meta->time_ns;
	event.wait_ns = rda_cm_longest_timer_of(at->flow);
	event.answers = at->request != NULL;
	event.doubt |= at->credible ? 0 : RDA_KEY_DOUBTED;
	if (rda_flow_rare(at->flow)->first)
		event.peer = rda_flow_rare(at->flow)->first->index;
	if (event.use == RDA_KEY_USE_ATOMIC) {
		atomic = atomic_of(at->packet);
		event.atomic = &atomic;
	}
	if (!at->request)
		look_for_contradiction(at, &event);
	tell(at->sink, &event);
	if (at->request)
		rda_key_queue_add(&track->queue, &item,
				  at->flow->peer ? RDA_KEY_QUEUE_CAP : RDA_KEY_QUEUE_ONE_WAY);
}

/* ---- what the responder says ----------------------------------------------------------------- */

/*
 * Every completed message advances the MSN. An ACK of a SEND with Invalidate with the MSN of an
 * earlier ACK says that it arrived and was not completed: rxe answers so when it cannot invalidate,
 * and then no more. An answer to a duplicate has the MSN of all that was done, and tells nothing.
 */
static void take_ack(struct rda_key_track *track, const struct rda_account *account,
		     const struct rda_event *event)
{
	const struct rda_key_pending *item;
	struct rda_key_track_rare *rare;
	uint32_t before = track->ack_known ? track->ack_msn : 0;
	/* an MSN of 0 says in any case that nothing was completed */
	bool counts = track->msn_counts || !track->ack_known;

	if (track->ack_known && event->psn <= track->ack_psn)
		return;
	item = rda_key_queue_find(&track->queue, event->psn);
	if (item && item->use == RDA_KEY_USE_INVALIDATE &&
	    rda_key_pending_end(item) == event->psn + 1 && event->msn == before && counts &&
	    !rda_account_was_sent_again(account, event->psn) &&
	    !(track->ack_known && rda_account_was_sent_again(account, track->ack_psn))) {
		rare = rda_key_track_rare(track);
		rare->failed_place = item->place;
		rare->failed_acked = event->frame;
		rare->failed_psn = item->begin;
		rare->failed_key = item->key;
	}
	track->msn_counts = track->msn_counts || event->msn != before;
	track->ack_known = true;
	track->ack_psn = event->psn;
	track->ack_msn = event->msn;
}

void rda_key_track_event(struct rda_flow *asker, const struct rda_event *event)
{
	struct rda_key_track_rare *rare;

	if (event->kind == RDA_EVENT_ACK) {
		if (asker->keys)
			take_ack(asker->keys, asker->account, event);
		return;
	}
	rare = rda_key_track_rare(rda_key_track_of(asker));
	rare->nak_due = true;
	rare->nak_syndrome = event->syndrome;
	rare->nak_psn = event->psn;
}

static bool has_failed(const struct rda_key_track_rare *rare, const struct rda_key_pending *item)
{
	return rare && rare->failed_place && rare->failed_psn == item->begin;
}

/* Requests of which the acknowledgments have passed all PSNs, or some. */
static void take_acked(const struct rda_key_at *at, struct rda_key_track *track)
{
	const struct rda_key_pending *item;
	struct rda_key_event event;

	while ((item = rda_key_queue_below(&track->queue, track->acked))) {
		event = event_of(RDA_KEY_WORKED, at->asker, item, at->place);
		/* an invalidation that failed is only past */
		if (item->use == RDA_KEY_USE_INVALIDATE && has_failed(track->rare, item))
			event.kind = RDA_KEY_PASSED;
		tell(at->sink, &event);
		rda_key_queue_pop(&track->queue);
	}
	while ((item = rda_key_queue_passed(&track->queue, track->acked))) {
		event = event_of(RDA_KEY_PASSED, at->asker, item, at->place);
		tell(at->sink, &event);
	}
}

static void take_refused(const struct rda_key_at *at, struct rda_key_track *track)
{
	struct rda_key_track_rare *rare = track->rare;
	const struct rda_key_pending *item = rda_key_queue_find(&track->queue, rare->nak_psn);
	const struct rda_key_change change = {item ? item->changed_place : 0};
	struct rda_key_event event;

	if (rare->nak_psn == rare->refused_psn)
		return; /* the same NAK once more */
	rare->refused_psn = rare->nak_psn;
	event = item ? event_of(RDA_KEY_REFUSED, at->asker, item, at->place)
		     : rda_key_event_of(RDA_KEY_REFUSED, at->asker, at->place);
	event.syndrome = rare->nak_syndrome;
	event.doubt |= at->checked ? 0 : RDA_KEY_NAK_UNCHECKED;
	event.other = at->packet->bth.psn;
	event.change = track->queue.changed ? &change : NULL;
	tell(at->sink, &event);
}

static void settle(const struct rda_key_at *at, struct rda_key_track *track)
{
	const struct rda_account *account = at->asker->account;
	struct rda_key_event event;

	note_paired(at->asker, at->sink, at->place);
	if (account && rda_account_progress(account)->acked != track->acked) {
		track->acked = rda_account_progress(account)->acked;
		take_acked(at, track);
	}
	if (!track->rare || !track->rare->nak_due)
		return;
	track->rare->nak_due = false;
	take_refused(at, track);
	rda_key_queue_cleanup(&track->queue); /* the QP is dead */
	if (account && rda_account_is_refused(account)) {
		event = rda_key_event_of(RDA_KEY_DEAD, at->asker, at->place);
		tell(at->sink, &event);
	}
}

static void tell_result(const struct rda_key_at *at)
{
	static const uint8_t doubts[] = {
		[RDA_LIFE_PERHAPS_NEXT] = RDA_KEY_PERHAPS_ANEW, [RDA_LIFE_NEXT] = RDA_KEY_ANEW};
	struct rda_key_event event = rda_key_event_of(RDA_KEY_RESULT, at->asker, at->place);

	event.psn = rda_account_widen(at->asker->account, at->packet->bth.psn);
	event.va = at->packet->atomicacketh.original;
	event.peer = at->flow->index;
	event.doubt = at->checked ? 0 : RDA_KEY_UNCHECKED;
	event.doubt |= doubts[rda_account_life_of(at->asker, event.psn, at->packet->aeth.msn,
						  at->meta->time_ns)];
	tell(at->sink, &event);
}

void rda_key_track_response(const struct rda_key_at *at)
{
	struct rda_key_event event;

	if (at->asker && at->asker->keys) {
		settle(at, at->asker->keys);
		if (at->asker->account && at->credible && rda_has(at->packet, ATOMICACKETH))
			tell_result(at);
	} else if (!at->asker && rda_has(at->packet, AETH) &&
		   at->packet->aeth.syndrome == RDA_SYNDROME_NAK_REMOTE_ACCESS) {
		event = rda_key_event_of(RDA_KEY_REFUSED, at->flow, at->place);
		event.syndrome = at->packet->aeth.syndrome;
		event.doubt = at->checked ? 0 : RDA_KEY_NAK_UNCHECKED;
		event.other = at->packet->bth.psn;
		tell(at->sink, &event);
	}
}

/* ---- the end --------------------------------------------------------------------------------- */

static void end_failed(const struct rda_flow *flow, const struct rda_key_sink *sink)
{
	const struct rda_key_track_rare *rare = flow->keys->rare;
	struct rda_key_event event;

	/* what came after it was acknowledged: then only the MSN was wrong */
	if (!rare || !rare->failed_place ||
	    rda_account_progress(flow->account)->acked > rare->failed_psn + 1)
		return;
	event = rda_key_event_of(RDA_KEY_FAILED, flow, rare->failed_acked);
	event.asked_place = rare->failed_place;
	event.key = rare->failed_key;
	event.other = flow->keys->ack_msn;
	if (flow->peer)
		event.peer = flow->peer->index;
	tell(sink, &event);
}

static void end_unanswered(const struct rda_flow *flow, const struct rda_key_sink *sink)
{
	const struct rda_key_pending *item = rda_key_queue_first(&flow->keys->queue);
	unsigned sent;
	struct rda_key_event event;

	if (!item || item->begin != rda_account_progress(flow->account)->acked ||
	    item->use == RDA_KEY_USE_INVALIDATE)
		return;
	sent = rda_account_times_sent(flow->account, item->begin);
	if (sent < 2)
		return;
	event = event_of(RDA_KEY_UNANSWERED, flow, item, item->place);
	event.other = sent;
	tell(sink, &event);
}

void rda_key_track_end(const struct rda_flow *flow, const struct rda_key_sink *sink)
{
	if (!flow->keys || !flow->account)
		return;
	end_failed(flow, sink);
	end_unanswered(flow, sink);
}
