/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Terminate message: who refused what, why, and in which frame it was sent.
 *
 *     A   WRITE 64 bytes, STag 0x3e0b635a  ------------>  B
 *     A  <----------------------------  Terminate: layer, type, code, headers of that WRITE
 *
 * The copies of headers name the message; the tracker of A's messages has its frame.
 */
#include "analyzer/checks/iwarp/parts.h"

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
	bool invalidates = numbered && (t->opcode == RDA_RDMAP_OPCODE_SEND_INV ||
					t->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV);
	uint32_t stag = refused->read ? refused->from.source_stag : t->ddp_tagged.stag;
	uint64_t offset = refused->read ? refused->from.source_offset : t->ddp_tagged.offset;
	struct rda_finding *f = rda_iwarp_find(c, RDA_CHECK_W18, c->fpdu->place);

	if (refused->place)
		rda_finding_frame(f, refused->place);
	rda_finding_say(
		f, RDA_SAY_W18_TERMINATE, RDA_ARG_ADDRESS("sender", &c->flow->key.source),
		RDA_ARG_WORD("reason", rda_terminate_words(t->layer, t->type, t->code)),
		RDA_ARG_NUMBER("layer", t->layer), RDA_ARG_NUMBER("type", t->type),
		RDA_ARG_NUMBER("code", t->code), RDA_ARG_IF(named, RDA_IWARP_ARG_OPCODE(t->opcode)),
		RDA_ARG_IF(named, RDA_ARG_FLAG("read", refused->read)),
		RDA_ARG_IF(named && refused->read, RDA_ARG_NUMBER("length", refused->from.size)),
		RDA_ARG_IF(named && !refused->read && m, RDA_ARG_NUMBER("length", m->bytes)),
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
	if (!c->watch->terminate_place)
		c->watch->terminate_place = c->fpdu->place;
}
