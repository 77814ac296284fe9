/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One packet, or one FPDU or start frame of iWARP, as a record. What its opcode does not have is
 * absent; what it has and the capture was cut before is null. In CSV an FPDU has the columns of
 * packets too, empty where they mean nothing: both tell the same names in the same order.
 */
#include "analyzer/report/describe.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/report/headers_walk.h"

/* ---- how it stands to others ----------------------------------------------------------------- */

/* Part of both records. */
/* The number of a frame; where it is in another file than the packet, the file's beside it. */
static void put_frame(struct rda_record *record, const char *name, const char *file_name,
		      const struct rda_sight *sight, uint64_t place)
{
	rda_record_number_known(record, name, place != 0, rda_place_number(place));
	rda_record_number_there(record, file_name,
				place && rda_place_capture(place) != sight->input,
				rda_place_capture(place));
}

static void put_trace(struct rda_record *record, const struct rda_sight *sight)
{
	const struct rda_verdict *verdict = &sight->verdict;
	const struct rda_trace *trace = &sight->trace;
	bool resent = trace->standing == RDA_STANDING_RESENT;

	rda_record_words(record, "notes", sight->notes, sight->note_count);
	rda_record_number_known(record, "connection", verdict->connection >= 0,
				(uint64_t)verdict->connection);
	rda_record_number_known(record, "flow", verdict->flow >= 0, (uint64_t)verdict->flow);
	rda_record_signed_known(record, "relative_psn", trace->relative_known, trace->relative_psn);
	put_frame(record, "retransmission_of", "retransmission_of_file", sight,
		  trace->retransmission_of);
	put_frame(record, "answers", "answers_file", sight, trace->answers);
	rda_record_text(record, "role", rda_standing_name(trace->standing));
	rda_record_text(record, "resend_trigger", resent ? rda_trigger_name(trace->trigger) : NULL);
	put_frame(record, "resend_cause", "resend_cause_file", sight, resent ? trace->cause : 0);
	rda_record_number_known(record, "message", trace->message_known, trace->message);
	put_frame(record, "message_frame", "message_frame_file", sight, trace->message_frame);
	rda_record_number_known(record, "message_bytes",
				trace->message_known && trace->message_bytes >= 0,
				(uint64_t)trace->message_bytes);
	rda_record_number_known(record, "psns_in_flight", trace->flight_known,
				trace->psns_in_flight);
	rda_record_number_known(record, "bytes_in_flight", trace->flight_known,
				trace->bytes_in_flight);
	rda_record_number_known(record, "reads_outstanding", trace->reads_known,
				trace->reads_outstanding);
	rda_record_number_known(record, "key_use", trace->key_known, trace->key_uses);
}

/* ---- what only FPDUs have, part of both records ---------------------------------------------- */

/* What a start frame says; a record of anything else has none of it. */
static void put_start(struct rda_record *record, const struct rda_fpdu_told *told)
{
	bool is = told && told->is_start, deep = is && told->start.has_depths;
	static const struct rda_mpa_start_seen nothing;
	const struct rda_mpa_start_seen *start = is ? &told->start : &nothing;

	rda_record_number_there(record, "mpa_revision", is, start->start.revision);
	rda_record_flag_there(record, "mpa_markers", is, start->start.markers);
	rda_record_flag_there(record, "mpa_crc_wanted", is, start->start.crc);
	rda_record_flag_there(record, "mpa_reject", is, start->start.reject);
	rda_record_number_there(record, "ird", deep, start->depths.ird);
	rda_record_number_there(record, "ord", deep, start->depths.ord);
}

static const char *crc_name(uint8_t crc)
{
	static const char *const names[] = {[RDA_MPA_CRC_OFF] = "off",
					    [RDA_MPA_CRC_GOOD] = "good",
					    [RDA_MPA_CRC_BAD] = "bad",
					    [RDA_MPA_CRC_NOT_CHECKABLE] = "not_checkable"};

	return names[crc];
}

/* `told` is NULL in the record of a packet. */
static void put_fpdu_members(struct rda_record *record, const struct rda_fpdu_told *told)
{
	static const struct rda_fpdu_seen nothing;
	bool is = told && !told->is_start;
	const struct rda_fpdu_seen *fpdu = is ? &told->fpdu : &nothing;
	const struct rda_ulpdu *u = &fpdu->ulpdu;
	bool tagged = u->present & RDA_HAS(DDP_TAGGED), read = u->present & RDA_HAS(RDMAP_READ);
	bool untagged = u->present & RDA_HAS(DDP_UNTAGGED);
	bool atomic = u->present & RDA_HAS(RDMAP_ATOMIC);
	bool terminate = u->present & RDA_HAS(RDMAP_TERMINATE);

	rda_record_flag_there(record, "tagged", is, u->tagged);
	rda_record_flag_there(record, "last", is, u->last);
	rda_record_hex_there(record, "stag", tagged || atomic,
			     tagged ? u->ddp_tagged.stag : u->atomic.stag, 8);
	rda_record_hex_there(record, "tagged_offset", tagged || atomic,
			     tagged ? u->ddp_tagged.offset : u->atomic.offset, 16);
	rda_record_number_there(record, "queue", untagged, u->ddp_untagged.queue);
	rda_record_number_there(record, "mo", untagged, u->ddp_untagged.offset);
	rda_record_hex_there(record, "invalidate_stag",
			     untagged && (u->opcode == RDA_RDMAP_OPCODE_SEND_INV ||
					  u->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV),
			     u->ddp_untagged.invalidate_stag, 8);
	rda_record_hex_there(record, "sink_stag", read, u->read.sink_stag, 8);
	rda_record_hex_there(record, "sink_offset", read, u->read.sink_offset, 16);
	rda_record_hex_there(record, "source_stag", read, u->read.source_stag, 8);
	rda_record_hex_there(record, "source_offset", read, u->read.source_offset, 16);
	rda_record_number_there(record, "read_size", read, u->read.size);
	rda_record_number_there(record, "terminate_layer", terminate, u->terminate.layer);
	rda_record_number_there(record, "terminate_type", terminate, u->terminate.type);
	rda_record_number_there(record, "terminate_code", terminate, u->terminate.code);
	if (rda_record_has(record, "terminate_reason", terminate))
		rda_record_text(record, "terminate_reason",
				rda_terminate_words(u->terminate.layer, u->terminate.type,
						    u->terminate.code));
	if (rda_record_has(record, "mpa_crc", is))
		rda_record_text(record, "mpa_crc", crc_name(fpdu->crc));
	rda_record_number_there(record, "first_frame", is, rda_place_number(fpdu->first_place));
	put_start(record, told);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Whether a header's values are told: there, gone with the end of the capture, or not of this
 * packet. */
static enum rda_there is_there(const struct rda_packet *packet, uint64_t mask)
{
	if (packet->present & mask)
		return RDA_THERE;
	if (rda_has(packet, BTH) && packet->opcode->headers & mask)
		return RDA_NULL;
	return RDA_ABSENT;
}

static void put_bth(struct rda_record *record, const struct rda_packet *packet)
{
	const struct rda_bth *bth = &packet->bth;
	enum rda_there there = rda_has(packet, BTH) ? RDA_THERE : RDA_NULL;

	rda_record_number_there(record, "opcode", there, bth->opcode);
	rda_record_text(record, "name", there == RDA_THERE ? packet->opcode->name : NULL);
	rda_record_number_there(record, "dest_qp", there, bth->dest_qp);
	rda_record_number_there(record, "psn", there, bth->psn);
	rda_record_number_there(record, "pkey", there, bth->pkey);
	rda_record_flag_there(record, "ack_req", there, bth->ack_req);
	rda_record_flag_there(record, "solicited", there, bth->se);
	rda_record_flag_there(record, "migreq", there, bth->migreq);
	rda_record_number_there(record, "pad", there, bth->padcnt);
	rda_record_flag_there(record, "fecn", there, bth->fecn);
	rda_record_flag_there(record, "becn", there, bth->becn);
	rda_record_number_there(
		record, "payload_length",
		packet->payload_known && packet->carrier != RDA_CARRIER_NONE ? RDA_THERE : RDA_NULL,
		packet->payload_length);
}

static void put_extended_headers(struct rda_record *record, const struct rda_packet *packet)
{
	enum rda_there atomic = is_there(packet, RDA_HAS(ATOMICETH));
	enum rda_there address = is_there(packet, RDA_HAS(RETH) | RDA_HAS(ATOMICETH));
	enum rda_there aeth = is_there(packet, RDA_HAS(AETH)),
		       deth = is_there(packet, RDA_HAS(DETH));
	enum rda_there feth = is_there(packet, RDA_HAS(FETH));
	bool is_atomic = rda_has(packet, ATOMICETH);

	rda_record_hex_there(record, "virtual_address", address,
			     is_atomic ? packet->atomiceth.va : packet->reth.va, 16);
	rda_record_hex_there(record, "rkey", address,
			     is_atomic ? packet->atomiceth.rkey : packet->reth.rkey, 8);
	rda_record_number_there(record, "dma_length", is_there(packet, RDA_HAS(RETH)),
				packet->reth.dmalen);
	rda_record_number_there(record, "syndrome", aeth, packet->aeth.syndrome);
	rda_record_number_there(record, "msn", aeth, packet->aeth.msn);
	rda_record_number_there(record, "immediate", is_there(packet, RDA_HAS(IMMDT)),
				packet->immdt.immediate);
	rda_record_hex_there(record, "invalidate_rkey", is_there(packet, RDA_HAS(IETH)),
			     packet->ieth.rkey, 8);
	rda_record_hex_there(record, "q_key", deth, packet->deth.q_key, 8);
	rda_record_number_there(record, "src_qp", deth, packet->deth.src_qp);
	rda_record_hex_there(record, "swap_add", atomic, packet->atomiceth.swap_add, 16);
	rda_record_hex_there(record, "compare", atomic, packet->atomiceth.compare, 16);
	rda_record_hex_there(record, "original_value", is_there(packet, RDA_HAS(ATOMICACKETH)),
			     packet->atomicacketh.original, 16);
	rda_record_number_there(record, "xrc_srq", is_there(packet, RDA_HAS(XRCETH)),
				packet->xrceth.xrc_srq);
	rda_record_number_there(record, "ee_context", is_there(packet, RDA_HAS(RDETH)),
				packet->rdeth.eecnxt);
	if (feth == RDA_ABSENT && !record->sink->columns)
		return;
	rda_record_open(record, "flush");
	rda_record_number_there(record, "placement", feth, packet->feth.plt);
	rda_record_number_there(record, "selectivity", feth, packet->feth.sel);
	rda_record_close(record);
}

static void put_faults(struct rda_record *record, const struct rda_packet *packet)
{
	static const char *const names[] = {[RDA_STATUS_OK] = "ok",
					    [RDA_STATUS_CUT] = "cut",
					    [RDA_STATUS_MALFORMED] = "malformed"};

	const char *words[RDA_FAULT_COUNT];
	unsigned count = 0;

	for (unsigned i = 0; i < RDA_FAULT_COUNT; i++)
		if (packet->faults & 1u << i)
			words[count++] = rda_fault_words((enum rda_fault)i);
	rda_record_text(record, "status", names[packet->status]);
	rda_record_words(record, "faults", words, count);
}

void rda_describe_packet(struct rda_record *record, const struct rda_sight *sight)
{
	const struct rda_packet *packet = sight->packet;

	rda_record_number(record, "file", sight->input);
	rda_record_number(record, "frame", sight->meta->number);
	rda_record_time(record, "time", true, sight->meta->time_ns);
	rda_record_text(record, "transport", rda_transport_name(packet->carrier));
	rda_record_address(record, "source", &packet->source);
	rda_record_address(record, "destination", &packet->destination);
	rda_record_number(record, "length", sight->frame->wire);
	if (packet->carrier == RDA_CARRIER_NONE && !sight->note_count && !record->sink->columns)
		return; /* a pause frame, of which only the headers tell more */
	put_bth(record, packet);
	rda_record_text(record, "icrc",
			packet->carrier == RDA_CARRIER_NONE ? NULL
							    : rda_icrc_name(sight->verdict.icrc));
	put_extended_headers(record, packet);
	put_fpdu_members(record, NULL);
	rda_record_number(record, "dscp", packet->dscp);
	rda_record_number(record, "ecn", packet->ecn);
	put_faults(record, packet);
	put_trace(record, sight);
}

/* ---- FPDUs ----------------------------------------------------------------------------------- */

static void absent(struct rda_record *record, const char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		rda_record_absent(record, names[i]);
}

/* The headers of InfiniBand that iWARP has in other forms, or not. */
static void put_extended(struct rda_record *record, const struct rda_ulpdu *u)
{
	static const char *const before[] = {"virtual_address", "rkey", "dma_length", "syndrome"};
	static const char *const between[] = {"immediate", "invalidate_rkey", "q_key", "src_qp"};
	static const char *const behind[] = {"xrc_srq", "ee_context"};
	bool atomic = u && u->present & RDA_HAS(RDMAP_ATOMIC);
	bool answer = u && u->present & RDA_HAS(RDMAP_ATOMIC_ACK);
	bool untagged = u && u->present & RDA_HAS(DDP_UNTAGGED);

	absent(record, before, G_N_ELEMENTS(before));
	rda_record_number_there(record, "msn", untagged, untagged ? u->ddp_untagged.msn : 0);
	absent(record, between, G_N_ELEMENTS(between));
	rda_record_hex_there(record, "swap_add", atomic, atomic ? u->atomic.swap_add : 0, 16);
	rda_record_hex_there(record, "compare", atomic, atomic ? u->atomic.compare : 0, 16);
	rda_record_hex_there(record, "original_value", answer, answer ? u->atomic_ack.original : 0,
			     16);
	absent(record, behind, G_N_ELEMENTS(behind));
	if (!record->sink->columns)
		return;
	rda_record_open(record, "flush");
	rda_record_absent(record, "placement");
	rda_record_absent(record, "selectivity");
	rda_record_close(record);
}

static void put_fpdu_faults(struct rda_record *record, const struct rda_ulpdu *u)
{
	const char *words[RDA_ULPDU_FAULT_COUNT];
	unsigned count = 0;

	for (unsigned i = 0; u && i < RDA_ULPDU_FAULT_COUNT; i++)
		if (u->faults & 1u << i)
			words[count++] = rda_ulpdu_fault_words((enum rda_ulpdu_fault)i);
	rda_record_text(record, "status", count ? "malformed" : "ok");
	rda_record_words(record, "faults", words, count);
}

const char *rda_describe_fpdu_name(const struct rda_fpdu_told *told)
{
	if (told->is_start)
		return told->start.is_reply ? "MPA Reply" : "MPA Request";
	return rda_rdmap_operation(told->fpdu.ulpdu.opcode)->name;
}

/* Its bytes in the stream, without markers. */
static uint32_t fpdu_bytes(const struct rda_fpdu_told *told)
{
	if (told->is_start)
		return RDA_MPA_START_BYTES + told->start.start.private_data_length;
	return ((2u + told->fpdu.ulpdu.length + 3) & ~3u) + 4;
}

void rda_describe_fpdu(struct rda_record *record, const struct rda_sight *sight)
{
	static const char *const bth[] = {"dest_qp", "psn", "pkey", "ack_req", "solicited",
					  "migreq",  "pad", "fecn", "becn"};
	static const char *const ip[] = {"dscp", "ecn"};
	const struct rda_fpdu_told *told = sight->fpdu;
	const struct rda_ulpdu *u = told->is_start ? NULL : &told->fpdu.ulpdu;

	rda_record_number(record, "file", sight->input);
	rda_record_number(record, "frame", sight->meta->number);
	rda_record_time(record, "time", true, sight->meta->time_ns);
	rda_record_text(record, "transport", rda_transport_name(RDA_CARRIER_IWARP));
	rda_record_address(record, "source", &told->flow->key.source);
	rda_record_address(record, "destination", &told->flow->key.destination);
	rda_record_number(record, "length", fpdu_bytes(told));
	rda_record_number_there(record, "opcode", u != NULL, u ? u->opcode : 0);
	rda_record_text(record, "name", rda_describe_fpdu_name(told));
	absent(record, bth, G_N_ELEMENTS(bth));
	rda_record_number(record, "payload_length",
			  u ? u->payload_length : told->start.private_data_length);
	rda_record_absent(record, "icrc");
	put_extended(record, u);
	put_fpdu_members(record, told);
	absent(record, ip, G_N_ELEMENTS(ip));
	put_fpdu_faults(record, u);
	put_trace(record, sight);
}
