/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checksum of TCP (RFC 9293, 3.1): the ones' complement of the sum of a pseudo header and the
 * segment, in words of 16 bits.
 *
 *     source address | destination address | 0 | protocol 6 | TCP length | segment
 *
 * The sum is made in the byte order of this host, which turns it and what it is held against alike.
 */
#include "dissectors/tcp_checksum.h"

#include <string.h>

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
