/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line an FPDU or start frame of iWARP:
 *
 *     24 12:34:56.123456789 #0 10.10.0.1:36494 > 10.10.0.2:18601: WRITE, stag 0x3e0b635a, ...
 */
#include "analyzer/report/packet_lines.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/report/address.h"

#include <inttypes.h>

enum { PORT_MASK = 0xffff }; /* of a flow's number: the rest counts how often it was used */

static void print_begin(struct rda_output *out, const struct rda_sight *sight)
{
	const struct rda_flow_key *key = &sight->fpdu->flow->key;
	char source[RDA_ADDRESS_TEXT], destination[RDA_ADDRESS_TEXT];

	rda_print_line_begin(out, sight);
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
	rda_style(out, RDA_STYLE_RED);
	rda_print(out, "%s", rda_terminate_words(t->layer, t->type, t->code));
	rda_style(out, RDA_STYLE_PLAIN);
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

static void print_marks(struct rda_output *out, const struct rda_fpdu_seen *fpdu)
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

	print_begin(out, sight);
	rda_style(out, request ? RDA_STYLE_CYAN : RDA_STYLE_PLAIN);
	rda_print(out, "%s", rda_fpdu_name(told));
	rda_style(out, RDA_STYLE_PLAIN);
	if (told->is_start) {
		print_start(out, &told->start);
	} else {
		print_ulpdu(out, &told->fpdu.ulpdu);
		print_marks(out, &told->fpdu);
	}
	rda_style(out, RDA_STYLE_YELLOW);
	for (unsigned i = 0; i < sight->note_count; i++)
		rda_print(out, "%s%s%s", i ? " " : " <", sight->notes[i],
			  i + 1 == sight->note_count ? ">" : "");
	rda_style(out, RDA_STYLE_PLAIN);
	rda_print(out, "\n");
}
