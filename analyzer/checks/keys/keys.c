/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: memory keys and what is done with them; see checks.def.
 *
 * Each request that names a key is entered in the ledger when it is first seen, waits in its flow's
 * queue, and is settled by what the responder says:
 *
 *     request --> rda_key_asked --> queue --- acknowledged --> rda_key_worked
 *                                         \-- NAK ----------> check_keys_refused.c
 *
 * Here are the way through and the checks of single requests. Elsewhere: what is remembered
 * (keys_state.c), refusals (check_keys_refused.c), SEND with Invalidate (check_keys_invalidate.c),
 * keys that several QPs use (check_keys_shared.c), keys told in clear (check_keys_told.c), how well
 * they can be guessed (check_keys_guess.c).
 */
#include "analyzer/checks/keys/keys.h"

#include "analyzer/checks/keys/guess.h"
#include "analyzer/checks/keys/invalidate.h"
#include "analyzer/checks/keys/refused.h"
#include "analyzer/checks/keys/shared.h"
#include "analyzer/checks/keys/told.h"
#include "analyzer/checks/keys/state.h"

#include <glib.h>
#include <string.h>

void rda_check_keys_begin(struct rda_judge *judge)
{
	judge->keys = rda_keys_state_new(judge->findings.table.seed);
}

void rda_check_keys_free(struct rda_judge *judge)
{
	rda_keys_state_free(judge->keys);
	judge->keys = NULL;
}

void rda_check_keys_forget(struct rda_flow *flow)
{
	rda_keys_watch_free(flow);
}

/* ---- single requests ------------------------------------------------------------------------- */

/* K16 */
static void atomic_misaligned(const struct rda_at *at, const struct rda_key_pending *item)
{
	if (item->access.use != RDA_KEY_USE_ATOMIC || (item->access.va & 7) == 0)
		return;
	rda_say(rda_find_at(at, RDA_CHECK_K16),
		"An ATOMIC names address 0x%016" G_GINT64_MODIFIER
		"x, which is no multiple of 8: responders must refuse it.",
		item->access.va);
}

/* K20 */
static void reserved_key(const struct rda_at *at, const struct rda_key_pending *item)
{
	uint32_t key = item->key->id.key;

	if ((key != 0 && key != UINT32_MAX) || !item->access.length)
		return;
	rda_say(rda_find_at(at, RDA_CHECK_K20),
		"The r_key of %s of %u bytes is 0x%08x, a value that stands for no memory region.",
		rda_key_use_article(item->access.use), item->access.length, key);
}

static struct rda_key_path path_of(const struct rda_at *at)
{
	const struct rda_layer *ethernet = rda_find_layer(at->packet, RDA_ETH);
	const uint8_t *bytes = at->frame->bytes;
	/* the TTL of IPv4; the hop limit of IPv6 and of a GRH */
	uint32_t ttl =
		at->packet->l3_offset + (at->packet->source.kind == RDA_ADDRESS_IP4 ? 8u : 7u);
	struct rda_key_path path = {.source_port = at->packet->source_port};

	if (ethernet && ethernet->offset + 12 <= at->frame->captured)
		for (uint32_t i = 6; i < 12; i++)
			path.mac = path.mac << 8 | bytes[ethernet->offset + i];
	if (at->packet->source.kind != RDA_ADDRESS_LID && ttl < at->frame->captured)
		path.ttl = bytes[ttl];
	return path;
}

/* K21: another request under a PSN that is under way, which came another way. */
static void injection_suspicion(const struct rda_at *at, const struct rda_key_pending *item)
{
	const struct rda_key_pending *first =
		rda_key_queue_find(&at->flow->watch.keys->queue, item->begin);
	struct rda_finding *f;

	if (!first || first->begin != item->begin || first->access.place == at->place)
		return;
	if (first->key->id.key == at->request->rkey && first->access.va == item->access.va &&
	    first->access.length == item->access.length && first->access.use == item->access.use)
		return;
	if (first->path.mac == item->path.mac && first->path.ttl == item->path.ttl &&
	    first->path.source_port == item->path.source_port)
		return;
	f = rda_find_at(at, RDA_CHECK_K21);
	rda_finding_frame(f, first->access.place);
	rda_say(f,
		"Two different requests carry PSN %u and came different ways: %s with r_key "
		"0x%08x (TTL %u, MAC %012" G_GINT64_MODIFIER
		"x, UDP port %u), and %s with r_key 0x%08x (TTL %u, MAC %012" G_GINT64_MODIFIER
		"x, UDP port %u).",
		at->packet->bth.psn, rda_key_use_article(first->access.use), first->key->id.key,
		first->path.ttl, first->path.mac, first->path.source_port,
		rda_key_use_article(item->access.use), at->request->rkey, item->path.ttl,
		item->path.mac, item->path.source_port);
}

/* ---- the way of a request ---------------------------------------------------------------------
 */

static enum rda_key_use use_of(const struct rda_packet *packet)
{
	uint16_t roles = packet->opcode->roles;

	if (roles & RDA_ROLE_SEND)
		return RDA_KEY_USE_INVALIDATE;
	if (roles & RDA_ROLE_READ)
		return RDA_KEY_USE_READ;
	if (roles & RDA_ROLE_ATOMIC)
		return RDA_KEY_USE_ATOMIC;
	return roles & RDA_ROLE_FLUSH ? RDA_KEY_USE_FLUSH : RDA_KEY_USE_WRITE;
}

/* What the headers say; the key is found later. */
static void take_headers(struct rda_key_pending *item, uint32_t *rkey, const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	memset(item, 0, sizeof(*item));
	item->access.use = (uint8_t)use_of(packet);
	item->access.place = at->place;
	if (rda_has(packet, RETH)) {
		*rkey = packet->reth.rkey;
		item->access.va = packet->reth.va;
		item->access.length = packet->reth.dmalen;
	} else if (rda_has(packet, ATOMICETH)) {
		*rkey = packet->atomiceth.rkey;
		item->access.va = packet->atomiceth.va;
		item->access.length = 8;
	} else {
		*rkey = packet->ieth.rkey;
	}
}

/* The PSNs of the whole message: the first packet of a WRITE has as many bytes as the others. */
static void take_psns(struct rda_key_pending *item, const struct rda_at *at)
{
	const struct rda_request *q = at->request;

	item->begin = q->begin;
	item->end = q->end;
	if (!(at->packet->opcode->roles & RDA_ROLE_LAST) && q->payload)
		item->end = q->begin +
			    MIN(((int64_t)q->length + q->payload - 1) / q->payload, 0x7fffff);
	item->end = MAX(item->end, item->begin + 1);
}

/* Whether the request was not seen before. */
static bool is_first(const struct rda_at *at, struct rda_keys_watch *watch)
{
	const struct rda_progress *progress;
	bool again;

	if (!at->request) { /* nobody acknowledges it, so nobody sends it again: a copy */
		again = watch->datagram_known && watch->datagram_psn == at->packet->bth.psn;
		watch->datagram_psn = at->packet->bth.psn;
		watch->datagram_known = true;
		return !again;
	}
	if (at->original || at->kind == RDA_REQUEST_MIRRORED)
		return false;
	progress = rda_account_progress(at->flow->account);
	/* resent, and so old that the tracker has forgotten the original */
	return at->kind != RDA_REQUEST_RESENT || at->request->begin >= progress->acked;
}

static struct rda_memory_key *key_of(const struct rda_at *at, struct rda_keys_watch *watch,
				     const struct rda_key_pending *item, uint32_t rkey)
{
	struct rda_keys_state *keys = at->judge->keys;
	struct rda_memory_key *key = watch->latest;
	struct rda_key_host *host;
	bool made;

	if (key && key->id.key == rkey)
		return key;
	key = rda_key_ledger_get(&keys->ledger, at->flow, rkey, &made);
	if (!key)
		return NULL;
	watch->latest = key;
	if (made) {
		host = rda_keys_host(keys, at->flow->receiver);
		if (host->last_key)
			host->last_key->next = key;
		else
			host->first_key = key;
		host->last_key = key;
		host->key_count++;
		rda_check_keys_told_new(at, key, item);
		if (item->access.use == RDA_KEY_USE_INVALIDATE)
			rda_check_keys_invalidate_new(at, key);
	}
	return key;
}

static void take_request(const struct rda_at *at)
{
	struct rda_keys_watch *watch = rda_keys_watch(at->flow);
	struct rda_key_pending item;
	uint32_t rkey;

	take_headers(&item, &rkey, at);
	if (at->request) {
		take_psns(&item, at);
		item.path = path_of(at);
		if (at->kind != RDA_REQUEST_NEW)
			injection_suspicion(at, &item);
	}
	if (!is_first(at, watch))
		return;
	if (!at->request)
		rda_check_keys_told_unanswered(at, &item, rkey);
	item.key = key_of(at, watch, &item, rkey);
	if (!item.key)
		return;
	if (item.access.use != RDA_KEY_USE_INVALIDATE) {
		rda_key_asked(item.key, at->flow, &item.access);
		atomic_misaligned(at, &item);
		reserved_key(at, &item);
		rda_check_keys_shared_access(at, &item);
	}
	if (at->request)
		rda_key_queue_add(&watch->queue, &item,
				  at->flow->peer ? RDA_KEY_QUEUE_CAP : RDA_KEY_QUEUE_ONE_WAY);
}

/* ---- what the responder says ----------------------------------------------------------------- */

static void settle(const struct rda_at *at)
{
	struct rda_keys_watch *watch = at->asker->watch.keys;
	const struct rda_key_pending *item;

	if (at->asker->account && rda_account_progress(at->asker->account)->acked != watch->acked) {
		watch->acked = rda_account_progress(at->asker->account)->acked;
		while ((item = rda_key_queue_below(&watch->queue, watch->acked))) {
			if (item->access.use == RDA_KEY_USE_INVALIDATE) {
				rda_check_keys_invalidate_acked(at, item);
			} else {
				rda_key_worked(item->key, &item->access);
				rda_check_keys_invalidate_used(at, item);
			}
			rda_key_queue_pop(&watch->queue);
		}
	}
	if (watch->nak_due) {
		watch->nak_due = false;
		rda_check_keys_refused(at);
		rda_key_queue_cleanup(&watch->queue); /* the QP is dead */
	}
}

static void take_response(const struct rda_at *at)
{
	if (at->asker && at->asker->watch.keys)
		settle(at);
	else if (!at->asker && rda_has(at->packet, AETH) &&
		 at->packet->aeth.syndrome == RDA_SYNDROME_NAK_REMOTE_ACCESS)
		rda_check_keys_refused_unseen(at);
}

void rda_check_keys_packet(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (at->damaged || !at->flow)
		return;
	if (packet->present & (RDA_HAS(RETH) | RDA_HAS(ATOMICETH) | RDA_HAS(IETH)))
		take_request(at);
	else if (packet->opcode->roles & RDA_ROLE_RESPONSE)
		take_response(at);
	if (packet->payload_known && packet->payload_length)
		rda_check_keys_told_packet(at);
	if (rda_has(packet, MAD))
		rda_check_keys_guess_packet(at);
}

void rda_check_keys_event(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_keys_watch *watch;

	if (event->kind == RDA_EVENT_ACK) {
		if (at->asker && at->asker->watch.keys)
			rda_check_keys_invalidate_ack(at, event);
	} else if (event->kind == RDA_EVENT_NAK_FATAL && at->asker) {
		watch = rda_keys_watch(at->asker);
		watch->nak_due = true;
		watch->nak_syndrome = event->syndrome;
		watch->nak_psn = event->psn;
	}
}

void rda_check_keys_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	for (unsigned side = 0; side < 2; side++)
		if (connection->flows[side] && connection->flows[side]->watch.keys)
			rda_check_keys_invalidate_end(judge, connection->flows[side]);
}

void rda_check_keys_end(struct rda_judge *judge)
{
	rda_check_keys_shared_end(judge);
	rda_check_keys_guess_end(judge);
}
