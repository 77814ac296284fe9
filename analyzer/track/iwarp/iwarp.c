/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From TCP segments to the FPDUs of iWARP connections; iwarp.h has the figure. Which connections
 * are iWARP is found out in iwarp_detect.c.
 */
#include "analyzer/track/iwarp/iwarp.h"

#include "analyzer/track/iwarp/state.h"
#include "analyzer/track/roce/copies.h"
#include "dissectors/tcp.h"

#include <glib.h>
#include <string.h>

struct rda_iwarp *rda_iwarp_new(uint64_t seed, const struct rda_iwarp_hooks *hooks)
{
	struct rda_iwarp *iw = g_new0(struct rda_iwarp, 1);

	iw->hooks = *hooks;
	iw->connections_cap = RDA_IWARP_CONNECTIONS_MAX;
	iw->pool.cap = RDA_IWARP_HELD_MAX;
	iw->seed = seed;
	rda_table_init(&iw->connections, sizeof(struct rda_iwarp_key),
		       sizeof(struct rda_iwarp_connection), seed);
	return iw;
}

void rda_iwarp_limit(struct rda_iwarp *iw, uint32_t connections, uint32_t held)
{
	if (connections)
		iw->connections_cap = connections;
	if (held)
		iw->pool.cap = held;
}

static void cleanup_connection(void *item)
{
	struct rda_iwarp_connection *connection = item;

	for (unsigned i = 0; i < 2; i++)
		rda_stream_cleanup(&connection->sides[i].stream);
}

void rda_iwarp_free(struct rda_iwarp *iw)
{
	rda_table_cleanup(&iw->connections, cleanup_connection);
	rda_iwarp_forget_candidates(iw);
	g_free(iw);
}

/* ---- whose segment it is --------------------------------------------------------------------- */

/* The key of a packet's connection; returns the side that sent it. */
static unsigned key_of(struct rda_iwarp_key *key, const struct rda_meta *meta,
		       const struct rda_packet *packet)
{
	int order = memcmp(&packet->source, &packet->destination, sizeof(packet->source));
	bool from_low = order < 0 ||
			(order == 0 && packet->tcp.source_port <= packet->tcp.destination_port);

	memset(key, 0, sizeof(*key)); /* padding too: keys are compared as bytes */
	memcpy(&key->low, from_low ? &packet->source : &packet->destination, sizeof(key->low));
	memcpy(&key->high, from_low ? &packet->destination : &packet->source, sizeof(key->high));
	key->low_port = from_low ? packet->tcp.source_port : packet->tcp.destination_port;
	key->high_port = from_low ? packet->tcp.destination_port : packet->tcp.source_port;
	key->tap = meta->tap;
	return from_low ? 0 : 1;
}

/* The flow of what a side sends, made when it is new: its ports stand for QPNs. */
static struct rda_flow *flow_of(struct rda_iwarp *iw, const struct rda_iwarp_connection *c,
				unsigned side, const struct rda_meta *meta)
{
	struct rda_flow_key key;

	memset(&key, 0, sizeof(key));
	memcpy(&key.source, side ? &c->key.high : &c->key.low, sizeof(key.source));
	memcpy(&key.destination, side ? &c->key.low : &c->key.high, sizeof(key.destination));
	key.carrier = RDA_CARRIER_IWARP;
	key.datagram = true; /* both ends are in the key */
	key.src_qp = (c->generation & 0xff) << 16 | (side ? c->key.high_port : c->key.low_port);
	key.dest_qp = (c->generation & 0xff) << 16 | (side ? c->key.low_port : c->key.high_port);
	key.tap = c->key.tap;
	return iw->hooks.flow(iw->hooks.context, &key, meta);
}

static void begin_sides(struct rda_iwarp *iw, struct rda_iwarp_connection *c)
{
	for (unsigned i = 0; i < 2; i++) {
		rda_stream_cleanup(&c->sides[i].stream);
		memset(&c->sides[i], 0, sizeof(c->sides[i]));
		rda_stream_init(&c->sides[i].stream, &iw->pool);
		rda_mpa_init(&c->sides[i].mpa);
	}
	c->initiator = -1;
	c->from_start = c->agreed = false;
}

/* ---- what comes out of the streams ----------------------------------------------------------- */

struct giving {
	struct rda_iwarp *iw;
	struct rda_iwarp_at at;
};

/* Both sides have said what they want: each wants markers in what the other sends. */
static void agree(struct rda_iwarp_connection *c)
{
	struct rda_iwarp_half *a = &c->sides[0], *b = &c->sides[1];
	bool crc = a->start.crc || b->start.crc;

	if (!a->start_seen || !b->start_seen || c->agreed)
		return;
	c->agreed = true;
	rda_mpa_agree(&a->mpa, b->start.markers, crc);
	rda_mpa_agree(&b->mpa, a->start.markers, crc);
}

static void take_start(void *context, const struct rda_mpa_start_seen *seen)
{
	struct giving *giving = context;
	struct rda_iwarp_connection *c = giving->at.connection;
	struct rda_iwarp_half *side = &c->sides[giving->at.side];

	side->start_seen = true;
	side->start = seen->start;
	side->has_depths = seen->has_depths;
	side->depths = seen->depths;
	side->start_doubtful = seen->doubtful;
	side->start_place = seen->place;
	side->start_ns = seen->time_ns;
	if (!seen->is_reply) {
		c->initiator = (int8_t)giving->at.side;
		c->from_start = true;
	}
	agree(c);
	giving->iw->hooks.start(giving->iw->hooks.context, &giving->at, seen);
}

static void take_fpdu(void *context, const struct rda_fpdu_seen *fpdu)
{
	struct giving *giving = context;

	giving->at.connection->sides[giving->at.side].fpdus++;
	giving->iw->hooks.fpdu(giving->iw->hooks.context, &giving->at, fpdu);
}

static void take_lost(void *context, const struct rda_piece *piece, bool hole)
{
	struct giving *giving = context;

	(void)piece;
	if (hole && giving->iw->hooks.unfinished) /* else it is none */
		giving->iw->hooks.unfinished(giving->iw->hooks.context, &giving->at);
	giving->iw->hooks.lost(giving->iw->hooks.context, &giving->at, hole);
}

static void take_piece(void *context, const struct rda_piece *piece)
{
	struct giving *giving = context;
	const struct rda_mpa_sink sink = {take_start, take_fpdu, take_lost, context};
	const struct rda_iwarp_hooks *hooks = &giving->iw->hooks;

	if (hooks->piece && piece->bytes)
		hooks->piece(hooks->context, &giving->at, piece->place, piece->offset,
			     (uint32_t)piece->length);
	rda_mpa_piece(&giving->at.connection->sides[giving->at.side].mpa, piece, &sink);
}

/* ---- segments -------------------------------------------------------------------------------- */

static void note_syn(struct rda_iwarp_half *side, const struct rda_tcp *tcp)
{
	if (!tcp->syn)
		return;
	side->syn_seen = true;
	side->sequence = tcp->sequence;
}

/* A SYN with another sequence number: the ports have a new connection. */
static bool is_reused(const struct rda_iwarp_connection *c, unsigned side,
		      const struct rda_packet *packet)
{
	const struct rda_iwarp_half *s = &c->sides[side];

	return packet->tcp.syn && !packet->tcp.ack &&
	       (!s->syn_seen || s->sequence != packet->tcp.sequence);
}

/*
 * Made by mirroring: the same bytes again soon, with the same IP identification, which a sender
 * gives to no two segments. Without one (IPv6, or 0) copies are taken for retransmissions, which
 * they may be: both come so soon.
 */
static bool is_mirrored(struct rda_iwarp_half *side, const struct rda_segment *segment)
{
	if (!segment->length)
		return false;
	for (unsigned i = 0; i < MIN(side->passed_count, RDA_IWARP_PASSED); i++) {
		const struct rda_iwarp_passed *p = &side->passed[i];

		if (p->sequence != segment->sequence || p->length != (uint16_t)segment->length ||
		    p->ip_id != segment->ip_id || segment->time_ns - p->time_ns > RDA_COPY_NS)
			continue;
		side->mirrored += segment->ip_id != 0;
		side->perhaps_mirrored += segment->ip_id == 0;
		return segment->ip_id != 0;
	}
	side->passed[side->passed_count++ % RDA_IWARP_PASSED] = (struct rda_iwarp_passed){
		segment->time_ns, segment->sequence, (uint16_t)segment->length, segment->ip_id};
	return false;
}

/* What became of segments of a side whose checksum does not fit. */
static void tell_damage(const struct giving *giving, unsigned side)
{
	struct rda_iwarp_at at = giving->at;
	struct rda_damage damage;

	at.side = side;
	while (rda_stream_damage(&at.connection->sides[side].stream, &damage))
		giving->iw->hooks.damage(giving->iw->hooks.context, &at, damage.place,
					 damage.accepted);
}

/*
 * Whoever gets an MPA request has not sent anything yet (RFC 5044, 7.1.2), and whoever sends one
 * nothing before it but the SYN, of which a copy may come late.
 */
static void begin_by_request(struct rda_iwarp_connection *c, unsigned side,
			     const struct rda_segment *segment, const struct rda_tcp *tcp)
{
	if (!rda_mpa_is_request(segment->bytes, segment->captured))
		return;
	c->sides[side].syn_seen = true;
	c->sides[side].sequence = segment->sequence - !segment->syn;
	if (tcp->ack)
		rda_stream_begin(&c->sides[1 - side].stream, tcp->acknowledgment);
}

/* The side begins anew with a start frame; what was agreed on by the one before is not so. */
static void begin_anew(struct rda_iwarp_connection *c, unsigned side,
		       const struct rda_segment *segment, const struct rda_tcp *tcp)
{
	struct rda_iwarp_half *half = &c->sides[side], *other = &c->sides[1 - side];

	rda_stream_begin_anew(&half->stream, segment->sequence);
	rda_mpa_init(&half->mpa);
	half->start_seen = half->has_depths = half->start_doubtful = half->begun_doubtful = false;
	half->passed_count = 0;
	half->perhaps_mirrored = 0;
	half->repeated_count = 0;
	half->needless = 0;
	half->stall = (struct rda_tcp_stall){0};
	if (!other->fpdus)
		other->mpa.markers_known = other->mpa.markers_contradict = false;
	c->initiator = c->initiator == (int8_t)side ? -1 : c->initiator;
	c->agreed = false;
	if (!other->stream.segments)
		begin_by_request(c, side, segment, tcp);
}

/*
 * A start frame whose checksum does not fit is taken where its sender has shown none that does. The
 * same once more, and it fits: what came first was damaged, in its place or its length perhaps, and
 * nobody took it.
 */
static void note_start(struct giving *giving, const struct rda_segment *segment,
		       const struct rda_tcp *tcp)
{
	const struct rda_iwarp_hooks *hooks = &giving->iw->hooks;
	struct rda_iwarp_half *side = &giving->at.connection->sides[giving->at.side];

	if (side->fpdus || (!segment->doubtful && !side->begun_doubtful) ||
	    !rda_mpa_is_start_alone(segment->bytes, segment->captured, segment->length))
		return;
	if (segment->doubtful && !side->start_seen && !side->begun_doubtful) {
		side->begun_doubtful = true;
		side->begun_place = giving->at.place;
	} else if (segment->checked && side->begun_doubtful) {
		hooks->damage(hooks->context, &giving->at, side->begun_place, false);
		begin_anew(giving->at.connection, giving->at.side, segment, tcp);
	}
}

/* Bytes of `side` had come to the other one before they came again. */
static void note_needless(struct rda_iwarp_half *side, uint32_t begin, uint32_t end)
{
	unsigned count = begin == end ? 0 : MIN(side->repeated_count, RDA_IWARP_REPEATED);

	for (unsigned i = 0; i < count; i++) {
		struct rda_tcp_block *r = &side->repeated[i];

		if (r->begin == r->end || (int32_t)(r->begin - begin) < 0 ||
		    (int32_t)(end - r->end) < 0)
			continue;
		side->needless++;
		rda_tcp_stall_needless(&side->stall, r->begin, r->end);
		r->end = r->begin;
	}
}

/* What a segment with data was, once the stream has it: `before` is what the stream was before. */
static void note_sent(struct rda_iwarp_half *side, const struct rda_stream *before,
		      const struct rda_segment *segment)
{
	const struct rda_stream *s = &side->stream;
	uint32_t begin = segment->sequence + segment->syn, end = begin + segment->length;
	bool repeats = s->retransmitted > before->retransmitted;

	if (s->segments == before->segments)
		return;
	if (repeats)
		side->repeated[side->repeated_count++ % RDA_IWARP_REPEATED] =
			(struct rda_tcp_block){begin, end};
	rda_tcp_stall_sent(&side->stall, &(struct rda_tcp_sent){
						 .begin = begin,
						 .end = end,
						 .ip_id = segment->ip_id,
						 .again = (repeats || s->late > before->late) &&
							  (int32_t)(end - (uint32_t)s->acked) > 0,
						 .ordered = rda_tcp_order_is_known(&s->order),
						 .time_ns = segment->time_ns,
					 });
}

/* Whatever `side` says to have got of the other's bytes. */
static void take_acknowledgment(struct giving *of, const struct rda_segment *segment,
				uint32_t acknowledgment)
{
	struct rda_iwarp_half *half = &of->at.connection->sides[of->at.side];
	int64_t acked = half->stream.acked;

	rda_stream_acknowledged(&half->stream, acknowledgment, take_piece, of);
	if (half->stream.acked > acked)
		rda_tcp_stall_acknowledged(&half->stall, segment->time_ns);
	note_needless(half, segment->had_begin, segment->had_end);
}

static void give(struct rda_iwarp *iw, struct giving *giving, struct rda_segment *segment,
		 enum rda_tcp_check check, const struct rda_packet *packet)
{
	struct rda_iwarp_connection *c = giving->at.connection;
	struct rda_iwarp_half *side = &c->sides[giving->at.side];
	struct giving other = *giving;
	struct rda_stream before;

	giving->at.damaged = rda_checksums_take(&side->checksums, check, segment);
	rda_checksums_note_fin(&side->checksums, segment, &packet->tcp);
	if (!side->flow)
		side->flow = flow_of(iw, c, giving->at.side, giving->at.meta);
	if (!side->first_place)
		side->first_place = giving->at.place;
	if (giving->at.damaged) {
		rda_stream_damaged(&side->stream, segment);
		tell_damage(giving, giving->at.side);
		iw->hooks.segment(iw->hooks.context, &giving->at);
		return;
	}
	note_start(giving, segment, &packet->tcp);
	if (is_mirrored(side, segment)) {
		iw->hooks.segment(iw->hooks.context, &giving->at);
		return;
	}
	other.at.side = 1 - giving->at.side;
	if (packet->tcp.ack) /* nothing comes of it before there is a flow */
		take_acknowledgment(&other, segment, packet->tcp.acknowledgment);
	rda_checksums_note(&side->checksums, segment, &packet->tcp);
	note_syn(side, &packet->tcp);
	before = side->stream;
	rda_stream_segment(&side->stream, segment, take_piece, giving);
	note_sent(side, &before, segment);
	for (unsigned i = 0; i < 2; i++)
		tell_damage(giving, i);
	iw->hooks.segment(iw->hooks.context, &giving->at);
}

static struct rda_iwarp_connection *connect(struct rda_iwarp *iw, const struct rda_iwarp_key *key,
					    const struct rda_iwarp_detected *detected)
{
	struct rda_iwarp_connection *c;

	if (iw->connections.count >= iw->connections_cap) {
		iw->not_followed++;
		return NULL;
	}
	c = rda_table_get(&iw->connections, key, NULL);
	begin_sides(iw, c);
	for (unsigned i = 0; i < 2 && !detected->from_start; i++)
		rda_mpa_join(&c->sides[i].mpa,
			     detected->first[i].known ? &detected->first[i].sequence : NULL);
	return c;
}

/* What a candidate kept of the time before it was known. */
static void give_kept(struct rda_iwarp *iw, struct rda_iwarp_at *at, struct rda_iwarp_kept *kept,
		      unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct rda_meta meta = {.time_ns = kept[i].segment.time_ns,
					.number = rda_place_number(kept[i].segment.place),
					.tap = at->meta->tap};
		struct rda_packet packet = *at->packet; /* of the same connection, and kind */
		struct giving giving = {iw, *at};

		packet.tcp = kept[i].tcp;
		packet.payload_length = kept[i].segment.length;
		packet.ip_id = kept[i].segment.ip_id;
		giving.at.packet = &packet;
		giving.at.meta = &meta;
		giving.at.place = kept[i].segment.place;
		giving.at.side = kept[i].side;
		give(iw, &giving, &kept[i].segment, kept[i].check, &packet);
	}
}

/* Nothing comes of either side any more. */
static void end_sides(struct rda_iwarp *iw, struct rda_iwarp_connection *c,
		      const struct rda_meta *meta)
{
	for (unsigned side = 0; side < 2; side++) {
		struct giving giving = {iw, {.meta = meta, .connection = c, .side = side}};

		rda_stream_end(&c->sides[side].stream, take_piece, &giving);
		tell_damage(&giving, side);
		if (iw->hooks.unfinished && rda_mpa_is_inside(&c->sides[side].mpa))
			iw->hooks.unfinished(iw->hooks.context, &giving.at);
	}
}

bool rda_iwarp_segment(struct rda_iwarp *iw, struct rda_iwarp_at *at, const struct rda_frame *frame)
{
	const struct rda_packet *packet = at->packet;
	uint32_t captured = frame->captured > packet->payload_offset
				    ? frame->captured - packet->payload_offset
				    : 0;
	struct rda_segment segment = {
		.sequence = packet->tcp.sequence,
		.bytes = frame->bytes + MIN(packet->payload_offset, frame->captured),
		.captured = MIN(captured, packet->payload_length),
		.length = packet->payload_length,
		.syn = packet->tcp.syn,
		.rst = packet->tcp.rst,
		.ip_id = packet->ip_id,
		.time_ns = at->meta->time_ns,
		.place = at->place,
	};
	struct rda_iwarp_detected found;
	struct giving giving;
	struct rda_iwarp_key key;
	struct rda_tcp_block had;

	if (!packet->payload_known)
		return false;
	if (rda_tcp_got_twice(frame, packet, &had)) {
		segment.had_begin = had.begin;
		segment.had_end = had.end;
	}
	at->side = key_of(&key, at->meta, packet);
	at->connection = rda_table_find(&iw->connections, &key);
	if (!at->connection) {
		if (!rda_iwarp_detect(iw, &key, at->side, &segment, frame, packet, &found))
			return false;
		at->connection = connect(iw, &key, &found);
		if (at->connection) {
			begin_by_request(at->connection, at->side, &segment, &packet->tcp);
			give_kept(iw, at, found.kept, found.kept_count);
		}
		rda_iwarp_free_kept(iw, found.kept, found.kept_count);
		if (!at->connection)
			return false;
	} else if (is_reused(at->connection, at->side, packet)) {
		if (at->connection->sides[at->side].flow)
			at->connection->generation++;
		end_sides(iw, at->connection, at->meta);
		begin_sides(iw, at->connection);
	}
	giving = (struct giving){iw, *at};
	give(iw, &giving, &segment, rda_tcp_check(frame, packet), packet);
	at->damaged = giving.at.damaged;
	return true;
}

void rda_iwarp_end(struct rda_iwarp *iw)
{
	for (uint32_t i = 0; i < iw->connections.count; i++) {
		struct rda_iwarp_connection *c = iw->connections.items[i];

		end_sides(iw, c, &(struct rda_meta){.tap = c->key.tap});
	}
}
