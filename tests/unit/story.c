/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stories told to the accounts of a requester and a responder; story.h has their language.
 */
#include "tests/unit/story.h"

#include "analyzer/base/psn.h"
#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

/* READs of 256 bytes a packet: where the MTU is not known one of four. */
enum {
	PACKET_NS = 10000,
	ACK = 0x1f,
	RNR = 0x20,
	FATAL = 0x62,
	PACKET_BYTES = 256,
	GUESSED_BYTES = 1024
};

static void note(void *context, const struct rda_event *event)
{
	struct rda_telling *t = context;

	t->events[event->kind]++;
	if (event->kind == RDA_EVENT_LOST_BEFORE)
		t->told_lost_before += event->count;
	if (event->kind == RDA_EVENT_FOUND)
		t->told_lost_before -= event->count;
	if (event->kind == RDA_EVENT_MISSING)
		t->told_missing += event->count;
	if (event->kind == RDA_EVENT_MISSING_FOUND)
		t->told_missing -= event->count;
}

void rda_telling_begin(struct rda_telling *t, uint32_t first, uint32_t cap)
{
	memset(t, 0, sizeof(*t));
	rda_requester_init(&t->requester, cap);
	rda_responder_init(&t->responder);
	t->sink = (struct rda_event_sink){note, t};
	t->first = first;
	t->time_ns = INT64_C(1700000000) * 1000000000;
}

void rda_telling_end(struct rda_telling *t)
{
	rda_requester_cleanup(&t->requester);
	rda_responder_cleanup(&t->responder);
}

void rda_telling_check(const struct rda_telling *t)
{
	const struct rda_requester *r = &t->requester;
	const struct rda_window *window = &r->window;

	RDA_CHECK(r->settled <= window->count, "settled");
	for (uint32_t i = 0; !window->lean && i < window->count; i++) {
		const struct rda_sent *record = rda_window_at(window, i);

		RDA_CHECK(record->begin < record->end, "record %u is empty", i);
		RDA_CHECK(i == 0 || record->begin == rda_window_at(window, i - 1)->end,
			  "records %u apart", i);
		RDA_CHECK(i < r->settled || record->end > r->progress.acked, "record %u is open",
			  i);
		RDA_CHECK(rda_window_find(window, record->end - 1) == i, "record %u not found", i);
	}
	RDA_CHECK(!window->count || rda_window_find(window, r->progress.next - 1) ==
					    (int64_t)window->count - 1,
		  "the window does not end at the next PSN");
	RDA_CHECK(r->rare->counts.lost_before == t->told_lost_before, "lost, and no event says so");
	RDA_CHECK(r->rare->counts.missing == t->told_missing, "missing, and no event says so");
	RDA_CHECK(r->rare->counts.lost_damaged == t->damaged, "each damaged packet is lost");
	RDA_CHECK(r->rare->counts.lost_after == t->events[RDA_EVENT_LOST_AFTER] + t->damaged,
		  "lost behind, and no event says so");
	for (uint32_t i = 1; i < t->responder.waiting.count; i++)
		RDA_CHECK(t->responder.waiting.items[i - 1].begin <
				  t->responder.waiting.items[i].begin,
			  "what waits is not in order");
}

/* ---- the words ------------------------------------------------------------------------------ */

static void next_packet(struct rda_telling *t)
{
	t->time_ns += PACKET_NS;
	t->frame++;
}

static void pass_request(struct rda_telling *t)
{
	enum rda_request_kind kind;
	uint64_t original;

	t->latest.time_ns = t->time_ns;
	t->latest.frame = t->frame;
	kind = rda_requester_packet(&t->requester, &t->latest, &t->sink, &original);
	rda_responder_request(&t->responder, &t->requester, &t->latest, kind, &t->sink);
}

static void request(struct rda_telling *t, uint32_t begin, uint32_t count, uint16_t roles)
{
	uint32_t psn = (t->first + begin) & RDA_PSN_MASK;
	int64_t wide = t->requester.run.started ? rda_psn_widen(t->requester.run.next, psn)
						: rda_psn_first(psn);

	t->latest = (struct rda_request){
		.begin = wide,
		.end = wide + count,
		.payload = GUESSED_BYTES,
		.va = (uint64_t)wide * PACKET_BYTES,
		.length = count * PACKET_BYTES,
		.icrc = (uint32_t)t->frame, /* no two packets are equal, but by `copy` */
		.roles = RDA_ROLE_REQUEST | RDA_ROLE_ONLY | roles,
		.ack_req = true,
		.ip_id = t->numbered ? (uint16_t)(2 * t->frame) : 0,
	};
}

static void respond(struct rda_telling *t, uint32_t psn, uint16_t roles, uint8_t syndrome)
{
	struct rda_response response = {
		.psn = (t->first + psn) & RDA_PSN_MASK,
		.time_ns = t->time_ns,
		.frame = t->frame,
		.roles = RDA_ROLE_RESPONSE | roles,
		.has_aeth = true,
		.syndrome = syndrome,
		.msn = t->msn,
	};

	rda_responder_response(&t->responder, &t->requester, &response, &t->sink);
}

static bool is(const char *verb, const char *word)
{
	return strcmp(verb, word) == 0;
}

static void each(struct rda_telling *t, const char *verb, uint32_t n)
{
	next_packet(t);
	if (is(verb, "send") || is(verb, "guess") || is(verb, "atomic")) {
		request(t, n, 1,
			is(verb, "send")    ? RDA_ROLE_SEND
			: is(verb, "guess") ? RDA_ROLE_READ
					    : RDA_ROLE_ATOMIC);
		t->latest.span_unknown = is(verb, "guess");
		t->latest.length = GUESSED_BYTES;
		pass_request(t);
	} else if (is(verb, "ack")) {
		respond(t, n, RDA_ROLE_ACK, ACK);
	} else if (is(verb, "nak")) {
		respond(t, n, RDA_ROLE_ACK, RDA_SYNDROME_NAK_SEQUENCE);
	} else if (is(verb, "rnr")) {
		respond(t, n, RDA_ROLE_ACK, RNR);
	} else if (is(verb, "fatal")) {
		respond(t, n, RDA_ROLE_ACK, FATAL);
	} else if (is(verb, "response")) {
		respond(t, n, RDA_ROLE_READ, ACK);
	} else if (is(verb, "result")) {
		respond(t, n, RDA_ROLE_ATOMIC, ACK);
	} else {
		ck_abort_msg("no word of a story: %s", verb);
	}
}

static void say(struct rda_telling *t, const char *verb, uint32_t first, uint32_t last)
{
	if (is(verb, "agreed")) {
		rda_requester_agreed(&t->requester, (t->first + first) & RDA_PSN_MASK);
	} else if (is(verb, "msn")) {
		t->msn = first;
	} else if (is(verb, "wait")) {
		t->time_ns += first * INT64_C(1000000);
	} else if (is(verb, "read")) {
		next_packet(t);
		request(t, first, last - first + 1, RDA_ROLE_READ);
		pass_request(t);
	} else if (is(verb, "damaged")) {
		for (; first > 0; first--) {
			next_packet(t);
			t->damaged += t->requester.run.started;
			rda_requester_damaged(&t->requester, t->time_ns, t->frame,
					      t->numbered ? (uint16_t)(2 * t->frame) : 0);
			rda_telling_check(t);
		}
	} else {
		for (; first <= last; first++) {
			each(t, verb, first);
			rda_telling_check(t);
		}
	}
	rda_telling_check(t);
}

void rda_tell(struct rda_telling *t, const char *script)
{
	char text[512], verb[16] = "", *save = NULL;

	ck_assert_uint_lt(strlen(script), sizeof(text));
	strcpy(text, script);
	for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		unsigned long first, last;
		char *end;

		if (is(word, "copy")) {
			next_packet(t);
			pass_request(t);
			rda_telling_check(t);
			continue;
		}
		if (is(word, "numbered")) {
			t->numbered = true;
			continue;
		}
		first = last = strtoul(word, &end, 10);
		if (end == word) {
			ck_assert_uint_lt(strlen(word), sizeof(verb));
			strcpy(verb, word);
			continue;
		}
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		ck_assert_msg(*end == '\0' && first <= last, "no number: %s", word);
		say(t, verb, (uint32_t)first, (uint32_t)last);
	}
}

/* ---- a story at every place ----------------------------------------------------------------- */

/* Stories are told with PSNs up to 99; the last ones are random. */
enum { PLACES = 100, FIRSTS = PLACES + 4 };

static uint32_t first_psn(unsigned i)
{
	static const uint32_t others[] = {0, 0x7fffc0, 0x3a91c5, 0xd00d42};

	return i < PLACES ? RDA_PSN_MASK - i : others[i - PLACES];
}

void rda_story_check(const struct rda_story *story)
{
	for (unsigned i = 0; i < FIRSTS; i++) {
		struct rda_telling t;

		rda_telling_begin(&t, first_psn(i), story->cap);
		rda_tell(&t, story->script);
#define RDA_C(name_, where)                                                                        \
	RDA_CHECK((uint64_t)t.where == story->name_, "%s, from PSN %06x: %llu", story->name,       \
		  (unsigned)t.first, (unsigned long long)t.where);
		RDA_STORY_COUNTS(RDA_C)
#undef RDA_C
		rda_telling_end(&t);
	}
}
