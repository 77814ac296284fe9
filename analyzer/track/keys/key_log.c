/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys, kept in order; see key_log.h.
 */
#include "analyzer/track/keys/key_log.h"

#include "analyzer/track/keys/clear_text.h"

#include <glib.h>
#include <string.h>

/* The places of data that a host got, each as what it is behind the one before: 7 bits a byte, the
 * lowest first. */
struct data_places {
	GByteArray *steps; /* NULL: none */
	uint64_t last;
};

struct rda_key_log {
	GArray *events;	   /* struct rda_key_event; `va` of MESSAGE is where its bytes begin */
	GByteArray *bytes; /* of messages */
	struct data_places *hosts; /* owned; by rda_host.index */
	uint32_t host_count;
};

struct rda_key_log *rda_key_log_new(void)
{
	struct rda_key_log *log = g_new0(struct rda_key_log, 1);

	log->events = g_array_new(FALSE, FALSE, sizeof(struct rda_key_event));
	log->bytes = g_byte_array_new();
	return log;
}

static void free_places(struct data_places *hosts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (hosts[i].steps)
			g_byte_array_free(hosts[i].steps, TRUE);
	g_free(hosts);
}

void rda_key_log_free(struct rda_key_log *log)
{
	if (!log)
		return;
	g_array_free(log->events, TRUE);
	g_byte_array_free(log->bytes, TRUE);
	free_places(log->hosts, log->host_count);
	g_free(log);
}

/* ---- what comes ------------------------------------------------------------------------------ */

static bool is_end(const struct rda_key_event *event)
{
	return event->kind >= RDA_KEY_UNANSWERED;
}

static const struct rda_key_event *at(const struct rda_key_log *log, guint index)
{
	return &g_array_index(log->events, struct rda_key_event, index);
}

/* Behind the last event; the bytes of a message are copied. */
static void append(struct rda_key_log *log, const struct rda_key_event *event)
{
	struct rda_key_event kept = *event;
	uint32_t length = MIN(event->length, RDA_CLEAR_BYTES);

	if (event->kind == RDA_KEY_MESSAGE) {
		kept.va = log->bytes->len;
		kept.length = length;
		g_byte_array_append(log->bytes, event->bytes, length);
	}
	kept.bytes = NULL;
	g_array_append_val(log->events, kept);
}

void rda_key_log_event(struct rda_key_log *log, const struct rda_key_event *event)
{
	struct rda_key_event behind = *event;

	if (log->events->len && !is_end(event))
		behind.place = MAX(event->place, at(log, log->events->len - 1)->place);
	append(log, &behind);
}

static void add_place(struct data_places *host, uint64_t place)
{
	uint64_t step = place - host->last;

	if (!host->steps)
		host->steps = g_byte_array_new();
	do {
		guint8 byte = (guint8)((step & 0x7f) | (step > 0x7f ? 0x80 : 0));

		g_byte_array_append(host->steps, &byte, 1);
		step >>= 7;
	} while (step);
	host->last = place;
}

static struct data_places *host_of(struct rda_key_log *log, uint32_t host)
{
	uint32_t count = log->host_count;

	if (host >= count) {
		log->host_count = MAX(host + 1, 2 * count);
		log->hosts = g_renew(struct data_places, log->hosts, log->host_count);
		memset(log->hosts + count, 0, (log->host_count - count) * sizeof(*log->hosts));
	}
	return &log->hosts[host];
}

void rda_key_log_data(struct rda_key_log *log, uint32_t host, uint64_t place)
{
	struct data_places *places = host_of(log, host);

	if (place != places->last)
		add_place(places, place);
}

/* ---- two logs -------------------------------------------------------------------------------- */

/* Goes through the places of a host. */
struct reader {
	const struct data_places *places;
	guint offset;
	uint64_t next; /* UINT64_MAX: no more */
};

static void advance(struct reader *r)
{
	uint64_t step = 0;
	unsigned shift = 0;
	guint8 byte;

	if (!r->places->steps || r->offset == r->places->steps->len) {
		r->next = UINT64_MAX;
		return;
	}
	do {
		byte = r->places->steps->data[r->offset++];
		step |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	r->next += step;
}

static struct reader reader_of(const struct data_places *places)
{
	struct reader r = {.places = places};

	advance(&r);
	return r;
}

static void merge_places(struct data_places *into, const struct data_places *from)
{
	struct data_places merged = {0};
	struct reader a = reader_of(into), b = reader_of(from);

	while (a.next != UINT64_MAX || b.next != UINT64_MAX) {
		struct reader *first = a.next <= b.next ? &a : &b;

		add_place(&merged, first->next);
		advance(first);
	}
	if (into->steps)
		g_byte_array_free(into->steps, TRUE);
	*into = merged;
}

/* In order of place; those of the end behind all others. */
static bool is_before(const struct rda_key_event *a, const struct rda_key_event *b)
{
	if (is_end(a) || is_end(b))
		return is_end(a) != is_end(b) ? is_end(b) : a->asked_place < b->asked_place;
	return a->place < b->place;
}

static struct rda_key_event mapped(const struct rda_key_log *log, guint index,
				   const struct rda_key_map *map)
{
	struct rda_key_event event = *at(log, index);

	if (map) {
		event.flow = map->flows[event.flow];
		event.requester = map->hosts[event.requester];
		event.responder = map->hosts[event.responder];
		if (event.peer != RDA_KEY_NO_FLOW)
			event.peer = map->flows[event.peer];
	}
	if (event.kind == RDA_KEY_MESSAGE)
		event.bytes = log->bytes->data + event.va;
	return event;
}

void rda_key_log_merge(struct rda_key_log *log, const struct rda_key_log *from,
		       const struct rda_key_map *map)
{
	GArray *before = log->events;
	guint i = 0;

	log->events = g_array_sized_new(FALSE, FALSE, sizeof(struct rda_key_event),
					before->len + from->events->len);
	for (guint j = 0; j < from->events->len; j++) {
		const struct rda_key_event event = mapped(from, j, map);
		const struct rda_key_event *mine = (struct rda_key_event *)(void *)before->data;

		for (; i < before->len && !is_before(&event, &mine[i]); i++)
			g_array_append_val(log->events, mine[i]);
		append(log, &event);
	}
	if (i < before->len)
		g_array_append_vals(log->events, &g_array_index(before, struct rda_key_event, i),
				    before->len - i);
	g_array_free(before, TRUE);
	for (uint32_t host = 0; host < from->host_count; host++)
		if (from->hosts[host].steps)
			merge_places(host_of(log, map ? map->hosts[host] : host),
				     &from->hosts[host]);
}

/* ---- told again ------------------------------------------------------------------------------ */

/* The ledger hears of the data that a host got before the event: as late as it may matter. */
static void catch_up(struct reader *readers, uint32_t count, uint32_t host, uint64_t place,
		     struct rda_key_ledger *ledger)
{
	uint64_t latest = 0;

	if (host >= count)
		return;
	for (; readers[host].next < place; advance(&readers[host]))
		latest = readers[host].next;
	if (latest)
		rda_key_ledger_data(ledger, host, latest);
}

void rda_key_log_replay(const struct rda_key_log *log, struct rda_key_ledger *ledger,
			rda_key_heard *heard, void *context)
{
	struct reader *readers = g_new(struct reader, log->host_count);

	for (uint32_t i = 0; i < log->host_count; i++)
		readers[i] = reader_of(&log->hosts[i]);
	for (guint i = 0; i < log->events->len; i++) {
		struct rda_key_event event = *at(log, i);
		uint64_t until = is_end(&event) ? UINT64_MAX : event.place;
		struct rda_key_news news;

		catch_up(readers, log->host_count, event.requester, until, ledger);
		catch_up(readers, log->host_count, event.responder, until, ledger);
		if (event.kind == RDA_KEY_MESSAGE) {
			event.bytes = log->bytes->data + event.va;
			event.va = 0;
		}
		if (is_end(&event))
			rda_key_ledger_look(ledger, &event, &news);
		else
			rda_key_ledger_take(ledger, &event, &news);
		heard(context, &event, &news);
	}
	g_free(readers);
}
