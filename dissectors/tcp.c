/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP (RFC 9293): the header, and where the segment's payload lies. What the stream carries, iWARP
 * or a tool's own exchange, is found above, where segments are put together.
 */
#include "dissectors/walk.h"

#include "dissectors/tcp.h"

#include <string.h>

enum rda_next rda_walk_tcp(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset, header;

	if (!rda_read_tcp(&w->cursor, &packet->tcp))
		return rda_walk_stop(w, RDA_TCP_BYTES);
	header = packet->tcp.data_offset * 4u;
	if (header < RDA_TCP_BYTES || header - RDA_TCP_BYTES > rda_cursor_wire_left(&w->cursor)) {
		rda_note_fault(packet, RDA_FAULT_HEADER_SHORT);
		return RDA_NEXT_STOP;
	}
	if (!rda_walk_skip(w, header - RDA_TCP_BYTES))
		return rda_walk_stop(w, header - RDA_TCP_BYTES);
	rda_walk_add_layer(w, RDA_TCP, offset, header);
	packet->present |= RDA_HAS(TCP);
	packet->payload_offset = w->cursor.offset;
	packet->payload_length = rda_cursor_wire_left(&w->cursor);
	packet->payload_known = !packet->fragment;
	packet->end_offset = w->cursor.wire_end;
	return RDA_NEXT_STOP;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Kinds (RFC 9293, 3.1; RFC 2018, 3). The first two are one byte each, all others have a length. */
enum { OPTION_END = 0, OPTION_NOTHING = 1, OPTION_SACK = 5 };

enum { BLOCK_BYTES = 8 };

/* The next option's kind, and its contents behind kind and length; false: there is none. */
static bool take_option(struct rda_cursor *c, uint8_t *kind, struct rda_cursor *contents)
{
	const uint8_t *head;

	do {
		head = rda_cursor_take(c, 1);
		if (!head || *head == OPTION_END)
			return false;
	} while (*head == OPTION_NOTHING);
	*kind = *head;
	head = rda_cursor_take(c, 1);
	if (!head || *head < 2)
		return false;
	*contents = *c;
	return rda_cursor_limit(contents, *head - 2u) && rda_cursor_take(c, *head - 2u);
}

static bool take_block(struct rda_cursor *c, struct rda_tcp_block *block)
{
	const uint8_t *bytes = rda_cursor_take(c, BLOCK_BYTES);

	if (!bytes)
		return false;
	*block = (struct rda_tcp_block){rda_be32(bytes), rda_be32(bytes + 4)};
	return true;
}

/* By numbers that count modulo 2^32. */
static bool is_below(uint32_t one, uint32_t other)
{
	return (int32_t)(one - other) < 0;
}

/* The contents of the SACK option; false: there is none. */
static bool find_sack(const struct rda_frame *frame, const struct rda_layer *tcp,
		      struct rda_cursor *contents)
{
	struct rda_cursor options = {.base = frame->bytes,
				     .offset = tcp->offset + RDA_TCP_BYTES,
				     .captured_end = frame->captured,
				     .wire_end = frame->captured};
	uint8_t kind;

	if (tcp->length <= RDA_TCP_BYTES)
		return false;
	rda_cursor_limit(&options, tcp->length - RDA_TCP_BYTES);
	while (take_option(&options, &kind, contents))
		if (kind == OPTION_SACK)
			return true;
	return false;
}

void rda_tcp_copy_sack(uint8_t *out, const struct rda_frame *frame, const struct rda_layer *tcp)
{
	uint32_t begin = tcp->offset + RDA_TCP_BYTES, sack;
	struct rda_cursor contents;

	if (!find_sack(frame, tcp, &contents))
		return;
	sack = contents.offset - 2; /* its kind and length */
	memset(out + begin, OPTION_NOTHING, sack - begin);
	memcpy(out + sack, frame->bytes + sack, contents.captured_end - sack);
}

bool rda_tcp_got_twice(const struct rda_frame *frame, const struct rda_packet *packet,
		       struct rda_tcp_block *block)
{
	const struct rda_layer *tcp = rda_find_layer(packet, RDA_TCP);
	struct rda_cursor contents;
	struct rda_tcp_block around;

	if (!packet->tcp.ack || !tcp || !find_sack(frame, tcp, &contents) ||
	    !take_block(&contents, block) || !is_below(block->begin, block->end))
		return false;
	if (!is_below(packet->tcp.acknowledgment, block->end))
		return true;
	return take_block(&contents, &around) && !is_below(block->begin, around.begin) &&
	       !is_below(around.end, block->end);
}

/* ---- the checksum ---------------------------------------------------------------------------- */

/*
 * The checksum of TCP (RFC 9293, 3.1): the ones' complement of the sum of a pseudo header and the
 * segment, in words of 16 bits.
 *
 *     source address | destination address | 0 | protocol 6 | TCP length | segment
 *
 * The sum is made in the byte order of this host, which turns it and what it is held against alike.
 */

enum { CHECKSUM_OFFSET = 16, PROTOCOL_TCP = 6, PSEUDO_HEADER_MAX = 40 };

static uint64_t add(uint64_t sum, const uint8_t *bytes, uint32_t length)
{
	uint32_t word;

	for (; length >= sizeof(word); length -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		sum += word;
	}
	word = 0;
	memcpy(&word, bytes, length); /* as if zeros followed */
	return sum + word;
}

static uint16_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

static uint64_t add_pseudo_header(const struct rda_packet *packet, uint32_t length)
{
	uint8_t pseudo[PSEUDO_HEADER_MAX] = {0};
	bool ip4 = packet->source.kind == RDA_ADDRESS_IP4;
	uint32_t size = ip4 ? 4 : 16, from = ip4 ? 12 : 0;

	memcpy(pseudo, packet->source.bytes + from, size);
	memcpy(pseudo + size, packet->destination.bytes + from, size);
	pseudo[32] = (uint8_t)(length >> 24);
	pseudo[33] = (uint8_t)(length >> 16);
	pseudo[34] = (uint8_t)(length >> 8);
	pseudo[35] = (uint8_t)length;
	pseudo[39] = PROTOCOL_TCP;
	return add(0, pseudo, sizeof(pseudo)); /* zeros between add nothing */
}

enum rda_tcp_check rda_tcp_check(const struct rda_frame *frame, const struct rda_packet *packet)
{
	const struct rda_layer *tcp = rda_find_layer(packet, RDA_TCP);
	uint64_t pseudo;
	uint32_t length;
	uint16_t stored;

	if (!tcp || packet->fragment || frame->captured < packet->end_offset ||
	    (packet->source.kind != RDA_ADDRESS_IP4 && packet->source.kind != RDA_ADDRESS_IP6))
		return RDA_TCP_CHECK_NONE;
	length = packet->end_offset - tcp->offset;
	pseudo = add_pseudo_header(packet, length);
	memcpy(&stored, frame->bytes + tcp->offset + CHECKSUM_OFFSET, sizeof(stored));
	if (fold(add(pseudo, frame->bytes + tcp->offset, length)) == 0xffff)
		return RDA_TCP_CHECK_MATCH;
	return stored == fold(pseudo) ? RDA_TCP_CHECK_NONE : RDA_TCP_CHECK_MISMATCH;
}
