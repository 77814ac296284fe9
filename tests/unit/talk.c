/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two hosts' packets. See talk.h.
 */
#include "tests/unit/talk.h"

#include "tests/unit/suite.h"

#include <stdarg.h>

enum { FULL = 1024, SOME = 8, LONGEST = 4096 };

static uint32_t payload_of(const struct rda_line *line)
{
	if (line->payload)
		return line->payload;
	switch (rda_opcode(line->opcode)->payload) {
	case RDA_PAYLOAD_FULL: return FULL;
	case RDA_PAYLOAD_NONE: return 0;
	default: return SOME;
	}
}

static struct rda_extended extended_of(const struct rda_line *line)
{
	uint64_t headers = rda_opcode(line->opcode)->headers;
	struct rda_extended none = {.length = 0}, atomic;

	if (headers & RDA_HAS(AETH))
		return rda_aeth(line->value ? (uint8_t)line->value : 0x1f, 1);
	if (headers & RDA_HAS(RETH))
		return rda_reth(0x1000, 0x55, line->value);
	if (headers & RDA_HAS(DETH))
		return rda_deth(line->value);
	if (headers & RDA_HAS(ATOMICETH)) {
		atomic = rda_reth(0x1000, 0x55, 0);
		atomic.bytes[16] = (uint8_t)line->value; /* of the operand */
		atomic.length = 28;
		return atomic;
	}
	return none;
}

static void say(struct rda_feed *feed, const struct rda_line *line)
{
	bool of_a = line->from == 'A';
	struct rda_extended extended = extended_of(line);
	struct rda_recipe recipe = rda_packet_of(of_a ? 1 : 2, of_a ? 2 : 1, of_a ? 0x12 : 0x11,
						 line->opcode, line->psn);
	uint8_t payload[LONGEST];

	recipe = rda_with(recipe, &extended);
	recipe.payload_length = payload_of(line);
	ck_assert_uint_le(recipe.payload_length, LONGEST);
	memset(payload, line->fill, sizeof(payload));
	recipe.payload = payload;
	recipe.damaged = line->damaged;
	feed->meta.time_ns += (int64_t)line->pause_us * 1000;
	rda_feed(feed, &recipe);
}

void rda_talk(struct rda_feed *feed, const struct rda_line *lines, unsigned count)
{
	rda_feed_begin(feed);
	for (unsigned i = 0; i < count && lines[i].from; i++)
		say(feed, &lines[i]);
	rda_engine_finish(feed->engine);
}

const struct rda_finding *rda_talk_found(const struct rda_feed *feed, enum rda_check check)
{
	for (unsigned i = 0; i < rda_engine_finding_count(feed->engine); i++)
		if (rda_engine_finding(feed->engine, i)->key.check == check)
			return rda_engine_finding(feed->engine, i);
	return NULL;
}

unsigned rda_talk_count(const struct rda_feed *feed, enum rda_check check)
{
	const struct rda_finding *finding = rda_talk_found(feed, check);

	return finding ? (unsigned)finding->count : 0;
}

void rda_talk_frames(const struct rda_finding *finding, ...)
{
	va_list frames;
	int frame;

	ck_assert_ptr_nonnull(finding);
	va_start(frames, finding);
	for (unsigned i = 0; (frame = va_arg(frames, int)) != 0; i++) {
		ck_assert_uint_lt(i, finding->place_count);
		ck_assert_uint_eq(finding->places[i], (unsigned)frame);
	}
	va_end(frames);
}
