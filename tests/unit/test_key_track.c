/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of requests that name a key: which events, in which order.
 */
#include "analyzer/track/keys/key_track.h"

#include "analyzer/engine/state.h"
#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { KEY = 0x77 };

static struct rda_keys_feed keys;
static GString *told;

/* A letter an event; of messages and numbers none. */
static void note(void *context, const struct rda_key_event *event)
{
	static const char letters[] = {
		[RDA_KEY_ASKED] = 'a',	 [RDA_KEY_PASSED] = 'p', [RDA_KEY_WORKED] = 'w',
		[RDA_KEY_REFUSED] = 'r', [RDA_KEY_DEAD] = 'd',	 [RDA_KEY_AGAIN] = 'g',
	};

	(void)context;
	if (event->kind < sizeof(letters) && letters[event->kind])
		g_string_append_c(told, letters[event->kind]);
}

static void begin(void)
{
	told = g_string_new(NULL);
	rda_keys_begin(&keys);
	keys.feed.engine->key_sink.event = note;
	rda_keys_connect(&keys, 0, 1);
}

static void expect(const char *events)
{
	ck_assert_str_eq(told->str, events);
	rda_keys_end(&keys);
	g_string_free(told, TRUE);
}

START_TEST(acknowledged)
{
	begin();
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_keys_ack(&keys);
	rda_keys_ack(&keys);
	expect("aaww");
}
END_TEST

START_TEST(sent_again)
{
	begin();
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	keys.psn--;
	keys.feed.meta.time_ns += INT64_C(1000000000);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_keys_ack(&keys);
	expect("agw");
}
END_TEST

START_TEST(refused)
{
	begin();
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_keys_nak(&keys, 0x62);
	rda_keys_nak(&keys, 0x62);
	expect("aawrd");
}
END_TEST

Suite *rda_suite_key_track(void)
{
	Suite *suite = suite_create("key_track");
	TCase *tcase = tcase_create("key_track");

	tcase_add_test(tcase, acknowledged);
	tcase_add_test(tcase, sent_again);
	tcase_add_test(tcase, refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
