/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ICMP (RFC 792), ICMPv6 (RFC 4443), neighbour discovery (RFC 4861) and ARP (RFC 826).
 *
 *     ICMP error   type, code, checksum | 4 bytes, the MTU among them | IP header and the beginning
 *                  of the packet that could not be handed on
 *
 * What is quoted is not walked: it is no packet of this capture.
 */
#include "dissectors/neighbours.h"

#include "dissectors/walk.h"

enum { ARP_REQUEST = 1, ARP_REPLY = 2, ETHERNET_LENGTH = 6, IP4_LENGTH = 4 };
enum { UNREACHABLE = 3, EXCEEDED = 11 };					   /* ICMP */
enum { UNREACHABLE6 = 1, TOO_BIG6 = 2, EXCEEDED6 = 3, ASKS6 = 135, TELLS6 = 136 }; /* ICMPv6 */

const char *rda_undeliverable_words(enum rda_undeliverable why)
{
	static const char *const words[] = {
#define RDA_U(ID, words) words,
		RDA_UNDELIVERABLE(RDA_U)
#undef RDA_U
	};

	return words[why];
}

/* ---- steps ----------------------------------------------------------------------------------- */

enum rda_next rda_walk_arp(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_arp arp;

	if (!rda_read_arp(&w->cursor, &arp))
		return rda_walk_stop(w, RDA_ARP_BYTES);
	if (arp.protocol_type == RDA_ETHERTYPE_IP4 && arp.hardware_length == ETHERNET_LENGTH &&
	    arp.protocol_length == IP4_LENGTH)
		rda_walk_add_layer(w, RDA_ARP, offset, RDA_ARP_BYTES);
	return RDA_NEXT_STOP;
}

enum rda_next rda_walk_icmp(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_icmp icmp;

	if (!rda_read_icmp(&w->cursor, &icmp))
		return rda_walk_stop(w, RDA_ICMP_BYTES);
	rda_walk_add_layer(w, RDA_ICMP, offset, RDA_ICMP_BYTES);
	w->packet->end_offset = w->cursor.wire_end;
	return RDA_NEXT_STOP;
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Where the last header of the walk begins, if it is this one. */
static bool begins_at(const struct rda_frame *frame, const struct rda_packet *packet,
		      enum rda_header_id id, struct rda_cursor *cursor)
{
	const struct rda_layer *last;

	if (!packet->layer_count)
		return false;
	last = &packet->layers[packet->layer_count - 1];
	*cursor = (struct rda_cursor){frame->bytes, last->offset, frame->captured, frame->captured};
	return last->header == id;
}

/* True for an error that says why a packet was not handed on. */
static bool why_of_icmp(const struct rda_icmp *icmp, struct rda_quote *quote)
{
	static const uint8_t whys[] = {
		RDA_UNDELIVERABLE_NETWORK,    RDA_UNDELIVERABLE_HOST,
		RDA_UNDELIVERABLE_PROTOCOL,   RDA_UNDELIVERABLE_PORT,
		RDA_UNDELIVERABLE_TOO_BIG,    RDA_UNDELIVERABLE_HOST,
		RDA_UNDELIVERABLE_NETWORK,    RDA_UNDELIVERABLE_HOST,
		RDA_UNDELIVERABLE_HOST,	      RDA_UNDELIVERABLE_PROHIBITED,
		RDA_UNDELIVERABLE_PROHIBITED, RDA_UNDELIVERABLE_NETWORK,
		RDA_UNDELIVERABLE_HOST,	      RDA_UNDELIVERABLE_PROHIBITED,
		RDA_UNDELIVERABLE_PROHIBITED, RDA_UNDELIVERABLE_PROHIBITED,
	};

	if (icmp->type == EXCEEDED && icmp->code == 0) {
		quote->why = RDA_UNDELIVERABLE_EXPIRED;
		return true;
	}
	if (icmp->type != UNREACHABLE || icmp->code >= sizeof(whys))
		return false;
	quote->why = whys[icmp->code];
	if (quote->why == RDA_UNDELIVERABLE_TOO_BIG)
		quote->mtu = (uint16_t)icmp->mtu; /* above: unused (RFC 1191) */
	return true;
}

static bool why_of_icmp6(const struct rda_icmp *icmp, struct rda_quote *quote)
{
	static const uint8_t whys[] = {
		RDA_UNDELIVERABLE_NETWORK, RDA_UNDELIVERABLE_PROHIBITED,
		RDA_UNDELIVERABLE_HOST,	   RDA_UNDELIVERABLE_HOST,
		RDA_UNDELIVERABLE_PORT,	   RDA_UNDELIVERABLE_PROHIBITED,
		RDA_UNDELIVERABLE_NETWORK,
	};

	if (icmp->type == TOO_BIG6) {
		quote->why = RDA_UNDELIVERABLE_TOO_BIG;
		quote->mtu = (uint16_t)(icmp->mtu > UINT16_MAX ? 0 : icmp->mtu);
		return true;
	}
	if (icmp->type == EXCEEDED6 && icmp->code == 0) {
		quote->why = RDA_UNDELIVERABLE_EXPIRED;
		return true;
	}
	if (icmp->type != UNREACHABLE6 || icmp->code >= sizeof(whys))
		return false;
	quote->why = whys[icmp->code];
	return true;
}

static bool read_quoted_ip4(struct rda_cursor *c, struct rda_quote *quote)
{
	struct rda_ip4 ip;

	if (!rda_read_ip4(c, &ip) || ip.version != 4 || ip.ihl * 4u < RDA_IP4_BYTES ||
	    ip.protocol != RDA_IP_PROTO_UDP || ip.fragment)
		return false;
	quote->length = ip.length;
	quote->source = rda_address_of_ip4(ip.source);
	quote->destination = rda_address_of_ip4(ip.destination);
	return ip.ihl * 4u == RDA_IP4_BYTES || rda_cursor_take(c, ip.ihl * 4u - RDA_IP4_BYTES);
}

static bool read_quoted_ip6(struct rda_cursor *c, struct rda_quote *quote)
{
	struct rda_ip6 ip;

	if (!rda_read_ip6(c, &ip) || ip.version != 6 || ip.next_header != RDA_IP_PROTO_UDP)
		return false;
	quote->length = (uint16_t)(ip.length ? ip.length + RDA_IP6_BYTES : 0);
	quote->source = rda_address_of_gid(ip.source);
	quote->destination = rda_address_of_gid(ip.destination);
	quote->source.kind = quote->destination.kind = RDA_ADDRESS_IP6;
	return true;
}

bool rda_read_quote(const struct rda_frame *frame, const struct rda_packet *packet,
		    struct rda_quote *quote)
{
	bool ip6 = packet->source.kind == RDA_ADDRESS_IP6;
	struct rda_cursor c;
	struct rda_icmp icmp;
	struct rda_udp udp;
	struct rda_bth bth;

	memset(quote, 0, sizeof(*quote));
	if (!begins_at(frame, packet, RDA_ICMP, &c) || !rda_read_icmp(&c, &icmp) ||
	    !(ip6 ? why_of_icmp6(&icmp, quote) : why_of_icmp(&icmp, quote)) ||
	    !(ip6 ? read_quoted_ip6(&c, quote) : read_quoted_ip4(&c, quote)) ||
	    !rda_read_udp(&c, &udp))
		return false;
	quote->source_port = udp.source_port;
	quote->destination_port = udp.destination_port;
	quote->has_bth = rda_read_bth(&c, &bth);
	quote->dest_qp = quote->has_bth ? bth.dest_qp : 0;
	return true;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

bool rda_read_neighbour(const struct rda_frame *frame, const struct rda_packet *packet,
			struct rda_neighbour *neighbour)
{
	struct rda_cursor c;
	struct rda_nd nd;
	struct rda_arp arp;

	memset(neighbour, 0, sizeof(*neighbour));
	if (begins_at(frame, packet, RDA_ARP, &c)) {
		if (!rda_read_arp(&c, &arp))
			return false;
		neighbour->tells = arp.operation == ARP_REPLY;
		neighbour->asker = rda_address_of_ip4(neighbour->tells ? arp.target : arp.sender);
		neighbour->target = rda_address_of_ip4(neighbour->tells ? arp.sender : arp.target);
		return neighbour->tells || arp.operation == ARP_REQUEST;
	}
	if (!begins_at(frame, packet, RDA_ICMP, &c) || packet->source.kind != RDA_ADDRESS_IP6 ||
	    !rda_read_nd(&c, &nd) || (nd.type != ASKS6 && nd.type != TELLS6))
		return false;
	neighbour->tells = nd.type == TELLS6;
	neighbour->asker = neighbour->tells ? packet->destination : packet->source;
	neighbour->target = rda_address_of_gid(nd.target);
	neighbour->target.kind = RDA_ADDRESS_IP6;
	return true;
}
