/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One packet as a record. What its opcode does not have is absent; what it has and the capture was
 * cut before is null.
 */
#include "analyzer/report/address.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/headers_walk.h"

/* Whether a header's values are told: there, gone with the end of the capture, or not of this
 * packet. */
enum there {
	ABSENT,
	UNKNOWN,
	THERE,
};

static enum there is_there(const struct rda_packet *packet, uint64_t mask)
{
	if (packet->present & mask)
		return THERE;
	if (rda_has(packet, BTH) && packet->opcode->headers & mask)
		return UNKNOWN;
	return ABSENT;
}

static void put_number(struct rda_record *record, const char *name, enum there there,
		       uint64_t value)
{
	if (there == THERE)
		rda_record_number(record, name, value);
	else if (there == UNKNOWN)
		rda_record_null(record, name);
	else
		rda_record_absent(record, name);
}

static void put_hex(struct rda_record *record, const char *name, enum there there, uint64_t value,
		    int digits)
{
	if (there == THERE)
		rda_record_hex(record, name, value, digits);
	else
		put_number(record, name, there, 0);
}

static void put_flag(struct rda_record *record, const char *name, enum there there, bool value)
{
	if (there == THERE)
		rda_record_flag(record, name, value);
	else
		put_number(record, name, there, 0);
}

/* The end of a name that is null where the capture does not tell. */
static void put_address(struct rda_record *record, const char *name,
			const struct rda_address *address)
{
	char text[RDA_ADDRESS_TEXT];

	rda_record_text(record, name,
			address->kind == RDA_ADDRESS_NONE ? NULL : rda_address_text(text, address));
}

static void put_bth(struct rda_record *record, const struct rda_packet *packet)
{
	const struct rda_bth *bth = &packet->bth;
	enum there there = rda_has(packet, BTH) ? THERE : UNKNOWN;

	put_number(record, "opcode", there, bth->opcode);
	rda_record_text(record, "name", there == THERE ? packet->opcode->name : NULL);
	put_number(record, "dest_qp", there, bth->dest_qp);
	put_number(record, "psn", there, bth->psn);
	put_number(record, "pkey", there, bth->pkey);
	put_flag(record, "ack_req", there, bth->ack_req);
	put_flag(record, "solicited", there, bth->se);
	put_flag(record, "migreq", there, bth->migreq);
	put_number(record, "pad", there, bth->padcnt);
	put_flag(record, "fecn", there, bth->fecn);
	put_flag(record, "becn", there, bth->becn);
	put_number(record, "payload_length", packet->payload_known ? THERE : UNKNOWN,
		   packet->payload_length);
}

static void put_extended_headers(struct rda_record *record, const struct rda_packet *packet)
{
	enum there atomic = is_there(packet, RDA_HAS(ATOMICETH));
	enum there address = is_there(packet, RDA_HAS(RETH) | RDA_HAS(ATOMICETH));
	enum there aeth = is_there(packet, RDA_HAS(AETH)), deth = is_there(packet, RDA_HAS(DETH));
	enum there feth = is_there(packet, RDA_HAS(FETH));
	bool is_atomic = rda_has(packet, ATOMICETH);

	put_hex(record, "virtual_address", address,
		is_atomic ? packet->atomiceth.va : packet->reth.va, 16);
	put_hex(record, "rkey", address, is_atomic ? packet->atomiceth.rkey : packet->reth.rkey, 8);
	put_number(record, "dma_length", is_there(packet, RDA_HAS(RETH)), packet->reth.dmalen);
	put_number(record, "syndrome", aeth, packet->aeth.syndrome);
	put_number(record, "msn", aeth, packet->aeth.msn);
	put_number(record, "immediate", is_there(packet, RDA_HAS(IMMDT)), packet->immdt.immediate);
	put_hex(record, "invalidate_rkey", is_there(packet, RDA_HAS(IETH)), packet->ieth.rkey, 8);
	put_hex(record, "q_key", deth, packet->deth.q_key, 8);
	put_number(record, "src_qp", deth, packet->deth.src_qp);
	put_number(record, "swap_add", atomic, packet->atomiceth.swap_add);
	put_number(record, "compare", atomic, packet->atomiceth.compare);
	put_number(record, "original_value", is_there(packet, RDA_HAS(ATOMICACKETH)),
		   packet->atomicacketh.original);
	put_number(record, "xrc_srq", is_there(packet, RDA_HAS(XRCETH)), packet->xrceth.xrc_srq);
	put_number(record, "ee_context", is_there(packet, RDA_HAS(RDETH)), packet->rdeth.eecnxt);
	if (feth == ABSENT && record->form == RDA_RECORD_JSON)
		return;
	rda_record_open(record, "flush");
	put_number(record, "placement", feth, packet->feth.plt);
	put_number(record, "selectivity", feth, packet->feth.sel);
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
	rda_record_signed(record, "time_ns", sight->meta->time_ns);
	rda_record_text(record, "transport", rda_transport_name(packet->carrier));
	put_address(record, "source", &packet->source);
	put_address(record, "destination", &packet->destination);
	rda_record_number(record, "length", sight->frame->wire);
	if (packet->carrier == RDA_CARRIER_NONE && record->form == RDA_RECORD_JSON)
		return; /* a pause frame, of which only the headers tell more */
	put_bth(record, packet);
	rda_record_text(record, "icrc", rda_icrc_name(sight->verdict.icrc));
	put_extended_headers(record, packet);
	rda_describe_fpdu_members(record, NULL);
	rda_record_number(record, "dscp", packet->dscp);
	rda_record_number(record, "ecn", packet->ecn);
	put_faults(record, packet);
	rda_describe_trace(record, sight);
}
