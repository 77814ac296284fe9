/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets in rings that grow when they are full, and records made of them; lean.h has the figure.
 */
#include "analyzer/track/roce/lean.h"

#include "analyzer/base/cold.h"

#include <glib.h>
#include <string.h>

/* Of many connections only a packet or two is seen. */
enum { FIRST_PACKETS = 1, FIRST_HEADERS = 1 };

/* Requests until it is looked at first whether all records are ordinary. Those that made them
 * are forgotten when as many were settled behind them as are remembered. */
enum { LOOK_AGAIN = 64, LOOK_AGAIN_LEAST = 8 };

/* A few packets are less than the blocks that they would be copied through: four times so many. */
enum { SMALL = 16 };

/* A ring of `count` items that begin at `head`, with another room: they begin at 0 there. */
static void *moved(void *ring, size_t size, uint32_t head, uint32_t count, uint32_t old,
		   uint32_t room)
{
	char *to = g_malloc(room * size);
	uint32_t at = old ? head % old : 0;
	uint32_t first = MIN(count, old - at); /* up to the end of the old ring */

	if (count) {
		memcpy(to, (char *)ring + at * size, first * size);
		memcpy(to + first * size, ring, (count - first) * size);
	}
	g_free(ring);
	return to;
}

/* The ring of packets with another room. */
static void move_packets(struct rda_window *w, uint32_t room)
{
	w->packets = moved(w->packets, sizeof(*w->packets), w->head, w->count, w->allocated, room);
	w->head = 0;
	w->allocated = room;
}

/* 1, 4, 16, 24, 32, 48, 64, 128: of connections that end soon half of a larger ring stays empty. */
void rda_lean_grow(struct rda_window *w)
{
	uint32_t old = w->allocated;

	RDA_ASSERT(old >= RDA_LEAN_RING || w->head == 0);
	if (old < SMALL)
		move_packets(w, old ? 4 * old : FIRST_PACKETS);
	else if (old < RDA_LEAN_RING)
		move_packets(w, old & (old - 1) ? old / 3 * 4 : old / 2 * 3);
	else
		move_packets(w, 2 * old);
}

static struct rda_lean_header *header_at(const struct rda_window *w, uint32_t index)
{
	return &w->headers[(w->header_head + index) & (w->headers_allocated - 1)];
}

static void grow_headers(struct rda_window *w)
{
	uint32_t old = w->headers_allocated;
	uint32_t room = !old ? FIRST_HEADERS : old < SMALL ? 4 * old : 2 * old;

	w->headers =
		moved(w->headers, sizeof(*w->headers), w->header_head, w->header_count, old, room);
	w->header_head = 0;
	w->headers_allocated = room;
}

/* It is of a packet that was forgotten. */
static bool is_behind(const struct rda_window *w, const struct rda_lean_header *header)
{
	return (int32_t)(header->psn - (uint32_t)w->first) < 0;
}

/* Those of packets that were forgotten go when their room is needed. */
void rda_lean_add_header(struct rda_window *w, const struct rda_request *q)
{
	if (w->header_count == w->headers_allocated)
		while (w->header_count && is_behind(w, header_at(w, 0))) {
			w->header_head++;
			w->header_count--;
		}
	if (w->header_count == w->headers_allocated)
		grow_headers(w);
	*header_at(w, w->header_count++) =
		(struct rda_lean_header){q->va, (uint32_t)q->begin, q->rkey, q->length, q->extra};
}

/* The header of a packet that has one: of one of the latest, as a rule. */
static const struct rda_lean_header *header_of(const struct rda_window *w, int64_t psn)
{
	uint32_t index = w->header_count - 1;

	while (header_at(w, index)->psn != (uint32_t)psn)
		index--;
	return header_at(w, index);
}

void rda_lean_record(const struct rda_window *w, int64_t index, struct rda_sent *record)
{
	const struct rda_lean_packet *packet = rda_lean_at(w, index);
	const struct rda_lean_header *header;

	memset(record, 0, sizeof(*record));
	record->begin = record->psn = w->first + index;
	record->end = record->begin + 1;
	record->sent_ns = record->first_ns = record->last_ns = rda_lean_time(w, packet);
	record->answer_ns = RDA_NEVER_NS;
	record->first_frame = record->last_frame = rda_lean_place(w, packet);
	record->ordinal = w->ordinal - (w->count - 1 - (uint32_t)index);
	if (packet->payload & RDA_LEAN_HEADED) {
		header = header_of(w, record->begin);
		record->va = header->va;
		record->rkey = header->rkey;
		record->length = header->length;
		record->extra = header->extra;
	}
	record->icrc = packet->icrc;
	record->ip_id = packet->ip_id;
	record->opcode = packet->opcode;
	record->payload = rda_lean_payload(packet);
	record->roles = rda_opcode_roles[packet->opcode];
	record->sent = record->seen = 1;
	record->ack_req = (packet->payload & RDA_LEAN_ASKS) != 0;
}

uint32_t rda_lean_ended(const struct rda_window *w, uint32_t from, int64_t psn)
{
	uint32_t ended = 0;

	for (uint32_t i = from; i < w->count && w->first + i <= psn; i++)
		ended += (rda_opcode_roles[rda_lean_at(w, i)->opcode] & RDA_ROLE_LAST) != 0;
	return ended;
}

void rda_window_shrink(struct rda_window *w, uint32_t gone)
{
	uint32_t room = 1;

	RDA_ASSERT(gone <= w->count);
	if (w->lean)
		w->first += gone;
	w->head += gone;
	w->count -= gone;
	while (room < w->count)
		room *= 2;
	if (room >= w->allocated)
		return;
	if (w->lean) {
		move_packets(w, room);
		return;
	}
	w->records = moved(w->records, sizeof(*w->records), w->head, w->count, w->allocated, room);
	w->head = 0;
	w->allocated = room;
}

/* The request that a record was made of, if it was sent once and appeared once. */
static struct rda_request request_of(const struct rda_sent *record)
{
	return (struct rda_request){
		.begin = record->begin,
		.end = record->end,
		.time_ns = record->last_ns,
		.frame = record->last_frame,
		.va = record->va,
		.rkey = record->rkey,
		.length = record->length,
		.extra = record->extra,
		.payload = record->payload,
		.icrc = record->icrc,
		.ip_id = record->ip_id,
		.opcode = record->opcode,
		.roles = record->roles,
		.ack_req = record->ack_req,
		.damaged = record->damaged,
	};
}

void rda_lean_keep_first(struct rda_window *w)
{
	struct rda_request first;
	struct rda_sent record;

	rda_lean_record(w, 0, &record);
	first = request_of(&record);
	rda_window_begins_with(w, &first);
}

/* ---- from one form to the other -------------------------------------------------------------- */

static void free_packets(struct rda_window *w)
{
	g_free(w->packets);
	g_free(w->headers);
	w->packets = NULL;
	w->headers = NULL;
	w->header_count = w->headers_allocated = 0;
}

RDA_COLD void rda_window_make_records(struct rda_window *w)
{
	uint32_t room = FIRST_PACKETS;
	struct rda_sent *records;

	RDA_ASSERT(w->lean);
	if (w->count && !w->origin)
		rda_lean_keep_first(w);
	while (room <= w->count)
		room *= 2;
	records = g_new(struct rda_sent, room);
	for (uint32_t i = 0; i < w->count; i++)
		rda_lean_record(w, i, &records[i]);
	free_packets(w);
	w->records = records;
	w->lean = false;
	w->head = 0;
	w->allocated = room;
	w->thin_at = w->ordinal + LOOK_AGAIN; /* no PSN any more */
}

/* The records as packets, in a window of their own; false: one of them is no such packet. */
static bool are_ordinary(const struct rda_window *w, struct rda_window *thin)
{
	rda_window_init(thin, w->cap);
	for (uint32_t i = 0; i < w->count; i++) {
		const struct rda_sent *record = rda_window_at(w, i);
		struct rda_request request = request_of(record);
		struct rda_sent same;

		if (!rda_lean_takes(thin, &request) || (i && record->ordinal != thin->ordinal + 1))
			return false;
		rda_lean_append(thin, &request, record->ordinal);
		rda_lean_record(thin, i, &same);
		if (memcmp(&same, record, sizeof(same)) != 0)
			return false;
	}
	return true;
}

/* Records up to the last one that is no lean packet for certain: so many are forgotten before the
 * others are alone. */
static uint32_t count_up_to_odd(const struct rda_window *w)
{
	for (uint32_t i = w->count; i > 0; i--) {
		const struct rda_sent *record = rda_window_at(w, i - 1);

		if (record->sent != 1 || record->seen != 1 || record->end != record->begin + 1 ||
		    (record->roles & ~RDA_LEAN_ROLES) != RDA_ROLE_REQUEST)
			return i;
	}
	return 0;
}

RDA_COLD static void try_to_thin(struct rda_window *w, uint64_t ordinal)
{
	uint32_t odd = count_up_to_odd(w);
	struct rda_window thin;

	w->thin_at = ordinal + (odd ? MAX(odd, LOOK_AGAIN_LEAST) : 2 * LOOK_AGAIN);
	if (odd || !w->count || rda_window_at(w, w->count - 1)->ordinal != ordinal)
		return;
	if (are_ordinary(w, &thin)) {
		thin.dropped = w->dropped;
		thin.origin = g_steal_pointer(&w->origin);
		rda_window_cleanup(w);
		*w = thin;
	} else {
		rda_window_cleanup(&thin);
	}
}

void rda_window_thin(struct rda_window *w, uint64_t ordinal)
{
	if (!w->lean && ordinal >= w->thin_at)
		try_to_thin(w, ordinal);
}
