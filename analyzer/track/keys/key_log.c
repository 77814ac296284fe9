/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys, kept in order; see key_log.h.
 *
 * A record is its kind, and numbers of 7 bits a byte, the lowest first: most are small, or differ
 * little from those of the record before.
 */
#include "analyzer/track/keys/key_log.h"

#include "analyzer/track/keys/clear_text.h"

#include <glib.h>
#include <string.h>

/* What a record is told from: the one before it. */
struct before {
	uint64_t when, va;
	int64_t psn;
};

struct rda_key_log {
	GByteArray *records;
	struct before base;   /* that the first record is told from */
	struct before latest; /* and the next */
	uint64_t charge;      /* for the records */
	uint64_t uses;	      /* of keys that were kept at latest.when */
	uint64_t cap;
	uint64_t cut;	   /* what is not before this is not kept */
	uint64_t end;	   /* records that are not before this do not count: a packet's are kept all
			      or none */
	uint64_t not_kept; /* uses of keys */
};

struct rda_key_log *rda_key_log_new(uint64_t cap)
{
	struct rda_key_log *log = g_new0(struct rda_key_log, 1);

	log->records = g_byte_array_new();
	log->cap = cap ? cap : RDA_KEY_LOG_MAX;
	log->cut = log->end = UINT64_MAX;
	return log;
}

struct rda_key_log *rda_key_log_copy(const struct rda_key_log *from)
{
	struct rda_key_log *log = g_memdup2(from, sizeof(*from));

	log->records = g_byte_array_sized_new(from->records->len);
	g_byte_array_append(log->records, from->records->data, from->records->len);
	return log;
}

struct rda_key_log *rda_key_log_take(struct rda_key_log *log)
{
	struct rda_key_log *taken = g_memdup2(log, sizeof(*log));

	log->records = g_byte_array_new();
	log->base = log->latest;
	log->charge = log->uses = log->not_kept = 0;
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
	g_byte_array_free(log->records, TRUE);
	g_free(log);
}

uint64_t rda_key_log_not_kept(const struct rda_key_log *log)
{
	return log->not_kept;
}

uint64_t rda_key_log_bytes(const struct rda_key_log *log)
{
	return log->records->len;
}

void rda_key_log_close(struct rda_key_log *log, uint64_t when)
{
	log->cut = MIN(log->cut, when);
}

void rda_key_log_pack(struct rda_pack *pack, struct rda_key_log **log)
{
	guint length = pack->reads ? 0 : (*log)->records->len;

	if (pack->reads)
		*log = rda_key_log_new(0);
	rda_pack_bytes(pack, &(*log)->base, sizeof((*log)->base));
	rda_pack_bytes(pack, &(*log)->latest, sizeof((*log)->latest));
	rda_pack_bytes(pack, &(*log)->charge, sizeof((*log)->charge));
	rda_pack_bytes(pack, &(*log)->uses, sizeof((*log)->uses));
	rda_pack_bytes(pack, &(*log)->cap, sizeof((*log)->cap));
	rda_pack_bytes(pack, &(*log)->cut, sizeof((*log)->cut));
	rda_pack_bytes(pack, &(*log)->end, sizeof((*log)->end));
	rda_pack_bytes(pack, &(*log)->not_kept, sizeof((*log)->not_kept));
	rda_pack_bytes(pack, &length, sizeof(length));
	g_byte_array_set_size((*log)->records, length);
	rda_pack_bytes(pack, (*log)->records->data, length);
}

/* ---- records --------------------------------------------------------------------------------- */

enum { NUMBER_MAX = 10, NUMBERS_MAX = 16 };

/* Writes a number; where the next one goes. */
static inline guint8 *put(guint8 *to, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		*to++ = (guint8)(number | 0x80);
	*to++ = (guint8)number;
	return to;
}

/* Of a small number either way a small one. */
static uint64_t folded(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static uint64_t unfolded(uint64_t number)
{
	return number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
}

/* Bytes of what `more` points to. */
static guint more_of(const struct rda_key_event *event)
{
	if (!event->more)
		return 0;
	switch (event->kind) {
	case RDA_KEY_MESSAGE: return MIN(event->length, RDA_CLEAR_BYTES);
	case RDA_KEY_RIVAL: return sizeof(struct rda_key_rival);
	case RDA_KEY_REFUSED: return sizeof(struct rda_key_change);
	default: return sizeof(struct rda_key_atomic);
	}
}

enum { HAS_MORE = 1, ANSWERS = 2, STAG = 4, USE_SHIFT = 3 };

static void write_event(struct rda_key_log *log, uint64_t when, const struct rda_key_event *event)
{
	struct before *before = &log->latest;
	guint8 bytes[NUMBER_MAX * NUMBERS_MAX], *to = bytes;

	to = put(to, event->kind);
	to = put(to, when - before->when);
	to = put(to, event->responder);
	to = put(to, (event->more ? HAS_MORE : 0u) | (event->answers ? ANSWERS : 0u) |
			     (event->stag ? STAG : 0u) | (unsigned)event->use << USE_SHIFT);
	to = put(to, folded(when - event->place));
	to = put(to, folded(when - event->asked_place));
	to = put(to, folded(event->va - before->va));
	to = put(to, folded((uint64_t)event->psn - (uint64_t)before->psn));
	to = put(to, event->flow);
	to = put(to, event->peer + 1u); /* none: 0 */
	to = put(to, event->requester);
	to = put(to, event->tap);
	to = put(to, event->key);
	to = put(to, event->kind == RDA_KEY_MESSAGE ? more_of(event) : event->length);
	to = put(to, event->other);
	to = put(to, event->syndrome);
	*before = (struct before){when, event->va, event->psn};
	g_byte_array_append(log->records, bytes, (guint)(to - bytes));
	if (event->more)
		g_byte_array_append(log->records, event->more, more_of(event));
}

/* Most records are such ones. */
static void write_data(struct rda_key_log *log, uint64_t when, uint32_t host)
{
	guint8 bytes[NUMBER_MAX * NUMBERS_MAX], *to = bytes;

	to = put(to, RDA_KEY_DATA);
	to = put(to, when - log->latest.when);
	to = put(to, host);
	log->latest.when = when;
	g_byte_array_append(log->records, bytes, (guint)(to - bytes));
}

/* Goes through a log. */
struct reader {
	const guint8 *at, *end;
	uint64_t limit;	      /* rda_key_log.end */
	struct before before; /* the record at hand, too */
	struct rda_key_event event;
	union {
		struct rda_key_rival rival;
		struct rda_key_change change;
		struct rda_key_atomic atomic;
	};
};

static uint64_t get(struct reader *r)
{
	uint64_t number = 0;
	unsigned shift = 0;
	guint8 byte;

	do {
		byte = *r->at++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return number;
}

/* What comes behind the numbers: bytes where they are, others where they are aligned. */
static void read_more(struct reader *r)
{
	const guint8 *bytes = r->at;
	guint length;

	r->event.more = bytes;
	length = more_of(&r->event);
	if (r->event.kind != RDA_KEY_MESSAGE) {
		memcpy(&r->rival, bytes, length);
		r->event.more = &r->rival;
	}
	r->at += length;
}

static void read_rest(struct reader *r)
{
	struct rda_key_event *event = &r->event;
	struct before *before = &r->before;
	unsigned flags = (unsigned)get(r);

	event->answers = flags & ANSWERS;
	event->stag = flags & STAG;
	event->use = (uint8_t)(flags >> USE_SHIFT);
	event->place = before->when - unfolded(get(r));
	event->asked_place = before->when - unfolded(get(r));
	event->va = before->va += unfolded(get(r));
	event->psn = before->psn = (int64_t)((uint64_t)before->psn + unfolded(get(r)));
	event->flow = (uint32_t)get(r);
	event->peer = (uint32_t)get(r) - 1;
	event->requester = (uint32_t)get(r);
	event->tap = (uint32_t)get(r);
	event->key = (uint32_t)get(r);
	event->length = (uint32_t)get(r);
	event->other = (uint32_t)get(r);
	event->syndrome = (uint8_t)get(r);
	event->more = NULL;
	if (flags & HAS_MORE)
		read_more(r);
}

/* The next event; false: there is none. Of data no more is told than when and to whom. */
static inline bool read_event(struct reader *r)
{
	struct rda_key_event *event = &r->event;
	uint8_t kind;

	if (r->at == r->end)
		return false;
	kind = (uint8_t)get(r);
	if (kind == RDA_KEY_DATA && event->kind != kind)
		memset(event, 0, sizeof(*event));
	event->kind = kind;
	event->place = r->before.when += get(r);
	event->responder = (uint32_t)get(r);
	if (r->before.when >= r->limit)
		return false;
	if (event->kind != RDA_KEY_DATA)
		read_rest(r);
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
	if (when != log->latest.when)
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

	when = MAX(when, log->latest.when);
	if (event->kind == RDA_KEY_DATA)
		rda_key_log_data(log, when, event->responder);
	else if (is_kept(log, when, RDA_KEY_LOG_EVENT + more_of(event), use))
		write_event(log, when, event);
}

void rda_key_log_data(struct rda_key_log *log, uint64_t when, uint32_t host)
{
	when = MAX(when, log->latest.when);
	if (is_kept(log, when, RDA_KEY_LOG_DATA, false))
		write_data(log, when, host);
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
		.at = log->records->len ? log->records->data : NULL,
		.end = log->records->len ? log->records->data + log->records->len : NULL,
		.limit = log->end,
		.before = log->base,
	};
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
		unsigned i =
			!more[0] || (more[1] && readers[1].before.when < readers[0].before.when);

		move(&readers[i].event, i ? map_b : map_a);
		rda_key_log_event(log, readers[i].before.when, &readers[i].event);
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
		if (more[i] &&
		    (next == count || readers[i].before.when < readers[next].before.when))
			next = i;
	return next;
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
		more[i] = read_event(&readers[i]);
	}
	while ((i = next_of(readers, more, count)) < count) {
		const struct rda_key_event *event = &readers[i].event;

		move(&readers[i].event, &maps[i]);
		if (event->kind == RDA_KEY_DATA) /* nearly all; no check looks at it */
			rda_key_ledger_data(ledger, event->responder, event->place);
		else
			tell(event, ledger, heard, context);
		more[i] = read_event(&readers[i]);
	}
	g_free(readers);
	g_free(more);
}
