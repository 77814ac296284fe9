/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lean windows against records: two requesters and responders hear the same, one of them with its
 * window made records before each packet. They must say the same.
 */
#include "analyzer/track/roce/lean.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/tally.h"
#include "analyzer/track/roce/responder.h"
#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROUNDS = 60,
	PACKETS = 3000,
	EVENTS = 64,
	GAP_NS = 1000,
	MTU = 1024,
	ACK = 0x1f,
	NAK = 0x60
};

struct side {
	struct rda_requester requester;
	struct rda_responder responder;
	struct rda_event_sink sink;
	struct rda_event events[EVENTS];
	unsigned count;
	bool thick;
};

static uint32_t state;
static bool one_id; /* for all packets */

static unsigned up_to(unsigned limit)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % limit;
}

static void note(void *context, const struct rda_event *event)
{
	struct side *side = context;

	RDA_CHECK(side->count < EVENTS, "too many events");
	side->events[side->count] = *event;
	side->events[side->count++].exchange = NULL;
}

static void begin(struct side *side, bool thick, uint32_t cap)
{
	memset(side, 0, sizeof(*side));
	rda_requester_init(&side->requester, cap);
	rda_responder_init(&side->responder);
	side->sink = (struct rda_event_sink){note, side};
	side->thick = thick;
}

static void end(struct side *side)
{
	rda_requester_cleanup(&side->requester);
	rda_responder_cleanup(&side->responder);
}

static void ask(struct side *side, const struct rda_request *q)
{
	uint64_t original;
	enum rda_request_kind kind;

	side->count = 0;
	if (side->thick)
		rda_window_thicken(&side->requester.window);
	kind = rda_requester_packet(&side->requester, q, &side->sink, &original);
	rda_responder_request(&side->responder, &side->requester, q, kind, &side->sink);
}

static void answer(struct side *side, struct rda_response *a)
{
	side->count = 0;
	if (side->thick)
		rda_window_thicken(&side->requester.window);
	rda_responder_response(&side->responder, &side->requester, a, &side->sink);
}

/* Field by field: what lies between these is not copied by every compiler. */
static bool same_event(const struct rda_event *a, const struct rda_event *b)
{
	return a->kind == b->kind && a->trigger == b->trigger && a->syndrome == b->syndrome &&
	       a->message == b->message && a->psn == b->psn && a->count == b->count &&
	       a->frame == b->frame && a->other_frame == b->other_frame &&
	       a->cause_frame == b->cause_frame && a->time_ns == b->time_ns &&
	       a->wait_ns == b->wait_ns && a->msn == b->msn && a->exchange == b->exchange;
}

static void check_same(struct side *a, struct side *b)
{
	struct rda_requester *one = &a->requester, *two = &b->requester;

	RDA_CHECK(a->count == b->count, "%s differs", "count");
	for (unsigned i = 0; i < a->count; i++)
		RDA_CHECK(same_event(&a->events[i], &b->events[i]), "event %u", i);
	RDA_CHECK(memcmp(&one->progress, &two->progress, sizeof(one->progress)) == 0, "%s differs",
		  "progress");
	RDA_CHECK(one->news == two->news, "%s differ", "new ones");
	RDA_CHECK(memcmp(&one->rare->counts, &two->rare->counts, sizeof(one->rare->counts)) == 0,
		  "%s differs", "counts");
	RDA_CHECK(memcmp(&one->message, &two->message, sizeof(one->message)) == 0, "%s differs",
		  "message");
	RDA_CHECK(memcmp(&one->rtt, &two->rtt, sizeof(one->rtt)) == 0, "%s differs", "rtt");
	RDA_CHECK(memcmp(&one->heard->assembly.open, &two->heard->assembly.open,
			 sizeof(one->heard->assembly.open)) == 0,
		  "%s differs", "assembly.open");
	RDA_CHECK(one->heard->assembly.state == two->heard->assembly.state, "%s differs",
		  "assembly.state");
	RDA_CHECK(one->settled == two->settled, "%s differs", "settled");
	RDA_CHECK(one->window.count == two->window.count, "%s differs", "window.count");
	RDA_CHECK(one->window.dropped == two->window.dropped, "%s differs", "window.dropped");
}

static void check_records(struct side *a, struct side *b)
{
	struct rda_sent made;

	rda_window_thicken(&b->requester.window);
	for (uint32_t i = 0; i < a->requester.window.count; i++) {
		if (a->requester.window.lean)
			rda_lean_record(&a->requester.window, i, &made);
		else
			made = *rda_window_at(&a->requester.window, i);
		RDA_CHECK(memcmp(&made, rda_window_at(&b->requester.window, i), sizeof(made)) == 0,
			  "record %u", i);
	}
}

/* The next request of a message, with what its headers say. */
static void fill(struct rda_request *q, int64_t psn, int64_t time_ns, uint64_t frame, bool odd)
{
	static const uint8_t opcodes[2][4] = {
		{RDA_OPCODE(RC, SEND_FIRST), RDA_OPCODE(RC, SEND_MIDDLE),
		 RDA_OPCODE(RC, SEND_MIDDLE), RDA_OPCODE(RC, SEND_LAST)},
		{RDA_OPCODE(RC, WRITE_FIRST), RDA_OPCODE(RC, WRITE_MIDDLE),
		 RDA_OPCODE(RC, WRITE_MIDDLE), RDA_OPCODE(RC, WRITE_LAST)},
	};

	memset(q, 0, sizeof(*q));
	q->begin = psn;
	q->end = psn + 1;
	q->time_ns = time_ns;
	q->frame = frame;
	q->payload = psn % 4 == 3 ? 1 + up_to(MTU) : MTU;
	q->icrc = (uint32_t)frame;
	q->ip_id = one_id ? 0 : (uint16_t)(frame * 7);
	q->opcode = opcodes[psn / 4 % 3 != 0][psn % 4];
	q->roles = rda_opcode_roles[q->opcode];
	q->ack_req = psn % 4 == 3;
	if (psn % 4 == 0 && psn / 4 % 3) {
		q->va = frame << 12;
		q->rkey = 7;
		q->length = 4 * MTU;
	}
	if (odd && up_to(60) == 0) { /* a READ of four packets, or an ATOMIC */
		q->roles = RDA_ROLE_REQUEST | RDA_ROLE_ONLY |
			   (up_to(2) ? RDA_ROLE_READ : RDA_ROLE_ATOMIC);
		q->end = q->roles & RDA_ROLE_READ ? psn + 4 : psn + 1;
	}
}

/* `odd`: besides packets in order and their ACKs what else happens. Returns in how many of the
 * rounds the window was lean. */
static unsigned tell(uint32_t seed, uint32_t cap, bool odd)
{
	static struct side lean, thick;
	int64_t now = 1000000000, psn;
	unsigned times_lean = 0;

	state = seed;
	one_id = seed % 5 < 2;
	begin(&lean, false, cap);
	begin(&thick, true, cap);
	psn = rda_psn_first(100);
	for (uint64_t frame = 1; frame < PACKETS; frame++) {
		unsigned what = up_to(odd ? 100 : 80);
		struct rda_request q;
		struct rda_response a = {.frame = frame, .has_aeth = true, .syndrome = ACK};

		now += up_to(odd && up_to(50) == 0 ? 100000000 : GAP_NS);
		if (frame % 400 == 0) /* a quiet while, in which nothing odd is left over */
			odd = false;
		else if (frame % 400 == 200)
			odd = cap > 0 || seed % 2;
		a.time_ns = now;
		if (what < 60 || frame < 3) {
			fill(&q, psn, now, frame, odd);
			psn = q.end;
		} else if (what >= 85) {
			int64_t step = (int64_t)up_to(12) - 9;

			fill(&q, psn + step, now, frame, odd);
			psn = psn + step + (q.end - q.begin);
		} else {
			a.psn = rda_psn_narrow(psn - 1 - up_to(6));
			if (what >= 80)
				a.syndrome = what == 84 ? 0x21 : NAK;
			answer(&lean, &a);
			answer(&thick, &a);
			check_same(&lean, &thick);
			times_lean += lean.requester.window.lean;
			continue;
		}
		ask(&lean, &q);
		ask(&thick, &q);
		check_same(&lean, &thick);
		times_lean += lean.requester.window.lean;
		if (odd && up_to(80) == 0) {
			rda_requester_damaged(&lean.requester, now, frame, 0);
			rda_requester_damaged(&thick.requester, now, frame, 0);
			psn++;
		}
		if (frame % 64 == 0)
			check_records(&lean, &thick);
	}
	check_records(&lean, &thick);
	end(&lean);
	end(&thick);
	return times_lean;
}

START_TEST(in_order_all_is_lean)
{
	ck_assert_uint_eq(tell((uint32_t)_i * 2 + 2, 0, false), PACKETS - 1);
}
END_TEST

START_TEST(what_is_odd_makes_records_for_a_while)
{
	unsigned times_lean = tell((uint32_t)_i * 2 + 1, 0, true);

	ck_assert_uint_gt(times_lean, 0);
	ck_assert_uint_lt(times_lean, PACKETS);
}
END_TEST

/* What was sent again once makes records until it is forgotten, whether identifications tell an
 * order of sending or none. */
START_TEST(a_resend_is_over)
{
	static struct side side;
	int64_t psn = rda_psn_first(100), now = 1000000000;
	unsigned lean = 0;

	one_id = _i == 0;
	begin(&side, false, 0);
	for (uint64_t frame = 1; frame <= 400; frame++, psn++, now += GAP_NS) {
		struct rda_request q;
		struct rda_response a = {.frame = frame, .has_aeth = true, .syndrome = ACK};

		if (frame == 202)
			psn -= 2; /* as the NAK says */
		a.time_ns = now;
		if (frame % 4 == 1 && frame > 1) {
			psn--;
			a.psn = rda_psn_narrow(frame == 201 ? psn - 1 : psn);
			a.syndrome = frame == 201 ? NAK : ACK;
			answer(&side, &a);
			continue;
		}
		fill(&q, psn, now, frame, false);
		ask(&side, &q);
		if (frame >= 202 && frame < 260)
			ck_assert(!side.requester.window.lean);
		lean += frame > 330 && side.requester.window.lean;
	}
	ck_assert_uint_eq(side.requester.rare->counts.packets[RDA_REQUEST_RESENT], 2);
	ck_assert_uint_eq(lean, 53);
	end(&side);
}
END_TEST

START_TEST(the_cap)
{
	tell((uint32_t)_i, 40, true);
}
END_TEST

/* What lies far off or is too large, and roles that are not the opcode's, need records. */
START_TEST(what_does_not_fit)
{
	struct rda_window window;
	struct rda_request q = {.end = 1, .frame = 5, .opcode = RDA_OPCODE(RC, WRITE_ONLY)};
	uint16_t roles = rda_opcode_roles[q.opcode];
	struct rda_sent record;

	q.roles = roles;
	rda_window_init(&window, 0);
	ck_assert(rda_lean_takes(&window, &q));
	rda_lean_append(&window, &q, 1);
	ck_assert(rda_lean_takes(&window, &q));
	q.frame = 5 + (UINT64_C(1) << RDA_LEAN_PLACE_BITS);
	ck_assert(!rda_lean_takes(&window, &q));
	q.frame--;
	q.time_ns = 3 * RDA_LEAN_BEFORE_NS - 1; /* the most, less what lies before the first */
	q.payload = (1 << RDA_LEAN_PAYLOAD_BITS) - 1;
	q.begin++;
	q.end++;
	ck_assert(rda_lean_takes(&window, &q));
	rda_lean_append(&window, &q, 2);
	rda_lean_record(&window, 1, &record);
	ck_assert_uint_eq(record.last_frame, q.frame);
	ck_assert_int_eq(record.last_ns, q.time_ns);
	ck_assert_uint_eq(record.payload, q.payload);
	ck_assert_uint_eq(record.roles, q.roles);
	q.time_ns++;
	ck_assert(!rda_lean_takes(&window, &q));
	q.time_ns = -RDA_LEAN_BEFORE_NS; /* a clock that goes backwards */
	ck_assert(rda_lean_takes(&window, &q));
	q.time_ns--;
	ck_assert(!rda_lean_takes(&window, &q));
	q.time_ns = 0;
	q.payload++;
	ck_assert(!rda_lean_takes(&window, &q));
	q.payload = 0;
	q.roles = roles | RDA_ROLE_READ;
	ck_assert(!rda_lean_takes(&window, &q));
	q.roles = rda_opcode_roles[RDA_OPCODE(RC, SEND_ONLY)];
	ck_assert(!rda_lean_takes(&window, &q));
	q.roles = 0; /* of a damaged packet */
	ck_assert(!rda_lean_takes(&window, &q));
	rda_window_cleanup(&window);
}
END_TEST

/* What the first request asked for stays known when it is forgotten, or becomes a record. */
START_TEST(the_first)
{
	for (unsigned form = 0; form < 3; form++) {
		struct rda_window window;
		struct rda_sent last;
		struct rda_request q;

		rda_window_init(&window, 0);
		for (int64_t psn = 100; psn < 300; psn++) {
			fill(&q, psn, psn, (uint64_t)psn, false);
			rda_lean_append(&window, &q, (uint64_t)psn);
			ck_assert_int_eq(rda_window_find(&window, psn), psn - 100);
			rda_lean_record(&window, psn / 2 - 50, &last);
			ck_assert_int_eq(last.first_ns, psn / 2 + 50);
		}
		ck_assert_ptr_null(window.origin);
		if (form == 0)
			rda_lean_keep_first(&window);
		else
			rda_window_make_records(&window);
		ck_assert_int_eq(window.origin->psn, 100);
		if (form == 2) {
			rda_window_thin(&window, 299 + 1000);
			ck_assert(!window.lean);
			window.thin_at = 299;
			rda_window_thin(&window, 299);
			ck_assert(window.lean);
		}
		fill(&q, 100, 100, 100, false);
		ck_assert_uint_eq(window.origin->va, q.va);
		ck_assert_uint_eq(window.origin->rkey, q.rkey);
		ck_assert_uint_eq(window.origin->icrc, q.icrc);
		ck_assert_uint_eq(window.origin->ip_id, q.ip_id);
		ck_assert_uint_eq(window.origin->opcode, q.opcode);
		ck_assert_uint_eq(window.origin->payload, q.payload);
		rda_window_cleanup(&window);
		ck_assert_ptr_null(window.origin);
	}
}
END_TEST

/* The oldest go, and the room of what is left is no more than that needs. */
static void shrink(bool lean)
{
	struct rda_window window;
	struct rda_sent before, after;
	struct rda_request q;

	rda_window_init(&window, 0);
	for (int64_t psn = 100; psn < 150; psn++) {
		fill(&q, psn, psn, (uint64_t)psn, false);
		rda_lean_append(&window, &q, (uint64_t)psn);
	}
	if (!lean)
		rda_window_make_records(&window);
	for (uint32_t gone = 30; gone; gone = gone > 15 ? 15 : 0) {
		int64_t last = window.count - 1;

		if (lean)
			rda_lean_record(&window, last, &before);
		else
			before = *rda_window_at(&window, last);
		rda_window_shrink(&window, gone);
		if (lean)
			rda_lean_record(&window, last - gone, &after);
		else
			after = *rda_window_at(&window, last - gone);
		ck_assert_mem_eq(&before, &after, sizeof(before));
		ck_assert_int_eq(rda_window_find(&window, 149), last - gone);
		ck_assert_int_eq(rda_window_find(&window, 100), -1);
	}
	ck_assert_uint_eq(window.count, 5);
	ck_assert_uint_eq(window.allocated, 8);
	rda_window_cleanup(&window);
}

START_TEST(room_is_given_back)
{
	shrink(true);
	shrink(false);
}
END_TEST

Suite *rda_suite_lean(void)
{
	Suite *suite = suite_create("lean");
	TCase *tcase = tcase_create("lean");

	tcase_add_loop_test(tcase, in_order_all_is_lean, 0, ROUNDS);
	tcase_add_loop_test(tcase, what_is_odd_makes_records_for_a_while, 0, ROUNDS);
	tcase_add_loop_test(tcase, a_resend_is_over, 0, 2);
	tcase_add_loop_test(tcase, the_cap, 0, ROUNDS);
	tcase_add_test(tcase, what_does_not_fit);
	tcase_add_test(tcase, the_first);
	tcase_add_test(tcase, room_is_given_back);
	suite_add_tcase(suite, tcase);
	return suite;
}
