/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line a packet, FPDU or start frame:
 *
 *     7 12:34:56.123456789 #0 10.10.0.1 > 10.10.0.2: RC RDMA WRITE Only, qp 0x000011, psn 5, ...
 *
 * frame number, time of day in UTC, connection, addresses, what it is, and what its headers say.
 * Values that are nearly always the same (P_Key 0xffff, MigReq) are shown when they are not.
 */
#include "analyzer/report/packet_lines.h"

#include "analyzer/base/address.h"
#include "analyzer/engine/fpdus.h"
#include "analyzer/report/headers_walk.h"
#include "analyzer/report/units.h"
#include "dissectors/aeth.h"
#include "dissectors/values.h"

#include <inttypes.h>

#define DEFAULT_PKEY 0xffff
#define GSI_QKEY     0x80010000

static void print_mark(struct rda_output *out, enum rda_style style, const char *words)
{
	rda_print(out, " ");
	rda_print_in(out, style, "[%s]", words);
}

static void print_line_begin(struct rda_output *out, const struct rda_sight *sight)
{
	char time[RDA_UNITS_TEXT];

	rda_print(out, "%6" PRIu64 " ", sight->meta->number);
	rda_print_in(out, RDA_STYLE_FAINT, "%s", rda_units_time_of_day(time, sight->meta->time_ns));
	if (sight->verdict.connection >= 0)
		rda_print(out, " #%" PRId32, sight->verdict.connection);
	else
		rda_print(out, " #-");
}

static void print_begin(struct rda_output *out, const struct rda_sight *sight, const char *source,
			const char *destination)
{
	print_line_begin(out, sight);
	rda_print(out, " %s > %s: ", source, destination);
}

/* ---- what an AETH says ---------------------------------------------------------------------- */

static void print_nak(struct rda_output *out, uint8_t syndrome)
{
	const char *words = rda_words(RDA_SET_SYNDROME, syndrome);

	rda_print(out, ", ");
	rda_style(out, RDA_STYLE_RED);
	if (words)
		rda_print(out, "NAK: %s", words);
	else
		rda_print(out, "NAK: 0x%02x", syndrome);
	rda_style(out, RDA_STYLE_PLAIN);
}

static void print_aeth(struct rda_output *out, const struct rda_aeth *aeth)
{
	rda_print(out, ", msn %" PRIu32, aeth->msn);
	switch (rda_syndrome_kind(aeth->syndrome)) {
	case RDA_AETH_ACK:
		if (rda_aeth_credits(aeth->syndrome) != RDA_NO_CREDITS)
			rda_print(out, ", credits %" PRId32, rda_aeth_credits(aeth->syndrome));
		break;
	case RDA_AETH_NAK: print_nak(out, aeth->syndrome); break;
	case RDA_AETH_RNR:
		rda_print(out, ", ");
		rda_print_in(out, RDA_STYLE_YELLOW, "RNR NAK: wait %g ms",
			     (double)rda_aeth_rnr_ns(aeth->syndrome) / 1e6);
		break;
	case RDA_AETH_RESERVED: rda_print(out, ", reserved syndrome 0x%02x", aeth->syndrome); break;
	}
}

/* ---- headers -------------------------------------------------------------------------------- */

static void print_bth(struct rda_output *out, const struct rda_bth *bth)
{
	rda_print(out, ", qp 0x%06" PRIx32 ", psn %" PRIu32, bth->dest_qp, bth->psn);
	if (bth->pkey != DEFAULT_PKEY)
		rda_print(out, ", pkey 0x%04x", bth->pkey);
}

static void print_flush(struct rda_output *out, const struct rda_feth *feth)
{
	const char *placement = rda_words(RDA_SET_FLUSH_PLT, feth->plt);
	const char *selectivity = rda_words(RDA_SET_FLUSH_SEL, feth->sel);

	rda_print(out, ", placement %u%s%s%s", feth->plt, placement ? " (" : "",
		  placement ? placement : "", placement ? ")" : "");
	rda_print(out, ", selectivity %u%s%s%s", feth->sel, selectivity ? " (" : "",
		  selectivity ? selectivity : "", selectivity ? ")" : "");
}

/* From QP 1 to QP 1 with its well-known key, as nearly all management datagrams. */
static bool is_ordinary_gsi(const struct rda_packet *packet)
{
	return packet->bth.dest_qp == 1 && packet->deth.src_qp == 1 &&
	       packet->deth.q_key == GSI_QKEY;
}

static void print_extended_headers(struct rda_output *out, const struct rda_packet *packet)
{
	if (rda_has(packet, RDETH))
		rda_print(out, ", ee context 0x%06" PRIx32, packet->rdeth.eecnxt);
	if (rda_has(packet, DETH) && !is_ordinary_gsi(packet))
		rda_print(out, ", from qp 0x%06" PRIx32 ", qkey 0x%08" PRIx32, packet->deth.src_qp,
			  packet->deth.q_key);
	if (rda_has(packet, XRCETH))
		rda_print(out, ", srq 0x%06" PRIx32, packet->xrceth.xrc_srq);
	if (rda_has(packet, FETH))
		print_flush(out, &packet->feth);
	if (rda_has(packet, RETH))
		rda_print(out, ", va 0x%016" PRIx64 ", rkey 0x%08" PRIx32 ", len %" PRIu32,
			  packet->reth.va, packet->reth.rkey, packet->reth.dmalen);
	if (rda_has(packet, ATOMICETH)) {
		bool swap = packet->bth.opcode % 32 == RDA_OPERATION_COMPARE_SWAP;

		rda_print(out, ", va 0x%016" PRIx64 ", rkey 0x%08" PRIx32, packet->atomiceth.va,
			  packet->atomiceth.rkey);
		rda_print(out, ", %s %" PRIu64, swap ? "swap" : "add", packet->atomiceth.swap_add);
		if (swap)
			rda_print(out, ", compare %" PRIu64, packet->atomiceth.compare);
	}
	if (rda_has(packet, AETH))
		print_aeth(out, &packet->aeth);
	if (rda_has(packet, ATOMICACKETH))
		rda_print(out, ", original %" PRIu64, packet->atomicacketh.original);
	if (rda_has(packet, IMMDT))
		rda_print(out, ", imm 0x%08" PRIx32, packet->immdt.immediate);
	if (rda_has(packet, IETH))
		rda_print(out, ", invalidate rkey 0x%08" PRIx32, packet->ieth.rkey);
}

/* ---- marks ---------------------------------------------------------------------------------- */

/* A capture that cuts payloads is the normal case and not worth a word; one that cuts headers is.
 */
static bool headers_cut(const struct rda_packet *packet)
{
	if (packet->status != RDA_STATUS_CUT)
		return false;
	return !rda_has(packet, BTH) || (packet->opcode->headers & ~packet->present) != 0;
}

static void print_marks(struct rda_output *out, const struct rda_sight *sight)
{
	const struct rda_packet *packet = sight->packet;

	if (packet->ecn == RDA_ECN_CE)
		print_mark(out, RDA_STYLE_YELLOW, "CE");
	if (rda_has(packet, BTH) && packet->bth.fecn)
		print_mark(out, RDA_STYLE_YELLOW, "FECN");
	if (rda_has(packet, BTH) && packet->bth.becn && !(packet->opcode->roles & RDA_ROLE_CNP))
		print_mark(out, RDA_STYLE_YELLOW, "BECN");
	if (sight->verdict.icrc == RDA_ICRC_BAD)
		print_mark(out, RDA_STYLE_RED, "icrc bad");
	if (packet->fragment)
		print_mark(out, RDA_STYLE_YELLOW, "fragment");
	if (headers_cut(packet))
		print_mark(out, RDA_STYLE_FAINT, "cut");
	for (unsigned i = 0; i < RDA_FAULT_COUNT; i++)
		if (packet->faults & 1u << i)
			print_mark(out, RDA_STYLE_RED, rda_fault_words((enum rda_fault)i));
}

/* The codes of the findings about it. */
static void print_notes(struct rda_output *out, const struct rda_sight *sight)
{
	if (!sight->note_count)
		return;
	rda_style(out, RDA_STYLE_YELLOW);
	for (unsigned i = 0; i < sight->note_count; i++)
		rda_print(out, "%s%s", i ? " " : " <", sight->notes[i]);
	rda_print(out, ">");
	rda_style(out, RDA_STYLE_PLAIN);
}

/* ---- pause frames --------------------------------------------------------------------------- */

static void print_pfc(struct rda_output *out, const struct rda_pfc *pfc)
{
	const uint16_t quanta[8] = {pfc->quanta0, pfc->quanta1, pfc->quanta2, pfc->quanta3,
				    pfc->quanta4, pfc->quanta5, pfc->quanta6, pfc->quanta7};

	for (unsigned i = 0; i < 8; i++) {
		if (!(pfc->enabled & 1u << i))
			continue;
		if (quanta[i])
			rda_print(out, ", priority %u pause %u", i, quanta[i]);
		else
			rda_print(out, ", priority %u resume", i);
	}
}

static void print_pause_line(struct rda_output *out, const struct rda_sight *sight)
{
	char source[RDA_MAC_TEXT] = "?", destination[RDA_MAC_TEXT] = "?";
	bool priorities = rda_find_layer(sight->packet, RDA_PFC) != NULL;
	struct rda_pause pause;
	struct rda_pfc pfc;
	struct rda_eth eth;

	if (rda_read_eth_of(sight->frame, sight->packet, &eth)) {
		rda_address_mac_text(destination, eth.destination);
		rda_address_mac_text(source, eth.source);
	}
	print_begin(out, sight, source, destination);
	rda_print_in(out, RDA_STYLE_YELLOW, "%s", priorities ? "PFC" : "Pause");
	if (rda_read_pfc_of(sight->frame, sight->packet, &pfc))
		print_pfc(out, &pfc);
	else if (rda_read_pause_of(sight->frame, sight->packet, &pause))
		rda_print(out, pause.quanta ? ", pause %u" : ", resume", pause.quanta);
	print_notes(out, sight);
	rda_print(out, "\n");
}

/* ---- what is no RDMA ------------------------------------------------------------------------- */

/* A frame that a finding is about, by the innermost of its headers. */
static void print_other_line(struct rda_output *out, const struct rda_sight *sight)
{
	const struct rda_packet *packet = sight->packet;
	char source[RDA_ADDRESS_TEXT], destination[RDA_ADDRESS_TEXT];
	const char *name = "no RDMA";

	for (unsigned i = 0; i < packet->layer_count; i++)
		name = rda_headers[packet->layers[i].header].name;
	print_begin(out, sight, rda_address_text(source, &packet->source),
		    rda_address_text(destination, &packet->destination));
	rda_print(out, "%s", name);
	print_notes(out, sight);
	rda_print(out, "\n");
}

/* ---- what a request is ----------------------------------------------------------------------- */

/* ", resent after a NAK (frame 17), see frame 9", ", reordered", ", mirrored, see frame 9" */
static void print_standing(struct rda_output *out, const struct rda_trace *trace)
{
	const char *reason = rda_trace_trigger_words(trace->trigger);
	bool told = trace->standing != RDA_STANDING_NONE && trace->standing != RDA_STANDING_NEW;

	if (told) {
		rda_print(out, ", ");
		rda_print_in(out, RDA_STYLE_YELLOW, "%s", rda_standing_name(trace->standing));
		rda_print(out, "%s%s", reason ? " " : "", reason ? reason : "");
	}
	if (told && trace->cause)
		rda_print(out, " (frame %" PRIu64 ")", rda_place_number(trace->cause));
	if (trace->retransmission_of)
		rda_print(out, "%s frame %" PRIu64, told ? ", see" : ", again: see",
			  rda_place_number(trace->retransmission_of));
}

/* ---- the line ------------------------------------------------------------------------------- */

static enum rda_style style_of(const struct rda_opcode *opcode)
{
	if (opcode->roles & RDA_ROLE_CNP)
		return RDA_STYLE_YELLOW;
	return opcode->roles & RDA_ROLE_REQUEST ? RDA_STYLE_CYAN : RDA_STYLE_PLAIN;
}

void rda_print_packet_line(struct rda_output *out, const struct rda_sight *sight)
{
	const struct rda_packet *packet = sight->packet;
	char source[RDA_ADDRESS_TEXT], destination[RDA_ADDRESS_TEXT];

	if (packet->carrier == RDA_CARRIER_NONE) {
		if (rda_sight_is_pause(sight))
			print_pause_line(out, sight);
		else
			print_other_line(out, sight);
		return;
	}
	print_begin(out, sight, rda_address_text(source, &packet->source),
		    rda_address_text(destination, &packet->destination));
	if (rda_has(packet, BTH)) {
		rda_print_in(out, style_of(packet->opcode), "%s", packet->opcode->name);
		if (packet->opcode->kind != RDA_OPCODE_KNOWN)
			rda_print(out, " 0x%02x", packet->bth.opcode);
		print_bth(out, &packet->bth);
		print_extended_headers(out, packet);
		if (packet->bth.se)
			rda_print(out, ", solicited");
		if (packet->bth.ack_req)
			rda_print(out, ", ackreq");
	} else {
		rda_print(out, "%s", rda_transport_name(packet->carrier));
	}
	if (rda_has(packet, MAD))
		rda_print_mad_line(out, sight->frame, packet);
	else if (packet->payload_known && packet->payload_length > 0)
		rda_print(out, ", payload %" PRIu32, packet->payload_length);
	print_marks(out, sight);
	print_standing(out, &sight->trace);
	print_notes(out, sight);
	rda_print(out, "\n");
}

/* ---- FPDUs ----------------------------------------------------------------------------------- */

/*
 *     24 12:34:56.123456789 #0 10.10.0.1:36494 > 10.10.0.2:18601: WRITE, stag 0x3e0b635a, ...
 */

enum { PORT_MASK = 0xffff }; /* of a flow's number: the rest counts how often it was used */

static void print_fpdu_begin(struct rda_output *out, const struct rda_sight *sight)
{
	const struct rda_flow_key *key = &sight->fpdu->flow->key;
	char source[RDA_ADDRESS_TEXT], destination[RDA_ADDRESS_TEXT];

	print_line_begin(out, sight);
	rda_print(out, " %s:%" PRIu32 " > %s:%" PRIu32 ": ", rda_address_text(source, &key->source),
		  key->src_qp & PORT_MASK, rda_address_text(destination, &key->destination),
		  key->dest_qp & PORT_MASK);
}

static void print_start(struct rda_output *out, const struct rda_mpa_start_seen *start)
{
	rda_print(out, ", revision %u", start->start.revision);
	if (start->start.markers)
		rda_print(out, ", markers");
	if (start->start.crc)
		rda_print(out, ", crc");
	if (start->start.reject)
		rda_print(out, ", rejected");
	if (start->has_depths) {
		rda_print(out, ", ird %u, ord %u", start->depths.ird, start->depths.ord);
		if (start->depths.peer_to_peer)
			rda_print(out, ", peer to peer");
	}
	if (start->private_data_length)
		rda_print(out, ", private data %" PRIu32, start->private_data_length);
}

static void print_terminate(struct rda_output *out, const struct rda_terminate *t)
{
	rda_print(out, ", ");
	rda_print_in(out, RDA_STYLE_RED, "%s", rda_terminate_words(t->layer, t->type, t->code));
}

static void print_ulpdu(struct rda_output *out, const struct rda_ulpdu *u)
{
	if (u->present & RDA_HAS(DDP_TAGGED))
		rda_print(out, ", stag 0x%08" PRIx32 ", offset 0x%016" PRIx64, u->ddp_tagged.stag,
			  u->ddp_tagged.offset);
	if (u->present & RDA_HAS(DDP_UNTAGGED)) {
		rda_print(out, ", msn %" PRIu32, u->ddp_untagged.msn);
		if (u->ddp_untagged.offset)
			rda_print(out, ", offset %" PRIu32, u->ddp_untagged.offset);
		if (u->opcode == RDA_RDMAP_OPCODE_SEND_INV ||
		    u->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV)
			rda_print(out, ", invalidate stag 0x%08" PRIx32,
				  u->ddp_untagged.invalidate_stag);
	}
	if (u->present & RDA_HAS(RDMAP_READ))
		rda_print(out,
			  ", len %" PRIu32 ", from stag 0x%08" PRIx32 ", offset 0x%016" PRIx64
			  ", to stag 0x%08" PRIx32 ", offset 0x%016" PRIx64,
			  u->read.size, u->read.source_stag, u->read.source_offset,
			  u->read.sink_stag, u->read.sink_offset);
	if (u->present & RDA_HAS(RDMAP_ATOMIC))
		rda_print(out, ", id 0x%" PRIx32 ", stag 0x%08" PRIx32 ", offset 0x%016" PRIx64,
			  u->atomic.request_id, u->atomic.stag, u->atomic.offset);
	if (u->present & RDA_HAS(RDMAP_ATOMIC_ACK))
		rda_print(out, ", id 0x%" PRIx32 ", original %" PRIu64, u->atomic_ack.request_id,
			  u->atomic_ack.original);
	if (u->present & RDA_HAS(RDMAP_TERMINATE))
		print_terminate(out, &u->terminate);
	else if (u->payload_length)
		rda_print(out, ", payload %" PRIu32, u->payload_length);
	if (u->last)
		rda_print(out, ", last");
}

static void print_fpdu_marks(struct rda_output *out, const struct rda_fpdu_seen *fpdu)
{
	rda_style(out, RDA_STYLE_RED);
	if (fpdu->crc == RDA_MPA_CRC_BAD)
		rda_print(out, " [crc bad]");
	for (unsigned i = 0; i < RDA_ULPDU_FAULT_COUNT; i++)
		if (fpdu->ulpdu.faults & 1u << i)
			rda_print(out, " [%s]", rda_ulpdu_fault_words((enum rda_ulpdu_fault)i));
	rda_style(out, RDA_STYLE_PLAIN);
}

void rda_print_fpdu_line(struct rda_output *out, const struct rda_sight *sight)
{
	const struct rda_fpdu_told *told = sight->fpdu;
	bool request = told->is_start ||
		       rda_rdmap_operation(told->fpdu.ulpdu.opcode)->roles & RDA_ROLE_REQUEST;

	print_fpdu_begin(out, sight);
	rda_print_in(out, request ? RDA_STYLE_CYAN : RDA_STYLE_PLAIN, "%s",
		     rda_describe_fpdu_name(told));
	if (told->is_start) {
		print_start(out, &told->start);
	} else {
		print_ulpdu(out, &told->fpdu.ulpdu);
		print_fpdu_marks(out, &told->fpdu);
	}
	print_notes(out, sight);
	rda_print(out, "\n");
}
