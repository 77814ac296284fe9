/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IPv4 with options (RFC 791), IPv6 with extension headers (RFC 8200), and their fragments.
 *
 * The total length of IPv4 and the payload length of IPv6 end the packet: what Ethernet padded
 * behind them is not of it. A length of 0 is what a host that lets its NIC segment captures; there
 * the frame's end is taken.
 *
 * Only the first fragment of a datagram holds a UDP header; it is decoded as far as it goes. The
 * others end the walk, and nothing is reassembled: RoCE is not fragmented by anyone who means well,
 * though what a tunnel or a mirror puts around it may be. What is inside such a fragment ends in
 * the next one, which is no fault of its own.
 */
#include "dissectors/walk.h"

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}; /* what IPv4 has before its own */

struct rda_address rda_address_of_gid(const uint8_t gid[16])
{
	struct rda_address address;

	memcpy(address.bytes, gid, 16);
	address.kind = memcmp(gid, mapped, 12) ? RDA_ADDRESS_IP6 : RDA_ADDRESS_IP4;
	return address;
}

static void put_ip4(struct rda_address *address, const uint8_t ip4[4])
{
	memcpy(address->bytes, mapped, sizeof(mapped));
	memcpy(address->bytes + sizeof(mapped), ip4, 4);
	address->kind = RDA_ADDRESS_IP4;
}

struct rda_address rda_address_of_ip4(const uint8_t ip4[4])
{
	struct rda_address address;

	put_ip4(&address, ip4);
	return address;
}

/* What a protocol number announces; those of IPv6 extension headers only behind an IPv6 header. */
static enum rda_next next_of_protocol(struct rda_walk *w, uint8_t protocol, bool ip6)
{
	if (protocol == RDA_IP_PROTO_UDP) /* nearly always: a comparison instead of four */
		return RDA_NEXT_UDP;
	switch (protocol) {
	case RDA_IP_PROTO_TCP: return RDA_NEXT_TCP;
	case RDA_IP_PROTO_ICMP: return ip6 ? RDA_NEXT_STOP : RDA_NEXT_ICMP;
	case RDA_IP_PROTO_ICMP6: return ip6 ? RDA_NEXT_ICMP : RDA_NEXT_STOP;
	case RDA_IP_PROTO_IP4: w->encapsulations++; return RDA_NEXT_IP4;
	case RDA_IP_PROTO_IP6: w->encapsulations++; return RDA_NEXT_IP6;
	case RDA_IP_PROTO_GRE: return RDA_NEXT_GRE;
	case RDA_IP_PROTO_MPLS: return RDA_NEXT_MPLS; /* the last label counts */
	case RDA_IP_PROTO_HOP_BY_HOP:
	case RDA_IP_PROTO_ROUTING:
	case RDA_IP_PROTO_FRAGMENT:
	case RDA_IP_PROTO_DESTINATION:
		w->next_header = protocol;
		return ip6 ? RDA_NEXT_IP6_EXT : RDA_NEXT_STOP;
	default: return RDA_NEXT_STOP;
	}
}

enum rda_next rda_walk_ip(struct rda_walk *w)
{
	const uint8_t *p = rda_cursor_peek(&w->cursor);

	if (!p)
		return rda_walk_stop(w, 1);
	return rda_bits(p, 0, 4) == 6 ? RDA_NEXT_IP6 : RDA_NEXT_IP4;
}

enum rda_next rda_walk_ip4(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset, header, total;
	struct rda_ip4 ip;

	if (!rda_read_ip4(&w->cursor, &ip))
		return rda_walk_stop(w, RDA_IP4_BYTES);
	header = ip.ihl * 4u;
	total = ip.length ? ip.length : RDA_IP4_BYTES + rda_cursor_wire_left(&w->cursor);
	if (ip.version != 4 || header < RDA_IP4_BYTES || total < header) {
		rda_note_fault(packet, RDA_FAULT_IP_HEADER);
		return RDA_NEXT_STOP;
	}
	if (!rda_cursor_limit(&w->cursor, total - RDA_IP4_BYTES) && !packet->fragment)
		rda_note_fault(packet, RDA_FAULT_LENGTH_EXCEEDS);
	if (!rda_walk_skip(w, header - RDA_IP4_BYTES))
		return rda_walk_stop(w, header - RDA_IP4_BYTES);
	rda_walk_add_layer(w, RDA_IP4, offset, header);
	packet->l3_offset = offset;
	put_ip4(&packet->source, ip.source);
	put_ip4(&packet->destination, ip.destination);
	packet->dscp = ip.dscp;
	packet->ecn = ip.ecn;
	packet->ip_id = ip.id;
	packet->tunnel_fragment = packet->fragment && !ip.mf && !ip.fragment;
	if (ip.mf || ip.fragment)
		packet->fragment = true;
	return ip.fragment ? RDA_NEXT_STOP : next_of_protocol(w, ip.protocol, false);
}

enum rda_next rda_walk_ip6(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset;
	struct rda_ip6 ip;

	if (!rda_read_ip6(&w->cursor, &ip))
		return rda_walk_stop(w, RDA_IP6_BYTES);
	if (ip.version != 6) {
		rda_note_fault(packet, RDA_FAULT_IP_HEADER);
		return RDA_NEXT_STOP;
	}
	if (ip.length && !rda_cursor_limit(&w->cursor, ip.length) && !packet->fragment)
		rda_note_fault(packet, RDA_FAULT_LENGTH_EXCEEDS);
	rda_walk_add_layer(w, RDA_IP6, offset, RDA_IP6_BYTES);
	packet->l3_offset = offset;
	packet->source = rda_address_of_gid(ip.source);
	packet->destination = rda_address_of_gid(ip.destination);
	packet->source.kind = packet->destination.kind = RDA_ADDRESS_IP6;
	packet->dscp = ip.dscp;
	packet->ecn = ip.ecn;
	packet->ip_id = 0;
	packet->tunnel_fragment = packet->fragment;
	return next_of_protocol(w, ip.next_header, true);
}

static enum rda_next step_ip6_fragment(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_ip6_frag frag;

	if (!rda_read_ip6_frag(&w->cursor, &frag))
		return rda_walk_stop(w, RDA_IP6_FRAG_BYTES);
	rda_walk_add_layer(w, RDA_IP6_FRAG, offset, RDA_IP6_FRAG_BYTES);
	if (frag.mf || frag.fragment) { /* an "atomic" one is a whole datagram (RFC 6946) */
		w->packet->fragment = true;
		w->packet->tunnel_fragment = false;
	}
	return frag.fragment ? RDA_NEXT_STOP : next_of_protocol(w, frag.next_header, true);
}

enum rda_next rda_walk_ip6_ext(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset, rest;
	struct rda_ip6_ext ext;

	if (w->next_header == RDA_IP_PROTO_FRAGMENT)
		return step_ip6_fragment(w);
	if (!rda_read_ip6_ext(&w->cursor, &ext))
		return rda_walk_stop(w, RDA_IP6_EXT_BYTES);
	rest = 8u + ext.length * 8u - RDA_IP6_EXT_BYTES;
	if (!rda_walk_skip(w, rest))
		return rda_walk_stop(w, rest);
	rda_walk_add_layer(w, RDA_IP6_EXT, offset, RDA_IP6_EXT_BYTES + rest);
	return next_of_protocol(w, ext.next_header, true);
}
