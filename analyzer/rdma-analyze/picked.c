/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose each frame is, kept as a bit a frame. See picked.h.
 */
#include "analyzer/rdma-analyze/picked.h"

#include "analyzer/base/table.h"
#include "analyzer/track/setup/cm_track.h"

#include <string.h>

/* A TCP connection's two ends, the lower first. */
struct ends {
	struct rda_address low, high;
	uint16_t low_port, high_port;
	uint32_t tap;
};

/* The ports may serve several iWARP connections, one after the other. */
struct life {
	uint64_t begin; /* place of the first frame */
	uint32_t connection;
};

struct stream {
	struct ends ends; /* first: the table's key */
	bool told;	  /* wanted: programs told each other QPs in it */
	GArray *lives;	  /* of struct life, in the order of connections */
};

struct rda_picked {
	struct rda_run *run;
	bool *connections;	   /* that are wanted */
	GHashTable *frames;	   /* that are wanted by name: places, of gint64 */
	struct rda_table streams;  /* struct stream */
	GHashTable *conversations; /* of those wanted: where they became known, of gint64 */
	GHashTable *lines;	   /* that told wanted QPs in clear: places, of gint64 */
	struct rda_cm_track *cm;
	struct rda_packet packet;
	GByteArray *bits; /* by number of frame */
};

/* ---- sets of places -------------------------------------------------------------------------- */

static GHashTable *places_new(void)
{
	return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

/* There is one file, whose frames have their own numbers, at whichever interface. */
static void add_place(GHashTable *places, uint64_t place)
{
	gint64 key = (gint64)rda_place_number(place);

	g_hash_table_add(places, g_memdup2(&key, sizeof(key)));
}

static bool has_place(GHashTable *places, uint64_t place)
{
	gint64 key = (gint64)rda_place_number(place);

	return g_hash_table_contains(places, &key);
}

/* ---- TCP connections ------------------------------------------------------------------------- */

static struct ends ends_of(const struct rda_address *a, uint16_t a_port,
			   const struct rda_address *b, uint16_t b_port, uint32_t tap)
{
	int order = memcmp(a, b, sizeof(*a));
	bool a_first = order ? order < 0 : a_port <= b_port;
	struct ends ends;

	memset(&ends, 0, sizeof(ends)); /* padding too: ends are compared as bytes */
	memcpy(&ends.low, a_first ? a : b, sizeof(ends.low));
	memcpy(&ends.high, a_first ? b : a, sizeof(ends.high));
	ends.low_port = a_first ? a_port : b_port;
	ends.high_port = a_first ? b_port : a_port;
	ends.tap = tap;
	return ends;
}

/* Interfaces that are taps of the same traffic are one. */
static uint32_t tap_of(const struct rda_picked *picked, uint32_t tap)
{
	return rda_run_input(picked->run, 0)->origin.by_interface ? 0 : tap;
}

static struct ends ends_of_packet(const struct rda_picked *picked, const struct rda_meta *meta)
{
	const struct rda_packet *packet = &picked->packet;

	return ends_of(&packet->source, packet->tcp.source_port, &packet->destination,
		       packet->tcp.destination_port, tap_of(picked, meta->tap));
}

static void cleanup_stream(void *stream)
{
	g_array_unref(((struct stream *)stream)->lives);
}

static struct stream *stream_of(struct rda_picked *picked, const struct ends *ends)
{
	bool made;
	struct stream *stream = rda_table_get(&picked->streams, ends, &made);

	if (made)
		stream->lives = g_array_new(FALSE, FALSE, sizeof(struct life));
	return stream;
}

static void add_iwarp(struct rda_picked *picked, const struct rda_connection_facts *connection)
{
	const struct rda_endpoint *a = &connection->endpoints[0], *b = &connection->endpoints[1];
	struct life life = {UINT64_MAX, connection->id};
	uint32_t tap = 0;
	struct ends ends;

	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow =
			rda_result_flow(picked->run->result, connection, side);

		if (!flow)
			continue;
		tap = tap_of(picked, flow->key.tap);
		life.begin = MIN(life.begin, rda_place_number(flow->first_place));
	}
	ends = ends_of(&a->address, (uint16_t)a->port, &b->address, (uint16_t)b->port, tap);
	g_array_append_val(stream_of(picked, &ends)->lives, life);
}

/* The latest that had begun; a segment before the first is of that. */
static int64_t connection_at(const struct stream *stream, uint64_t place)
{
	int64_t found = -1;

	for (guint i = 0; i < stream->lives->len; i++) {
		const struct life *life = &g_array_index(stream->lives, struct life, i);

		if (found < 0 || life->begin <= place)
			found = life->connection;
	}
	return found;
}

/* ---- what is wanted -------------------------------------------------------------------------- */

struct rda_picked *rda_picked_new(struct rda_run *run)
{
	struct rda_picked *picked = g_new0(struct rda_picked, 1);
	unsigned count = rda_result_connection_count(run->result);

	picked->run = run;
	picked->connections = g_new0(bool, count + 1);
	picked->frames = places_new();
	picked->conversations = places_new();
	picked->lines = places_new();
	rda_table_init(&picked->streams, sizeof(struct ends), sizeof(struct stream),
		       run->config.hash_seed);
	picked->bits = g_byte_array_new();
	for (unsigned i = 0; i < count; i++) {
		const struct rda_connection_facts *connection =
			rda_result_connection(run->result, i);

		if (connection->carrier == RDA_CARRIER_IWARP)
			add_iwarp(picked, connection);
	}
	return picked;
}

void rda_picked_free(struct rda_picked *picked)
{
	g_free(picked->connections);
	g_hash_table_unref(picked->frames);
	g_hash_table_unref(picked->conversations);
	g_hash_table_unref(picked->lines);
	rda_table_cleanup(&picked->streams, cleanup_stream);
	g_byte_array_unref(picked->bits);
	g_free(picked);
}

void rda_picked_connection(struct rda_picked *picked, uint32_t connection)
{
	picked->connections[connection] = true;
}

void rda_picked_frame(struct rda_picked *picked, uint64_t place)
{
	add_place(picked->frames, place);
}

/* ---- whose frames are ------------------------------------------------------------------------ */

/* A connection is told as one tap saw it; its packets at other interfaces are its own too. */
static int64_t connection_at_any(const struct rda_picked *picked, unsigned input,
				 const struct rda_meta *meta, const struct rda_frame *frame)
{
	int64_t found = rda_result_verdict(picked->run->result, input, meta, frame, &picked->packet)
				.connection;

	for (unsigned i = 0; found < 0 && i < rda_run_input_count(picked->run); i++) {
		struct rda_meta there = *meta;

		there.tap = rda_run_input(picked->run, i)->origin.interface;
		found = rda_result_verdict(picked->run->result, i, &there, frame, &picked->packet)
				.connection;
	}
	return found;
}

/* -1: of none. The packet of `picked` is the frame's. */
static int64_t connection_of(const struct rda_picked *picked, unsigned input,
			     const struct rda_meta *meta, const struct rda_frame *frame)
{
	const struct rda_packet *packet = &picked->packet;
	const struct stream *stream;
	struct ends ends;

	if (!rda_has(packet, TCP) && rda_run_input(picked->run, 0)->origin.by_interface)
		return connection_at_any(picked, input, meta, frame);
	if (!rda_has(packet, TCP))
		return rda_result_verdict(picked->run->result, 0, meta, frame, packet).connection;
	ends = ends_of_packet(picked, meta);
	stream = rda_table_find(&picked->streams, &ends);
	return stream ? connection_at(stream, meta->number) : -1;
}

static bool take_named(void *context, unsigned input, const struct rda_meta *meta,
		       const struct rda_frame *frame)
{
	struct rda_picked *picked = context;
	int64_t connection;

	if (!has_place(picked->frames, meta->number))
		return true;
	rda_dissect(&picked->packet, frame, &picked->run->config.dissect);
	connection = connection_of(picked, input, meta, frame);
	if (connection >= 0)
		picked->connections[connection] = true;
	return true;
}

static bool take_line(void *context, unsigned input, const struct rda_meta *meta,
		      const struct rda_frame *frame)
{
	struct rda_picked *picked = context;
	struct ends ends;

	(void)input; /* there is one */
	if (!has_place(picked->lines, meta->number))
		return true;
	rda_dissect(&picked->packet, frame, &picked->run->config.dissect);
	ends = ends_of_packet(picked, meta);
	if (rda_has(&picked->packet, TCP))
		stream_of(picked, &ends)->told = true;
	return true;
}

/* What set up the connections that are wanted. */
static void want_conversations(struct rda_picked *picked)
{
	const struct rda_result *result = picked->run->result;

	for (unsigned i = 0; i < rda_result_connection_count(result) * 2; i++) {
		const struct rda_flow_facts *flow =
			rda_result_flow(result, rda_result_connection(result, i / 2), i % 2);
		const struct rda_cm_pair *said;

		if (!picked->connections[i / 2] || !flow || flow->conversation < 0)
			continue;
		said = &rda_result_conversation(result, (unsigned)flow->conversation)->said;
		if (said->by == RDA_PAIRED_BY_CM) {
			add_place(picked->conversations, said->place);
		} else {
			add_place(picked->lines, said->req.first_place);
			add_place(picked->lines, said->rep.first_place);
		}
	}
}

/* Whether it is a message of a conversation that is wanted. */
static bool sets_up(struct rda_picked *picked, const struct rda_meta *meta,
		    const struct rda_frame *frame)
{
	struct rda_cm_step step = {.pair = NULL};
	struct rda_meta at = *meta;

	at.tap = tap_of(picked, meta->tap);
	return rda_cm_track_packet(picked->cm, &at, meta->number, frame, &picked->packet, &step) &&
	       step.pair && has_place(picked->conversations, step.pair->place);
}

static bool is_told(const struct rda_picked *picked, const struct rda_meta *meta)
{
	struct ends ends = ends_of_packet(picked, meta);
	const struct stream *stream = rda_table_find(&picked->streams, &ends);

	return stream && stream->told;
}

static bool take_frame(void *context, unsigned input, const struct rda_meta *meta,
		       const struct rda_frame *frame)
{
	struct rda_picked *picked = context;
	guint at = (guint)(meta->number / 8);
	int64_t connection;
	bool wanted;

	rda_dissect(&picked->packet, frame, &picked->run->config.dissect);
	connection = connection_of(picked, input, meta, frame);
	wanted = connection >= 0 && picked->connections[connection];
	wanted |= has_place(picked->frames, meta->number);
	wanted |= sets_up(picked, meta, frame);
	wanted |= rda_has(&picked->packet, TCP) && is_told(picked, meta);
	while (picked->bits->len <= at)
		g_byte_array_append(picked->bits, &(guint8){0}, 1);
	if (wanted)
		picked->bits->data[at] |= (guint8)(1u << meta->number % 8);
	return true;
}

/* A conversation that is told as one interface saw it may have passed another one before: it is
 * wanted by the place where it became known there. */
static bool take_conversation(void *context, unsigned input, const struct rda_meta *meta,
			      const struct rda_frame *frame)
{
	struct rda_picked *picked = context;
	struct rda_cm_step step = {.pair = NULL};
	struct rda_meta at = *meta;

	(void)input;
	at.tap = 0;
	rda_dissect(&picked->packet, frame, &picked->run->config.dissect);
	if (rda_cm_track_packet(picked->cm, &at, meta->number, frame, &picked->packet, &step) &&
	    step.pair && has_place(picked->conversations, meta->number))
		add_place(picked->conversations, step.pair->place);
	return true;
}

void rda_picked_find(struct rda_picked *picked)
{
	if (g_hash_table_size(picked->frames))
		rda_run_again_as_filed(picked->run, take_named, picked);
	want_conversations(picked);
	if (g_hash_table_size(picked->lines))
		rda_run_again_as_filed(picked->run, take_line, picked);
	if (rda_run_input(picked->run, 0)->origin.by_interface) {
		picked->cm = rda_cm_track_new(0);
		rda_run_again_as_filed(picked->run, take_conversation, picked);
		rda_cm_track_free(picked->cm);
	}
	picked->cm = rda_cm_track_new(0); /* the order of its tables does not show */
	rda_run_again_as_filed(picked->run, take_frame, picked);
	rda_cm_track_free(picked->cm);
}

bool rda_picked_has(const struct rda_picked *picked, uint64_t number)
{
	return number / 8 < picked->bits->len && picked->bits->data[number / 8] >> number % 8 & 1;
}
