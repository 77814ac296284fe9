/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The invariant CRC (IBTA vol 1; annexes A16, A17 for RoCE).
 *
 * CRC-32 as in Ethernet, stored least significant byte first, over the packet from its L3 header to
 * the pad, with every field that a switch or router may change replaced by ones:
 *
 *     RoCEv2/IPv4  8 x FF | IPv4: TOS, TTL, checksum | UDP: checksum | BTH: byte 4 | rest
 *     RoCEv2/IPv6  8 x FF | IPv6: class, flow label, hop limit | UDP: checksum | BTH: byte 4 | rest
 *     RoCEv1       8 x FF | GRH: class, flow label, hop limit | BTH: byte 4 | rest
 *     InfiniBand, LNH 3   the same, the 8 x FF standing for the whole LRH
 *     InfiniBand, LNH 2   LRH: VL | BTH: byte 4 | rest
 *
 * Linux (rxe, up to 6.12 at least) takes a FLUSH's headers for its payload: behind them it feeds
 * BTH, FETH and RETH once more, nothing masked, and checks what it receives in this way.
 *
 * IPv4 options and IPv6 extension headers are fed as they are: nobody was seen to send any.
 */
#include "dissectors/icrc.h"

#include "dissectors/opcode.h"
#include "dissectors/wide.h"

#include <isa-l/crc.h>

enum { ICRC_BYTES = 4 };

/* the CRC of 8 x FF */
#define SEED_ONES 0x2144df1cu

/* What a packet that is sent again may have changed; NULL where it is the packet itself. */
struct change {
	uint16_t ip_id;
	bool ack_req;
};

static uint32_t feed(uint32_t crc, const uint8_t *bytes, uint32_t length)
{
	return crc32_gzip_refl(crc, bytes, length);
}

static void mask_ip4(uint8_t ip[RDA_IP4_BYTES], const struct change *change)
{
	ip[1] = 0xff;		/* TOS */
	ip[8] = 0xff;		/* TTL */
	ip[10] = ip[11] = 0xff; /* checksum */
	if (change) {
		ip[4] = (uint8_t)(change->ip_id >> 8);
		ip[5] = (uint8_t)change->ip_id;
	}
}

static void mask_udp(uint8_t udp[RDA_UDP_BYTES])
{
	udp[6] = udp[7] = 0xff; /* checksum */
}

static void mask_bth(uint8_t bth[RDA_BTH_BYTES], const struct change *change)
{
	bth[4] = 0xff; /* FECN, BECN, reserved */
	if (change)
		bth[8] = (uint8_t)((bth[8] & 0x7f) | change->ack_req << 7);
}

static uint32_t feed_ip4(uint32_t crc, const uint8_t *ip, uint32_t length,
			 const struct change *change)
{
	uint8_t masked[RDA_IP4_BYTES];

	memcpy(masked, ip, sizeof(masked));
	mask_ip4(masked, change);
	crc = feed(crc, masked, sizeof(masked));
	return feed(crc, ip + sizeof(masked), length - sizeof(masked));
}

/* IPv6, and the GRH, which is laid out alike */
static uint32_t feed_ip6(uint32_t crc, const uint8_t *ip, uint32_t length)
{
	uint8_t masked[RDA_IP6_BYTES];

	memcpy(masked, ip, sizeof(masked));
	masked[0] |= 0x0f; /* traffic class and flow label */
	masked[1] = masked[2] = masked[3] = 0xff;
	masked[7] = 0xff; /* hop limit */
	crc = feed(crc, masked, sizeof(masked));
	return feed(crc, ip + sizeof(masked), length - sizeof(masked));
}

static uint32_t feed_udp(uint32_t crc, const uint8_t *udp)
{
	uint8_t masked[RDA_UDP_BYTES];

	memcpy(masked, udp, sizeof(masked));
	mask_udp(masked);
	return feed(crc, masked, sizeof(masked));
}

static uint32_t feed_bth(uint32_t crc, const uint8_t *bth, const struct change *change)
{
	uint8_t masked[RDA_BTH_BYTES];

	memcpy(masked, bth, sizeof(masked));
	mask_bth(masked, change);
	return feed(crc, masked, sizeof(masked));
}

/* LNH 2: the LRH itself, but for the VL that switches remap */
static uint32_t feed_lrh(const uint8_t *lrh)
{
	uint8_t masked[RDA_LRH_BYTES];

	memcpy(masked, lrh, sizeof(masked));
	masked[0] |= 0xf0;
	return feed(0, masked, sizeof(masked));
}

/* Everything before the BTH. */
static uint32_t feed_routing(const uint8_t *bytes, const struct rda_packet *packet,
			     const struct change *change)
{
	const uint8_t *l3 = bytes + packet->l3_offset;
	uint32_t length = packet->bth_offset - packet->l3_offset, crc;

	switch (packet->carrier) {
	case RDA_CARRIER_ROCEV2:
		length -= RDA_UDP_BYTES;
		crc = rda_bits(l3, 0, 4) == 4 ? feed_ip4(SEED_ONES, l3, length, change)
					      : feed_ip6(SEED_ONES, l3, length);
		return feed_udp(crc, l3 + length);
	case RDA_CARRIER_ROCEV1: return feed_ip6(SEED_ONES, l3, length);
	default:
		if (length == RDA_LRH_BYTES)
			return feed_lrh(l3);
		return feed_ip6(SEED_ONES, l3 + RDA_LRH_BYTES, length - RDA_LRH_BYTES);
	}
}

/* Everything up to the end of the BTH. */
static uint32_t feed_headers(const uint8_t *bytes, const struct rda_packet *packet,
			     const struct change *change)
{
	enum { UDP = RDA_IP4_BYTES, BTH = UDP + RDA_UDP_BYTES, END = BTH + RDA_BTH_BYTES };
	const uint8_t *l3 = bytes + packet->l3_offset;
	uint8_t masked[END];
	uint32_t crc;

	if (packet->carrier == RDA_CARRIER_ROCEV2 && rda_bits(l3, 0, 4) == 4 &&
	    packet->bth_offset - packet->l3_offset == BTH) {
		/* nearly all: in one go, as a few bytes take as long as some hundred */
		memcpy(masked, l3, sizeof(masked));
		mask_ip4(masked, change);
		mask_udp(masked + UDP);
		mask_bth(masked + BTH, change);
		return feed(SEED_ONES, masked, sizeof(masked));
	}
	crc = feed_routing(bytes, packet, change);
	return feed_bth(crc, bytes + packet->bth_offset, change);
}

/* Where the ICRC is, or NULL when it cannot be checked. */
static const uint8_t *find_icrc(const struct rda_frame *frame, const struct rda_packet *packet)
{
	if (!rda_has(packet, BTH) || packet->fragment || frame->captured < packet->end_offset ||
	    packet->faults & 1u << RDA_FAULT_LENGTH_EXCEEDS ||
	    packet->end_offset < packet->bth_offset + RDA_BTH_BYTES + ICRC_BYTES)
		return NULL;
	return frame->bytes + packet->end_offset - ICRC_BYTES;
}

static uint32_t compute(const struct rda_frame *frame, const struct rda_packet *packet,
			const uint8_t *end, const struct change *change)
{
	const uint8_t *rest = frame->bytes + packet->bth_offset + RDA_BTH_BYTES;
	uint32_t crc = feed_headers(frame->bytes, packet, change);

	crc = feed(crc, rest, (uint32_t)(end - rest));
	rda_wide_end();
	return crc;
}

/* As Linux has a FLUSH: `crc` of it, and BTH, FETH and RETH once more. */
static uint32_t feed_flush_again(uint32_t crc, const struct rda_frame *frame,
				 const struct rda_packet *packet, const uint8_t *end)
{
	const uint8_t *bth = frame->bytes + packet->bth_offset;

	crc = feed(crc, bth, (uint32_t)(end - bth));
	rda_wide_end();
	return crc;
}

bool rda_icrc(const struct rda_frame *frame, const struct rda_packet *packet, struct rda_crc *crc)
{
	const uint8_t *end = find_icrc(frame, packet);

	if (!end)
		return false;
	crc->computed = compute(frame, packet, end, NULL);
	crc->stored = (uint32_t)end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 |
		      (uint32_t)end[3] << 24;
	crc->twice = false;
	if (crc->stored != crc->computed && packet->opcode->roles & RDA_ROLE_FLUSH) {
		uint32_t again = feed_flush_again(crc->computed, frame, packet, end);

		crc->twice = crc->stored == again;
		crc->computed = crc->twice ? again : crc->computed;
	}
	return true;
}

uint32_t rda_icrc_twice(const struct rda_frame *frame, const struct rda_packet *packet)
{
	const uint8_t *end = find_icrc(frame, packet);

	return feed_flush_again(compute(frame, packet, end, NULL), frame, packet, end);
}

bool rda_icrc_as(const struct rda_frame *frame, const struct rda_packet *packet, uint16_t ip_id,
		 bool ack_req, uint32_t *icrc)
{
	const struct change change = {ip_id, ack_req};
	const uint8_t *end = find_icrc(frame, packet);
	uint32_t crc;

	if (!end)
		return false;
	crc = compute(frame, packet, end, &change);
	*icrc = crc << 24 | (crc & 0xff00) << 8 | (crc >> 8 & 0xff00) | crc >> 24;
	return true;
}

/* Of the IPv4 header that carries the packet: 0xffff if its checksum fits; 0: it has none. */
static uint32_t ip4_sum(const struct rda_frame *frame, const struct rda_packet *packet)
{
	const struct rda_layer *ip = rda_find_layer(packet, RDA_IP4);
	const uint8_t *p;
	uint32_t sum = 0;

	if (!ip || ip->offset != packet->l3_offset ||
	    (packet->carrier != RDA_CARRIER_ROCEV2 && !rda_has(packet, TCP)))
		return 0;
	p = frame->bytes + ip->offset;
	if (rda_be16(p + 10) == 0)
		return 0;
	for (unsigned i = 0; i < ip->length; i += 2)
		sum += rda_be16(p + i);
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

bool rda_ip4_checksum_fails(const struct rda_frame *frame, const struct rda_packet *packet)
{
	uint32_t sum = ip4_sum(frame, packet);

	return sum && sum != 0xffff;
}

bool rda_ip4_checksum_fits(const struct rda_frame *frame, const struct rda_packet *packet)
{
	return ip4_sum(frame, packet) == 0xffff;
}
