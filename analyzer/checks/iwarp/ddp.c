/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DDP (RFC 5041): numbers and offsets of messages, and the fields that every segment has. The hooks
 * are in iwarp.c.
 */
#include "analyzer/checks/iwarp/state.h"

static bool has_fault(const struct rda_iwarp_case *c, enum rda_ulpdu_fault fault)
{
	return c->fpdu->ulpdu.faults & 1u << fault;
}

/* W11 */
static void ddp_msn_gap(const struct rda_iwarp_case *c)
{
	const struct rda_ddp_untagged *ddp = &c->fpdu->ulpdu.ddp_untagged;

	if (c->step->msn_wrong)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W11, c->fpdu->first_place),
				RDA_SAY_W11_NUMBER, RDA_ARG_NUMBER("queue", ddp->queue),
				RDA_ARG_NUMBER("msn", ddp->msn),
				RDA_ARG_NUMBER("due_msn", c->step->expected));
	else if (c->step->unfinished)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W11, c->fpdu->first_place),
				RDA_SAY_W11_UNFINISHED, RDA_ARG_NUMBER("msn", ddp->msn),
				RDA_ARG_NUMBER("queue", ddp->queue));
}

/* W12 */
static void ddp_offset_gap(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;

	if (!c->step->offset_wrong)
		return;
	if (u->tagged)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W12, c->fpdu->first_place),
				RDA_SAY_W12_TAGGED, RDA_IWARP_ARG_OPCODE(u->opcode),
				RDA_ARG_KEY("stag", u->ddp_tagged.stag),
				RDA_ARG_MEMORY("offset", u->ddp_tagged.offset),
				RDA_ARG_MEMORY("due_offset", c->step->expected));
	else
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W12, c->fpdu->first_place),
				RDA_SAY_W12_UNTAGGED, RDA_ARG_NUMBER("msn", u->ddp_untagged.msn),
				RDA_ARG_NUMBER("queue", u->ddp_untagged.queue),
				RDA_ARG_NUMBER("offset", u->ddp_untagged.offset),
				RDA_ARG_NUMBER("due_offset", c->step->expected));
}

/* W13 */
static void ddp_queue_mismatch(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	uint64_t place = c->fpdu->first_place;

	if (has_fault(c, RDA_ULPDU_FAULT_OPCODE))
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W13, place), RDA_SAY_W13_RESERVED,
				RDA_ARG_NUMBER("opcode", u->opcode));
	else if (has_fault(c, RDA_ULPDU_FAULT_TAGGED))
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W13, place), RDA_SAY_W13_TAGGED,
				RDA_IWARP_ARG_OPCODE(u->opcode), RDA_ARG_FLAG("tagged", u->tagged));
	else if (has_fault(c, RDA_ULPDU_FAULT_QUEUE))
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W13, place), RDA_SAY_W13_QUEUE,
				RDA_IWARP_ARG_OPCODE(u->opcode),
				RDA_ARG_NUMBER("queue", u->ddp_untagged.queue),
				RDA_ARG_NUMBER("due_queue", rda_rdmap_operation(u->opcode)->queue));
}

/* W14 */
static void ddp_reserved_or_version(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	uint8_t ddp = u->tagged ? u->ddp_tagged.ddp_version : u->ddp_untagged.ddp_version;
	uint8_t rdmap = u->tagged ? u->ddp_tagged.rdmap_version : u->ddp_untagged.rdmap_version;
	uint64_t place = c->fpdu->first_place;

	if (has_fault(c, RDA_ULPDU_FAULT_DDP_VERSION))
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W14, place), RDA_SAY_W14_DDP,
				RDA_IWARP_ARG_OPCODE(u->opcode), RDA_ARG_NUMBER("version", ddp));
	else if (has_fault(c, RDA_ULPDU_FAULT_RDMAP_VERSION))
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W14, place), RDA_SAY_W14_RDMAP,
				RDA_IWARP_ARG_OPCODE(u->opcode), RDA_ARG_NUMBER("version", rdmap));
	else if (c->watch->rdmap_known && rdmap != c->watch->rdmap_version)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W14, place), RDA_SAY_W14_CHANGES,
				RDA_ARG_NUMBER("earlier_version", c->watch->rdmap_version),
				RDA_ARG_NUMBER("version", rdmap));
	else if (has_fault(c, RDA_ULPDU_FAULT_RESERVED))
		rda_finding_say(rda_iwarp_find_as(c, RDA_CHECK_W14, RDA_SEVERITY_WARNING,
						  RDA_PROOF_PROVEN, place),
				RDA_SAY_W14_RESERVED, RDA_IWARP_ARG_OPCODE(u->opcode));
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
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W22, c->fpdu->first_place),
				RDA_SAY_W22_BEYOND, RDA_ARG_WORD("what", what),
				RDA_IWARP_ARG_OPCODE(u->opcode), RDA_ARG_NUMBER("length", length),
				RDA_ARG_MEMORY("offset", offset), RDA_ARG_KEY("stag", stag));
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
