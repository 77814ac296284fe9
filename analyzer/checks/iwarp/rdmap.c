/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RDMAP (RFC 5040, 7306): READs and their answers, atomics, immediate data, what follows a
 * Terminate. The hooks are in iwarp.c.
 */
#include "analyzer/checks/iwarp/state.h"

/* In IRD: nothing is said about it (RFC 6581, 9.1). */
#define NO_DEPTH 0x3fff

enum { IMMEDIATE_BYTES = 8, ATOMIC_BYTES = 8 };

static uint16_t roles_of(const struct rda_iwarp_case *c)
{
	return rda_rdmap_operation(c->fpdu->ulpdu.opcode)->roles;
}

/*
 * What is held against the READs and atomics of `asker` that wait. Behind a hole of the capture
 * they are known by where answers go, which is no proof: a sink may be used by more READs than one.
 */
static struct rda_finding *find_waiting(const struct rda_iwarp_case *c, enum rda_check check,
					const struct rda_flow *asker)
{
	if (rda_rdmap_is_guessed(asker->rdmap))
		return rda_iwarp_find_as(c, check, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
					 c->fpdu->first_place);
	return rda_iwarp_find(c, check, c->fpdu->first_place);
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
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W15, c->fpdu->first_place),
				RDA_SAY_W15_BREAKS, RDA_ARG_NUMBER("length", u->read.size),
				RDA_ARG_KEY("stag", u->read.source_stag),
				RDA_ARG_WORD("breaks", wrong));
}

/* W17 */
static void rdmap_too_many_reads(const struct rda_iwarp_case *c)
{
	uint32_t allowed = c->other.depths.ird;
	struct rda_finding *f;

	if (!rda_iwarp_is_agreed(c->at) || !c->other.has_depths || allowed == NO_DEPTH ||
	    rda_rdmap_is_unsure(c->flow->rdmap) || c->step->outstanding <= allowed ||
	    c->other.behind)
		return;
	f = rda_rdmap_is_guessed(c->flow->rdmap)
		    ? find_waiting(c, RDA_CHECK_W17, c->flow)
		    : rda_iwarp_find_agreed(c, RDA_CHECK_W17, RDA_SEVERITY_ERROR,
					    c->fpdu->first_place);
	rda_finding_frame(f, c->other.start_place);
	rda_finding_say(f, RDA_SAY_W17_OUTSTANDING, RDA_ARG_NUMBER("reads", c->step->outstanding),
			RDA_ARG_NUMBER("allowed", allowed));
}

/* W24 */
static void rdmap_atomic_malformed(const struct rda_iwarp_case *c)
{
	const struct rda_rdmap_atomic *a = &c->fpdu->ulpdu.atomic;

	if (a->offset % ATOMIC_BYTES)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W24, c->fpdu->first_place),
				RDA_SAY_W24_OFFSET, RDA_ARG_KEY("stag", a->stag),
				RDA_ARG_MEMORY("offset", a->offset));
	else if (a->operation != 0 && a->operation != 2)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W24, c->fpdu->first_place),
				RDA_SAY_W24_OPERATION,
				RDA_ARG_NUMBER("operation_code", a->operation));
}

/* W23 */
static void immediate_size(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;

	if (u->payload_length != IMMEDIATE_BYTES)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W23, c->fpdu->first_place),
				RDA_SAY_W23_LENGTH, RDA_ARG_NUMBER("payload", u->payload_length));
}

/* ---- answers --------------------------------------------------------------------------------- */

static struct rda_finding *answer_case(const struct rda_iwarp_case *c, enum rda_check check)
{
	struct rda_finding *f = find_waiting(c, check, c->peer);

	rda_finding_frame(f, c->step->asked.place);
	return f;
}

/* W15, of what the answer was asked with */
static void read_swapped(const struct rda_iwarp_case *c)
{
	const struct rda_rdmap_read *read = &c->step->asked.read;
	struct rda_finding *f;

	if (!c->step->asked.swapped || !c->step->begins || !c->peer)
		return;
	f = rda_finding_add_as(&c->judge->findings, RDA_CHECK_W15, RDA_SEVERITY_WARNING,
			       RDA_PROOF_PROVEN, rda_about_flow(c->peer), c->step->asked.place);
	rda_finding_frame(f, c->fpdu->first_place);
	rda_finding_say(f, RDA_SAY_W15_SWAPPED, RDA_ARG_KEY("stag", read->sink_stag),
			RDA_ARG_MEMORY("offset", read->sink_offset),
			RDA_ARG_NUMBER("length", read->size));
}

/* W16 */
static void rdmap_read_response_mismatch(const struct rda_iwarp_case *c)
{
	const struct rda_ddp_tagged *ddp = &c->fpdu->ulpdu.ddp_tagged;
	const struct rda_rdmap_asked *asked = &c->step->asked;

	read_swapped(c);
	switch (c->step->fit) {
	case RDA_RDMAP_UNASKED:
		rda_finding_say(find_waiting(c, RDA_CHECK_W16, c->peer), RDA_SAY_W16_NOT_ASKED,
				RDA_ARG_KEY("stag", ddp->stag),
				RDA_ARG_MEMORY("offset", ddp->offset));
		break;
	case RDA_RDMAP_ELSEWHERE:
		rda_finding_say(answer_case(c, RDA_CHECK_W16), RDA_SAY_W16_ELSEWHERE,
				RDA_ARG_KEY("stag", ddp->stag),
				RDA_ARG_MEMORY("offset", ddp->offset),
				RDA_ARG_KEY("due_stag", asked->read.sink_stag),
				RDA_ARG_MEMORY("due_offset", asked->read.sink_offset + asked->got));
		break;
	case RDA_RDMAP_TOO_LONG:
	case RDA_RDMAP_TOO_SHORT:
		rda_finding_say(answer_case(c, RDA_CHECK_W16),
				c->step->fit == RDA_RDMAP_TOO_LONG ? RDA_SAY_W16_TOO_LONG
								   : RDA_SAY_W16_TOO_SHORT,
				RDA_ARG_NUMBER("length", asked->read.size),
				RDA_ARG_NUMBER("bytes", asked->got));
		break;
	default: break;
	}
}

/* W25 */
static void rdmap_atomic_response(const struct rda_iwarp_case *c)
{
	uint32_t id = c->fpdu->ulpdu.atomic_ack.request_id;

	if (c->step->fit == RDA_RDMAP_UNASKED)
		rda_finding_say(find_waiting(c, RDA_CHECK_W25, c->peer), RDA_SAY_W25_NOT_ASKED,
				RDA_ARG_HEX("request_id", id, 1));
	else if (c->step->fit == RDA_RDMAP_WRONG_ID)
		rda_finding_say(answer_case(c, RDA_CHECK_W25), RDA_SAY_W25_OTHER,
				RDA_ARG_HEX("request_id", id, 1),
				RDA_ARG_HEX("due_request_id", c->step->asked.request_id, 1));
	else if (c->step->fit == RDA_RDMAP_OVERTAKES)
		rda_finding_say(answer_case(c, RDA_CHECK_W25), RDA_SAY_W25_OVERTAKES,
				RDA_ARG_HEX("request_id", id, 1));
}

/* W19 */
static void data_after_terminate(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (!c->watch->terminate_place)
		return;
	/* what is missing in between may be the beginning of another connection of these ports */
	f = c->side.holes == c->watch->terminate_holes
		    ? rda_iwarp_find(c, RDA_CHECK_W19, c->fpdu->first_place)
		    : rda_iwarp_find_as(c, RDA_CHECK_W19, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
					c->fpdu->first_place);
	rda_finding_frame(f, c->watch->terminate_place);
	rda_finding_say(f, RDA_SAY_W19_FOLLOWS, RDA_IWARP_ARG_OPCODE(c->fpdu->ulpdu.opcode));
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
	if (c->other.behind)
		return; /* what this answers may not have been captured */
	if (roles & RDA_ROLE_RESPONSE && roles & RDA_ROLE_READ)
		rdmap_read_response_mismatch(c);
	else if (roles & RDA_ROLE_RESPONSE)
		rdmap_atomic_response(c);
}

/* ---- Terminate ------------------------------------------------------------------------------- */

/*
 * Who refused what, why, and in which frame it was sent.
 *
 *     A   WRITE 64 bytes, STag 0x3e0b635a  ------------>  B
 *     A  <----------------------------  Terminate: layer, type, code, headers of that WRITE
 *
 * The copies of headers name the message; the tracker of A's messages has its frame.
 */

/* layer, type and code of what concerns an STag */
enum { LAYER_RDMAP = 0, LAYER_DDP = 1, TYPE_PROTECTION = 1, CODE_INVALID_STAG = 0 };

static bool is_about_access(const struct rda_terminate *t)
{
	return t->layer <= LAYER_DDP && t->type == TYPE_PROTECTION;
}

/* W18 */
static void terminate(const struct rda_iwarp_case *c, const struct rda_rdmap_refused *refused)
{
	const struct rda_terminate *t = &c->fpdu->ulpdu.terminate;
	const struct rda_rdmap_message *m = refused->message;
	bool named = t->has_ddp, numbered = named && !refused->read && !t->tagged;
	bool at_stag = named && !numbered;
	/* of one that has not ended, or did not begin, in what is here, it is not known */
	bool whole = m && m->ended && !(m->cut && m->tagged);
	bool invalidates = numbered && (t->opcode == RDA_RDMAP_OPCODE_SEND_INV ||
					t->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV);
	uint32_t stag = refused->read ? refused->from.source_stag : t->ddp_tagged.stag;
	uint64_t offset = refused->read ? refused->from.source_offset : t->ddp_tagged.offset;
	/* a marker that is not known of may lie in it */
	bool sure =
		c->fpdu->crc == RDA_MPA_CRC_GOOD || (c->side.markers_known && !c->fpdu->guessed);
	struct rda_finding *f =
		rda_iwarp_find_as(c, RDA_CHECK_W18, RDA_SEVERITY_ERROR,
				  sure ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED, c->fpdu->place);

	if (refused->place)
		rda_finding_frame(f, refused->place);
	rda_finding_say(
		f, RDA_SAY_W18_TERMINATE, RDA_ARG_ADDRESS("sender", &c->flow->key.source),
		RDA_ARG_WORD("reason", rda_terminate_words(t->layer, t->type, t->code)),
		RDA_ARG_NUMBER("layer", t->layer), RDA_ARG_NUMBER("type", t->type),
		RDA_ARG_NUMBER("code", t->code),
		RDA_ARG_IF(t->either_way,
			   RDA_ARG_WORD("other_reason",
					rda_terminate_words(t->type, t->layer, t->code))),
		RDA_ARG_IF(named, RDA_IWARP_ARG_OPCODE(t->opcode)),
		RDA_ARG_IF(named, RDA_ARG_FLAG("read", refused->read)),
		RDA_ARG_IF(named && refused->read, RDA_ARG_NUMBER("length", refused->from.size)),
		RDA_ARG_IF(named && !refused->read && whole, RDA_ARG_NUMBER("length", m->bytes)),
		RDA_ARG_IF(at_stag, RDA_ARG_KEY("stag", stag)),
		RDA_ARG_IF(at_stag, RDA_ARG_HEX("offset", offset, 16)),
		RDA_ARG_IF(numbered, RDA_ARG_NUMBER("msn", t->ddp_untagged.msn)),
		RDA_ARG_IF(numbered, RDA_ARG_NUMBER("queue", t->ddp_untagged.queue)),
		RDA_ARG_IF(invalidates,
			   RDA_ARG_KEY("invalidated_stag", t->ddp_untagged.invalidate_stag)),
		RDA_ARG_IF(refused->place, RDA_ARG_FRAME("refused_frame", refused->place)));
}

static void note_refusal(const struct rda_iwarp_case *c, const struct rda_rdmap_refused *refused)
{
	const struct rda_terminate *t = &c->fpdu->ulpdu.terminate;

	if (!c->peer || !t->has_ddp || !is_about_access(t) || t->code != CODE_INVALID_STAG)
		return;
	if (refused->read)
		rda_check_stag_not_valid(c, refused->from.source_stag);
	else if (t->tagged)
		rda_check_stag_not_valid(c, t->ddp_tagged.stag);
}

void rda_check_terminate_fpdu(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	const struct rda_rdmap *asker = c->peer ? c->peer->rdmap : NULL;
	struct rda_rdmap_refused refused;

	if (!(u->present & RDA_HAS(RDMAP_TERMINATE)))
		return;
	rda_rdmap_refused(asker, &u->terminate, &refused);
	terminate(c, &refused);
	note_refusal(c, &refused);
	if (!c->watch->terminate_place) {
		c->watch->terminate_place = c->fpdu->place;
		c->watch->terminate_holes = c->side.holes;
	}
}
