/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RoCEv2 at first glance: Ethernet, IPv4 without options, UDP to the port of RoCEv2, as nearly all
 * of it is. Whose such a frame is is told by a few bytes, without dissecting it; and it is
 * dissected at once, without a walk from header to header.
 */
#ifndef RDA_PLAIN_H
#define RDA_PLAIN_H

#include "dissectors/link.h"
#include "dissectors/packet.h"

#include <string.h>

/* Ethernet 14, IPv4 20, UDP 8, BTH 12 */
enum {
	RDA_PLAIN_IP4 = 14,
	RDA_PLAIN_UDP = 34,
	RDA_PLAIN_BTH = 42,
	RDA_PLAIN_END = 54,
	RDA_PLAIN_SOURCE = RDA_PLAIN_IP4 + 12,
	RDA_PLAIN_DESTINATION = RDA_PLAIN_IP4 + 16
};

static inline uint16_t rda_plain_be16(const struct rda_frame *frame, uint32_t offset)
{
	return (uint16_t)(frame->bytes[offset] << 8 | frame->bytes[offset + 1]);
}

static inline uint32_t rda_plain_be24(const struct rda_frame *frame, uint32_t offset)
{
	return (uint32_t)frame->bytes[offset] << 16 | rda_plain_be16(frame, offset + 1);
}

/* The address that such a word is. */
static inline struct rda_address rda_plain_ip4(uint32_t word)
{
	struct rda_address address = {.bytes = {[10] = 0xff, [11] = 0xff}, .kind = RDA_ADDRESS_IP4};

	memcpy(address.bytes + 12, &word, sizeof(word));
	return address;
}

/* As it is in the packet. */
static inline uint32_t rda_plain_word(const struct rda_frame *frame, uint32_t offset)
{
	uint32_t word;

	memcpy(&word, frame->bytes + offset, sizeof(word));
	return word;
}

/* Without anything that rda_dissect would have to look at twice. */
static inline bool rda_plain_is(const struct rda_frame *frame)
{
	return frame->link == RDA_LINK_ETHERNET && frame->captured >= RDA_PLAIN_BTH &&
	       rda_plain_be16(frame, 12) == 0x0800 && frame->bytes[RDA_PLAIN_IP4] == 0x45 &&
	       rda_plain_be16(frame, RDA_PLAIN_IP4 + 2) >= RDA_PLAIN_BTH - RDA_PLAIN_IP4 &&
	       (rda_plain_be16(frame, RDA_PLAIN_IP4 + 6) & 0x1fff) == 0 &&
	       frame->bytes[RDA_PLAIN_IP4 + 9] == 17 &&
	       rda_plain_be16(frame, RDA_PLAIN_UDP + 2) == RDA_ROCEV2_PORT;
}

/*
 * Reads such a frame as rda_dissect does, where all in it is as nearly always. False: not so, and
 * nothing was written.
 */
bool rda_dissect_plain(struct rda_packet *packet, const struct rda_frame *frame);

#endif
