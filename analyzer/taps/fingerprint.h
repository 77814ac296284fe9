/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tells a packet from all others wherever on its way it is seen.
 *
 * Hops change MAC addresses, VLAN tags, tunnels, TTL, DSCP, ECN, FECN and BECN; they leave the
 * inner addresses, the BTH but its byte of FECN and BECN, the IPv4 identification, the length and
 * the ICRC. A sender that numbers its packets gives each transmission another identification. Of
 * TCP, which carries iWARP and programs that tell each other their QPs: addresses, ports, sequence
 * and acknowledgment numbers, flags, identification and length.
 *
 * The ICRC stands beside the hash: it may be cut off at one tap and not at another.
 */
#ifndef RDA_FINGERPRINT_H
#define RDA_FINGERPRINT_H

#include "dissectors/packet.h"

struct rda_fingerprint {
	uint64_t hash; /* never 0 */
	uint64_t flow; /* of what its packets have in common: addresses, and destination QP or ports
			*/
	uint32_t sequence; /* PSN, or TCP's sequence number */
	uint32_t icrc;	   /* its four bytes; valid if has_icrc */
	bool has_icrc;
	bool is_tcp;
	bool is_datagram; /* of UD or a raw datagram: its PSN is anybody's */
};

/* False: the frame has nothing that tells it from others (ARP, fragments, cut headers, UDP of
 * others). */
bool rda_fingerprint_of(struct rda_fingerprint *print, const struct rda_frame *frame,
			const struct rda_packet *packet);

/* Of what one host sends another. */
uint64_t rda_fingerprint_way(const struct rda_address *from, const struct rda_address *to);

/* Mixes a number into a hash: the same in every run, so that what is decided by it is too. */
uint64_t rda_fingerprint_mix(uint64_t hash, uint64_t number);

#endif
