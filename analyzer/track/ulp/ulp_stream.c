/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages put together; see ulp_stream.h.
 */
#include "analyzer/track/ulp/ulp_stream.h"

#include "analyzer/track/roce/account.h"

#include <string.h>

struct rda_ulp_stream *rda_ulp_stream_new(void)
{
	return g_new0(struct rda_ulp_stream, 1);
}

void rda_ulp_stream_free(struct rda_ulp_stream *s)
{
	if (!s)
		return;
	g_free(s->bytes);
	g_free(s->fpdu);
	g_free(s->reads);
	g_free(s);
}

int64_t rda_ulp_sent(const struct rda_ulp *ulp, unsigned side)
{
	return ulp->streams[side] ? ulp->streams[side]->sent : 0;
}

int64_t rda_ulp_acked(const struct rda_ulp *ulp, unsigned side)
{
	const struct rda_flow *flow = side ? ulp->answerer : ulp->asker;

	if (flow && flow->account)
		return rda_account_progress(flow->account)->acked;
	return ulp->streams[side] ? ulp->streams[side]->acked : 0;
}

/* ---- SENDs ----------------------------------------------------------------------------------- */

static void hand_on(const struct rda_flow *flow, struct rda_ulp_stream *s)
{
	if (!s->open)
		return;
	s->open = false;
	rda_ulp_message(flow, &s->message);
}

static void keep(struct rda_ulp_stream *s, uint32_t most, const struct rda_ulp_piece *piece)
{
	struct rda_ulp_message *message = &s->message;
	uint32_t room = most - message->have, have = MIN(piece->have, room);

	if (message->have != message->length) /* bytes before these are missing */
		have = 0;
	if (have)
		memcpy(s->bytes + message->have, piece->bytes, have);
	message->have += have;
	message->length += piece->length;
	message->last_place = piece->last_place;
	message->last_ns = piece->last_ns;
	message->checked &= piece->checked;
	s->next = piece->next;
}

void rda_ulp_stream_send(const struct rda_flow *flow, struct rda_ulp_stream *s,
			 const struct rda_ulp_piece *piece)
{
	uint32_t most = rda_ulp_bytes_of(flow->ulp);

	if (piece->begins) {
		flow->ulp->missed |= s->open;
		hand_on(flow, s);
		s->message = (struct rda_ulp_message){
			.bytes = piece->bytes,
			.have = piece->have,
			.length = piece->length,
			.place = piece->place,
			.last_place = piece->last_place,
			.first_ns = piece->first_ns,
			.last_ns = piece->last_ns,
			.checked = piece->checked,
		};
		s->open = true;
		if (!piece->ends) {
			if (!s->bytes)
				s->bytes = g_malloc(most);
			s->message.bytes = s->bytes;
			s->message.have = s->message.length = 0;
			keep(s, most, piece);
		}
	} else if (s->open && piece->at == s->next) {
		keep(s, most, piece);
	} else { /* others before it are missing: they may still come */
		flow->ulp->missed = true;
		if (!piece->ends)
			return;
	}
	if (piece->ends)
		hand_on(flow, s);
}

void rda_ulp_stream_ended(const struct rda_flow *flow, struct rda_ulp_stream *s)
{
	hand_on(flow, s);
}

/* ---- transfers ------------------------------------------------------------------------------- */

void rda_ulp_stream_write(const struct rda_flow *flow, struct rda_ulp_stream *s,
			  const struct rda_ulp_range *range, int64_t time_ns)
{
	if (s->writing)
		rda_ulp_stream_written(flow, s, false, time_ns);
	s->writing = true;
	s->write = (struct rda_ulp_transfer){.range = *range, .begin_ns = time_ns};
}

void rda_ulp_stream_written(const struct rda_flow *flow, struct rda_ulp_stream *s, bool whole,
			    int64_t time_ns)
{
	s->writing = false;
	s->write.whole = whole;
	s->write.end_ns = time_ns;
	rda_ulp_transferred(flow->ulp, &s->write);
}

void rda_ulp_stream_lost(const struct rda_flow *flow, struct rda_ulp_stream *s)
{
	flow->ulp->missed = true;
	s->holes++;
	hand_on(flow, s);
	if (s->writing)
		rda_ulp_stream_written(flow, s, false, s->write.begin_ns);
}

static struct rda_ulp_read *read_at(const struct rda_ulp_stream *s, uint32_t index)
{
	return &s->reads[(s->read_first + index) % RDA_ULP_READS];
}

static void drop_reads(struct rda_ulp_stream *s, uint32_t count)
{
	s->read_first = (s->read_first + count) % RDA_ULP_READS;
	s->read_count -= count;
}

void rda_ulp_stream_read(struct rda_ulp_stream *s, const struct rda_ulp_read *read)
{
	if (!s->reads)
		s->reads = g_new(struct rda_ulp_read, RDA_ULP_READS);
	if (s->read_count == RDA_ULP_READS)
		drop_reads(s, 1);
	*read_at(s, s->read_count++) = *read;
}

void rda_ulp_stream_read_done(const struct rda_flow *flow, struct rda_ulp_stream *s, int64_t number,
			      int64_t time_ns)
{
	struct rda_ulp_transfer transfer = {.whole = true, .end_ns = time_ns};

	for (uint32_t i = 0; i < s->read_count; i++) {
		const struct rda_ulp_read *read = read_at(s, i);

		if (read->number != number)
			continue;
		transfer.range = read->range;
		transfer.begin_ns = read->asked_ns;
		drop_reads(s, i + 1); /* data comes in the order of the READs */
		rda_ulp_transferred(flow->ulp, &transfer);
		return;
	}
}
