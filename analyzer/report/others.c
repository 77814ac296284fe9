/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a capture shows no RDMA. See others.h.
 */
#include "analyzer/report/others.h"

#include "analyzer/report/headers_walk.h"
#include "analyzer/report/units.h"
#include "dissectors/icrc.h"
#include "dissectors/link.h"
#include "dissectors/values.h"

#include <glib.h>

/* UDP packets of which the ICRC is tried: enough to meet a port that carries much. */
#define ICRC_TRIES 10000

void rda_others_cleanup(struct rda_others *others)
{
	g_free(others->udp_ports);
	others->udp_ports = NULL;
}

/* A right ICRC over another port's packet is no accident: that port carries RoCEv2. */
static void try_icrc(struct rda_others *others, const struct rda_frame *frame, uint16_t port)
{
	const struct rda_dissect_config config = {.ports = {port}, .port_count = 1};
	struct rda_packet packet;
	struct rda_crc crc;

	if (others->roce_port || others->icrc_tries >= ICRC_TRIES)
		return;
	others->icrc_tries++;
	rda_dissect(&packet, frame, &config);
	if (packet.carrier == RDA_CARRIER_ROCEV2 && rda_icrc(frame, &packet, &crc) &&
	    crc.stored == crc.computed)
		others->roce_port = port;
}

static void count_udp(struct rda_others *others, const struct rda_frame *frame,
		      const struct rda_packet *packet)
{
	struct rda_udp udp;

	others->udp++;
	if (!rda_read_udp_of(frame, packet, &udp))
		return;
	if (!others->udp_ports)
		others->udp_ports = g_new0(uint32_t, UINT16_MAX + 1);
	if (others->udp_ports[udp.destination_port] < UINT32_MAX)
		others->udp_ports[udp.destination_port]++;
	try_icrc(others, frame, udp.destination_port);
}

/* The protocol that the innermost IP header announces, or -1. */
static int ip_protocol(const struct rda_frame *frame, const struct rda_packet *packet)
{
	for (unsigned i = packet->layer_count; i-- > 0;) {
		const struct rda_layer *layer = &packet->layers[i];
		struct rda_cursor cursor = rda_layer_cursor(frame, layer);
		struct rda_ip6_ext extension;
		struct rda_ip4 ip4;
		struct rda_ip6 ip6;

		if (layer->header == RDA_IP4 && rda_read_ip4(&cursor, &ip4))
			return ip4.protocol;
		if (layer->header == RDA_IP6 && rda_read_ip6(&cursor, &ip6))
			return ip6.next_header;
		if (layer->header == RDA_IP6_EXT && rda_read_ip6_ext(&cursor, &extension))
			return extension.next_header;
	}
	return -1;
}

void rda_others_count(struct rda_others *others, const struct rda_frame *frame,
		      const struct rda_packet *packet)
{
	int protocol;

	if (rda_find_layer(packet, RDA_UDP)) {
		count_udp(others, frame, packet);
		return;
	}
	others->cut += packet->status == RDA_STATUS_CUT;
	protocol = ip_protocol(frame, packet);
	if (protocol == RDA_IP_PROTO_TCP)
		others->tcp++;
	else if (protocol >= 0)
		others->other_ip++;
	else
		others->not_ip++;
}

/* The most frequent destination port, and how often it was seen. */
static unsigned busiest_port(const struct rda_others *others, uint32_t *packets)
{
	unsigned busiest = 0;

	*packets = 0;
	for (unsigned port = 0; others->udp_ports && port <= UINT16_MAX; port++)
		if (others->udp_ports[port] > *packets) {
			busiest = port;
			*packets = others->udp_ports[port];
		}
	return busiest;
}

static void say_link_types(GString *say, const struct rda_capture *capture)
{
	char number[RDA_UNITS_TEXT];

	g_string_append_printf(say,
			       "%s frames could not be decoded, as their link type is not "
			       "known here:",
			       rda_units_grouped(number, capture->undecoded));
	for (unsigned i = 0; i < capture->link_count; i++)
		if (!rda_link_name(capture->links[i]))
			g_string_append_printf(say, " LINKTYPE %u", capture->links[i]);
	g_string_append(say, ". ");
}

enum { UET_PORT = 4793 }; /* registered for Ultra Ethernet Transport */

static void say_udp(GString *say, const struct rda_others *others)
{
	char number[RDA_UNITS_TEXT], most[RDA_UNITS_TEXT];
	uint32_t packets;
	unsigned port = busiest_port(others, &packets);

	if (others->roce_port) {
		g_string_append_printf(say,
				       "But packets to UDP port %u have the ICRC of RoCEv2: add "
				       "--port %u. ",
				       others->roce_port, others->roce_port);
		return;
	}
	if (packets == others->udp)
		g_string_append_printf(say, "%s packets are UDP, all to port %u; ",
				       rda_units_grouped(number, others->udp), port);
	else
		g_string_append_printf(say,
				       "%s packets are UDP, %s of them to the busiest port %u; ",
				       rda_units_grouped(number, others->udp),
				       rda_units_grouped(most, packets), port);
	g_string_append(say, port == UET_PORT
				     ? "that is UET (Ultra Ethernet), which is not decoded here. "
				     : "if RoCEv2 has another port here, name it with --port. ");
}

char *rda_others_why_nothing(const struct rda_capture *capture, const struct rda_others *others)
{
	GString *say = g_string_new(NULL);
	char number[RDA_UNITS_TEXT], all[RDA_UNITS_TEXT];

	if (capture->packets == 0) {
		g_string_append(say, "none: there are no packets");
		return g_string_free(say, FALSE);
	}
	if (others->cut == capture->packets) {
		g_string_assign(say,
				"not known: every frame was cut by the snap length before what "
				"would tell. Capture at least 128 bytes of each.");
		return g_string_free(say, FALSE);
	}
	g_string_append(say,
			"none: nothing to UDP port 4791 (RoCEv2), of EtherType 0x8915 (RoCEv1), "
			"native InfiniBand, or iWARP on TCP. ");
	if (others->cut)
		g_string_append_printf(say,
				       "%s of %s frames were cut by the snap length before what "
				       "would tell: capture at least 128 bytes of each. ",
				       rda_units_grouped(number, others->cut),
				       rda_units_grouped(all, capture->packets));
	if (capture->undecoded)
		say_link_types(say, capture);
	if (capture->fragments)
		g_string_append_printf(say,
				       "%s frames are IP fragments, in which RDMA cannot be "
				       "decoded. ",
				       rda_units_grouped(number, capture->fragments));
	if (capture->too_deep)
		g_string_append_printf(say, "%s frames are encapsulated more than %d deep. ",
				       rda_units_grouped(number, capture->too_deep),
				       RDA_MAX_ENCAPSULATIONS);
	if (others->udp)
		say_udp(say, others);
	if (others->tcp)
		g_string_append_printf(say,
				       "%s packets are TCP, none of which carries iWARP, as far as "
				       "their bytes tell. ",
				       rda_units_grouped(number, others->tcp));
	g_string_append(say,
			"An RDMA NIC hands RoCE past the kernel, so tcpdump on the host does not "
			"see it, unless the NIC's sniffer is on; capture at a switch port mirror "
			"or a tap.");
	return g_string_free(say, FALSE);
}
