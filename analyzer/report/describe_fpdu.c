/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One FPDU or start frame of iWARP as a record. In CSV it has the columns of packets too, empty
 * where they mean nothing here: the names and their order are those of describe_packet.c.
 */
#include "analyzer/report/address.h"
#include "analyzer/report/describe.h"

#include "analyzer/engine/fpdus.h"

static void put_flag(struct rda_record *record, const char *name, bool there, bool value)
{
	if (there)
		rda_record_flag(record, name, value);
	else
		rda_record_absent(record, name);
}

static void put_number(struct rda_record *record, const char *name, bool there, uint64_t value)
{
	if (there)
		rda_record_number(record, name, value);
	else
		rda_record_absent(record, name);
}

static void put_hex(struct rda_record *record, const char *name, bool there, uint64_t value,
		    int digits)
{
	if (there)
		rda_record_hex(record, name, value, digits);
	else
		rda_record_absent(record, name);
}

static void put_text(struct rda_record *record, const char *name, bool there, const char *value)
{
	if (there)
		rda_record_text(record, name, value);
	else
		rda_record_absent(record, name);
}

/* What a start frame says; a record of anything else has none of it. */
static void put_start(struct rda_record *record, const struct rda_fpdu_told *told)
{
	bool is = told && told->is_start, deep = is && told->start.has_depths;
	static const struct rda_mpa_start_seen nothing;
	const struct rda_mpa_start_seen *start = is ? &told->start : &nothing;

	put_number(record, "mpa_revision", is, start->start.revision);
	put_flag(record, "mpa_markers", is, start->start.markers);
	put_flag(record, "mpa_crc_wanted", is, start->start.crc);
	put_flag(record, "mpa_reject", is, start->start.reject);
	put_number(record, "ird", deep, start->depths.ird);
	put_number(record, "ord", deep, start->depths.ord);
}

static const char *crc_name(uint8_t crc)
{
	static const char *const names[] = {[RDA_MPA_CRC_OFF] = "off",
					    [RDA_MPA_CRC_GOOD] = "good",
					    [RDA_MPA_CRC_BAD] = "bad",
					    [RDA_MPA_CRC_NOT_CHECKABLE] = "not_checkable"};

	return names[crc];
}

void rda_describe_fpdu_members(struct rda_record *record, const struct rda_fpdu_told *told)
{
	static const struct rda_fpdu_seen nothing;
	bool is = told && !told->is_start;
	const struct rda_fpdu_seen *fpdu = is ? &told->fpdu : &nothing;
	const struct rda_ulpdu *u = &fpdu->ulpdu;
	bool tagged = u->present & RDA_HAS(DDP_TAGGED), read = u->present & RDA_HAS(RDMAP_READ);
	bool untagged = u->present & RDA_HAS(DDP_UNTAGGED);
	bool atomic = u->present & RDA_HAS(RDMAP_ATOMIC);
	bool terminate = u->present & RDA_HAS(RDMAP_TERMINATE);

	put_flag(record, "tagged", is, u->tagged);
	put_flag(record, "last", is, u->last);
	put_hex(record, "stag", tagged || atomic, tagged ? u->ddp_tagged.stag : u->atomic.stag, 8);
	put_hex(record, "tagged_offset", tagged || atomic,
		tagged ? u->ddp_tagged.offset : u->atomic.offset, 16);
	put_number(record, "queue", untagged, u->ddp_untagged.queue);
	put_number(record, "mo", untagged, u->ddp_untagged.offset);
	put_hex(record, "invalidate_stag",
		untagged && (u->opcode == RDA_RDMAP_OPCODE_SEND_INV ||
			     u->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV),
		u->ddp_untagged.invalidate_stag, 8);
	put_hex(record, "sink_stag", read, u->read.sink_stag, 8);
	put_hex(record, "sink_offset", read, u->read.sink_offset, 16);
	put_hex(record, "source_stag", read, u->read.source_stag, 8);
	put_hex(record, "source_offset", read, u->read.source_offset, 16);
	put_number(record, "read_size", read, u->read.size);
	put_number(record, "terminate_layer", terminate, u->terminate.layer);
	put_number(record, "terminate_type", terminate, u->terminate.type);
	put_number(record, "terminate_code", terminate, u->terminate.code);
	put_text(record, "terminate_reason", terminate,
		 rda_terminate_words(u->terminate.layer, u->terminate.type, u->terminate.code));
	put_text(record, "mpa_crc", is, crc_name(fpdu->crc));
	put_number(record, "first_frame", is, rda_place_number(fpdu->first_place));
	put_start(record, told);
}

static void put_address(struct rda_record *record, const char *name,
			const struct rda_address *address)
{
	char text[RDA_ADDRESS_TEXT];

	rda_record_text(record, name, rda_address_text(text, address));
}

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
	put_number(record, "msn", untagged, untagged ? u->ddp_untagged.msn : 0);
	absent(record, between, G_N_ELEMENTS(between));
	put_number(record, "swap_add", atomic, atomic ? u->atomic.swap_add : 0);
	put_number(record, "compare", atomic, atomic ? u->atomic.compare : 0);
	put_number(record, "original_value", answer, answer ? u->atomic_ack.original : 0);
	absent(record, behind, G_N_ELEMENTS(behind));
	if (record->form == RDA_RECORD_JSON)
		return;
	rda_record_open(record, "flush");
	rda_record_absent(record, "placement");
	rda_record_absent(record, "selectivity");
	rda_record_close(record);
}

static void put_faults(struct rda_record *record, const struct rda_ulpdu *u)
{
	const char *words[RDA_ULPDU_FAULT_COUNT];
	unsigned count = 0;

	for (unsigned i = 0; u && i < RDA_ULPDU_FAULT_COUNT; i++)
		if (u->faults & 1u << i)
			words[count++] = rda_ulpdu_fault_words((enum rda_ulpdu_fault)i);
	rda_record_text(record, "status", count ? "malformed" : "ok");
	rda_record_words(record, "faults", words, count);
}

const char *rda_fpdu_name(const struct rda_fpdu_told *told)
{
	if (told->is_start)
		return told->start.is_reply ? "MPA Reply" : "MPA Request";
	return rda_rdmap_operation(told->fpdu.ulpdu.opcode)->name;
}

uint32_t rda_fpdu_bytes(const struct rda_fpdu_told *told)
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
	rda_record_signed(record, "time_ns", sight->meta->time_ns);
	rda_record_text(record, "transport", rda_transport_name(RDA_CARRIER_IWARP));
	put_address(record, "source", &told->flow->key.source);
	put_address(record, "destination", &told->flow->key.destination);
	rda_record_number(record, "length", rda_fpdu_bytes(told));
	put_number(record, "opcode", u, u ? u->opcode : 0);
	rda_record_text(record, "name", rda_fpdu_name(told));
	absent(record, bth, G_N_ELEMENTS(bth));
	rda_record_number(record, "payload_length",
			  u ? u->payload_length : told->start.private_data_length);
	rda_record_absent(record, "icrc");
	put_extended(record, u);
	rda_describe_fpdu_members(record, told);
	absent(record, ip, G_N_ELEMENTS(ip));
	put_faults(record, u);
	rda_describe_trace(record, sight);
}
