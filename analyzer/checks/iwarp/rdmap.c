/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RDMAP (RFC 5040, 7306): READs and their answers, atomics, immediate data, what follows a
 * Terminate. The hooks are in check_iwarp.c.
 */
#include "analyzer/checks/iwarp/parts.h"

#include <inttypes.h>

/* In IRD: nothing is said about it (RFC 6581, 9.1). */
#define NO_DEPTH 0x3fff

enum { IMMEDIATE_BYTES = 8, ATOMIC_BYTES = 8 };

static uint16_t roles_of(const struct rda_iwarp_case *c)
{
	return rda_rdmap_operation(c->fpdu->ulpdu.opcode)->roles;
}

/* W15 */
static void rdmap_read_malformed(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	const char *wrong = NULL;

	if (u->payload_length)
		wrong = "has bytes behind its header";
	else if (!u->last)
		wrong = "says that it has more segments";
	else if (u->ddp_untagged.offset)
		wrong = "does not begin at offset 0";
	if (wrong)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W15, c->fpdu->first_place),
			"A READ Request of %" PRIu32 " bytes from STag 0x%08" PRIx32 " %s.",
			u->read.size, u->read.source_stag, wrong);
}

/* W17 */
static void rdmap_too_many_reads(const struct rda_iwarp_case *c)
{
	uint32_t allowed = c->other->depths.ird;
	struct rda_finding *f;

	if (!c->at->connection->agreed || !c->other->has_depths || allowed == NO_DEPTH ||
	    c->flow->rdmap->unsure || c->step->outstanding <= allowed ||
	    rda_iwarp_is_behind(c->other))
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W17, c->fpdu->first_place);
	rda_finding_frame(f, c->other->start_place);
	rda_say(f,
		"With this request %" PRIu32
		" READs and atomics are outstanding, and the other side "
		"allows %" PRIu32 ".",
		c->step->outstanding, allowed);
}

/* W24 */
static void rdmap_atomic_malformed(const struct rda_iwarp_case *c)
{
	const struct rda_rdmap_atomic *a = &c->fpdu->ulpdu.atomic;

	if (a->offset % ATOMIC_BYTES)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W24, c->fpdu->first_place),
			"An Atomic Request is for STag 0x%08" PRIx32 ", offset 0x%" PRIx64
			", which is no multiple of 8.",
			a->stag, a->offset);
	else if (a->operation != 0 && a->operation != 2)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W24, c->fpdu->first_place),
			"An Atomic Request asks for operation %u; there are 0 (FetchAdd) and 2 "
			"(CmpSwap).",
			a->operation);
}

/* W23 */
static void immediate_size(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;

	if (u->payload_length != IMMEDIATE_BYTES)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W23, c->fpdu->first_place),
			"An Immediate Data message has %" PRIu32 " bytes; it must have 8.",
			u->payload_length);
}

/* ---- answers --------------------------------------------------------------------------------- */

static struct rda_finding *answer_case(const struct rda_iwarp_case *c, enum rda_check check)
{
	struct rda_finding *f = rda_iwarp_find(c, check, c->fpdu->first_place);

	rda_finding_frame(f, c->step->asked.place);
	return f;
}

/* W16 */
static void rdmap_read_response_mismatch(const struct rda_iwarp_case *c)
{
	const struct rda_ddp_tagged *ddp = &c->fpdu->ulpdu.ddp_tagged;
	const struct rda_rdmap_asked *asked = &c->step->asked;

	switch (c->step->fit) {
	case RDA_RDMAP_UNASKED:
		rda_say(rda_iwarp_find(c, RDA_CHECK_W16, c->fpdu->first_place),
			"A READ Response came for STag 0x%08" PRIx32 ", offset 0x%" PRIx64
			", and no READ was outstanding.",
			ddp->stag, ddp->offset);
		break;
	case RDA_RDMAP_ELSEWHERE:
		rda_say(answer_case(c, RDA_CHECK_W16),
			"A READ Response is for STag 0x%08" PRIx32 ", offset 0x%" PRIx64
			"; the oldest READ wants what comes next at STag 0x%08" PRIx32
			", offset 0x%" PRIx64 ".",
			ddp->stag, ddp->offset, asked->read.sink_stag,
			asked->read.sink_offset + asked->got);
		break;
	case RDA_RDMAP_TOO_LONG:
		rda_say(answer_case(c, RDA_CHECK_W16),
			"A READ of %" PRIu32 " bytes was answered with %" PRIu64 " or more.",
			asked->read.size, asked->got);
		break;
	case RDA_RDMAP_TOO_SHORT:
		rda_say(answer_case(c, RDA_CHECK_W16),
			"A READ of %" PRIu32 " bytes was answered with %" PRIu64 ".",
			asked->read.size, asked->got);
		break;
	default: break;
	}
}

/* W25 */
static void rdmap_atomic_response(const struct rda_iwarp_case *c)
{
	uint32_t id = c->fpdu->ulpdu.atomic_ack.request_id;

	if (c->step->fit == RDA_RDMAP_UNASKED)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W25, c->fpdu->first_place),
			"An Atomic Response to request 0x%" PRIx32
			" came, and no atomic was outstanding.",
			id);
	else if (c->step->fit == RDA_RDMAP_WRONG_ID)
		rda_say(answer_case(c, RDA_CHECK_W25),
			"An Atomic Response is to request 0x%" PRIx32
			", which is not outstanding; the oldest that is, is 0x%" PRIx32 ".",
			id, c->step->asked.request_id);
	else if (c->step->fit == RDA_RDMAP_OVERTAKES)
		rda_say(answer_case(c, RDA_CHECK_W25),
			"The Atomic Response to request 0x%" PRIx32
			" came before those to requests that were sent earlier.",
			id);
}

/* W19 */
static void data_after_terminate(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (!c->watch->terminate_place)
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W19, c->fpdu->first_place);
	rda_finding_frame(f, c->watch->terminate_place);
	rda_say(f, "%s %s follows the Terminate that the same side had sent.",
		rda_iwarp_article(c->fpdu->ulpdu.opcode)[1] ? "An" : "A",
		rda_rdmap_operation(c->fpdu->ulpdu.opcode)->name);
}

void rda_check_rdmap_fpdu(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	uint16_t roles = roles_of(c);

	data_after_terminate(c);
	if (!c->step->counted)
		return;
	if (u->present & RDA_HAS(RDMAP_READ))
		rdmap_read_malformed(c);
	if (u->present & RDA_HAS(RDMAP_ATOMIC))
		rdmap_atomic_malformed(c);
	if (c->step->outstanding)
		rdmap_too_many_reads(c);
	if (u->opcode == RDA_RDMAP_OPCODE_IMMEDIATE || u->opcode == RDA_RDMAP_OPCODE_IMMEDIATE_SE)
		immediate_size(c);
	if (rda_iwarp_is_behind(c->other))
		return; /* what this answers may not have been captured */
	if (roles & RDA_ROLE_RESPONSE && roles & RDA_ROLE_READ)
		rdmap_read_response_mismatch(c);
	else if (roles & RDA_ROLE_RESPONSE)
		rdmap_atomic_response(c);
}
