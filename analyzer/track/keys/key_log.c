/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys, kept in order; see key_log.h.
 *
 * Nearly all is data, of which no more is kept than when it came and to whom, and which nobody asks
 * for before the next other event. So data is apart, that of frames in a row to one host in one
 * record, and each other event tells how many such records came before:
 *
 *     data     3 A, 2 of them | 6 B | 9 A | 12 B ...
 *     events   1: ASKED 5 ... | 2: WORKED 10 ...
 *
 * Numbers are small, or differ little from those of the record before.
 */
#include "analyzer/track/keys/key_log.h"

#include "analyzer/track/keys/event_record.h"
#include "analyzer/track/keys/key_records.h"

#include <glib.h>
#include <string.h>

/* What a record is told from: the one before it, of events and of data. */
struct before {
	struct rda_key_before event;
	uint64_t data_when;
};

struct rda_key_log {
	struct rda_key_records events, data;
	struct before base;   /* that the first record is told from */
	struct before latest; /* and the next */
	uint64_t when;	      /* of the latest record */
	uint64_t since;	      /* records of data behind the latest event */
	uint32_t run_host;    /* whom the latest data went to */
	uint32_t run_room;    /* so many more frames in a row fit into its record */
	uint64_t charge;      /* for the records */
	uint64_t uses;	      /* of keys that were kept at `when` */
	uint64_t cap;
	uint64_t cut;	   /* what is not before this is not kept */
	uint64_t end;	   /* records from here on do not count: a packet's are kept all or none */
	uint64_t not_kept; /* uses of keys */
};

struct rda_key_log *rda_key_log_new(uint64_t cap)
{
	struct rda_key_log *log = g_new0(struct rda_key_log, 1);

	log->cap = cap ? cap : RDA_KEY_LOG_MAX;
	log->cut = log->end = UINT64_MAX;
	return log;
}

struct rda_key_log *rda_key_log_copy(const struct rda_key_log *from)
{
	struct rda_key_log *log = g_memdup2(from, sizeof(*from));

	rda_key_records_copy(&log->events);
	rda_key_records_copy(&log->data);
	return log;
}

struct rda_key_log *rda_key_log_take(struct rda_key_log *log)
{
	struct rda_key_log *taken = g_memdup2(log, sizeof(*log));

	rda_key_records_begin(&log->events);
	rda_key_records_begin(&log->data);
	log->base = log->latest;
	log->since = log->charge = log->uses = log->not_kept = log->run_room = 0;
	return taken;
}

struct rda_key_log *rda_key_log_of_nothing(uint64_t uses)
{
	struct rda_key_log *log = rda_key_log_new(0);

	log->cut = 0;
	log->not_kept = uses;
	return log;
}

void rda_key_log_free(struct rda_key_log *log)
{
	if (!log)
		return;
	g_free(log->events.bytes);
	g_free(log->data.bytes);
	g_free(log);
}

uint64_t rda_key_log_not_kept(const struct rda_key_log *log)
{
	return log->not_kept;
}

uint64_t rda_key_log_bytes(const struct rda_key_log *log)
{
	return log->events.length + log->data.length;
}

void rda_key_log_close(struct rda_key_log *log, uint64_t when)
{
	log->cut = MIN(log->cut, when);
}

void rda_key_log_pack(struct rda_pack *pack, struct rda_key_log **log)
{
	if (pack->reads)
		*log = rda_key_log_new(0);
	rda_pack_bytes(pack, &(*log)->base, sizeof((*log)->base));
	rda_pack_bytes(pack, &(*log)->latest, sizeof((*log)->latest));
	rda_pack_bytes(pack, &(*log)->when, sizeof((*log)->when));
	rda_pack_bytes(pack, &(*log)->since, sizeof((*log)->since));
	rda_pack_bytes(pack, &(*log)->charge, sizeof((*log)->charge));
	rda_pack_bytes(pack, &(*log)->uses, sizeof((*log)->uses));
	rda_pack_bytes(pack, &(*log)->cap, sizeof((*log)->cap));
	rda_pack_bytes(pack, &(*log)->cut, sizeof((*log)->cut));
	rda_pack_bytes(pack, &(*log)->end, sizeof((*log)->end));
	rda_pack_bytes(pack, &(*log)->not_kept, sizeof((*log)->not_kept));
	rda_key_records_pack(pack, &(*log)->events);
	rda_key_records_pack(pack, &(*log)->data);
}

/* ---- records --------------------------------------------------------------------------------- */

enum { DATA_NUMBERS = 2, RUN_MAX = 255 };

static void write_event(struct rda_key_log *log, uint64_t when, const struct rda_key_event *event)
{
	guint8 *to = rda_key_records_room(&log->events, RDA_KEY_NUMBER + rda_key_event_room(event));

	to = rda_key_put(to, log->since);
	to = rda_key_event_put(to, when, event, &log->latest.event);
	log->events.length = (size_t)(to - log->events.bytes);
	log->since = log->run_room = 0;
	log->when = when;
}

/* Most records are such ones: the first frame, the host, how many frames. */
static void write_data(struct rda_key_log *log, uint64_t when, uint32_t host)
{
	guint8 *to = rda_key_records_room(&log->data, RDA_KEY_NUMBER * DATA_NUMBERS + 1);

	to = rda_key_put(to, when - log->latest.data_when);
	to = rda_key_put(to, host);
	*to++ = 1;
	log->run_host = host;
	log->run_room = RUN_MAX - 1;
	log->data.length = (size_t)(to - log->data.bytes);
	log->latest.data_when = log->when = when;
	log->since++;
}

/* Goes through a log. */
struct reader {
	const guint8 *at, *end, *data_at, *data_end;
	uint64_t limit;	      /* rda_key_log.end */
	uint64_t when;	      /* of the record at hand */
	struct before before; /* of events the record at hand, too */
	uint64_t data_when;   /* of the next data; NO_DATA: there is none */
	uint64_t data_last;   /* of its record */
	uint32_t data_host;   /* and to whom it came */
	uint64_t due;	      /* records of data that come before the next event */
	struct rda_key_event event;
	union rda_key_more more;
};

#define NO_DATA UINT64_MAX

static inline void next_data(struct reader *r)
{
	r->data_when = NO_DATA;
	if (r->data_at == r->data_end)
		return;
	r->data_when = r->before.data_when + rda_key_get(&r->data_at);
	r->data_host = (uint32_t)rda_key_get(&r->data_at);
	r->before.data_when = r->data_when + *r->data_at++ - 1;
	r->data_last = MIN(r->before.data_when, r->limit - 1);
	if (r->data_when >= r->limit)
		r->data_when = NO_DATA;
}

/* Behind the last event all data is due. */
static void read_due(struct reader *r)
{
	r->due = r->at == r->end ? UINT64_MAX : rda_key_get(&r->at);
}

/* The next event but data; false: there is none. */
static bool read_other(struct reader *r)
{
	if (r->at == r->end)
		return false;
	rda_key_event_get(&r->at, &r->event, &r->more, &r->before.event);
	r->when = r->before.event.when;
	return r->when < r->limit;
}

/* The next event; false: there is none. Of data no more is told than when and to whom. */
static bool read_event(struct reader *r)
{
	if (r->due && r->data_when != NO_DATA) {
		r->event = (struct rda_key_event){
			.kind = RDA_KEY_DATA, .place = r->data_when, .responder = r->data_host};
		r->when = r->data_when;
		if (r->data_when++ == r->data_last) {
			r->due--;
			next_data(r);
		}
		return true;
	}
	if (!read_other(r))
		return false;
	read_due(r);
	return true;
}

/* ---- what comes ------------------------------------------------------------------------------ */

/* Whether a record is kept that `charge` is for; one of another packet begins where `when` is new.
 */
static inline bool is_kept(struct rda_key_log *log, uint64_t when, uint64_t charge, bool use)
{
	if (when >= log->cut) {
		log->not_kept += use;
		return false;
	}
	if (when != log->when)
		log->uses = 0;
	log->uses += use;
	log->charge += charge;
	if (log->charge > log->cap) { /* nor are those of the same packet */
		log->cut = log->end = when;
		log->not_kept += log->uses;
		return false;
	}
	return true;
}

void rda_key_log_event(struct rda_key_log *log, uint64_t when, const struct rda_key_event *event)
{
	bool use = event->kind == RDA_KEY_ASKED && event->use != RDA_KEY_USE_INVALIDATE;

	when = MAX(when, log->when);
	if (event->kind == RDA_KEY_DATA)
		rda_key_log_data(log, when, event->responder);
	else if (is_kept(log, when, RDA_KEY_LOG_EVENT + rda_key_event_more(event), use))
		write_event(log, when, event);
}

void rda_key_log_data(struct rda_key_log *log, uint64_t when, uint32_t host)
{
	when = MAX(when, log->when);
	if (!is_kept(log, when, RDA_KEY_LOG_DATA, false))
		return;
	if (log->run_room && host == log->run_host && when == log->latest.data_when + 1) {
		log->run_room--;
		log->data.bytes[log->data.length - 1]++;
		log->latest.data_when = log->when = when;
	} else {
		write_data(log, when, host);
	}
}

/* ---- two logs -------------------------------------------------------------------------------- */

static uint32_t flow_in(const struct rda_key_map *map, uint32_t flow)
{
	return map->flows ? map->flows[flow] : flow * map->parts + map->part;
}

static void move(struct rda_key_event *event, const struct rda_key_map *map)
{
	event->responder = map->hosts[event->responder];
	if (event->kind == RDA_KEY_DATA)
		return;
	event->requester = map->hosts[event->requester];
	event->flow = flow_in(map, event->flow);
	if (event->peer != RDA_KEY_NO_FLOW)
		event->peer = flow_in(map, event->peer);
}

static void begin_reading(struct reader *r, const struct rda_key_log *log)
{
	*r = (struct reader){
		.at = log->events.bytes,
		.end = rda_key_records_end(&log->events),
		.data_at = log->data.bytes,
		.data_end = rda_key_records_end(&log->data),
		.limit = log->end,
		.before = log->base,
	};
	read_due(r);
	next_data(r);
}

struct rda_key_log *rda_key_log_merge(const struct rda_key_log *a, const struct rda_key_map *map_a,
				      const struct rda_key_log *b, const struct rda_key_map *map_b)
{
	struct rda_key_log *log = rda_key_log_new(MIN(a->cap, b->cap));
	struct reader readers[2];
	bool more[2];

	begin_reading(&readers[0], a);
	begin_reading(&readers[1], b);
	more[0] = read_event(&readers[0]);
	more[1] = read_event(&readers[1]);
	log->cut = MIN(a->cut, b->cut);
	log->not_kept = a->not_kept + b->not_kept;
	while (more[0] || more[1]) {
		unsigned i = !more[0] || (more[1] && readers[1].when < readers[0].when);

		move(&readers[i].event, i ? map_b : map_a);
		rda_key_log_event(log, readers[i].when, &readers[i].event);
		more[i] = read_event(&readers[i]);
	}
	return log;
}

/* ---- told again ------------------------------------------------------------------------------ */

static void tell(const struct rda_key_event *event, struct rda_key_ledger *ledger,
		 rda_key_heard *heard, void *context)
{
	struct rda_key_news news;

	if (event->kind >= RDA_KEY_UNANSWERED)
		rda_key_ledger_look(ledger, event, &news);
	else
		rda_key_ledger_take(ledger, event, &news);
	heard(context, event, &news);
}

void rda_key_log_replay(const struct rda_key_log *log, struct rda_key_ledger *ledger,
			rda_key_heard *heard, void *context)
{
	struct reader r;

	begin_reading(&r, log);
	while (read_event(&r))
		tell(&r.event, ledger, heard, context);
}

/* The one whose event is next; of equal ones the first. */
static unsigned next_of(const struct reader *readers, const bool *more, unsigned count)
{
	unsigned next = count;

	for (unsigned i = 0; i < count; i++)
		if (more[i] && (next == count || readers[i].when < readers[next].when))
			next = i;
	return next;
}

/* Data of a reader that came before `when`; of a record the latest counts, and there is no frame of
 * others in between. */
static void tell_data(struct reader *r, const struct rda_key_map *map, uint64_t when,
		      struct rda_key_ledger *ledger)
{
	for (; r->data_when < when; next_data(r)) {
		rda_key_ledger_data(ledger, map->hosts[r->data_host], r->data_last);
		r->due--;
	}
}

/* Data that comes before the event that reader `next` is at: its own, and that of others, of which
 * those before it come first of equal ones. */
static void tell_data_before(struct reader *readers, const struct rda_key_map *maps, unsigned count,
			     unsigned next, struct rda_key_ledger *ledger)
{
	struct reader *own = &readers[next];

	for (unsigned i = 0; i < count; i++)
		if (i != next)
			tell_data(&readers[i], &maps[i], own->when + (i < next), ledger);
	for (; own->due && own->data_when != NO_DATA; own->due--) {
		rda_key_ledger_data(ledger, maps[next].hosts[own->data_host], own->data_last);
		next_data(own);
	}
}

void rda_key_log_tell(struct rda_key_log *const *logs, const struct rda_key_map *maps,
		      unsigned count, struct rda_key_ledger *ledger, rda_key_heard *heard,
		      void *context)
{
	struct reader *readers = g_new(struct reader, count);
	bool *more = g_new(bool, count);
	unsigned i;

	for (i = 0; i < count; i++) {
		begin_reading(&readers[i], logs[i]);
		more[i] = read_other(&readers[i]);
	}
	while ((i = next_of(readers, more, count)) < count) {
		tell_data_before(readers, maps, count, i, ledger);
		move(&readers[i].event, &maps[i]);
		tell(&readers[i].event, ledger, heard, context);
		read_due(&readers[i]);
		more[i] = read_other(&readers[i]);
	}
	for (i = 0; i < count; i++)
		tell_data(&readers[i], &maps[i], NO_DATA, ledger);
	g_free(readers);
	g_free(more);
}
