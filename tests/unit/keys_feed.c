/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses for the checks of memory keys; see keys_feed.h.
 */
#include "tests/unit/keys_feed.h"

#include "tests/unit/said.h"

#include <string.h>

enum {
	RESPONDER = 2,
	CLIENT_QP = 0x100,
	RESPONDER_QP = 0x2000,
};

void rda_keys_begin(struct rda_keys_feed *keys)
{
	memset(keys, 0, sizeof(*keys));
	rda_feed_begin(&keys->feed);
}

void rda_keys_finish(struct rda_keys_feed *keys)
{
	rda_engine_finish(keys->feed.engine);
}

void rda_keys_end(struct rda_keys_feed *keys)
{
	rda_feed_end(&keys->feed);
}

void rda_keys_connect(struct rda_keys_feed *keys, uint32_t link, uint8_t client)
{
	keys->link = link;
	keys->client = client;
	keys->psn = 1000 * link + 100;
	keys->msn = 0;
	keys->told_psn = 5000;
	rda_feed_exchange_at(&keys->feed, client, RESPONDER, CLIENT_QP + link, RESPONDER_QP + link,
			     2 * link + 1, keys->psn + 1, keys->told_psn);
}

static void request(struct rda_keys_feed *keys, uint8_t opcode, const struct rda_extended *extended,
		    uint32_t payload)
{
	struct rda_recipe recipe = rda_packet_of(keys->client, RESPONDER, RESPONDER_QP + keys->link,
						 opcode, ++keys->psn);

	recipe = rda_with(recipe, extended);
	recipe.ack_req = true;
	recipe.payload_length = payload;
	rda_feed(&keys->feed, &recipe);
}

void rda_keys_access(struct rda_keys_feed *keys, uint8_t opcode, uint64_t va, uint32_t rkey,
		     uint32_t length)
{
	struct rda_extended extended = rda_reth(va, rkey, length);

	if (opcode == RC_FETCH_ADD) {
		memset(extended.bytes + 12, 0, 16); /* add, compare */
		extended.length = 28;
	}
	request(keys, opcode, &extended, opcode == RC_WRITE_ONLY && length < 1024 ? length : 0);
}

void rda_keys_invalidate(struct rda_keys_feed *keys, uint32_t rkey)
{
	struct rda_extended extended = {.length = 4};

	for (unsigned i = 0; i < 4; i++)
		extended.bytes[i] = (uint8_t)(rkey >> (24 - 8 * i));
	request(keys, RC_SEND_ONLY_INV, &extended, 16);
}

void rda_keys_tell(struct rda_keys_feed *keys, const uint8_t *bytes, uint32_t length)
{
	struct rda_recipe recipe = rda_packet_of(RESPONDER, keys->client, CLIENT_QP + keys->link,
						 RC_SEND_ONLY, keys->told_psn++);

	recipe.payload = bytes;
	recipe.payload_length = length;
	rda_feed(&keys->feed, &recipe);
}

static void answer(struct rda_keys_feed *keys, uint8_t opcode, const struct rda_extended *extended)
{
	struct rda_recipe recipe =
		rda_packet_of(RESPONDER, keys->client, CLIENT_QP + keys->link, opcode, keys->psn);

	recipe = rda_with(recipe, extended);
	rda_feed(&keys->feed, &recipe);
}

void rda_keys_ack(struct rda_keys_feed *keys)
{
	struct rda_extended aeth = rda_aeth(0x1f, ++keys->msn);

	answer(keys, RC_ACKNOWLEDGE, &aeth);
}

void rda_keys_result(struct rda_keys_feed *keys, uint64_t value)
{
	struct rda_extended extended = rda_aeth(0x1f, ++keys->msn);

	for (unsigned i = 0; i < 8; i++)
		extended.bytes[extended.length++] = (uint8_t)(value >> (56 - 8 * i));
	answer(keys, RC_ATOMIC_ACKNOWLEDGE, &extended);
}

void rda_keys_nak(struct rda_keys_feed *keys, uint8_t syndrome)
{
	struct rda_extended aeth = rda_aeth(syndrome, keys->msn);

	answer(keys, RC_ACKNOWLEDGE, &aeth);
}

uint64_t rda_keys_count(const struct rda_keys_feed *keys, enum rda_check check)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(keys->feed.engine); i++)
		if (rda_engine_finding(keys->feed.engine, i)->key.check == check)
			count += rda_engine_finding(keys->feed.engine, i)->count;
	return count;
}

bool rda_keys_says(const struct rda_keys_feed *keys, enum rda_check check, const char *words)
{
	for (unsigned i = 0; i < rda_engine_finding_count(keys->feed.engine); i++)
		if (rda_engine_finding(keys->feed.engine, i)->key.check == check &&
		    strstr(rda_said_by(rda_engine_finding(keys->feed.engine, i)), words))
			return true;
	return false;
}
