/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hosts are told besides keys in requests: which events, in which order. A message of
 * connection management is a SEND, too.
 */
#include "analyzer/track/keys/key_track.h"

#include "analyzer/engine/state.h"
#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>

enum { KEY = 0x77, DREQ = 0x15 };

static struct rda_keys_feed keys;
static GString *told;

static void note(void *context, const struct rda_key_event *event)
{
	static const char letters[] = {
		[RDA_KEY_ASKED] = 'a',
		[RDA_KEY_NUMBER] = 'n',
		[RDA_KEY_MESSAGE] = 'm',
		[RDA_KEY_DEAD] = 'd',
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

START_TEST(numbers_and_messages)
{
	static const uint8_t bytes[] = {1, 2, 3, 4};

	begin();
	rda_keys_tell(&keys, bytes, sizeof(bytes));
	expect("mnmnm");
}
END_TEST

/* The flow that named a key is over; the other one, and one that is over already, is not told. */
START_TEST(a_connection_is_over)
{
	const struct rda_cm_message dreq = {
		.from = 1, .to = 2, .attribute = DREQ, .local_id = 1, .remote_id = 2};

	begin();
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_feed_cm(&keys.feed, &dreq);
	rda_feed_cm(&keys.feed, &dreq);
	expect("mnmnamdm");
}
END_TEST

/* The first packet of its next life shows it. */
START_TEST(a_qp_is_set_up_anew)
{
	begin();
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_feed_exchange_at(&keys.feed, 1, 2, 0x100, 0x2000, 77, 900000, 800000);
	keys.psn = 900000 - 1;
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 8);
	expect("mnmnamnmnda");
}
END_TEST

Suite *rda_suite_told_track(void)
{
	Suite *suite = suite_create("told_track");
	TCase *tcase = tcase_create("told_track");

	tcase_add_test(tcase, numbers_and_messages);
	tcase_add_test(tcase, a_connection_is_over);
	tcase_add_test(tcase, a_qp_is_set_up_anew);
	suite_add_tcase(suite, tcase);
	return suite;
}
