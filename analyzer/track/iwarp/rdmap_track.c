/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of one side of an iWARP connection; rdmap_track.h has the figure.
 */
#include "analyzer/track/iwarp/state.h"

#include <glib.h>
#include <string.h>

enum { RECENT_FIRST = 8, ASKED_FIRST = 8 };

/* READs that are compared to find out which of them an answer is for, after a hole. */
enum { TOLD_APART_MAX = 64 };

struct rda_rdmap *rda_rdmap_new(bool from_start)
{
	struct rda_rdmap *r = g_new0(struct rda_rdmap, 1);

	for (unsigned i = 0; i < RDA_RDMAP_CHANNELS; i++) {
		r->channels[i].known = from_start;
		r->channels[i].next = 1; /* RFC 5041, 5.1 */
	}
	r->unsure = r->missed = !from_start;
	return r;
}

void rda_rdmap_free(struct rda_rdmap *r)
{
	if (!r)
		return;
	g_free(r->recent);
	g_free(r->reads.ring);
	g_free(r->atomics.ring);
	rda_messages_free(r->messages);
	g_free(r);
}

/* ---- what waits for an answer ---------------------------------------------------------------- */

static void pop(struct rda_rdmap_asked_queue *q, uint32_t count)
{
	q->first = q->allocated ? (q->first + count) & (q->allocated - 1) : 0;
	q->count -= count;
	q->doubtful -= MIN(count, q->doubtful);
}

static void grow(struct rda_rdmap_asked_queue *q)
{
	uint32_t allocated = q->allocated ? 2 * q->allocated : ASKED_FIRST;
	struct rda_rdmap_asked *ring = g_new(struct rda_rdmap_asked, allocated);

	for (uint32_t i = 0; i < q->count; i++)
		ring[i] = *rda_rdmap_asked_at(q, i);
	g_free(q->ring);
	q->ring = ring;
	q->first = 0;
	q->allocated = allocated;
}

/* True when there was no room, and the oldest was forgotten. */
static bool push(struct rda_rdmap_asked_queue *q, const struct rda_rdmap_asked *asked)
{
	bool full = q->count == RDA_RDMAP_ASKED_MAX;

	if (full) {
		pop(q, 1);
		q->forgotten++;
	} else if (q->count == q->allocated) {
		grow(q);
	}
	*rda_rdmap_asked_at(q, q->count++) = *asked;
	return full;
}

/*
 * A READ is asked while another waits for data at the same place, as benchmarks do: where answers
 * go does not tell which READ they are for.
 */
static void note_sharing(struct rda_rdmap *mine, const struct rda_rdmap_read *read)
{
	const struct rda_rdmap_asked_queue *q = &mine->reads;
	uint32_t oldest = q->count - MIN(q->count, (uint32_t)TOLD_APART_MAX);

	if (mine->shares || mine->unsure || !read->size)
		return;
	for (uint32_t i = oldest; i < q->count && !mine->shares; i++) {
		const struct rda_rdmap_read *other = &rda_rdmap_asked_at(q, i)->read;

		mine->shares = other->size && other->sink_stag == read->sink_stag &&
			       other->sink_offset == read->sink_offset;
	}
	mine->unsure = mine->shares && mine->guessed;
}

static void ask(struct rda_rdmap *mine, const struct rda_fpdu_seen *fpdu,
		struct rda_rdmap_step *step)
{
	const struct rda_ulpdu *u = &fpdu->ulpdu;
	struct rda_rdmap_asked asked = {
		.place = fpdu->first_place, .time_ns = fpdu->first_ns, .msn = u->ddp_untagged.msn};

	if (u->present & RDA_HAS(RDMAP_READ)) {
		asked.read = u->read;
		note_sharing(mine, &u->read);
		mine->unsure |= push(&mine->reads, &asked);
	} else if (u->present & RDA_HAS(RDMAP_ATOMIC)) {
		asked.request_id = u->atomic.request_id;
		mine->unsure |= push(&mine->atomics, &asked);
	} else {
		return; /* it ends inside its header */
	}
	mine->missed |= rda_rdmap_forgotten(mine) > 0;
	step->outstanding = rda_rdmap_outstanding(mine);
}

static void note_latency(struct rda_rdmap *asker, enum rda_message kind, int64_t ns,
			 struct rda_rdmap_step *step)
{
	step->done = true;
	step->done_kind = (uint8_t)kind;
	step->latency_ns = MAX(ns, 0);
	if (!asker->messages)
		asker->messages = g_new0(struct rda_messages, 1);
	rda_messages_add(asker->messages, kind, ns);
}

static void note_first_response(struct rda_rdmap *asker, struct rda_rdmap_asked *asked,
				const struct rda_fpdu_seen *fpdu)
{
	if (asked->answer_place)
		return;
	asked->answer_place = fpdu->first_place;
	if (!asker->messages)
		asker->messages = g_new0(struct rda_messages, 1);
	rda_messages_add_first(asker->messages, fpdu->first_ns - asked->time_ns);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* A response of no bytes is not looked at where it goes (RFC 5040, 5.2.2). */
static bool goes_on(const struct rda_rdmap_asked *asked, const struct rda_ulpdu *u)
{
	const struct rda_rdmap_read *read = &asked->read;

	if (read->size == 0 && u->payload_length == 0)
		return true;
	return u->ddp_tagged.stag == read->sink_stag &&
	       u->ddp_tagged.offset == read->sink_offset + asked->got;
}

/*
 * There is a stack that writes the fields of a READ Request in its own byte order, and reads them
 * so: the answer is for the place with all bytes turned round.
 */
static bool goes_on_swapped(struct rda_rdmap_asked *asked, const struct rda_ulpdu *u)
{
	struct rda_rdmap_asked turned = *asked;

	turned.swapped = true;
	turned.read.sink_stag = GUINT32_SWAP_LE_BE(asked->read.sink_stag);
	turned.read.sink_offset = GUINT64_SWAP_LE_BE(asked->read.sink_offset);
	turned.read.size = GUINT32_SWAP_LE_BE(asked->read.size);
	turned.read.source_stag = GUINT32_SWAP_LE_BE(asked->read.source_stag);
	turned.read.source_offset = GUINT64_SWAP_LE_BE(asked->read.source_offset);
	if (asked->got || !goes_on(&turned, u))
		return false;
	*asked = turned;
	return true;
}

/* Some answers were not captured: drops what they answered. False when this one answers nothing. */
static bool skip_to(struct rda_rdmap *asker, const struct rda_ulpdu *u)
{
	struct rda_rdmap_asked_queue *q = &asker->reads;

	for (uint32_t i = 1; i < q->count; i++) {
		if (!goes_on(rda_rdmap_asked_at(q, i), u))
			continue;
		pop(q, i);
		return true;
	}
	return false;
}

/*
 * Whether an answer to the oldest READ could as well be one to another, later or not captured:
 * benchmarks read into the same buffer again and again. An application with buffers of their own
 * uses one again when its data has come.
 */
static bool is_ambiguous(const struct rda_rdmap *asker)
{
	const struct rda_rdmap_asked_queue *q = &asker->reads;
	const struct rda_rdmap_read *oldest = &rda_rdmap_asked_at(q, 0)->read;

	if (!asker->answered || (asker->answered_stag == oldest->sink_stag &&
				 asker->answered_offset == oldest->sink_offset))
		return true;

	if (q->count > TOLD_APART_MAX)
		return true;
	for (uint32_t i = 1; i < q->count; i++) {
		const struct rda_rdmap_read *read = &rda_rdmap_asked_at(q, i)->read;

		if (read->sink_stag == oldest->sink_stag &&
		    read->sink_offset == oldest->sink_offset)
			return true;
	}
	return false;
}

/* By where the answer to the oldest READ goes: a guess, unless all that was asked and answered is
 * known, and only an answer that is wrong came between. */
static void be_sure_again(struct rda_rdmap *asker)
{
	asker->unsure = asker->shares || is_ambiguous(asker);
	asker->guessed |= asker->missed && !asker->unsure;
}

static enum rda_rdmap_fit take_response(struct rda_rdmap *asker, const struct rda_fpdu_seen *fpdu,
					struct rda_rdmap_step *step)
{
	const struct rda_ulpdu *u = &fpdu->ulpdu;
	struct rda_rdmap_asked *asked = rda_rdmap_oldest_of(&asker->reads);
	enum rda_rdmap_fit fit = RDA_RDMAP_FITS;

	if (!asked)
		return asker->unsure ? RDA_RDMAP_NOT_KNOWN : RDA_RDMAP_UNASKED;
	if (!goes_on(asked, u) && !goes_on_swapped(asked, u)) {
		step->asked = *asked;
		if (!asker->unsure) {
			asker->unsure = true; /* one finding, not one for each that follows */
			return RDA_RDMAP_ELSEWHERE;
		}
		if (!skip_to(asker, u))
			return RDA_RDMAP_NOT_KNOWN;
		asked = rda_rdmap_oldest_of(&asker->reads);
	}
	if (asker->unsure && asked->got == 0 && !asker->reads.doubtful && u->payload_length)
		be_sure_again(asker);
	if (!asker->unsure)
		note_first_response(asker, asked, fpdu);
	asked->got += u->payload_length;
	step->asked = *asked;
	if (asked->got > asked->read.size)
		fit = RDA_RDMAP_TOO_LONG;
	else if (u->last && asked->got < asked->read.size)
		fit = RDA_RDMAP_TOO_SHORT;
	else if (u->last && !asker->unsure)
		note_latency(asker, RDA_MESSAGE_READ, fpdu->time_ns - asked->time_ns, step);
	if (u->last || fit != RDA_RDMAP_FITS)
		pop(&asker->reads, 1);
	if (asker->unsure)
		return RDA_RDMAP_NOT_KNOWN;
	asker->unsure = fit == RDA_RDMAP_TOO_LONG && !u->last; /* the rest of it follows */
	return fit;
}

static void take_answer(struct rda_rdmap *asker, const struct rda_fpdu_seen *fpdu,
			struct rda_rdmap_step *step)
{
	step->fit = (uint8_t)take_response(asker, fpdu, step);
	if (!step->begins)
		return;
	asker->answered = true;
	asker->answered_stag = fpdu->ulpdu.ddp_tagged.stag;
	asker->answered_offset = fpdu->ulpdu.ddp_tagged.offset;
}

static enum rda_rdmap_fit take_atomic(struct rda_rdmap *asker, const struct rda_fpdu_seen *fpdu,
				      struct rda_rdmap_step *step)
{
	struct rda_rdmap_asked_queue *q = &asker->atomics;
	bool unsure = asker->unsure;
	uint32_t i = 0;

	if (!(fpdu->ulpdu.present & RDA_HAS(RDMAP_ATOMIC_ACK)))
		return RDA_RDMAP_NOT_KNOWN;
	if (!q->count)
		return unsure ? RDA_RDMAP_NOT_KNOWN : RDA_RDMAP_UNASKED;
	while (i < q->count &&
	       rda_rdmap_asked_at(q, i)->request_id != fpdu->ulpdu.atomic_ack.request_id)
		i++;
	if (i == q->count) {
		step->asked = *rda_rdmap_asked_at(q, 0);
		return unsure ? RDA_RDMAP_NOT_KNOWN : RDA_RDMAP_WRONG_ID;
	}
	step->asked = *rda_rdmap_asked_at(q, i);
	if (!unsure)
		note_latency(asker, RDA_MESSAGE_ATOMIC, fpdu->time_ns - step->asked.time_ns, step);
	pop(q, i + 1); /* those before it are not answered any more, or were unseen */
	return i && !unsure ? RDA_RDMAP_OVERTAKES : RDA_RDMAP_FITS;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Rings double, up to RDA_RDMAP_RECENT_MAX: most connections never need more than a few. */
static void keep(struct rda_rdmap *r, const struct rda_rdmap_message *message)
{
	if (r->recent_next == r->recent_allocated && r->recent_allocated < RDA_RDMAP_RECENT_MAX) {
		uint32_t allocated = r->recent_allocated ? 2 * r->recent_allocated : RECENT_FIRST;

		r->recent = g_renew(struct rda_rdmap_message, r->recent, allocated);
		memset(r->recent + r->recent_allocated, 0,
		       (allocated - r->recent_allocated) * sizeof(*r->recent));
		r->recent_allocated = allocated;
	}
	r->recent[r->recent_next % r->recent_allocated] = *message;
	r->recent_next++;
	if (r->recent_next == 2 * RDA_RDMAP_RECENT_MAX) /* keeps its place in the ring */
		r->recent_next = RDA_RDMAP_RECENT_MAX;
}

static void begin_message(struct rda_rdmap_channel *c, const struct rda_fpdu_seen *fpdu)
{
	const struct rda_ulpdu *u = &fpdu->ulpdu;

	c->open = true;
	c->message = (struct rda_rdmap_message){
		.opcode = u->opcode,
		.number = c->message.number,
		.tagged = u->tagged,
		.target = u->tagged ? u->ddp_tagged.stag : u->ddp_untagged.queue,
		.msn = u->tagged ? 0 : u->ddp_untagged.msn,
		.offset = u->tagged ? u->ddp_tagged.offset : 0,
		.first_place = fpdu->first_place,
		.first_ns = fpdu->first_ns,
	};
}

static void untagged(struct rda_rdmap_channel *c, const struct rda_fpdu_seen *fpdu,
		     struct rda_rdmap_step *step)
{
	const struct rda_ddp_untagged *ddp = &fpdu->ulpdu.ddp_untagged;

	if (c->open && ddp->msn != c->message.msn) {
		step->unfinished = c->known;
		c->open = false;
		c->next = c->message.msn + 1;
	}
	if (!c->open) {
		step->begins = true;
		begin_message(c, fpdu);
		step->msn_wrong = c->known && ddp->msn != c->next;
		step->expected = c->next;
		if (!c->known && ddp->offset != 0) { /* its beginning was not captured */
			c->message.cut = true;
			c->message.bytes = ddp->offset;
		}
	}
	if (ddp->offset != c->message.bytes && !step->msn_wrong) {
		step->offset_wrong = true;
		step->expected = c->message.bytes;
	}
	c->known = true;
	c->next = ddp->msn + 1; /* modulo 2^32, as RFC 5041 counts */
}

static void tagged(struct rda_rdmap_channel *c, const struct rda_fpdu_seen *fpdu,
		   struct rda_rdmap_step *step)
{
	const struct rda_ddp_tagged *ddp = &fpdu->ulpdu.ddp_tagged;

	if (!c->open) {
		step->begins = true;
		begin_message(c, fpdu);
		c->message.cut = !c->known;
	} else if (ddp->stag != c->message.target ||
		   ddp->offset != c->message.offset + c->message.bytes) {
		step->offset_wrong = true;
		step->expected = c->message.offset + c->message.bytes;
		begin_message(c, fpdu); /* what follows is held against what is there */
	}
	c->known = true;
}

/* Which channel carries it; NULL when it is where it does not belong. */
static struct rda_rdmap_channel *channel_of(struct rda_rdmap *r, const struct rda_ulpdu *u)
{
	const struct rda_rdmap_operation *operation = rda_rdmap_operation(u->opcode);

	if (!operation->known || operation->tagged != u->tagged)
		return NULL;
	if (u->tagged)
		return &r->channels[operation->roles & RDA_ROLE_RESPONSE ? RDA_RDMAP_RESPONSES
									 : RDA_RDMAP_WRITES];
	return u->ddp_untagged.queue == operation->queue ? &r->channels[operation->queue] : NULL;
}

void rda_rdmap_fpdu(struct rda_rdmap *mine, struct rda_rdmap *other,
		    const struct rda_fpdu_seen *fpdu, struct rda_rdmap_step *step)
{
	const struct rda_ulpdu *u = &fpdu->ulpdu;
	struct rda_rdmap_channel *c = channel_of(mine, u);
	uint32_t ddp_header = u->tagged ? RDA_DDP_TAGGED_BYTES : RDA_DDP_UNTAGGED_BYTES;

	memset(step, 0, sizeof(*step));
	if (!c || !(u->present & (RDA_HAS(DDP_TAGGED) | RDA_HAS(DDP_UNTAGGED))))
		return;
	step->counted = true;
	if (u->tagged)
		tagged(c, fpdu, step);
	else
		untagged(c, fpdu, step);
	if (step->begins)
		c->message.number = mine->begun++;
	c->message.bytes += u->length - ddp_header;
	c->message.last_place = fpdu->place;
	step->message = c->message;
	mine->sends += step->begins && c == &mine->channels[RDA_RDMAP_QUEUE_SEND];
	if (c == &mine->channels[RDA_RDMAP_QUEUE_REQUEST] && step->begins)
		ask(mine, fpdu, step);
	mine->ahead |= !other && (c == &mine->channels[RDA_RDMAP_RESPONSES] ||
				  c == &mine->channels[RDA_RDMAP_QUEUE_ATOMIC]);
	if (other && c == &mine->channels[RDA_RDMAP_RESPONSES])
		take_answer(other, fpdu, step);
	if (other && c == &mine->channels[RDA_RDMAP_QUEUE_ATOMIC])
		step->fit = (uint8_t)take_atomic(other, fpdu, step);
	if (u->last) {
		step->ends = true;
		c->open = false;
		c->message.ended = true;
		keep(mine, &c->message);
	}
}

void rda_rdmap_behind(struct rda_rdmap *asker, const struct rda_rdmap_step *answer)
{
	if (answer->fit != RDA_RDMAP_NO_ANSWER && answer->fit != RDA_RDMAP_FITS)
		asker->unsure = asker->missed = true;
}

void rda_rdmap_late(struct rda_rdmap *asker, const struct rda_rdmap *other)
{
	if (other->ahead)
		asker->unsure = asker->missed = true;
}

void rda_rdmap_hole(struct rda_rdmap *mine, struct rda_rdmap *other)
{
	for (unsigned i = 0; i < RDA_RDMAP_CHANNELS; i++) {
		struct rda_rdmap_channel *c = &mine->channels[i];

		if (c->open)
			keep(mine, &c->message); /* it may go on; a Terminate may be about it */
		c->open = c->known = false;
	}
	mine->unsure = mine->missed = true; /* requests are missing, behind those that wait */
	mine->reads.doubtful = mine->reads.count;
	if (other)
		other->unsure = other->missed = true; /* answers are */
}
