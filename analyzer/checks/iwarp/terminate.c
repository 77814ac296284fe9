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

#include <glib.h>
#include <inttypes.h>

/* layer, type and code of what concerns an STag */
enum { LAYER_RDMAP = 0, LAYER_DDP = 1, TYPE_PROTECTION = 1, CODE_INVALID_STAG = 0 };

static bool is_about_access(const struct rda_terminate *t)
{
	return t->layer <= LAYER_DDP && t->type == TYPE_PROTECTION;
}

/* " a READ Request of 100 bytes from STag 0x1100, offset 0x7f00" */
static void put_message(GString *text, const struct rda_terminate *t,
			const struct rda_rdmap_refused *refused)
{
	const struct rda_rdmap_message *m = refused->message;

	g_string_append_printf(text, "%s %s", rda_iwarp_article(t->opcode),
			       rda_rdmap_operation(t->opcode)->name);
	if (refused->read) {
		g_string_append_printf(
			text,
			" of %" PRIu32 " bytes from STag 0x%08" PRIx32 ", offset 0x%016" PRIx64,
			refused->from.size, refused->from.source_stag, refused->from.source_offset);
		return;
	}
	if (m)
		g_string_append_printf(text, " of %" PRIu64 " bytes", m->bytes);
	if (t->tagged)
		g_string_append_printf(text, " to STag 0x%08" PRIx32 ", offset 0x%016" PRIx64,
				       t->ddp_tagged.stag, t->ddp_tagged.offset);
	else
		g_string_append_printf(text, ", message %" PRIu32 " on queue %" PRIu32,
				       t->ddp_untagged.msn, t->ddp_untagged.queue);
	if (!t->tagged &&
	    (t->opcode == RDA_RDMAP_OPCODE_SEND_INV || t->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV))
		g_string_append_printf(text, ", which invalidates STag 0x%08" PRIx32,
				       t->ddp_untagged.invalidate_stag);
}

/* W18 */
static void terminate(const struct rda_iwarp_case *c, const struct rda_rdmap_refused *refused)
{
	const struct rda_terminate *t = &c->fpdu->ulpdu.terminate;
	struct rda_finding *f = rda_iwarp_find(c, RDA_CHECK_W18, c->fpdu->place);
	GString *text = g_string_new(NULL);
	char *name = rda_iwarp_name(c->flow);

	g_string_append_printf(text,
			       "%s ended the connection with a Terminate, \"%s\" (layer %u, "
			       "type %u, code %u)",
			       name, rda_terminate_words(t->layer, t->type, t->code), t->layer,
			       t->type, t->code);
	if (t->has_ddp) {
		g_string_append(text, "; it refused ");
		put_message(text, t, refused);
	} else {
		g_string_append(text, "; it names no message");
	}
	if (refused->place) {
		rda_finding_frame(f, refused->place);
		g_string_append_printf(text, " (frame %" PRIu64 ")",
				       rda_place_number(refused->place));
	} else if (t->has_ddp) {
		g_string_append(text, ", which is not in the capture");
	}
	rda_say(f, "%s.", text->str);
	g_string_free(text, TRUE);
	g_free(name);
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
