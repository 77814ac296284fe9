/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys as records: each is read as it was written, whatever came before it; logs
 * of them are test_key_log.c's.
 */
#include "analyzer/track/keys/event_record.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { ROOM = 1000 };

static const struct rda_key_atomic atomic = {UINT64_MAX, 7, true};

static const struct rda_key_event events[] = {
	{.kind = RDA_KEY_ASKED,
	 .place = 9,
	 .asked_place = 9,
	 .va = UINT64_MAX,
	 .psn = INT64_MIN,
	 .time_ns = INT64_C(1) << 62,
	 .wait_ns = INT64_MAX,
	 .peer = RDA_KEY_NO_FLOW,
	 .key = UINT32_MAX,
	 .length = UINT32_MAX,
	 .use = RDA_KEY_USE_ATOMIC,
	 .answers = true,
	 .doubt = RDA_KEY_UNCHECKED,
	 .atomic = &atomic},
	{.kind = RDA_KEY_WORKED, .place = 12, .asked_place = 9, .psn = 5, .flow = 3, .tap = 1},
	{.kind = RDA_KEY_AGAIN,
	 .place = 13,
	 .time_ns = -(INT64_C(1) << 62),
	 .wait_ns = 1,
	 .other = 2,
	 .syndrome = 255},
	{.kind = RDA_KEY_DEAD, .place = 14, .responder = 8, .stag = true, .atomic_write = true},
};

START_TEST(read_as_written)
{
	uint8_t bytes[ROOM], *to = bytes;
	const uint8_t *at = bytes;
	struct rda_key_before written = {0}, read = {0};
	union rda_key_more more;
	struct rda_key_event event;

	for (unsigned i = 0; i < RDA_COUNT(events); i++) {
		uint8_t *from = to;

		to = rda_key_event_put(to, 20 + i, &events[i], &written);
		RDA_CHECK((size_t)(to - from) <= rda_key_event_room(&events[i]), "event %u", i);
	}
	for (unsigned i = 0; i < RDA_COUNT(events); i++) {
		memset(&event, 0, sizeof(event));
		rda_key_event_get(&at, &event, &more, &read);
		ck_assert_uint_eq(read.when, 20 + i);
		if (event.more)
			ck_assert_mem_eq(event.more, &atomic, rda_key_event_more(&event));
		event.more = events[i].more;
		ck_assert_mem_eq(&event, &events[i], sizeof(event));
	}
	ck_assert_ptr_eq(at, to);
}
END_TEST

Suite *rda_suite_event_record(void)
{
	Suite *suite = suite_create("event_record");
	TCase *tcase = tcase_create("event_record");

	tcase_add_test(tcase, read_as_written);
	suite_add_tcase(suite, tcase);
	return suite;
}
