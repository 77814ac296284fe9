/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a key was told to its user in clear before it was first used (clear_text.h).
 */
#include "analyzer/check_keys_told.h"

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
