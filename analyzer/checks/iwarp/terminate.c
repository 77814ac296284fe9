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

/* What was refused; all zero where the Terminate does not say and the capture does not have it. */
struct refused {
	const struct rda_rdmap_message *message; /* NULL: not known */
	uint64_t place;				 /* of its first frame; 0 not captured */
	bool read;				 /* a READ: `from` is what failed */
	struct rda_rdmap_read from;
};

static bool is_about_access(const struct rda_terminate *t)
{
	return t->layer <= LAYER_DDP && t->type == TYPE_PROTECTION;
}

static bool same_source(const struct rda_rdmap_read *a, const struct rda_rdmap_read *b)
{
	return a->source_stag == b->source_stag && a->source_offset == b->source_offset &&
	       a->size == b->size;
}

/*
 * The READ Request that failed, among those that wait: by its number, or else by the copy of its
 * header. siw's copy of the DDP header has no right number.
 */
static void find_read(struct refused *refused, const struct rda_rdmap *asker,
		      const struct rda_terminate *t)
{
	const struct rda_rdmap_asked_queue *q = asker ? &asker->reads : NULL;

	refused->read = t->has_rdmap;
	refused->from = t->read;
	for (uint32_t i = 0; q && i < q->count; i++) {
		const struct rda_rdmap_asked *asked = &q->ring[(q->first + i) & (q->allocated - 1)];

		if (refused->message ? asked->place != refused->place
				     : !t->has_rdmap || !same_source(&asked->read, &t->read))
			continue;
		refused->read = true;
		refused->from = asked->read;
		refused->place = asked->place;
		return;
	}
}

/* " a READ Request of 100 bytes from STag 0x1100, offset 0x7f00" */
static void put_message(GString *text, const struct rda_terminate *t, const struct refused *refused)
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
static void terminate(const struct rda_iwarp_case *c, const struct refused *refused)
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

static void note_refusal(const struct rda_iwarp_case *c, const struct refused *refused)
{
	const struct rda_terminate *t = &c->fpdu->ulpdu.terminate;
	bool invalid = t->code == CODE_INVALID_STAG;

	if (!c->peer || !t->has_ddp || !is_about_access(t))
		return;
	if (refused->read)
		rda_check_stag_refused(c, refused->from.source_stag, refused->from.source_offset,
				       refused->message, invalid);
	else if (t->tagged)
		rda_check_stag_refused(c, t->ddp_tagged.stag, t->ddp_tagged.offset,
				       refused->message, invalid);
}

void rda_check_terminate_fpdu(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	const struct rda_rdmap *asker = c->peer ? c->peer->rdmap : NULL;
	struct refused refused = {0};

	if (!(u->present & RDA_HAS(RDMAP_TERMINATE)))
		return;
	if (asker)
		refused.message = rda_rdmap_failed(asker, &u->terminate);
	if (refused.message)
		refused.place = refused.message->first_place;
	if (u->terminate.has_ddp && u->terminate.opcode == RDA_RDMAP_OPCODE_READ_REQUEST)
		find_read(&refused, asker, &u->terminate);
	terminate(c, &refused);
	note_refusal(c, &refused);
	if (!c->watch->terminate_place)
		c->watch->terminate_place = c->fpdu->place;
}
