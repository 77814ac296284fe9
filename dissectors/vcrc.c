/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variant CRC of native InfiniBand: CRC-16, polynomial 0x100B, over LRH to ICRC, initial and
 * final ones, stored least significant byte first. Every link computes it anew.
 *
 * ISA-L has no CRC with this polynomial. Four bits at a time: native captures are small.
 */
#include "dissectors/icrc.h"

/* the CRC of each four bits; the polynomial reflected is 0xD008 */
static const uint16_t table[16] = {
	0x0000, 0x1a01, 0x3402, 0x2e03, 0x6804, 0x7205, 0x5c06, 0x4607,
	0xd008, 0xca09, 0xe40a, 0xfe0b, 0xb80c, 0xa20d, 0x8c0e, 0x960f,
};

bool rda_vcrc(const struct rda_frame *frame, const struct rda_packet *packet, struct rda_crc *crc)
{
	const struct rda_layer *lrh;
	const uint8_t *end;
	uint16_t value = 0xffff;

	if (packet->carrier != RDA_CARRIER_INFINIBAND || !packet->has_vcrc ||
	    packet->faults & 1u << RDA_FAULT_LENGTH_EXCEEDS ||
	    frame->captured < packet->end_offset + 2)
		return false;
	lrh = rda_find_layer(packet, RDA_LRH);
	if (!lrh)
		return false;
	end = frame->bytes + packet->end_offset;
	for (const uint8_t *p = frame->bytes + lrh->offset; p < end; p++) {
		value ^= *p;
		value = (uint16_t)(value >> 4 ^ table[value & 15]);
		value = (uint16_t)(value >> 4 ^ table[value & 15]);
	}
	crc->computed = value ^ 0xffff;
	crc->stored = (uint32_t)end[0] | (uint32_t)end[1] << 8;
	return true;
}
