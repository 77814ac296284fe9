/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP segments put in order; stream.h has the figure.
 */
#include "analyzer/track/iwarp/stream.h"

#include <glib.h>
#include <string.h>

/* Wide numbers start here, so that those before the first segment stay positive. */
#define ORIGIN (INT64_C(1) << 40)

struct rda_held {
	int64_t begin;
	uint32_t length, captured;
	bool doubtful, checked;
	uint16_t ip_id; /* 0: none */
	int64_t time_ns;
	uint64_t place;
	uint8_t *bytes; /* owned */
};

/* A damaged segment. */
struct rda_aside {
	struct rda_held held;
	enum { ASIDE_OPEN, ASIDE_DAMAGED, ASIDE_ACCEPTED } fate;
};

void rda_stream_init(struct rda_stream *s, struct rda_stream_pool *pool)
{
	memset(s, 0, sizeof(*s));
	s->pool = pool;
}

static void forget(struct rda_stream *s, const struct rda_held *held)
{
	s->pool->held -= held->captured;
	s->held_bytes -= held->captured;
	g_free(held->bytes);
}

void rda_stream_begin(struct rda_stream *s, uint32_t sequence)
{
	s->begun = true;
	s->next = ORIGIN + (int64_t)sequence;
}

void rda_stream_cleanup(struct rda_stream *s)
{
	for (uint32_t i = 0; i < s->held_count; i++)
		forget(s, &s->held[i]);
	for (uint32_t i = 0; i < s->aside_count; i++)
		forget(s, &s->aside[i].held);
	g_free(s->held);
	g_free(s->gaps);
	g_free(s->aside);
	s->held = NULL;
	s->aside = NULL;
	s->aside_count = 0;
	s->gaps = NULL;
	s->gap_count = 0;
	s->held_count = s->held_allocated = 0;
}

static int64_t widen(int64_t near, uint32_t sequence)
{
	return near + (int32_t)(sequence - (uint32_t)near);
}

void rda_stream_begin_anew(struct rda_stream *s, uint32_t sequence)
{
	s->next = widen(s->next, sequence);
	s->segments = s->out_of_order = s->held_count;
	s->retransmitted = s->late = s->holes = 0;
	s->gap_count = 0;
	s->first = 0;
}

/* ---- gaps ------------------------------------------------------------------------------------ */

static void remove_gap(struct rda_stream *s, uint32_t at)
{
	s->gap_count--;
	memmove(s->gaps + at, s->gaps + at + 1, (s->gap_count - at) * sizeof(*s->gaps));
}

static void add_gap(struct rda_stream *s, int64_t begin, int64_t end)
{
	if (begin >= end)
		return;
	if (!s->gaps) {
		s->gaps = g_new(struct rda_gap, RDA_STREAM_GAPS_MAX);
	} else if (s->gap_count == RDA_STREAM_GAPS_MAX) {
		s->first = MAX(s->first, s->gaps[0].end); /* below it nothing is known any more */
		remove_gap(s, 0);
	}
	s->gaps[s->gap_count++] = (struct rda_gap){begin, end};
}

/* Whether none of these bytes was seen before; they are seen then. */
static bool fill_gap(struct rda_stream *s, int64_t begin, int64_t end)
{
	if (end <= s->first) { /* of before the capture began */
		const int64_t before = s->first;

		s->first = begin; /* or higher, where there is no room for the gap */
		add_gap(s, end, before);
		return true;
	}
	for (uint32_t i = 0; i < s->gap_count; i++) {
		const struct rda_gap gap = s->gaps[i];

		if (begin < gap.begin || end > gap.end)
			continue;
		remove_gap(s, i);
		add_gap(s, gap.begin, begin);
		add_gap(s, end, gap.end);
		return true;
	}
	return false;
}

/* ---- what is handed on ----------------------------------------------------------------------- */

static void hand_on_hole(struct rda_stream *s, int64_t length, const struct rda_piece *at,
			 rda_take_piece *take, void *context)
{
	struct rda_piece hole = *at;

	if (length <= 0)
		return;
	hole.offset = s->next;
	hole.bytes = NULL;
	hole.length = length;
	hole.begins_segment = false;
	hole.doubtful = hole.checked = false;
	s->holes++;
	take(context, &hole);
	s->next += length;
}

/* Hands on a segment that begins at or before `next` and ends behind it. */
static void hand_on(struct rda_stream *s, int64_t begin, const struct rda_segment *segment,
		    rda_take_piece *take, void *context)
{
	uint32_t skip = (uint32_t)(s->next - begin);
	struct rda_piece piece = {
		.offset = s->next,
		.segment_left = begin + segment->length - s->next,
		.begins_segment = skip == 0,
		.trimmed = skip > 0,
		.doubtful = segment->doubtful,
		.checked = segment->checked,
		.time_ns = segment->time_ns,
		.place = segment->place,
	};

	if (segment->captured > skip) {
		piece.bytes = segment->bytes + skip;
		piece.length = segment->captured - skip;
		take(context, &piece);
		s->next += piece.length;
	}
	hand_on_hole(s, begin + segment->length - s->next, &piece, take, context);
}

/* Hands on what is held and has its turn now. */
static void drain(struct rda_stream *s, rda_take_piece *take, void *context)
{
	uint32_t taken = 0;

	while (taken < s->held_count && s->held[taken].begin <= s->next) {
		struct rda_held held = s->held[taken++];
		struct rda_segment segment = {
			.bytes = held.bytes,
			.captured = held.captured,
			.length = held.length,
			.doubtful = held.doubtful,
			.checked = held.checked,
			.time_ns = held.time_ns,
			.place = held.place,
		};

		if (held.begin + held.length > s->next)
			hand_on(s, held.begin, &segment, take, context);
		forget(s, &held);
	}
	s->held_count -= taken;
	if (s->held_count)
		memmove(s->held, s->held + taken, s->held_count * sizeof(*s->held));
}

/* The gap in front of what is held will not be filled. */
static void give_up_gap(struct rda_stream *s, rda_take_piece *take, void *context)
{
	struct rda_piece at = {.time_ns = s->held[0].time_ns, .place = s->held[0].place};

	add_gap(s, s->next, s->held[0].begin);
	hand_on_hole(s, s->held[0].begin - s->next, &at, take, context);
	drain(s, take, context);
}

/* Whether some of these bytes are held: whatever else is among them, it was sent again. */
static bool is_held(const struct rda_stream *s, int64_t begin, int64_t end)
{
	for (uint32_t i = 0; i < s->held_count && s->held[i].begin < end; i++)
		if (s->held[i].begin + s->held[i].length > begin)
			return true;
	return false;
}

/*
 * Whether a damaged segment, which is taken when it is acknowledged, came before what is held. Of
 * what was sent by then, without data, nothing is known.
 */
static bool came_before(const struct rda_stream *s, const struct rda_segment *segment)
{
	for (uint32_t i = 0; i < s->held_count; i++)
		if (s->held[i].place < segment->place)
			return false;
	return true;
}

/*
 * New bytes, of which later ones came first: those that are held from `at` on, if any. One of those
 * without an identification may have been sent before this: then it is not known as overtaken.
 */
static void count_late(struct rda_stream *s, uint32_t at, const struct rda_segment *segment)
{
	bool behind = false, all_known = true;

	if (segment->accepted && came_before(s, segment))
		return;
	s->late++;
	if (at == s->held_count || !segment->ip_id)
		return;
	for (uint32_t i = at; i < s->held_count && !behind; i++) {
		uint16_t ip_id = s->held[i].ip_id;

		behind = ip_id && rda_tcp_order_is_before(ip_id, segment->ip_id);
		all_known &= ip_id != 0;
	}
	if (behind || all_known)
		rda_tcp_order_late(&s->order, behind);
}

/* Keeps a copy of a segment that comes too early; one that is there already is not kept twice. */
static void hold(struct rda_stream *s, int64_t begin, const struct rda_segment *segment)
{
	uint32_t at = s->held_count;
	struct rda_held *held;

	while (at > 0 && s->held[at - 1].begin > begin)
		at--;
	if (at > 0 && s->held[at - 1].begin + s->held[at - 1].length >= begin + segment->length) {
		s->retransmitted++;
		return;
	}
	if (is_held(s, begin, begin + segment->length))
		s->retransmitted++;
	else if (at < s->held_count || begin < s->sent)
		count_late(s, at, segment);
	if (s->held_count == s->held_allocated) {
		s->held_allocated = MAX(4, s->held_allocated * 2);
		s->held = g_renew(struct rda_held, s->held, s->held_allocated);
	}
	held = &s->held[at];
	memmove(held + 1, held, (s->held_count - at) * sizeof(*held));
	s->held_count++;
	*held = (struct rda_held){
		.begin = begin,
		.length = segment->length,
		.captured = segment->captured,
		.doubtful = segment->doubtful,
		.checked = segment->checked,
		.ip_id = segment->ip_id,
		.time_ns = segment->time_ns,
		.place = segment->place,
		.bytes = g_memdup2(segment->bytes, segment->captured),
	};
	s->held_bytes += segment->captured;
	s->pool->held += segment->captured;
	s->out_of_order++;
}

static bool is_full(const struct rda_stream *s)
{
	return s->held_bytes > RDA_STREAM_HELD_MAX ||
	       s->held_count > RDA_STREAM_HELD_SEGMENTS_MAX || s->pool->held > s->pool->cap;
}

/* One byte that the other side is known to have (RFC 9293, 3.8.4): it asks for an answer only. */
static bool is_keep_alive(const struct rda_stream *s, int64_t begin,
			  const struct rda_segment *segment)
{
	return segment->length == 1 && begin + 1 == s->next && s->acked >= s->next;
}

void rda_stream_segment(struct rda_stream *s, const struct rda_segment *segment,
			rda_take_piece *take, void *context)
{
	int64_t begin =
		s->begun ? widen(s->next, segment->sequence) : ORIGIN + (int64_t)segment->sequence;

	if (segment->syn)
		begin++;
	if (!s->begun) {
		s->begun = true;
		s->next = begin;
		/* what was sent before the capture began may come late */
		s->first = segment->syn ? 0 : begin;
	}
	if (segment->length == 0 && segment->rst)
		s->reset = MAX(s->reset, begin);
	else if (segment->length == 0)
		s->sent = MAX(s->sent, begin);
	if (segment->length == 0 || is_keep_alive(s, begin, segment))
		return;
	s->segments++;
	rda_tcp_order_take(&s->order, begin, begin + segment->length, segment->ip_id);
	if (begin + segment->length <= s->next) {
		*(fill_gap(s, begin, begin + segment->length) ? &s->late : &s->retransmitted) += 1;
		return;
	}
	if (begin <= s->next) {
		if (begin < s->next || is_held(s, begin, begin + segment->length))
			s->retransmitted++;
		else if (s->held_count > 0 || begin < s->sent)
			count_late(s, 0, segment);
		hand_on(s, begin, segment, take, context);
		drain(s, take, context);
		return;
	}
	hold(s, begin, segment);
	if (s->acked >= s->held[0].begin) {
		give_up_gap(s, take, context);
	} else if (is_full(s)) {
		s->pool->given_up++;
		give_up_gap(s, take, context);
	}
}

/* ---- damaged segments ------------------------------------------------------------------------ */

static int64_t end_of(const struct rda_held *held)
{
	return held->begin + held->length;
}

void rda_stream_damaged(struct rda_stream *s, const struct rda_segment *segment)
{
	int64_t begin = widen(s->next, segment->sequence);
	uint32_t at = s->aside_count;

	if (!s->aside)
		s->aside = g_new(struct rda_aside, RDA_STREAM_ASIDE_MAX);
	while (at > 0 && s->aside[at - 1].held.begin > begin)
		at--;
	memmove(s->aside + at + 1, s->aside + at, (s->aside_count - at) * sizeof(*s->aside));
	s->aside_count++;
	s->aside[at] = (struct rda_aside){
		.held = {.begin = begin,
			 .length = segment->length,
			 .captured = segment->captured,
			 .ip_id = segment->ip_id,
			 .time_ns = segment->time_ns,
			 .place = segment->place,
			 .bytes = g_memdup2(segment->bytes, segment->captured)},
	};
	s->held_bytes += segment->captured;
	s->pool->held += segment->captured;
	/* the last place is for the next one: of the lowest bytes nothing is waited for any more */
	if (s->aside_count == RDA_STREAM_ASIDE_MAX)
		s->aside[0].fate = ASIDE_DAMAGED;
	if (!s->begun || segment->length == 0)
		s->aside[at].fate = ASIDE_DAMAGED;
}

/* Of bytes up to `acked` the other side had a good copy, and there was no other here. */
static void accept_aside(struct rda_stream *s, int64_t acked, rda_take_piece *take, void *context)
{
	for (uint32_t i = 0; i < s->aside_count; i++) {
		struct rda_aside *aside = &s->aside[i];
		const struct rda_held *held = &aside->held;

		if (aside->fate != ASIDE_OPEN || end_of(held) <= s->next || end_of(held) > acked)
			continue;
		aside->fate = ASIDE_ACCEPTED;
		s->accepted = true;
		rda_stream_segment(s,
				   &(struct rda_segment){.sequence = (uint32_t)held->begin,
							 .bytes = held->bytes,
							 .captured = held->captured,
							 .length = held->length,
							 .doubtful = true,
							 .accepted = true,
							 .ip_id = held->ip_id,
							 .time_ns = held->time_ns,
							 .place = held->place},
				   take, context);
	}
}

bool rda_stream_damage(struct rda_stream *s, struct rda_damage *damage)
{
	for (uint32_t i = 0; i < s->aside_count; i++) {
		const struct rda_aside aside = s->aside[i];

		if (aside.fate == ASIDE_OPEN && end_of(&aside.held) > s->next)
			continue;
		*damage = (struct rda_damage){aside.held.place, aside.fate == ASIDE_ACCEPTED};
		forget(s, &aside.held);
		s->aside_count--;
		memmove(s->aside + i, s->aside + i + 1, (s->aside_count - i) * sizeof(*s->aside));
		return true;
	}
	return false;
}

void rda_stream_acknowledged(struct rda_stream *s, uint32_t acknowledgment, rda_take_piece *take,
			     void *context)
{
	int64_t acked;

	if (!s->begun)
		return;
	acked = widen(s->next, acknowledgment);
	if (acked <= s->acked)
		return;
	accept_aside(s, acked, take, context);
	s->acked = acked;
	if (s->held_count && acked >= s->held[0].begin)
		give_up_gap(s, take, context);
}

void rda_stream_end(struct rda_stream *s, rda_take_piece *take, void *context)
{
	while (s->held_count)
		give_up_gap(s, take, context);
	for (uint32_t i = 0; i < s->aside_count; i++)
		if (s->aside[i].fate == ASIDE_OPEN)
			s->aside[i].fate = ASIDE_DAMAGED;
}
