/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages and transfers of any bytes through the trackers of upper layers.
 *
 *     { what 1 | key 1 | length 1 | bytes }*
 *
 * what: 0x80 of the answerer; 0x40 a packet in the middle of a SEND, 0x20 it is the last; 0x10 a
 * WRITE of the memory of `key`, 0x08 a READ of it, of `length` pages; 0x04 packets are missing. A
 * first packet is a SEND of its own unless 0x20 is missing.
 *
 * Twice with different hash seeds: the same counts. What waits is bounded, and every command is
 * answered, waits, or was counted as gone.
 */
#include "analyzer/track/ulp/ulp_stream.h"
#include "dissectors/ulp/nvme.h"
#include "tests/fuzz/must.h"

#include <string.h>

enum { OTHER = 0x80, INSIDE = 0x40, LAST = 0x20, WRITE = 0x10, READ = 0x08, LOST = 0x04 };
enum { PREFIX = 3, PAGE = 64 };

struct bench {
	struct rda_ulps ulps;
	struct rda_flow flows[2];
	int64_t now;
};

static struct rda_ulp_stream *stream_of(struct bench *b, unsigned side)
{
	return b->flows[side].ulp ? rda_ulp_stream_of(&b->flows[side]) : NULL;
}

static void send(struct bench *b, unsigned side, uint8_t what, const uint8_t *bytes,
		 uint32_t length)
{
	struct rda_ulp_stream *stream;
	const struct rda_ulp_piece piece = {
		.bytes = bytes,
		.have = length,
		.length = length,
		.place = (uint64_t)b->now,
		.last_place = (uint64_t)b->now,
		.first_ns = b->now,
		.last_ns = b->now,
		.at = b->now,
		.next = b->now + 1,
		.begins = !(what & INSIDE),
		.ends = what & LAST,
	};

	if (!b->flows[side].ulp && piece.begins && rda_ulp_is_open(&b->flows[side]))
		rda_ulps_look(&b->ulps, &b->flows[side], &b->flows[1 - side], bytes, length);
	stream = stream_of(b, side);
	if (stream)
		rda_ulp_stream_send(&b->flows[side], stream, &piece);
}

static void transfer(struct bench *b, unsigned side, uint8_t what, uint8_t key, uint32_t length)
{
	struct rda_ulp_stream *stream = stream_of(b, side);
	const struct rda_ulp_range range = {(uint64_t)PAGE * key, key, PAGE * length};
	const struct rda_ulp_read read = {b->now, range, b->now};

	if (!stream)
		return;
	if (what & LOST) {
		rda_ulp_stream_lost(&b->flows[side], stream);
	} else if (what & READ) {
		rda_ulp_stream_read(stream, &read);
		rda_ulp_stream_read_done(&b->flows[side], stream, b->now - length, b->now);
	} else {
		rda_ulp_stream_write(&b->flows[side], stream, &range, b->now);
		if (what & LAST)
			rda_ulp_stream_written(&b->flows[side], stream, true, b->now + 1);
	}
}

static void run(struct bench *b, const uint8_t *data, size_t size, uint64_t seed)
{
	memset(b, 0, sizeof(*b));
	rda_ulps_init(&b->ulps, seed);
	while (size >= PREFIX) {
		uint8_t what = data[0];
		unsigned side = what & OTHER ? 1 : 0;
		uint32_t length = data[2] < size - PREFIX ? data[2] : (uint32_t)(size - PREFIX);

		b->now++;
		if (what & (WRITE | READ | LOST)) {
			transfer(b, side, what, data[1], data[2]);
			length = 0;
		} else {
			struct rda_frame frame = rda_frame_copy(data + PREFIX, length, length, 1);

			send(b, side, what, frame.bytes, length);
			rda_frame_free(&frame);
		}
		data += PREFIX + length;
		size -= PREFIX + length;
	}
}

static void check_waits(const struct rda_ulp_waits *waits, const struct rda_ulp_waits *later)
{
	RDA_MUST(waits->held_ns >= waits->longest_ns && later->held_ns >= waits->held_ns);
	RDA_MUST((waits->times == 0) == (waits->held_ns == 0));
}

static void check_credits(const struct rda_ulp_credits *credits, int64_t first)
{
	struct rda_ulp_credits sure = rda_ulp_credits_until(credits, false, INT64_MAX / 2);
	struct rda_ulp_credits perhaps = rda_ulp_credits_until(credits, true, INT64_MAX / 2);

	RDA_MUST(credits->left == 0 ||
		 credits->left == first + (int64_t)credits->granted - (int64_t)credits->used);
	check_waits(&credits->waits, &sure.waits);
	check_waits(&credits->perhaps, &perhaps.perhaps);
}

/* Each piece of memory is one command's, and found. */
static void check_lent(const struct rda_ulp_commands *commands,
		       const struct rda_ulp_command *command)
{
	const struct rda_ulp_lent *lent = rda_ulp_commands_first_lent(commands, command);
	uint32_t count = 0;

	for (; lent; lent = rda_ulp_commands_next_lent(commands, lent), count++)
		RDA_MUST(commands->items + lent->command - 1 == command && lent->range.length);
	RDA_MUST(count == command->lent_count);
	RDA_MUST(commands->lent_allocated <= RDA_ULP_RANGES_EACH * commands->allocated);
}

static void check_books(const struct rda_ulp *ulp)
{
	struct rda_ulp_facts facts;
	uint64_t asked = 0, answered = 0, waiting = 0;

	rda_ulp_facts_of(&facts, ulp, INT64_MAX / 2);
	for (uint32_t i = 0; i < facts.operation_count; i++) {
		asked += facts.operations[i].asked;
		answered += facts.operations[i].answered;
		RDA_MUST(facts.operations[i].failed <= facts.operations[i].answered);
	}
	for (const struct rda_ulp_command *command = rda_ulp_commands_first(&ulp->commands);
	     command; command = rda_ulp_commands_next(&ulp->commands, command)) {
		waiting++;
		check_lent(&ulp->commands, command);
	}
	RDA_MUST(asked == facts.asked && answered == facts.answered);
	RDA_MUST(waiting == facts.unanswered + facts.waiting);
	RDA_MUST(facts.asked == facts.answered + waiting + facts.replaced + facts.forgotten);
	RDA_MUST(waiting <= RDA_ULP_COMMANDS_MAX && facts.busy_ns >= 0);
	rda_ulp_facts_cleanup(&facts);
	for (unsigned i = 0; i < 2; i++) {
		check_credits(&ulp->smb[i].direct, 0);
		check_credits(&ulp->smb[i].smb, 1);
	}
}

static void check_same(const struct rda_ulp *a, const struct rda_ulp *b)
{
	RDA_MUST(a->protocol == b->protocol && a->facts.asked == b->facts.asked);
	RDA_MUST(a->facts.answered == b->facts.answered && a->facts.cut == b->facts.cut);
	RDA_MUST(a->facts.unjoined == b->facts.unjoined);
	RDA_MUST(a->facts.waited_ns == b->facts.waited_ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bench a, b;

	run(&a, data, size, 0);
	run(&b, data, size, UINT64_C(0x9e3779b97f4a7c15));
	RDA_MUST(a.ulps.list->len == b.ulps.list->len);
	for (guint i = 0; i < a.ulps.list->len; i++) {
		check_books(a.ulps.list->pdata[i]);
		check_same(a.ulps.list->pdata[i], b.ulps.list->pdata[i]);
	}
	rda_ulps_cleanup(&a.ulps);
	rda_ulps_cleanup(&b.ulps);
	return 0;
}
