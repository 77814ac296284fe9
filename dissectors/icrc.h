/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CRCs of InfiniBand packets: invariant (ICRC, end to end) and variant (VCRC, link by link).
 */
#ifndef RDA_ICRC_H
#define RDA_ICRC_H

#include "dissectors/packet.h"
#include "dissectors/values.h"

struct rda_crc {
	uint32_t stored;   /* as the packet has it */
	uint32_t computed; /* as it should be */
	bool twice;	   /* of a FLUSH: the headers are in it twice, as Linux (rxe) has it */
};

/*
 * Computes the ICRC of a packet. False when it cannot be checked: no BTH, not whole in the capture,
 * a fragment, or an end that the packet contradicts. A FLUSH that fits as Linux makes it is right:
 * `computed` is that then.
 *
 * Whether a mismatch means damage or a capture made before the ICRC was put in cannot be told from
 * one packet; the engine's icrc_source.c judges that.
 */
bool rda_icrc(const struct rda_frame *frame, const struct rda_packet *packet, struct rda_crc *crc);

/* What a FLUSH whose ICRC was `twice` should have, of a frame that rda_icrc can check. */
uint32_t rda_icrc_twice(const struct rda_frame *frame, const struct rda_packet *packet);

/* The ICRC as it is stored, read as rda_be32 does; 0: not captured, or elsewhere than at the end of
 * this frame. */
static inline uint32_t rda_icrc_stored(const struct rda_frame *frame,
				       const struct rda_packet *packet)
{
	if (packet->end_offset < 4 || frame->captured < packet->end_offset || packet->fragment ||
	    packet->faults & 1u << RDA_FAULT_LENGTH_EXCEEDS)
		return 0;
	return rda_be32(frame->bytes + packet->end_offset - 4);
}

/*
 * Computes the ICRC (*icrc, in the byte order of rda_icrc_stored) that the packet would have with
 * another IPv4 identification and AckReq: what a requester may change when it sends a packet again.
 * So packets of which only this is left can be compared.
 */
bool rda_icrc_as(const struct rda_frame *frame, const struct rda_packet *packet, uint16_t ip_id,
		 bool ack_req, uint32_t *icrc);

/* Computes the VCRC. False when there is none: RoCE, or a capture that leaves it out. */
bool rda_vcrc(const struct rda_frame *frame, const struct rda_packet *packet, struct rda_crc *crc);

/*
 * Whether the IPv4 header that carries the packet, RoCEv2 or TCP, fails its own checksum. False for
 * everything else, and for a checksum of 0, which a sender that leaves it to its NIC shows in its
 * own captures.
 */
bool rda_ip4_checksum_fails(const struct rda_frame *frame, const struct rda_packet *packet);

/* Whether it has one, and fits it. */
bool rda_ip4_checksum_fits(const struct rda_frame *frame, const struct rda_packet *packet);

/*
 * Whether the network marked the packet: CE, in a header whose checksum does not say that the mark
 * is a flipped bit. The ICRC covers no ECN field.
 */
static inline bool rda_ip4_is_marked(const struct rda_frame *frame, const struct rda_packet *packet)
{
	return packet->ecn == RDA_ECN_CE && !rda_ip4_checksum_fails(frame, packet);
}

#endif
