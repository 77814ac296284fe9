/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to dissectors/: what the steps of a walk through one frame share.
 *
 * A step reads one header, notes it as a layer, and says what comes next; the loop in dissect.c
 * calls the step for that. A step that cannot read its header stops the walk (rda_walk_stop), which
 * tells a cut capture from a malformed packet.
 */
#ifndef RDA_WALK_H
#define RDA_WALK_H

#include "dissectors/packet.h"
#include "dissectors/values.h"

struct rda_walk {
	struct rda_cursor cursor;
	struct rda_packet *packet;
	const struct rda_dissect_config *config;
	unsigned encapsulations;
	uint32_t frame_end;  /* where the frame stopped on the wire, before any length claim */
	uint16_t link;	     /* LINKTYPE_ value of the frame */
	uint8_t next_header; /* IPv6: what the extension header at the cursor is */
};

/* What the bytes at the cursor are. */
enum rda_next {
	RDA_NEXT_STOP, /* nothing (more) to decode */
	RDA_NEXT_LINK,
	RDA_NEXT_ETHERNET,
	RDA_NEXT_VLAN,
	RDA_NEXT_MAC_CONTROL,
	RDA_NEXT_MPLS,
	RDA_NEXT_IP, /* version 4 or 6: its first nibble tells */
	RDA_NEXT_IP4,
	RDA_NEXT_IP6,
	RDA_NEXT_IP6_EXT, /* of the kind in walk.next_header */
	RDA_NEXT_ICMP,	  /* or ICMPv6 */
	RDA_NEXT_ARP,
	RDA_NEXT_UDP,
	RDA_NEXT_TCP,
	RDA_NEXT_GRE,
	RDA_NEXT_ERSPAN2,
	RDA_NEXT_ERSPAN3,
	RDA_NEXT_VXLAN,
	RDA_NEXT_GENEVE,
	RDA_NEXT_LRH,
	RDA_NEXT_GRH,
	RDA_NEXT_BTH,
	RDA_NEXT_COUNT
};

/* dissect.c: notes a fault, and the status that goes with it */
void rda_note_fault(struct rda_packet *packet, enum rda_fault fault);

/*
 * A header of `bytes` is not there: cut when it was on the wire, malformed when it was not, unless
 * it may be in the next fragment.
 */
static inline enum rda_next rda_walk_stop(struct rda_walk *w, uint32_t bytes)
{
	if (rda_cursor_wire_left(&w->cursor) >= bytes) {
		if (w->packet->status == RDA_STATUS_OK)
			w->packet->status = RDA_STATUS_CUT;
	} else if (!w->packet->fragment) {
		rda_note_fault(w->packet, RDA_FAULT_HEADER_SHORT);
	}
	return RDA_NEXT_STOP;
}

/* Notes the header of `length` bytes that ends at the cursor as a layer. */
static inline void rda_walk_add_layer(struct rda_walk *w, enum rda_header_id id, uint32_t offset,
				      uint32_t length)
{
	struct rda_packet *packet = w->packet;

	if (packet->layer_count < RDA_MAX_LAYERS)
		packet->layers[packet->layer_count++] = (struct rda_layer){
			(uint8_t)id, (uint16_t)(length > 65535 ? 65535 : length), offset};
}

/*
 * Skips `bytes` that belong to the header just read (options); false when the capture or the packet
 * ends before them.
 */
static inline bool rda_walk_skip(struct rda_walk *w, uint32_t bytes)
{
	return bytes == 0 || rda_cursor_take(&w->cursor, bytes) != NULL;
}

/* ethernet.c: what an EtherType announces */
enum rda_next rda_next_of_ethertype(uint16_t type);

/* the steps */
enum rda_next rda_walk_link(struct rda_walk *);	       /* link.c */
enum rda_next rda_walk_ethernet(struct rda_walk *);    /* ethernet.c */
enum rda_next rda_walk_vlan(struct rda_walk *);	       /* ethernet.c */
enum rda_next rda_walk_mac_control(struct rda_walk *); /* ethernet.c */
enum rda_next rda_walk_mpls(struct rda_walk *);	       /* overlay.c */
enum rda_next rda_walk_ip(struct rda_walk *);	       /* ip.c */
enum rda_next rda_walk_ip4(struct rda_walk *);	       /* ip.c */
enum rda_next rda_walk_ip6(struct rda_walk *);	       /* ip.c */
enum rda_next rda_walk_ip6_ext(struct rda_walk *);     /* ip.c */
enum rda_next rda_walk_icmp(struct rda_walk *);	       /* neighbours.c */
enum rda_next rda_walk_arp(struct rda_walk *);	       /* neighbours.c */
enum rda_next rda_walk_udp(struct rda_walk *);	       /* udp.c */
enum rda_next rda_walk_tcp(struct rda_walk *);	       /* tcp.c */
enum rda_next rda_walk_gre(struct rda_walk *);	       /* overlay.c */
enum rda_next rda_walk_erspan2(struct rda_walk *);     /* overlay.c */
enum rda_next rda_walk_erspan3(struct rda_walk *);     /* overlay.c */
enum rda_next rda_walk_vxlan(struct rda_walk *);       /* overlay.c */
enum rda_next rda_walk_geneve(struct rda_walk *);      /* overlay.c */
enum rda_next rda_walk_lrh(struct rda_walk *);	       /* ib.c */
enum rda_next rda_walk_grh(struct rda_walk *);	       /* ib.c */
enum rda_next rda_walk_bth(struct rda_walk *);	       /* bth.c */

/* bth.c: reads the extended headers of a mask, in the order of the wire; false where one is missing
 */
bool rda_walk_extended(struct rda_walk *, uint64_t headers);

/* dissect.c: rda_dissect for any frame, header by header */
void rda_walk(struct rda_packet *, const struct rda_frame *, const struct rda_dissect_config *);

/* mad.c: the management datagram in a UD packet's payload, and the CM message in it */
void rda_walk_mad(struct rda_walk *);

/* ip.c: an address as the packet keeps it */
struct rda_address rda_address_of_gid(const uint8_t gid[16]);
struct rda_address rda_address_of_ip4(const uint8_t ip4[4]);

#endif
