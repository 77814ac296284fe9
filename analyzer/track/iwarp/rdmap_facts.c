/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What others ask of the messages of one side of an iWARP connection.
 */
#include "analyzer/track/iwarp/state.h"

#include <glib.h>

/* ---- what failed ----------------------------------------------------------------------------- */

static bool is_it(const struct rda_rdmap_message *m, const struct rda_terminate *t)
{
	if (m->tagged != t->tagged)
		return false;
	if (!t->tagged)
		return m->target == t->ddp_untagged.queue && m->msn == t->ddp_untagged.msn;
	return m->target == t->ddp_tagged.stag && t->ddp_tagged.offset >= m->offset &&
	       t->ddp_tagged.offset - m->offset <= m->bytes;
}

/* The message that the other side's Terminate is about; NULL when it is not known. */
static const struct rda_rdmap_message *failed(const struct rda_rdmap *r,
					      const struct rda_terminate *t)
{
	uint32_t kept = MIN(r->recent_next, r->recent_allocated);

	if (!t->has_ddp)
		return NULL;
	for (unsigned i = 0; i < RDA_RDMAP_CHANNELS; i++)
		if (r->channels[i].open && is_it(&r->channels[i].message, t))
			return &r->channels[i].message;
	for (uint32_t back = 1; back <= kept; back++) {
		const struct rda_rdmap_message *m =
			&r->recent[(r->recent_next - back) % r->recent_allocated];

		if (is_it(m, t))
			return m;
	}
	return NULL;
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
static void find_read(struct rda_rdmap_refused *refused, const struct rda_rdmap *asker,
		      const struct rda_terminate *t)
{
	const struct rda_rdmap_asked_queue *q = asker ? &asker->reads : NULL;

	refused->read = t->has_rdmap;
	refused->from = t->read;
	for (uint32_t i = 0; q && i < q->count; i++) {
		const struct rda_rdmap_asked *asked = rda_rdmap_asked_at(q, i);

		if (refused->message ? asked->msn != refused->message->msn
				     : !t->has_rdmap || !same_source(&asked->read, &t->read))
			continue;
		refused->read = true;
		refused->from = asked->read;
		refused->place = asked->place;
		return;
	}
}

void rda_rdmap_refused(const struct rda_rdmap *asker, const struct rda_terminate *t,
		       struct rda_rdmap_refused *refused)
{
	*refused = (struct rda_rdmap_refused){
		.message = asker ? failed(asker, t) : NULL,
	};
	if (refused->message)
		refused->place = refused->message->first_place;
	if (t->has_ddp && t->opcode == RDA_RDMAP_OPCODE_READ_REQUEST)
		find_read(refused, asker, t);
}

/* ---- facts ----------------------------------------------------------------------------------- */

uint32_t rda_rdmap_outstanding(const struct rda_rdmap *r)
{
	return r->reads.count + r->atomics.count;
}

uint32_t rda_rdmap_reads(const struct rda_rdmap *r)
{
	return r->reads.count;
}

const struct rda_rdmap_asked *rda_rdmap_oldest(const struct rda_rdmap *r)
{
	return rda_rdmap_oldest_of(r->reads.count ? &r->reads : &r->atomics);
}

bool rda_rdmap_is_unsure(const struct rda_rdmap *r)
{
	return r->unsure;
}

bool rda_rdmap_is_guessed(const struct rda_rdmap *r)
{
	return r->guessed;
}

uint64_t rda_rdmap_sends(const struct rda_rdmap *r)
{
	return r->sends;
}

uint64_t rda_rdmap_forgotten(const struct rda_rdmap *r)
{
	return r->reads.forgotten + r->atomics.forgotten;
}

const struct rda_messages *rda_rdmap_messages(const struct rda_rdmap *r)
{
	return r->messages;
}
