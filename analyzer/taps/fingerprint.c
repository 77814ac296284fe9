/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fingerprints of packets. See fingerprint.h.
 */
#include "analyzer/taps/fingerprint.h"

#include <glib.h>
#include <string.h>

enum { ICRC_BYTES = 4 };

/* The finalizer of SplitMix64 (Steele, Lea, Flood 2014) over what was and what comes. */
uint64_t rda_fingerprint_mix(uint64_t hash, uint64_t number)
{
	uint64_t x = (hash ^ number) + UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static uint64_t mix_address(uint64_t hash, const struct rda_address *address)
{
	uint64_t halves[2];

	memcpy(halves, address->bytes, sizeof(halves));
	hash = rda_fingerprint_mix(hash, GUINT64_FROM_BE(halves[0]));
	return rda_fingerprint_mix(hash, GUINT64_FROM_BE(halves[1]));
}

uint64_t rda_fingerprint_way(const struct rda_address *from, const struct rda_address *to)
{
	return mix_address(mix_address(from->kind, from), to);
}

static void print_of_bth(struct rda_fingerprint *print, const struct rda_frame *frame,
			 const struct rda_packet *packet)
{
	const struct rda_bth *bth = &packet->bth;
	uint64_t hash = rda_fingerprint_way(&packet->source, &packet->destination);

	print->flow = rda_fingerprint_mix(hash, bth->dest_qp);
	print->sequence = bth->psn;
	print->is_datagram = packet->opcode->transport == RDA_TRANSPORT_UD;
	hash = rda_fingerprint_mix(print->flow, (uint64_t)bth->opcode << 48 |
							(uint64_t)bth->pkey << 32 | bth->psn);
	hash = rda_fingerprint_mix(
		hash, (uint64_t)packet->ip_id << 32 | (uint64_t)packet->source_port << 16 |
			      (uint64_t)bth->padcnt << 8 | (uint64_t)bth->se << 2 |
			      (uint64_t)bth->migreq << 1 | bth->ack_req);
	print->hash = rda_fingerprint_mix(hash, packet->end_offset - packet->bth_offset);
	print->has_icrc = frame->captured >= packet->end_offset &&
			  packet->end_offset >= packet->bth_offset + RDA_BTH_BYTES + ICRC_BYTES;
	if (print->has_icrc)
		memcpy(&print->icrc, frame->bytes + packet->end_offset - ICRC_BYTES, ICRC_BYTES);
}

static void print_of_tcp(struct rda_fingerprint *print, const struct rda_packet *packet)
{
	const struct rda_tcp *tcp = &packet->tcp;
	uint64_t hash = rda_fingerprint_way(&packet->source, &packet->destination);

	print->is_tcp = true;
	print->flow =
		rda_fingerprint_mix(hash, (uint64_t)tcp->source_port << 16 | tcp->destination_port);
	print->sequence = tcp->sequence;
	hash = rda_fingerprint_mix(print->flow,
				   (uint64_t)tcp->sequence << 32 | tcp->acknowledgment);
	hash = rda_fingerprint_mix(hash, (uint64_t)tcp->syn << 4 | (uint64_t)tcp->fin << 3 |
						 (uint64_t)tcp->rst << 2 | (uint64_t)tcp->psh << 1 |
						 tcp->ack);
	print->hash =
		rda_fingerprint_mix(hash, (uint64_t)packet->ip_id << 32 | packet->payload_length);
}

bool rda_fingerprint_of(struct rda_fingerprint *print, const struct rda_frame *frame,
			const struct rda_packet *packet)
{
	memset(print, 0, sizeof(*print));
	if (packet->fragment)
		return false;
	if (rda_has(packet, BTH))
		print_of_bth(print, frame, packet);
	else if (rda_has(packet, TCP))
		print_of_tcp(print, packet);
	else
		return false;
	print->hash |= !print->hash;
	return true;
}
