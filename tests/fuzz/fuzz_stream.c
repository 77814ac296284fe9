/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A TCP connection of any bytes through the engine, as iWARP: segments anywhere in the two streams,
 * in any order, cut, acknowledged or not.
 *
 *     { side, flags and port 1 | move of the sequence number 2, signed | length 2 | cut 1 | bytes
 * }*
 *
 * flags: 0x80 the other side; 0x40 SYN; 0x20 FIN; 0x10 RST; 0x08 acknowledges all of the other
 * side; 0x04 behind what this side sent last (the move is not used); the low bits are the port. The
 * highest bit of cut: the checksum fits, as it does not otherwise.
 *
 * Twice with different hash seeds: the same FPDUs, connections and findings. What is held is
 * bounded, and every FPDU is counted once.
 */
#include "tests/unit/finish.h"
#include "analyzer/engine/fpdus.h"
#include "tests/fuzz/must.h"

#include <glib.h>
#include <string.h>

enum { PREFIX = 6, DATA = 54, TCP = 34, IP = 14, PORTS = 4, LENGTH_MAX = 4096 };

enum { FITS = 0x80 };

enum { OTHER = 0x80, SYN = 0x40, FIN = 0x20, RST = 0x10, ACKS = 0x08, NEXT = 0x04 };

struct side {
	uint32_t next; /* behind what it sent last */
};

struct input {
	const uint8_t *data;
	size_t size;
	struct rda_meta meta;
	struct side sides[PORTS][2];
};

static void put16(uint8_t *p, unsigned value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static void put32(uint8_t *p, uint32_t value)
{
	put16(p, value >> 16);
	put16(p + 2, value & 0xffff);
}

static uint8_t tcp_flags(uint8_t flags)
{
	return (uint8_t)((flags & SYN ? 2 : 0) | (flags & FIN ? 1 : 0) | (flags & RST ? 4 : 0) |
			 (flags & ACKS ? 16 : 0));
}

static uint32_t sum_words(const uint8_t *bytes, uint32_t length)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < length; i++)
		sum += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
	return sum;
}

/* RFC 9293, 3.1: of the addresses, the protocol and the length too. */
static void put_checksum(uint8_t *frame, uint32_t payload)
{
	uint32_t length = DATA - TCP + payload;
	uint32_t sum = sum_words(frame + IP + 12, 8) + 6 + length + sum_words(frame + TCP, length);

	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	put16(frame + TCP + 16, ~sum & 0xffff);
}

/* The next segment as a frame; false at the end. */
static bool next_frame(struct input *in, struct rda_frame *frame)
{
	uint8_t bytes[DATA + LENGTH_MAX] = {0}, flags;
	uint32_t length, cut, sequence;
	struct side *mine, *other;
	unsigned side;

	if (in->size < PREFIX)
		return false;
	flags = in->data[0];
	side = flags & OTHER ? 1 : 0;
	mine = &in->sides[flags % PORTS][side];
	other = &in->sides[flags % PORTS][1 - side];
	length = rda_be16(in->data + 3) % LENGTH_MAX;
	if (length > in->size - PREFIX)
		length = (uint32_t)(in->size - PREFIX);
	cut = (in->data[5] & ~FITS) < length ? in->data[5] & ~FITS : length;
	sequence = mine->next;
	if (!(flags & NEXT))
		sequence += (uint32_t)(int32_t)(int16_t)rda_be16(in->data + 1);
	put16(bytes + 12, 0x0800);
	bytes[IP] = 0x45;
	put16(bytes + IP + 2, DATA - IP + length);
	bytes[IP + 9] = 6;
	put32(bytes + IP + 12, 0x0a000001 + side);
	put32(bytes + IP + 16, 0x0a000002 - side);
	put16(bytes + TCP, side ? 7000 : 40000 + flags % PORTS);
	put16(bytes + TCP + 2, side ? 40000 + flags % PORTS : 7000);
	put32(bytes + TCP + 4, sequence);
	put32(bytes + TCP + 8, flags & ACKS ? other->next : 0);
	bytes[TCP + 12] = 0x50;
	bytes[TCP + 13] = tcp_flags(flags);
	if (length)
		memcpy(bytes + DATA, in->data + PREFIX, length);
	if (in->data[5] & FITS)
		put_checksum(bytes, length);
	mine->next = sequence + length + (flags & SYN ? 1 : 0);
	in->meta.number++;
	in->meta.time_ns += 1000;
	*frame = rda_frame_copy(bytes, DATA + length - cut, DATA + length, RDA_LINK_ETHERNET);
	in->data += PREFIX + length;
	in->size -= PREFIX + length;
	return true;
}

static uint64_t count_told(const struct rda_engine *engine)
{
	unsigned count;

	rda_engine_fpdus(engine, &count);
	return count;
}

static struct rda_engine *run(const uint8_t *data, size_t size, uint64_t seed)
{
	struct rda_config config = {.trace = true, .hash_seed = seed};
	struct rda_engine *engine = rda_engine_new(&config);
	struct input in = {
		.data = data, .size = size, .meta.time_ns = INT64_C(1700000000000000000)};
	struct rda_frame frame;
	uint64_t told = 0;

	rda_engine_begin_capture(engine);
	while (next_frame(&in, &frame)) {
		rda_engine_packet(engine, &in.meta, &frame);
		rda_frame_free(&frame); /* borrowed for the call: what is held is a copy */
		told += count_told(engine);
	}
	rda_engine_finish(engine);
	told += count_told(engine);
	RDA_MUST(rda_engine_capture(engine, 0)->rdma_packets[RDA_CARRIER_IWARP] == told);
	return engine;
}

static void check_connections(const struct rda_engine *engine)
{
	uint64_t packets = 0;

	for (unsigned i = 0; i < rda_engine_connection_count(engine); i++) {
		const struct rda_connection *connection = rda_engine_connection(engine, i);

		RDA_MUST(connection->carrier == RDA_CARRIER_IWARP && connection->flows[0]);
		for (unsigned side = 0; side < 2; side++)
			if (connection->flows[side])
				packets += connection->flows[side]->packets;
	}
	RDA_MUST(packets == rda_engine_capture(engine, 0)->rdma_packets[RDA_CARRIER_IWARP]);
}

static void must_say_the_same(const struct rda_finding *a, const struct rda_finding *b)
{
	char *one = rda_finding_text(a), *two = rda_finding_text(b);

	RDA_MUST(one && two && strcmp(one, two) == 0);
	g_free(one);
	g_free(two);
}

static void check_same(const struct rda_engine *a, const struct rda_engine *b)
{
	RDA_MUST(rda_engine_connection_count(a) == rda_engine_connection_count(b));
	RDA_MUST(rda_engine_finding_count(a) == rda_engine_finding_count(b));
	for (unsigned i = 0; i < rda_engine_finding_count(a); i++) {
		const struct rda_finding *one = rda_engine_finding(a, i);
		const struct rda_finding *two = rda_engine_finding(b, i);

		RDA_MUST(one->key.check == two->key.check && one->count == two->count);
		must_say_the_same(one, two);
	}
	RDA_MUST(rda_engine_key_count(a) == rda_engine_key_count(b));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rda_engine *engine = run(data, size, 0);
	struct rda_engine *other = run(data, size, UINT64_C(0x9e3779b97f4a7c15));

	check_connections(engine);
	check_same(engine, other);
	rda_engine_drop(engine);
	rda_engine_drop(other);
	return 0;
}
