/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What routers and hosts say of packets that they could not hand on: ICMP errors, which quote the
 * packet, and the questions for a neighbour's link address (ARP, IPv6 neighbour discovery).
 */
#ifndef RDA_NEIGHBOURS_H
#define RDA_NEIGHBOURS_H

#include "dissectors/packet.h"

/* RDA_UNDELIVERABLE(U): U(ID, "words"): why a packet was not handed on, by ICMP or ICMPv6 */
#define RDA_UNDELIVERABLE(U)                                                                       \
	U(NETWORK, "there is no route to its network")                                             \
	U(HOST, "its destination cannot be reached")                                               \
	U(PROTOCOL, "its destination does not know the protocol")                                  \
	U(PORT, "nobody listens on the UDP port at its destination")                               \
	U(PROHIBITED, "a filter prohibits it")                                                     \
	U(TOO_BIG, "it is longer than the next link allows")                                       \
	U(EXPIRED, "it was handed on too often (time to live)")

enum rda_undeliverable {
#define RDA_U(ID, words) RDA_UNDELIVERABLE_##ID,
	RDA_UNDELIVERABLE(RDA_U)
#undef RDA_U
		RDA_UNDELIVERABLE_COUNT
};

const char *rda_undeliverable_words(enum rda_undeliverable why);

/* The UDP datagram that an ICMP error is about, as far as the error quotes it. */
struct rda_quote {
	uint8_t why;	 /* enum rda_undeliverable */
	uint16_t mtu;	 /* TOO_BIG: of the next link; 0: not said */
	uint16_t length; /* of the IP packet; 0: not said */
	uint16_t source_port, destination_port;
	bool has_bth; /* the next is valid */
	uint32_t dest_qp;
	struct rda_address source, destination;
};

/* False where the packet is no ICMP error, or what it quotes is no UDP. */
bool rda_read_quote(const struct rda_frame *frame, const struct rda_packet *packet,
		    struct rda_quote *quote);

/* Who asks for, or tells, the link address of whom; ARP and neighbour discovery alike. */
struct rda_neighbour {
	bool tells; /* `target` answers; else `asker` asks for it */
	struct rda_address asker, target;
};

/* False where the packet is neither. */
bool rda_read_neighbour(const struct rda_frame *frame, const struct rda_packet *packet,
			struct rda_neighbour *neighbour);

#endif
