/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, lengths and what carries the packet: F04, F05, F06, F14, F15, F20.
 *
 *     IP | UDP | BTH | extended headers | payload | pad | ICRC
 *     the lengths of IP, UDP and GRH against the frame; the pad against the payload
 *
 * What damage may have made is not said of a sender. What a case stands in, and what vouches for
 * it:
 *
 *     F04 F05 F06 F14 F20   UDP, GRH, BTH and behind: the ICRC; where it does not fit, nothing is
 *                           said, and where it cannot be checked, it is suspected
 *     F04 F15               the IP header: its checksum; where that does not fit, F04 tells of
 *                           damage, and nothing else is said
 */
#include "analyzer/checks/frame/state.h"

#include "dissectors/icrc.h"

static bool has_fault(const struct rda_packet *packet, enum rda_fault fault)
{
	return packet->faults & 1u << fault;
}

/* What the ICRC covers. */
static struct rda_finding *find_by_bytes(const struct rda_at *at, enum rda_check check)
{
	return rda_finding_by_bytes(at, check, rda_about_packet(at));
}

static const char *name_of(const struct rda_packet *packet)
{
	return rda_has(packet, BTH) ? packet->opcode->name : "RDMA packet";
}

/* F04: the packet ends inside what it must have: a damaged opcode may ask for more than was due. */
static void truncated_header(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	rda_finding_say(
		find_by_bytes(at, RDA_CHECK_F04), RDA_SAY_F04_ENDS_INSIDE,
		RDA_ARG_WORD("packet", name_of(packet)),
		RDA_ARG_NUMBER("bytes", packet->end_offset - packet->l3_offset),
		RDA_ARG_WORD("fault", rda_fault_words(has_fault(packet, RDA_FAULT_HEADER_SHORT)
							      ? RDA_FAULT_HEADER_SHORT
							      : RDA_FAULT_NO_ROOM_FOR_ICRC)));
}

/* F04, milder: a mirror that cuts frames, or a length that is wrong. */
static void cut_before_the_capture(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	rda_finding_say(
		rda_finding_add_as(&at->judge->findings, RDA_CHECK_F04, RDA_SEVERITY_WARNING,
				   RDA_PROOF_SUSPECTED, rda_about_packet(at), at->place),
		at->damaged ? RDA_SAY_F04_LENGTH_DAMAGED : RDA_SAY_F04_FRAME_CUT,
		RDA_ARG_WORD("packet", name_of(packet)), RDA_ARG_NUMBER("bytes", at->frame->wire));
}

/* F05: pad and payload do not make whole words, or a full packet has a pad. */
static void pad_count_inconsistent(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (has_fault(packet, RDA_FAULT_PAD_EXCEEDS))
		rda_finding_say(find_by_bytes(at, RDA_CHECK_F05), RDA_SAY_F05_PAD_EXCEEDS,
				RDA_ARG_WORD("opcode", packet->opcode->name),
				RDA_ARG_NUMBER("pad", packet->bth.padcnt));
	else if (has_fault(packet, RDA_FAULT_PAYLOAD_LENGTH))
		rda_finding_say(find_by_bytes(at, RDA_CHECK_F05), RDA_SAY_F05_NO_WORDS,
				RDA_ARG_WORD("opcode", packet->opcode->name),
				RDA_ARG_NUMBER("payload", packet->payload_length),
				RDA_ARG_NUMBER("pad", packet->bth.padcnt));
	else if (packet->opcode->payload == RDA_PAYLOAD_FULL && packet->bth.padcnt)
		rda_finding_say(find_by_bytes(at, RDA_CHECK_F05), RDA_SAY_F05_FULL,
				RDA_ARG_WORD("opcode", packet->opcode->name),
				RDA_ARG_NUMBER("pad", packet->bth.padcnt));
}

/* F06: pad bytes are zero. */
static void pad_not_zero(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (!packet->payload_known || has_fault(packet, RDA_FAULT_PAYLOAD_LENGTH) ||
	    rda_packet_is_zero(at->frame, packet->payload_offset + packet->payload_length,
			       packet->bth.padcnt))
		return;
	rda_finding_say(find_by_bytes(at, RDA_CHECK_F06), RDA_SAY_F06_NOT_ZERO,
			RDA_ARG_WORD("opcode", packet->opcode->name),
			RDA_ARG_NUMBER("pad", packet->bth.padcnt),
			RDA_ARG_NUMBER("payload", packet->payload_length));
}

/* F14: UDP and IP do not agree on where the packet ends. */
static void udp_length(const struct rda_at *at)
{
	const struct rda_layer *layer = rda_find_layer(at->packet, RDA_UDP);
	struct rda_udp udp;

	if (!rda_read_udp_of(at->frame, at->packet, &udp))
		return;
	rda_finding_say(find_by_bytes(at, RDA_CHECK_F14), RDA_SAY_F14_UDP,
			RDA_ARG_NUMBER("udp_length", udp.length),
			RDA_ARG_NUMBER("ip_length", at->packet->end_offset - layer->offset));
}

/* F15: no NIC reassembles RoCE. */
static void roce_fragment(const struct rda_at *at)
{
	struct rda_finding *finding;

	if (rda_ip4_checksum_fails(at->frame, at->packet))
		return;
	finding = rda_finding_add(&at->judge->findings, RDA_CHECK_F15, rda_about_packet(at),
				  at->place);
	rda_finding_retell(finding, RDA_SAY_F15_FRAGMENT,
			   RDA_ARG_WORD("packet", name_of(at->packet)),
			   RDA_ARG_NUMBER("fragments", finding->count));
}

/* F20: a GRH is an IPv6 header that announces a BTH, as long as what follows it. */
static void grh_malformed(const struct rda_at *at)
{
	const struct rda_layer *layer = rda_find_layer(at->packet, RDA_GRH);
	struct rda_grh grh;

	if (!rda_read_grh_of(at->frame, at->packet, &grh))
		return;
	rda_finding_say(
		find_by_bytes(at, RDA_CHECK_F20), RDA_SAY_F20_GRH,
		RDA_ARG_NUMBER("version", grh.ipver), RDA_ARG_HEX("next_header", grh.nxthdr, 2),
		RDA_ARG_NUMBER("length", grh.paylen),
		RDA_ARG_NUMBER("bytes", at->packet->end_offset - layer->offset - RDA_GRH_BYTES));
}

static bool grh_is_wrong(const struct rda_packet *packet)
{
	uint32_t wrong = 1u << RDA_FAULT_LRH_LENGTH | 1u << RDA_FAULT_GRH_HEADER;

	return packet->faults & wrong && rda_find_layer(packet, RDA_GRH);
}

void rda_frame_layout(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (packet->fragment && !packet->tunnel_fragment && packet->carrier == RDA_CARRIER_ROCEV2)
		roce_fragment(at);
	if (grh_is_wrong(packet)) {
		grh_malformed(at);
		return;
	}
	if (at->damaged) { /* its length is what told so */
		cut_before_the_capture(at);
		return;
	}
	if (has_fault(packet, RDA_FAULT_LENGTH_EXCEEDS))
		cut_before_the_capture(at);
	else if (has_fault(packet, RDA_FAULT_HEADER_SHORT) ||
		 has_fault(packet, RDA_FAULT_NO_ROOM_FOR_ICRC))
		truncated_header(at);
	if (has_fault(packet, RDA_FAULT_UDP_LENGTH) && !has_fault(packet, RDA_FAULT_LENGTH_EXCEEDS))
		udp_length(at);
	if (!rda_has(packet, BTH))
		return;
	pad_count_inconsistent(at);
	if (packet->bth.padcnt)
		pad_not_zero(at);
}
