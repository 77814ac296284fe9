/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All is drawn from who talks to whom under which PSN, so that what is sent again is the same.
 */
#include "tests/simulate/memory.h"

#include "analyzer/base/table.h"
#include "tests/simulate/random.h"
#include "tests/simulate/rewrite.h"
#include "tests/unit/opcodes.h"

#include <glib.h>
#include <string.h>

enum {
	WORDS = 2,
	KEY = 0x7e5a3c10,
	PAST_ALL = 1 << 24,
	TELLING = 32, /* bytes of payload that tell a key */
};

/* A request, as it was first seen. */
struct asked {
	struct {
		uint8_t asker[16], responder[16];
		uint64_t psn;
	} key;
	uint32_t word;
	bool swaps, answered;
	uint64_t compare, swap_add, result;
	uint32_t msn; /* of the latest ACK */
};

struct memory {
	uint64_t seed;
	uint32_t keys;		    /* that are used */
	uint32_t taken;		    /* ACKs for one refusal */
	bool stuck;		    /* MSNs do not always advance */
	struct rda_table asked;	    /* struct asked */
	uint64_t words[256][WORDS]; /* by the responder's last byte but one */
	struct sim_random any;	    /* not the same when it is sent again */
};

static void set(uint8_t *at, uint64_t value, unsigned size)
{
	while (size--) {
		at[size] = (uint8_t)value;
		value >>= 8;
	}
}

/* What is kept of a PSN, in the space of whose requests the packet is about. */
static struct asked *asked_of(struct memory *memory, const struct rda_packet *packet, bool request,
			      uint64_t psn, bool *made)
{
	struct asked asked;

	memset(&asked, 0, sizeof(asked));
	memcpy(asked.key.asker, (request ? &packet->source : &packet->destination)->bytes, 16);
	memcpy(asked.key.responder, (request ? &packet->destination : &packet->source)->bytes, 16);
	asked.key.psn = psn;
	return rda_table_get(&memory->asked, &asked.key, made);
}

/* What is drawn for a request. */
static struct sim_random drawn(const struct memory *memory, const struct rda_packet *packet)
{
	struct sim_random random = {memory->seed + packet->bth.psn};

	random.state = sim_next(&random) + packet->bth.dest_qp;
	sim_next(&random);
	return random;
}

/* Mostly one of a few; else one that is new, or reserved. */
static uint32_t draw_key(const struct memory *memory, struct sim_random *random)
{
	if (sim_below(random, 24) == 0)
		return (uint32_t)ONE_OF(random, 0, UINT32_MAX, 0x100 + sim_below(random, 64));
	return KEY + 256 * (uint32_t)sim_below(random, memory->keys);
}

static uint64_t draw_address(struct sim_random *random)
{
	if (sim_below(random, 64) == 0)
		return sim_next(random);
	return 0x7f0000000000 + 512 * sim_below(random, 32);
}

/* Behind the BTH: the bytes of the first extended header. */
static uint8_t *behind_bth(const struct sim_edit *edit)
{
	for (unsigned i = 0; i < edit->packet.layer_count; i++)
		if (edit->packet.layers[i].header == RDA_BTH)
			return edit->bytes + edit->packet.layers[i].offset + 12;
	return NULL;
}

/* ---- requests -------------------------------------------------------------------------------- */

static void rewrite_access(struct memory *memory, const struct sim_edit *edit, uint8_t *reth)
{
	struct sim_random random = drawn(memory, &edit->packet);
	uint64_t va = draw_address(&random);
	uint32_t key = draw_key(memory, &random);
	bool made;

	asked_of(memory, &edit->packet, true, edit->packet.bth.psn, &made);
	if (!made && sim_below(&memory->any, 64) == 0) {
		edit->bytes[7] ^= 0x40; /* of the source's MAC */
		va += 64;
	}
	set(reth, va, 8);
	set(reth + 8, key, 4);
}

static void rewrite_atomic(struct memory *memory, const struct sim_edit *edit, uint8_t *header)
{
	struct sim_random random = drawn(memory, &edit->packet);
	uint32_t word = (uint32_t)sim_below(&random, WORDS);
	bool made, swaps = sim_below(&random, 4) == 0;
	uint64_t odd = sim_below(&random, 64) == 0;
	struct asked *asked = asked_of(memory, &edit->packet, true, edit->packet.bth.psn, &made);

	if (made) {
		asked->word = word;
		asked->swaps = swaps;
		asked->swap_add = sim_below(&random, 4);
		asked->compare = sim_below(&random, 16);
	}
	if (swaps)
		header[-12] = RC_COMPARE_SWAP;
	set(header, 0x7f0000000000 + 8 * word + 4 * odd, 8);
	set(header + 8, KEY, 4);
	set(header + 12, asked->swap_add, 8);
	set(header + 20, asked->compare, 8);
}

/* Tells a key and, mostly, an address; or invalidates one. */
static void rewrite_send(struct memory *memory, const struct sim_edit *edit, uint8_t *payload)
{
	struct sim_random random = drawn(memory, &edit->packet);
	const struct rda_packet *packet = &edit->packet;
	uint32_t key = draw_key(memory, &random);
	bool with_address = sim_below(&random, 4) != 0;

	if (packet->bth.opcode == RC_SEND_LAST || packet->bth.opcode == RC_SEND_ONLY) {
		if (sim_below(&random, 3) == 0) {
			payload[-12] = packet->bth.opcode == RC_SEND_LAST ? RC_SEND_LAST_INV
									  : RC_SEND_ONLY_INV;
			set(payload, key, 4);
			return;
		}
	}
	set(payload + 12, key, 4);
	if (with_address)
		set(payload + 16, draw_address(&random), 8);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Refuses, or says that no message was completed since the ACK before. */
static void rewrite_ack(struct memory *memory, const struct sim_edit *edit, uint8_t *aeth)
{
	struct sim_random random = drawn(memory, &edit->packet);
	struct asked *latest = asked_of(memory, &edit->packet, false, PAST_ALL, NULL);

	if (sim_below(&random, memory->taken) == 0)
		aeth[0] = (uint8_t)ONE_OF(&random, 0x61, 0x62, 0x62, 0x62, 0x63);
	if (memory->stuck && sim_below(&random, 2))
		set(aeth + 1, latest->msn, 3);
	latest->msn = edit->packet.aeth.msn;
}

static uint64_t execute(const struct asked *asked, uint64_t *word)
{
	uint64_t before = *word;

	if (!asked->swaps)
		*word += asked->swap_add;
	else if (before == asked->compare)
		*word = asked->swap_add;
	return before;
}

static void rewrite_result(struct memory *memory, const struct sim_edit *edit, uint8_t *aeth)
{
	bool made;
	struct asked *asked = asked_of(memory, &edit->packet, false, edit->packet.bth.psn, &made);

	if (made)
		return; /* the request was not captured */
	if (!asked->answered || sim_below(&memory->any, 32) == 0)
		asked->result =
			execute(asked, &memory->words[edit->packet.source.bytes[14]][asked->word]);
	asked->answered = true;
	if (sim_below(&memory->any, 24) == 0)
		asked->result += 7;
	set(aeth + 4, asked->result, 8);
}

static bool has(const struct sim_edit *edit, const uint8_t *header, uint32_t bytes)
{
	return header && header + bytes <= edit->bytes + edit->frame.captured;
}

static void rewrite_request(struct memory *memory, const struct sim_edit *edit)
{
	const struct rda_packet *packet = &edit->packet;
	uint8_t *header = behind_bth(edit);

	if (rda_has(packet, RETH) && has(edit, header, 16))
		rewrite_access(memory, edit, header);
	else if (rda_has(packet, ATOMICETH) && has(edit, header, 28))
		rewrite_atomic(memory, edit, header);
	else if (packet->opcode->roles & RDA_ROLE_SEND && !rda_has(packet, DETH) &&
		 packet->payload_length >= TELLING && has(edit, header, TELLING))
		rewrite_send(memory, edit, header);
}

static void rewrite_answer(struct memory *memory, const struct sim_edit *edit)
{
	uint8_t *header = behind_bth(edit);

	if (rda_has(&edit->packet, ATOMICACKETH) && has(edit, header, 12))
		rewrite_result(memory, edit, header);
	else if (edit->packet.bth.opcode == RC_ACKNOWLEDGE && has(edit, header, 4) &&
		 sim_is_ack(edit->packet.aeth.syndrome))
		rewrite_ack(memory, edit, header);
}

void sim_share_memory(struct sim_capture *capture, uint64_t seed)
{
	struct memory *memory = g_new0(struct memory, 1);

	memory->seed = memory->any.state = seed;
	memory->keys = (uint32_t)ONE_OF(&memory->any, 1, 5, 5, 64);
	memory->taken = (uint32_t)ONE_OF(&memory->any, 3, 60, 60, 60);
	memory->stuck = sim_below(&memory->any, 4) == 0;
	rda_table_init(&memory->asked, sizeof(((struct asked *)NULL)->key), sizeof(struct asked),
		       0);
	for (uint32_t i = 0; i < capture->count; i++) {
		struct sim_edit edit;

		sim_edit_begin(&edit, capture, i);
		if (!rda_has(&edit.packet, BTH))
			continue;
		if (edit.packet.opcode->roles & RDA_ROLE_REQUEST)
			rewrite_request(memory, &edit);
		else
			rewrite_answer(memory, &edit);
		sim_edit_end(&edit);
	}
	rda_table_cleanup(&memory->asked, NULL);
	g_free(memory);
}
