/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Streams that carry such lines, from the first line on. A segment of any other costs one look at
 * its length, and one into the table of streams once there are some.
 */
#include "analyzer/track/setup/state.h"

#include "analyzer/track/setup/exchange_text.h"

#include <glib.h>
#include <string.h>

/* A TCP connection, the lower end first. */
struct stream_key {
	struct rda_address addresses[2];
	uint16_t ports[2];
	uint32_t tap;
};

/* What one end told. */
struct teller {
	uint32_t next;		 /* sequence number behind its latest segment */
	bool begun;		 /* `next` is valid */
	bool expected;		 /* it is, by what the other end acknowledged */
	bool broken;		 /* a segment is missing: what it told since has no number */
	GArray *lines;		 /* struct line, in order; NULL before the first */
	struct rda_address host; /* of its segments */
};

struct line {
	struct rda_told told;
	int64_t time_ns;
	uint64_t place;
};

struct stream {
	struct stream_key key; /* first: the table's key */
	uint32_t number;
	struct teller tellers[2]; /* as in the key */
};

struct told_key {
	uint32_t stream, teller, qpn, psn;
};

struct told {
	struct told_key key; /* first: the table's key; there is nothing else to say */
};

struct rda_exchanges *rda_exchanges_new(uint64_t seed)
{
	struct rda_exchanges *exchanges = g_new0(struct rda_exchanges, 1);

	rda_table_init(&exchanges->streams, sizeof(struct stream_key), sizeof(struct stream), seed);
	rda_table_init(&exchanges->told, sizeof(struct told_key), sizeof(struct told), seed);
	return exchanges;
}

static void cleanup_stream(void *item)
{
	struct stream *stream = item;

	for (unsigned i = 0; i < 2; i++)
		if (stream->tellers[i].lines)
			g_array_free(stream->tellers[i].lines, TRUE);
}

void rda_exchanges_free(struct rda_exchanges *exchanges)
{
	rda_table_cleanup(&exchanges->streams, cleanup_stream);
	rda_table_cleanup(&exchanges->told, NULL);
	g_free(exchanges);
}

/* The stream's key, and which of its ends sent the segment. */
static unsigned key_of(struct stream_key *key, const struct rda_meta *meta,
		       const struct rda_packet *packet)
{
	int order = memcmp(&packet->source, &packet->destination, sizeof(packet->source));
	unsigned source;

	if (order == 0)
		order = (int)packet->tcp.source_port - (int)packet->tcp.destination_port;
	source = order > 0;
	memset(key, 0, sizeof(*key)); /* padding too: keys are compared as bytes */
	memcpy(&key->addresses[source], &packet->source, sizeof(packet->source));
	memcpy(&key->addresses[!source], &packet->destination, sizeof(packet->destination));
	key->ports[source] = packet->tcp.source_port;
	key->ports[!source] = packet->tcp.destination_port;
	key->tap = meta->tap;
	return source;
}

/* Follows the sequence numbers; false when the segment was seen before. */
static bool is_next(struct teller *teller, const struct rda_packet *packet)
{
	uint32_t sequence = packet->tcp.sequence;
	bool known = teller->begun || teller->expected;
	int32_t ahead = known ? (int32_t)(sequence - teller->next) : 0;

	if (ahead < 0 && teller->begun)
		return false;
	teller->broken |= ahead > 0;
	teller->begun = true;
	teller->next = sequence + packet->payload_length;
	return true;
}

/* One side of a pair, as its own line says. */
static struct rda_cm_said said_by(const struct teller *teller, const struct line *line)
{
	return (struct rda_cm_said){
		.address = line->told.address.kind ? line->told.address : teller->host,
		.qpn = line->told.qpn,
		.first_psn = line->told.psn,
		.resources = line->told.reads,
		.key = line->told.key,
		.va = line->told.va,
		.time_ns = line->time_ns,
		.place = line->place,
	};
}

/* A new line of a teller: if the other one has said as much, the two are a pair. */
static bool tell(const struct stream *stream, unsigned from, struct rda_cm_said said[2])
{
	const struct teller *here = &stream->tellers[from], *there = &stream->tellers[!from];
	guint index = here->lines->len - 1;

	if (here->broken || there->broken || !there->lines || there->lines->len <= index)
		return false;
	said[0] = said_by(there, &g_array_index(there->lines, struct line, index));
	said[1] = said_by(here, &g_array_index(here->lines, struct line, index));
	return true;
}

/* Whether the end told this QP before in this stream; from now on it did. */
static bool is_repeated(struct rda_exchanges *exchanges, const struct stream *stream, unsigned from,
			const struct rda_told *told)
{
	const struct told_key key = {stream->number, from, told->qpn, told->psn};
	bool made;

	rda_table_get(&exchanges->told, &key, &made);
	return !made;
}

/* The line in a segment that was captured whole. */
static bool read_line(const struct rda_frame *frame, const struct rda_packet *packet,
		      struct rda_told *told)
{
	return packet->payload_length <= RDA_EXCHANGE_TEXT_MAX &&
	       frame->captured >= packet->payload_offset + packet->payload_length &&
	       rda_exchange_read(frame->bytes + packet->payload_offset, packet->payload_length,
				 told);
}

/*
 * The client is the first to tell. When it is the server, the capture began between the two, and
 * their lines would be counted from different ones. The client's port is the higher one, as a rule.
 * The client has read all that the server said before, and acknowledges it: where the server's
 * next segment begins behind that, a line of it is missing.
 */
static struct stream *new_stream(struct rda_exchanges *exchanges, const struct stream_key *key,
				 unsigned from, const struct rda_tcp *tcp)
{
	struct stream *stream = rda_table_get(&exchanges->streams, key, NULL);

	stream->number = exchanges->streams.count - 1;
	stream->tellers[from].broken = key->ports[from] < key->ports[!from];
	stream->tellers[!from].expected = tcp->ack;
	stream->tellers[!from].next = tcp->acknowledgment;
	return stream;
}

/* Keeps a line; false when it is no new one. */
static bool keep(struct rda_exchanges *exchanges, const struct stream *stream,
		 struct teller *teller, const struct line *line)
{
	if (is_repeated(exchanges, stream, teller == &stream->tellers[1], &line->told))
		return false;
	if (!teller->lines)
		teller->lines = g_array_new(FALSE, FALSE, sizeof(*line));
	g_array_append_vals(teller->lines, line, 1);
	return true;
}

bool rda_exchanges_packet(struct rda_exchanges *exchanges, const struct rda_meta *meta,
			  uint64_t place, const struct rda_frame *frame,
			  const struct rda_packet *packet, struct rda_cm_said said[2])
{
	struct line line = {.time_ns = meta->time_ns, .place = place};
	struct stream *stream;
	struct stream_key key;
	unsigned from;
	bool is_line;

	if (!packet->payload_known || !packet->payload_length)
		return false;
	is_line = read_line(frame, packet, &line.told);
	if (!is_line && !exchanges->streams.count)
		return false;
	if (is_line && exchanges->told.count >= RDA_EXCHANGE_LINES_MAX) {
		exchanges->not_kept++;
		is_line = false;
	}
	from = key_of(&key, meta, packet);
	stream = rda_table_find(&exchanges->streams, &key);
	if (!stream && is_line)
		stream = new_stream(exchanges, &key, from, &packet->tcp);
	if (!stream || !is_next(&stream->tellers[from], packet) || !is_line)
		return false;
	stream->tellers[from].host = packet->source;
	if (!keep(exchanges, stream, &stream->tellers[from], &line))
		return false;
	return tell(stream, from, said);
}

uint64_t rda_exchanges_not_kept(const struct rda_exchanges *exchanges)
{
	return exchanges->not_kept;
}
