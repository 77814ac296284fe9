/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a key was told to its user in clear before it was first used (clear_text.h).
 */
#include "analyzer/checks/keys/told.h"

#include <glib.h>
#include <inttypes.h>

void rda_check_keys_told_packet(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	struct rda_clear_text *clear = &at->judge->keys->clear;
	uint32_t host = at->flow->receiver->index, captured = at->frame->captured;
	uint16_t roles = packet->opcode->roles;

	if ((roles & (RDA_ROLE_SEND | RDA_ROLE_FIRST)) != (RDA_ROLE_SEND | RDA_ROLE_FIRST)) {
		rda_clear_text_pass(clear, host, at->place);
		return;
	}
	captured = captured > packet->payload_offset ? captured - packet->payload_offset : 0;
	captured = MIN(captured, packet->payload_length);
	rda_clear_text_keep(clear, host, at->place, at->frame->bytes + packet->payload_offset,
			    captured, packet->payload_length);
}

/* K19 */
static void keys_in_clear_text(const struct rda_at *at, const struct rda_memory_key *key,
			       const struct rda_key_pending *item, const struct rda_clear_hit *hit)
{
	struct rda_finding *f =
		rda_find(&at->judge->findings, RDA_CHECK_K19, rda_about_flow(at->flow), hit->place);

	rda_finding_frame(f, at->place);
	rda_say(f,
		"R_key 0x%08" PRIx32 " and address 0x%" PRIx64 ", used in frame %" PRIu64
		", stood in clear in frame %" PRIu64 " (byte %" PRIu32 " of its payload).",
		key->id.key, item->access.va, rda_place_number(at->place),
		rda_place_number(hit->place), hit->offset);
}

/* K03 */
static void key_never_advertised(const struct rda_at *at, const struct rda_memory_key *key)
{
	rda_say(rda_find_at(at, RDA_CHECK_K03),
		"R_key 0x%08" PRIx32 ", first used in frame %" PRIu64
		", stood in no SEND or management message to its user before.",
		key->id.key, rda_place_number(at->place));
}

/* The place where an exchange in clear told what the flow's receiver has. */
static uint64_t place_told(const struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = flow->pair;

	return rda_cm_receiver(pair, flow) == &pair->sides[RDA_CM_ACTIVE] ? pair->req.first_place
									  : pair->rep.first_place;
}

/*
 * K03, where it is more than a note: another key was told for this very address, and nobody answers
 * to say what became of it. On a service that answers, the answer tells.
 */
void rda_check_keys_told_unanswered(const struct rda_at *at, const struct rda_key_pending *item,
				    uint32_t rkey)
{
	const struct rda_flow *flow = at->flow;
	const struct rda_cm_side *owner = flow->pair ? rda_cm_receiver(flow->pair, flow) : NULL;
	struct rda_finding *finding;

	if (!owner || !owner->key || owner->key == rkey || owner->va != item->access.va ||
	    !item->access.length || item->access.use == RDA_KEY_USE_INVALIDATE)
		return;
	finding = rda_find_as(&at->judge->findings, RDA_CHECK_K03, RDA_SEVERITY_WARNING,
			      RDA_PROOF_SUSPECTED, rda_about_flow(flow), at->place);
	finding->stands_alone = true;
	rda_finding_frame(finding, place_told(flow));
	rda_say(finding,
		"R_key 0x%08" PRIx32 " was used for %s of %" PRIu32 " bytes to address 0x%" PRIx64
		"; its owner had told 0x%08" PRIx32
		" for that address, in clear. This service answers nothing: if the key is wrong, "
		"the data was dropped without a word.",
		rkey, rda_key_use_article(item->access.use), item->access.length, item->access.va,
		owner->key);
}

void rda_check_keys_told_new(const struct rda_at *at, struct rda_memory_key *key,
			     const struct rda_key_pending *item)
{
	struct rda_clear_hit hit;
	bool found;

	found = rda_clear_text_find(&at->judge->keys->clear, at->flow->sender->index, key->id.key,
				    item->access.va, 0, at->place, &hit);
	if (found) {
		key->told_place = hit.place;
		if (hit.with_address && item->access.va && key->id.key)
			keys_in_clear_text(at, key, item, &hit);
		return;
	}
	key->told_unknown = !hit.complete;
	if (hit.complete && hit.any && item->access.length)
		key_never_advertised(at, key);
}
