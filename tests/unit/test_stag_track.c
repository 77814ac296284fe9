/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of uses of STags: which events, in which order.
 */
#include "analyzer/track/keys/stag_track.h"

#include "analyzer/engine/state.h"
#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>

enum { STAG = 0x1100 };

static GString *told;

/* A letter an event, and "!" behind those that are not of the STag or not of iWARP. */
static void note(void *context, const struct rda_key_event *event)
{
	static const char letters[] = {
		[RDA_KEY_ASKED] = 'a',
		[RDA_KEY_WORKED] = 'w',
		[RDA_KEY_REFUSED] = 'r',
		[RDA_KEY_USED_AFTER] = 'u',
	};

	(void)context;
	g_string_append_c(told, letters[event->kind]);
	if (event->key != STAG || !event->stag)
		g_string_append_c(told, '!');
}

static void write_and_invalidate(struct rda_iwarp_feed *w)
{
	rda_iwarp_write(w, 0, STAG, 0x7000, 64);
	rda_iwarp_invalidate(w, 0, 1, STAG);
}

static void used_after(struct rda_iwarp_feed *w)
{
	rda_iwarp_invalidate(w, 0, 1, STAG);
	rda_iwarp_write(w, 0, STAG, 0x7000, 64);
}

static void told_anew(struct rda_iwarp_feed *w)
{
	rda_iwarp_invalidate(w, 0, 1, STAG);
	rda_iwarp_send(w, 1, 1, 16);
	rda_iwarp_write(w, 0, STAG, 0x7000, 64);
}

static void refused(struct rda_iwarp_feed *w)
{
	rda_iwarp_write(w, 0, STAG, 0x7000, 64);
	rda_iwarp_terminate_write(w, 1, "1100 c000", STAG, 0x7000);
}

static void damaged(struct rda_iwarp_feed *w)
{
	w->flags = RDA_IWARP_BAD_CRC;
	rda_iwarp_write(w, 0, STAG, 0x7000, 64);
}

static const struct {
	void (*act)(struct rda_iwarp_feed *w);
	const char *events;
} stories[] = {
	{write_and_invalidate, "aw"},
	{used_after, "wau"},
	{told_anew, "wa"},
	{refused, "ar"},
	{damaged, ""},
};

START_TEST(events_of_stags)
{
	struct rda_iwarp_feed w;

	told = g_string_new(NULL);
	rda_iwarp_feed_begin(&w);
	w.feed.engine->key_sink.event = note;
	rda_iwarp_open_with(&w, 0x40);
	stories[_i].act(&w);
	rda_iwarp_finish(&w);
	ck_assert_str_eq(told->str, stories[_i].events);
	rda_iwarp_feed_end(&w);
	g_string_free(told, TRUE);
}
END_TEST

Suite *rda_suite_stag_track(void)
{
	Suite *suite = suite_create("stag_track");
	TCase *tcase = tcase_create("stag_track");

	tcase_add_loop_test(tcase, events_of_stags, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
