/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of keys is told again as it came; of two logs in order; and up to a limit.
 */
#include "analyzer/track/keys/key_log.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { EVENTS = 300, PARTS = 3, IN_A_ROW = 8, KINDS = RDA_KEY_FAILED + 1, BYTES = 300 };

/* One event, with what its pointer points to. */
struct told {
	uint64_t when;
	struct rda_key_event event;
	uint8_t bytes[BYTES];
	struct rda_key_rival rival;
	struct rda_key_change change;
	struct rda_key_atomic atomic;
	unsigned part;
};

static uint64_t number(GRand *random)
{
	return ((uint64_t)g_rand_int(random) << 32 | g_rand_int(random)) >>
	       g_rand_int_range(random, 0, 64);
}

static void draw_more(struct told *t, GRand *random)
{
	for (unsigned i = 0; i < BYTES; i++)
		t->bytes[i] = (uint8_t)g_rand_int(random);
	t->rival = (struct rda_key_rival){.use = 1, .key = g_rand_int(random)};
	t->rival.now.mac = number(random);
	t->change.place = number(random);
	t->atomic = (struct rda_key_atomic){number(random), number(random), true};
	switch (t->event.kind) {
	case RDA_KEY_MESSAGE:
		t->event.length %= BYTES;
		t->event.bytes = t->bytes;
		break;
	case RDA_KEY_RIVAL: t->event.rival = &t->rival; break;
	case RDA_KEY_REFUSED: t->event.change = g_rand_boolean(random) ? &t->change : NULL; break;
	case RDA_KEY_ASKED:
		t->event.atomic = t->event.use == RDA_KEY_USE_ATOMIC ? &t->atomic : NULL;
		break;
	default: break;
	}
}

/* Any event of a part's own flows and hosts, at `when` or later. */
static void draw(struct told *t, uint64_t when, GRand *random)
{
	memset(t, 0, sizeof(*t));
	t->part = (unsigned)g_rand_int_range(random, 0, PARTS);
	t->when = when + (uint64_t)g_rand_int_range(random, 0, 3);
	if (g_rand_int_range(random, 0, IN_A_ROW))
		t->part = (unsigned)(t->when / IN_A_ROW) % PARTS;
	while (t->when / IN_A_ROW % PARTS != t->part) /* a packet is of one part */
		t->when++;
	t->event = (struct rda_key_event){
		.place = t->when,
		.kind = g_rand_boolean(random) ? RDA_KEY_DATA
					       : (uint8_t)g_rand_int_range(random, 0, KINDS),
		.responder = (uint32_t)g_rand_int_range(random, 0, 2) * 3,
	};
	if (t->event.kind == RDA_KEY_DATA)
		return;
	t->event.place = number(random);
	t->event.asked_place = number(random);
	t->event.va = number(random);
	t->event.psn = (int64_t)number(random);
	if (t->event.kind == RDA_KEY_ASKED || t->event.kind == RDA_KEY_AGAIN) {
		t->event.time_ns = (int64_t)number(random);
		t->event.wait_ns = (int64_t)number(random);
	}
	t->event.flow = (uint32_t)g_rand_int_range(random, 0, 4);
	t->event.peer = g_rand_boolean(random) ? RDA_KEY_NO_FLOW : 3 - t->event.flow;
	t->event.requester = (uint32_t)g_rand_int_range(random, 0, 4);
	t->event.tap = (uint32_t)g_rand_int_range(random, 0, 2);
	t->event.key = (uint32_t)number(random);
	t->event.length = (uint32_t)number(random);
	t->event.other = (uint32_t)number(random);
	t->event.use = (uint8_t)g_rand_int_range(random, 0, RDA_KEY_USE_COUNT + 1);
	t->event.syndrome = (uint8_t)g_rand_int(random);
	t->event.answers = g_rand_boolean(random);
	t->event.stag = g_rand_boolean(random);
	draw_more(t, random);
}

static void draw_all(struct told told[EVENTS], GRand *random)
{
	for (unsigned i = 0; i < EVENTS; i++)
		draw(&told[i], i ? told[i - 1].when : 1, random);
}

static void keep(struct rda_key_log *log, const struct told *t)
{
	if (t->event.kind == RDA_KEY_DATA)
		rda_key_log_data(log, t->when, t->event.responder);
	else
		rda_key_log_event(log, t->when, &t->event);
}

/* Those of a part, or of all. */
static struct rda_key_log *log_of(const struct told told[EVENTS], int part, uint64_t cap)
{
	struct rda_key_log *log = rda_key_log_new(cap);

	for (unsigned i = 0; i < EVENTS; i++) {
		if (part >= 0 && told[i].part != (unsigned)part)
			continue;
		keep(log, &told[i]);
	}
	return log;
}

/* Hears what was told, from the first on. */
struct hearing {
	const struct told *told;
	unsigned count;
	bool moved; /* by `map` */
};

static const uint32_t flows[] = {10, 11, 12, 13}, hosts[] = {5, 6, 7, 8};

static void hear(void *context, const struct rda_key_event *event, const struct rda_key_news *news)
{
	struct hearing *h = context;
	const struct told *t = &h->told[h->count++];
	struct rda_key_event expected = t->event, heard = *event;

	(void)news;
	if (h->moved) {
		expected.responder = hosts[expected.responder];
		if (expected.kind != RDA_KEY_DATA) {
			expected.requester = hosts[expected.requester];
			expected.flow = flows[expected.flow];
			if (expected.peer != RDA_KEY_NO_FLOW)
				expected.peer = flows[expected.peer];
		}
	}
	ck_assert(!event->more == !t->event.more);
	if (expected.kind == RDA_KEY_MESSAGE) {
		expected.length = MIN(expected.length, 256);
		ck_assert_mem_eq(heard.bytes, t->bytes, expected.length);
	} else if (expected.kind == RDA_KEY_RIVAL) {
		ck_assert_mem_eq(heard.rival, &t->rival, sizeof(t->rival));
	} else if (expected.kind == RDA_KEY_REFUSED && heard.more) {
		ck_assert_mem_eq(heard.change, &t->change, sizeof(t->change));
	} else if (heard.more) {
		ck_assert_mem_eq(heard.atomic, &t->atomic, sizeof(t->atomic));
	}
	heard.more = expected.more = NULL;
	ck_assert_mem_eq(&heard, &expected, sizeof(heard));
}

/* How much of what was told the log has; all of that must be right. */
static unsigned heard_of(const struct rda_key_log *log, const struct told *told, bool moved)
{
	struct rda_key_ledger *ledger = rda_key_ledger_new(1, 0);
	struct hearing h = {.told = told, .moved = moved};

	rda_key_log_replay(log, ledger, hear, &h);
	rda_key_ledger_free(ledger);
	return h.count;
}

static void each_with(unsigned seeds, void (*test)(struct told *told, GRand *random))
{
	struct told *told = g_new(struct told, EVENTS);

	for (unsigned seed = 0; seed < seeds; seed++) {
		GRand *random = g_rand_new_with_seed(seed);

		draw_all(told, random);
		test(told, random);
		g_rand_free(random);
	}
	g_free(told);
}

static void tell_again(struct told *told, GRand *random)
{
	struct rda_key_log *log = log_of(told, -1, 0), *copy = rda_key_log_copy(log);

	(void)random;
	ck_assert_uint_eq(heard_of(log, told, false), EVENTS);
	ck_assert_uint_eq(heard_of(log, told, false), EVENTS);
	rda_key_log_event(log, UINT64_MAX, &told[0].event);
	ck_assert_uint_eq(heard_of(copy, told, false), EVENTS);
	rda_key_log_free(log);
	rda_key_log_free(copy);
}

START_TEST(told_again)
{
	each_with(50, tell_again);
}
END_TEST

/* What was taken is whole, and so is what came behind, data in a row too. */
static void take_pieces(struct told *told, GRand *random)
{
	struct rda_key_log *log = rda_key_log_new(0);
	unsigned heard = 0, piece = 0;

	for (unsigned i = 0; i <= EVENTS; i++) {
		if (i == EVENTS || !g_rand_int_range(random, 0, 5)) {
			struct rda_key_log *taken = rda_key_log_take(log);

			ck_assert_uint_eq(heard_of(taken, told + heard, false), piece);
			rda_key_log_free(taken);
			heard += piece;
			piece = 0;
		}
		if (i < EVENTS)
			keep(log, &told[i]), piece++;
	}
	ck_assert_uint_eq(heard, EVENTS);
	rda_key_log_free(log);
}

START_TEST(taken_in_pieces)
{
	each_with(50, take_pieces);
}
END_TEST

/* All parts, in any order, each index moved once. */
static struct rda_key_log *merged(const struct told *told, uint64_t cap, unsigned first)
{
	static const uint32_t same[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
	const struct rda_key_map moved = {.flows = flows, .hosts = hosts},
				 stays = {.flows = same, .hosts = same};
	struct rda_key_log *log = log_of(told, (int)first, cap), *next, *with;

	for (unsigned i = 1; i < PARTS; i++) {
		with = log_of(told, (int)((first + i) % PARTS), cap);
		next = first & 1 ? rda_key_log_merge(log, i == 1 ? &moved : &stays, with, &moved)
				 : rda_key_log_merge(with, &moved, log, i == 1 ? &moved : &stays);
		rda_key_log_free(log);
		rda_key_log_free(with);
		log = next;
	}
	return log;
}

static void merge_parts(struct told *told, GRand *random)
{
	struct rda_key_log *log = merged(told, 0, g_rand_int(random) % PARTS);

	ck_assert_uint_eq(heard_of(log, told, true), EVENTS);
	ck_assert_uint_eq(rda_key_log_not_kept(log), 0);
	rda_key_log_free(log);
}

START_TEST(of_parts)
{
	each_with(50, merge_parts);
}
END_TEST

/* A log that is full has the beginning, to the same event however it was made. */
static void fill(struct told *told, GRand *random)
{
	uint64_t cap = (uint64_t)g_rand_int_range(random, 1, EVENTS * 100), not_kept = 0;
	struct rda_key_log *log = log_of(told, -1, cap),
			   *parts = merged(told, cap, g_rand_int(random) % PARTS);
	unsigned count = heard_of(log, told, false);

	for (unsigned i = count; i < EVENTS; i++)
		not_kept += told[i].event.kind == RDA_KEY_ASKED &&
			    told[i].event.use != RDA_KEY_USE_INVALIDATE;
	ck_assert_uint_eq(rda_key_log_not_kept(log), not_kept);
	ck_assert(count == 0 || count == EVENTS || told[count - 1].when < told[count].when);
	ck_assert_uint_eq(heard_of(parts, told, true), count);
	ck_assert_uint_eq(rda_key_log_not_kept(parts), not_kept);
	rda_key_log_free(log);
	rda_key_log_free(parts);
}

START_TEST(full)
{
	each_with(1000, fill);
}
END_TEST

/* ---- told to a ledger, of several parts -------------------------------------------------------
 */

/* Events but data, and what each was to the ledger. */
struct sequence {
	struct rda_key_event events[EVENTS];
	struct rda_key_news news[EVENTS];
	unsigned count;
};

static void note(void *context, const struct rda_key_event *event, const struct rda_key_news *news)
{
	struct sequence *s = context;

	if (event->kind == RDA_KEY_DATA)
		return;
	s->events[s->count] = *event;
	s->events[s->count].more = NULL;
	s->news[s->count] = *news;
	s->news[s->count++].key = NULL;
}

/* Few keys, most of which are new, among much data: whether a host got any decides what is said. */
static void ask_for_keys(struct told *told, GRand *random)
{
	for (unsigned i = 0; i < EVENTS; i++) {
		struct rda_key_event *event = &told[i].event;

		event->key = g_rand_int(random) % EVENTS;
		if (g_rand_boolean(random)) {
			*event = (struct rda_key_event){.kind = RDA_KEY_DATA,
							.place = told[i].when,
							.responder = event->responder};
		} else if (event->kind != RDA_KEY_DATA && g_rand_boolean(random)) {
			event->kind = g_rand_boolean(random) ? RDA_KEY_ASKED : RDA_KEY_WORKED;
			event->more = NULL;
			event->place = event->asked_place = told[i].when;
			event->length = 8;
		}
	}
}

static void tell_parts(struct told *told, GRand *random)
{
	static const struct rda_key_map moved = {.flows = flows, .hosts = hosts};
	const struct rda_key_map maps[PARTS] = {moved, moved, moved};
	struct rda_key_ledger *ledgers[] = {rda_key_ledger_new(1, 0), rda_key_ledger_new(1, 0)};
	struct sequence *heard = g_new0(struct sequence, 2);
	struct rda_key_log *logs[PARTS], *all;

	ask_for_keys(told, random);
	for (unsigned i = 0; i < PARTS; i++)
		logs[i] = log_of(told, (int)i, 0);
	all = merged(told, 0, 0);
	rda_key_log_tell(logs, maps, PARTS, ledgers[0], note, &heard[0]);
	rda_key_log_replay(all, ledgers[1], note, &heard[1]);
	ck_assert_mem_eq(&heard[0], &heard[1], sizeof(heard[0]));
	for (unsigned i = 0; i < PARTS; i++)
		rda_key_log_free(logs[i]);
	rda_key_log_free(all);
	rda_key_ledger_free(ledgers[0]);
	rda_key_ledger_free(ledgers[1]);
	g_free(heard);
}

START_TEST(parts_told)
{
	each_with(300, tell_parts);
}
END_TEST

START_TEST(of_nothing)
{
	struct rda_key_log *log = rda_key_log_of_nothing(7);
	const struct rda_key_event asked = {.kind = RDA_KEY_ASKED};

	ck_assert_uint_eq(rda_key_log_not_kept(log), 7);
	rda_key_log_event(log, 1, &asked);
	ck_assert_uint_eq(rda_key_log_not_kept(log), 8);
	ck_assert_uint_eq(heard_of(log, NULL, false), 0);
	rda_key_log_free(log);
	rda_key_log_free(NULL);
}
END_TEST

Suite *rda_suite_key_log(void)
{
	Suite *suite = suite_create("key_log");
	TCase *tcase = tcase_create("key_log");

	tcase_add_test(tcase, told_again);
	tcase_add_test(tcase, taken_in_pieces);
	tcase_add_test(tcase, of_parts);
	tcase_add_test(tcase, full);
	tcase_add_test(tcase, parts_told);
	tcase_add_test(tcase, of_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
