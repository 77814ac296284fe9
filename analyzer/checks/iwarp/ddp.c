/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DDP (RFC 5041): numbers and offsets of messages, and the fields that every segment has. The hooks
 * are in check_iwarp.c.
 */
#include "analyzer/checks/iwarp/parts.h"

#include <inttypes.h>

static const char *name_of(const struct rda_iwarp_case *c)
{
	return rda_rdmap_operation(c->fpdu->ulpdu.opcode)->name;
}

static const char *capital(uint8_t opcode)
{
	return rda_iwarp_article(opcode)[1] ? "An" : "A";
}

static bool has_fault(const struct rda_iwarp_case *c, enum rda_ulpdu_fault fault)
{
	return c->fpdu->ulpdu.faults & 1u << fault;
}

/* W11 */
static void ddp_msn_gap(const struct rda_iwarp_case *c)
{
	const struct rda_ddp_untagged *ddp = &c->fpdu->ulpdu.ddp_untagged;

	if (c->step->msn_wrong)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W11, c->fpdu->first_place),
			"A message on queue %" PRIu32 " has the sequence number %" PRIu32
			" and %" PRIu64 " was due.",
			ddp->queue, ddp->msn, c->step->expected);
	else if (c->step->unfinished)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W11, c->fpdu->first_place),
			"Message %" PRIu32 " on queue %" PRIu32
			" begins before the one before it had its last segment.",
			ddp->msn, ddp->queue);
}

/* W12 */
static void ddp_offset_gap(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;

	if (!c->step->offset_wrong)
		return;
	if (u->tagged)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W12, c->fpdu->first_place),
			"A segment of %s %s is for STag 0x%08" PRIx32 ", offset 0x%" PRIx64
			", and the message was to go on at offset 0x%" PRIx64 ".",
			rda_iwarp_article(u->opcode), name_of(c), u->ddp_tagged.stag,
			u->ddp_tagged.offset, c->step->expected);
	else
		rda_say(rda_iwarp_find(c, RDA_CHECK_W12, c->fpdu->first_place),
			"A segment of message %" PRIu32 " on queue %" PRIu32
			" has the offset %" PRIu32 " and %" PRIu64 " was due.",
			u->ddp_untagged.msn, u->ddp_untagged.queue, u->ddp_untagged.offset,
			c->step->expected);
}

/* W13 */
static void ddp_queue_mismatch(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	uint64_t place = c->fpdu->first_place;

	if (has_fault(c, RDA_ULPDU_FAULT_OPCODE))
		rda_say(rda_iwarp_find(c, RDA_CHECK_W13, place),
			"An FPDU has the opcode %u, which is reserved.", u->opcode);
	else if (has_fault(c, RDA_ULPDU_FAULT_TAGGED))
		rda_say(rda_iwarp_find(c, RDA_CHECK_W13, place), "%s %s is %s, and must be %s.",
			capital(u->opcode), name_of(c), u->tagged ? "tagged" : "untagged",
			u->tagged ? "untagged" : "tagged");
	else if (has_fault(c, RDA_ULPDU_FAULT_QUEUE))
		rda_say(rda_iwarp_find(c, RDA_CHECK_W13, place),
			"%s %s is on queue %" PRIu32 ", and belongs on queue %u.",
			capital(u->opcode), name_of(c), u->ddp_untagged.queue,
			rda_rdmap_operation(u->opcode)->queue);
}

/* W14 */
static void ddp_reserved_or_version(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	uint8_t ddp = u->tagged ? u->ddp_tagged.ddp_version : u->ddp_untagged.ddp_version;
	uint8_t rdmap = u->tagged ? u->ddp_tagged.rdmap_version : u->ddp_untagged.rdmap_version;
	uint64_t place = c->fpdu->first_place;

	if (has_fault(c, RDA_ULPDU_FAULT_DDP_VERSION))
		rda_say(rda_iwarp_find(c, RDA_CHECK_W14, place),
			"%s %s has the DDP version %u; there is only 1.", capital(u->opcode),
			name_of(c), ddp);
	else if (has_fault(c, RDA_ULPDU_FAULT_RDMAP_VERSION))
		rda_say(rda_iwarp_find(c, RDA_CHECK_W14, place),
			"%s %s has the RDMAP version %u; there are 0 and 1.", capital(u->opcode),
			name_of(c), rdmap);
	else if (c->watch->rdmap_known && rdmap != c->watch->rdmap_version)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W14, place),
			"The RDMAP version changes from %u to %u within the connection.",
			c->watch->rdmap_version, rdmap);
	else if (has_fault(c, RDA_ULPDU_FAULT_RESERVED))
		rda_say(rda_iwarp_find_as(c, RDA_CHECK_W14, RDA_SEVERITY_WARNING, RDA_PROOF_PROVEN,
					  place),
			"%s %s has reserved bits of DDP or RDMAP set.", capital(u->opcode),
			name_of(c));
	c->watch->rdmap_known = true;
	c->watch->rdmap_version = rdmap;
}

static bool wraps(uint64_t offset, uint32_t length)
{
	return length && offset + (length - 1) < offset;
}

/* W22 */
static void tagged_offset_bounds(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	const char *what = NULL;
	uint32_t stag = 0, length = 0;
	uint64_t offset = 0;

	if (u->tagged && wraps(u->ddp_tagged.offset, u->payload_length)) {
		what = "data";
		stag = u->ddp_tagged.stag;
		offset = u->ddp_tagged.offset;
		length = u->payload_length;
	} else if (u->present & RDA_HAS(RDMAP_READ) && wraps(u->read.source_offset, u->read.size)) {
		what = "source";
		stag = u->read.source_stag;
		offset = u->read.source_offset;
		length = u->read.size;
	} else if (u->present & RDA_HAS(RDMAP_READ) && wraps(u->read.sink_offset, u->read.size)) {
		what = "sink";
		stag = u->read.sink_stag;
		offset = u->read.sink_offset;
		length = u->read.size;
	}
	if (what)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W22, c->fpdu->first_place),
			"The %s of %s %s, %" PRIu32 " bytes at offset 0x%" PRIx64
			" of STag 0x%08" PRIx32 ", goes beyond the last offset that there is.",
			what, rda_iwarp_article(u->opcode), name_of(c), length, offset, stag);
}

void rda_check_ddp_fpdu(const struct rda_iwarp_case *c)
{
	if (c->fpdu->ulpdu.faults || !c->watch->rdmap_known ||
	    c->watch->rdmap_version != (c->fpdu->ulpdu.tagged
						? c->fpdu->ulpdu.ddp_tagged.rdmap_version
						: c->fpdu->ulpdu.ddp_untagged.rdmap_version)) {
		ddp_queue_mismatch(c);
		ddp_reserved_or_version(c);
	}
	if (!c->step->counted)
		return;
	ddp_msn_gap(c);
	ddp_offset_gap(c);
	tagged_offset_bounds(c);
}
