/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages: which are seen whole, from when to when, and which acknowledgments tell a latency.
 */
#include "analyzer/track/roce/message.h"

#include "dissectors/opcode.h"
#include "tests/unit/story.h"
#include "tests/unit/suite.h"

enum { FIRST_PSN = 100, STEP = 10, DONE_NS = 1000, BYTES = 64 };

/*
 * Records as they are settled, one letter each: First, Middle, Last, Only; a hole; READ; what was
 * damaged; `|` skips a PSN. The first is of PSN 100 and was sent at 0 ns, each other 10 ns later;
 * all are settled at 1000 ns.
 */
static const struct {
	const char *name, *records;
	uint64_t done, not_timed;
	int64_t min, max; /* latency */
	uint64_t bytes;	  /* of the slowest */
} assemblies[] = {
	{"one packet", "O", 1, 0, 1000, 1000, 64},
	{"three packets", "FML", 1, 0, 1000, 1000, 192},
	{"two messages", "FLO", 2, 0, 980, 1000, 128},
	{"it has no Last yet", "OFM", 1, 0, 1000, 1000, 64},
	{"the capture began in the middle", "MLO", 1, 1, 980, 980, 64},
	{"a packet was never captured", "F.LO", 1, 1, 970, 970, 64},
	{"or damaged in every appearance", "FdLO", 1, 1, 970, 970, 64},
	{"the First was never captured", ".LO", 1, 1, 980, 980, 64},
	{"a Last and the next First were never captured", "FM..MLO", 1, 1, 940, 940, 64},
	{"the window forgot a part", "FM|LO", 1, 1, 960, 960, 64},
	{"a hole between messages", "O.O", 2, 0, 980, 1000, 64},
	{"its Last was never captured", "FM.FL", 1, 1, 970, 970, 128},
	{"a READ between messages", "ORO", 2, 0, 980, 1000, 64},
	{"nothing but holes", "...", 0, 0, 0, 0, 0},
};

static struct rda_sent record_of(char letter, unsigned index)
{
	struct rda_sent record = {
		.begin = FIRST_PSN + index,
		.end = FIRST_PSN + index + 1,
		.sent_ns = STEP * (int64_t)index,
		.first_ns = STEP * (int64_t)index,
		.last_ns = STEP * (int64_t)index,
		.first_frame = index + 1,
		.last_frame = index + 1,
		.payload = BYTES,
		.seen = letter != '.',
		.sent = 1,
	};

	switch (letter) {
	case 'F': record.roles = RDA_ROLE_REQUEST | RDA_ROLE_WRITE | RDA_ROLE_FIRST; break;
	case 'M': record.roles = RDA_ROLE_REQUEST | RDA_ROLE_WRITE | RDA_ROLE_MIDDLE; break;
	case 'L': record.roles = RDA_ROLE_REQUEST | RDA_ROLE_WRITE | RDA_ROLE_LAST; break;
	case 'O': record.roles = RDA_ROLE_REQUEST | RDA_ROLE_WRITE | RDA_ROLE_ONLY; break;
	case 'R': record.roles = RDA_ROLE_REQUEST | RDA_ROLE_READ | RDA_ROLE_ONLY; break;
	default: break;
	}
	return record;
}

START_TEST(assembly)
{
	struct rda_assembly a = {0};
	const struct rda_latency *latency;

	for (unsigned i = 0; assemblies[_i].records[i]; i++) {
		struct rda_sent record = record_of(assemblies[_i].records[i], i);

		if (assemblies[_i].records[i] != '|')
			rda_message_settled(&a, &record, DONE_NS, 77, NULL);
	}
	latency = rda_messages_of(a.times, RDA_MESSAGE_WRITE);
	ck_assert_uint_eq(latency->count, assemblies[_i].done);
	ck_assert_uint_eq(a.times->not_timed, assemblies[_i].not_timed);
	ck_assert_int_eq(latency->min, assemblies[_i].min);
	ck_assert_int_eq(latency->max, assemblies[_i].max);
	ck_assert_uint_eq(a.times->slowest.bytes, assemblies[_i].bytes);
	rda_messages_free(a.times);
}
END_TEST

/* A message as the event and the slowest have it. */
static void keep(void *context, const struct rda_event *event)
{
	*(struct rda_exchange *)context = *event->exchange;
	ck_assert_int_eq(event->kind, RDA_EVENT_MESSAGE_DONE);
	ck_assert_int_eq(event->wait_ns, event->exchange->latency_ns);
	ck_assert_uint_eq(event->frame, event->exchange->last_frame);
	ck_assert_uint_eq(event->other_frame, event->exchange->first_frame);
	ck_assert_uint_eq(event->count, event->exchange->bytes);
}

START_TEST(what_is_told_of_a_message)
{
	struct rda_assembly a = {0};
	struct rda_exchange told = {0};
	struct rda_event_sink sink = {keep, &told};
	struct rda_sent first = record_of('F', 3), last = record_of('L', 4);

	first.sent = 3; /* lost, and sent again; the Last was seen before it */
	first.sent_ns = 500;
	first.first_frame = 9;
	rda_message_settled(&a, &first, DONE_NS, 77, &sink);
	rda_message_settled(&a, &last, DONE_NS, 77, &sink);
	ck_assert_int_eq(told.begin, 103);
	ck_assert_int_eq(told.end, 105);
	ck_assert_int_eq(told.start_ns, 40);
	ck_assert_int_eq(told.latency_ns, 960);
	ck_assert_uint_eq(told.resent, 2);
	ck_assert_uint_eq(told.first_frame, 9);
	ck_assert_uint_eq(told.last_frame, 77);
	ck_assert_int_eq(told.kind, RDA_MESSAGE_WRITE);
	ck_assert_mem_eq(&a.times->slowest, &told, sizeof(told));
	rda_messages_free(a.times);
}
END_TEST

/* Which acknowledgments tell a latency. */
static const struct {
	const char *name;
	char letter;
	bool ack_req;
	uint8_t seen, sent;
	bool damaged;
	bool counts;
} acks[] = {
	{"it asked for an ACK", 'L', true, 1, 1, false, true},
	{"it did not", 'L', false, 1, 1, false, false},
	{"it was sent twice", 'L', true, 2, 2, false, false},
	{"it was sent twice, and seen once", 'L', true, 1, 2, false, false},
	{"it was never seen", '.', true, 0, 1, false, false},
	{"it was damaged", 'L', true, 1, 1, true, false},
	{"a READ, which has a response of its own", 'R', true, 1, 1, false, false},
};

START_TEST(acknowledgment)
{
	struct rda_assembly a = {0};
	struct rda_sent record = record_of(acks[_i].letter, 2);

	record.ack_req = acks[_i].ack_req;
	record.seen = acks[_i].seen;
	record.sent = acks[_i].sent;
	record.damaged = acks[_i].damaged;
	rda_message_acked(&a, &record, 100, 7);
	ck_assert_int_eq(a.times != NULL, acks[_i].counts);
	if (a.times)
		ck_assert_int_eq(a.times->acks.max, 80);
	rda_messages_free(a.times);
}
END_TEST

START_TEST(the_slowest_acknowledgments)
{
	static const int64_t times[] = {50, 90, 20, 70, 60, 90, 10};
	static const struct rda_slow_ack slowest[RDA_SLOW_ACKS] = {
		{90, 1, 2, 90}, {90, 1, 6, 90}, {70, 1, 4, 70}, {60, 1, 5, 60}};
	struct rda_assembly a = {0};
	struct rda_sent record = record_of('O', 0);

	record.ack_req = true;
	for (unsigned i = 0; i < RDA_COUNT(times); i++)
		rda_message_acked(&a, &record, times[i], i + 1);
	ck_assert_uint_eq(a.times->acks.count, RDA_COUNT(times));
	ck_assert_uint_eq(a.times->slow_ack_count, RDA_SLOW_ACKS);
	for (unsigned i = 0; i < RDA_SLOW_ACKS; i++) {
		ck_assert_int_eq(a.times->slow_acks[i].latency_ns, slowest[i].latency_ns);
		ck_assert_uint_eq(a.times->slow_acks[i].ack_frame, slowest[i].ack_frame);
		ck_assert_int_eq(a.times->slow_acks[i].time_ns, slowest[i].time_ns);
	}
	rda_messages_free(a.times);
}
END_TEST

/* Stories (story.h): 10 us a packet. What comes of them in microseconds. */
static const struct {
	const char *name, *script;
	uint64_t count;
	int64_t min, max;     /* of messages */
	uint64_t acks, first; /* latencies of ACKs, of first responses */
} stories[] = {
	{"a message", "send 10 ack 10", 1, 10, 10, 1, 0},
	{"one ACK for three", "send 10-12 ack 12", 3, 10, 30, 3, 0},
	{"the NAK takes what is below it", "send 10-12 nak 11 send 11 12 ack 12", 3, 30, 50, 0, 0},
	{"a READ: to its last response", "read 10-13 response 10-13", 1, 40, 40, 0, 1},
	{"the same READ asked again from the middle",
	 "read 10-13 response 10 11 wait 1 read 12-13 response 12 13", 1, 1050, 1050, 0, 1},
	{"an ATOMIC", "atomic 10 result 10", 1, 10, 10, 0, 0},
	{"lost behind the tap, a timeout", "send 10 wait 5 send 10 ack 10", 1, 5020, 5020, 0, 0},
	{"lost before the tap: others show when it was sent",
	 "send 9 ack 9 wait 1 send 11 wait 60 send 10 11 ack 11", 3, 10, 60030, 1, 0},
	{"never captured", "send 10 12 ack 12", 2, 10, 20, 2, 0},
	{"an ACK that passes nothing new", "send 10 ack 10 ack 10", 1, 10, 10, 1, 0},
	{"what is not answered has no latency", "send 10-12", 0, 0, 0, 0, 0},
};

START_TEST(story)
{
	static const struct rda_messages none;
	const struct rda_messages *m;
	struct rda_telling t;
	struct rda_latency all = {0};

	rda_telling_begin(&t, 0xfffff8, 0);
	rda_tell(&t, stories[_i].script);
	m = t.requester.heard->assembly.times ? t.requester.heard->assembly.times : &none;
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		rda_latency_merge(&all, rda_messages_of(m, (enum rda_message)i));
	ck_assert_uint_eq(all.count, stories[_i].count);
	ck_assert_int_eq(all.min, stories[_i].min * 1000);
	ck_assert_int_eq(all.max, stories[_i].max * 1000);
	ck_assert_uint_eq(m->acks.count, stories[_i].acks);
	ck_assert_uint_eq(rda_messages_first(m)->count, stories[_i].first);
	ck_assert_uint_eq(t.events[RDA_EVENT_MESSAGE_DONE], stories[_i].count);
	rda_latency_cleanup(&all);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_message(void)
{
	Suite *suite = suite_create("message");
	TCase *tcase = tcase_create("message");

	tcase_add_loop_test(tcase, assembly, 0, RDA_COUNT(assemblies));
	tcase_add_test(tcase, what_is_told_of_a_message);
	tcase_add_loop_test(tcase, acknowledgment, 0, RDA_COUNT(acks));
	tcase_add_test(tcase, the_slowest_acknowledgments);
	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
