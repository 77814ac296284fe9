/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MPA: start frames, CRCs, markers, pads; in every shape of the TCP stream.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "analyzer/engine/state.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

static void crc_right(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 701);
}

static void crc_wrong(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	w->flags = RDA_IWARP_BAD_CRC;
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 701);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
}

static void crc_not_in_use(struct rda_iwarp_feed *w)
{
	rda_iwarp_open(w);
	w->streams[0].crc = true;
	w->flags = RDA_IWARP_BAD_CRC;
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
}

static void markers_right(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0xc0);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 1400);
	rda_iwarp_send(w, 1, 1, 700);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 3);
}

static void marker_wrong(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x80);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
	w->flags = RDA_IWARP_BAD_MARKER;
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 1400);
}

static void markers_not_asked_for(struct rda_iwarp_feed *w)
{
	rda_iwarp_open(w);
	w->streams[0].markers = true;
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 1400);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
}

static void markers_missing(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x80);
	w->streams[0].markers = false;
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 1400);
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 64);
}

static void pad_not_zero(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	w->flags = RDA_IWARP_BAD_PAD;
	rda_iwarp_write(w, 0, 0x1100, 0x7000, 1);
}

static void responder_first(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 1, 1, 4);
	rda_iwarp_send(w, 0, 1, 4);
}

/* A request alone, of a new connection. */
static void request_of(struct rda_iwarp_feed *w, uint8_t flags, uint8_t revision,
		       const char *private_data)
{
	w->shape.mss = 0;
	rda_iwarp_start(w, 0, flags, revision, private_data);
}

static void revision_3(struct rda_iwarp_feed *w)
{
	request_of(w, 0, 3, "");
}

static void revision_0(struct rda_iwarp_feed *w)
{
	request_of(w, 0, 0, "");
}

static void depths_in_revision_1(struct rda_iwarp_feed *w)
{
	request_of(w, 0x10, 1, "0001 0001");
}

static void depths_missing(struct rda_iwarp_feed *w)
{
	request_of(w, 0x10, 2, "00");
}

static void kinds_without_peer_to_peer(struct rda_iwarp_feed *w)
{
	request_of(w, 0x10, 2, "0001 8001");
}

static void rejecting_request(struct rda_iwarp_feed *w)
{
	request_of(w, 0x20, 1, "");
}

static void rejected(struct rda_iwarp_feed *w)
{
	w->shape.mss = 0;
	rda_iwarp_start(w, 0, 0x40, 1, "");
	rda_iwarp_start(w, 1, 0x60, 1, "dead beef");
}

static void depths_agree(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "0010 0008", "0008 0010");
}

static void too_many_promised(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "0004 0008", "0008 0005");
}

static void too_few_allowed(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "0004 0008", "0007 0004");
}

static void depths_not_told(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "3fff 3fff", "0001 3fff");
}

static void ready_by_write(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "8004 8004", "8004 8004");
	rda_iwarp_write(w, 0, 0, 0, 0);
}

static void ready_by_send(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "c004 0004", "c004 0004");
	rda_iwarp_send(w, 0, 1, 0);
}

static void ready_by_read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "8004 4004", "8004 4004");
	rda_iwarp_read(w, 0, 1, 0, 0, 0);
}

static void not_ready(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "8004 8004", "8004 8004");
	rda_iwarp_send(w, 0, 1, 16);
}

static void ready_by_the_wrong_kind(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_deep(w, "c004 8004", "8004 8004");
	rda_iwarp_send(w, 0, 1, 0);
}

static const struct rda_iwarp_story stories[] = {
	{"CRC right", crc_right, "", NULL},
	{"CRC wrong", crc_wrong, "W01x1 ", "should be"},
	{"CRC not in use", crc_not_in_use, "W28x1 ", NULL},
	{"markers right", markers_right, "", NULL},
	{"marker wrong", marker_wrong, "W02x1 W28x1 ", NULL},
	{"markers not asked for", markers_not_asked_for, "W03x1 W28x1 ", "did not ask for"},
	{"markers missing", markers_missing, "W03x1 W28x1 ", "have no markers"},
	{"pad not zero", pad_not_zero, "W05x1 ", NULL},
	{"responder first", responder_first, "W06x1 ", "a SEND before the initiator"},
	{"revision 3", revision_3, "W07x1 ", "revision above 2"},
	{"revision 0", revision_0, "W07x1 ", "before RFC 5044"},
	{"depths in revision 1", depths_in_revision_1, "W07x1 ", "flag of revision 2"},
	{"depths missing", depths_missing, "W07x1 ", "does not have"},
	{"kinds without peer-to-peer", kinds_without_peer_to_peer, "W07x1 ", "without asking"},
	{"rejecting request", rejecting_request, "W07x1 ", "rejects"},
	{"rejected", rejected, "W08x1 ", "4 bytes of private data: de ad be ef."},
	{"depths agree", depths_agree, "W28x1 ", NULL},
	{"too many promised", too_many_promised, "W09x1 W28x1 ",
	 "have 5 READs outstanding, and the request allowed 4"},
	{"too few allowed", too_few_allowed, "W09x1 W28x1 ",
	 "wants 8 READs outstanding and the reply allows 7"},
	{"depths not told", depths_not_told, "W28x1 ", NULL},
	{"ready by WRITE", ready_by_write, "W28x1 ", NULL},
	{"ready by SEND", ready_by_send, "W28x1 ", NULL},
	{"ready by READ", ready_by_read, "W28x1 ", NULL},
	{"not ready", not_ready, "W10x1 W28x1 ", "a SEND of 16 bytes instead"},
	{"ready by the wrong kind", ready_by_the_wrong_kind, "W10x1 W28x1 ", NULL},
};

START_TEST(stories_end_as_they_should)
{
	rda_iwarp_story_check(&stories[_i]);
}
END_TEST

static const struct rda_finding *crc_off(const struct rda_iwarp_feed *w)
{
	for (unsigned i = 0; i < rda_engine_finding_count(w->feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(w->feed.engine, i);

		if (finding->key.check == RDA_CHECK_W28)
			return finding;
	}
	return NULL;
}

static const struct rda_flow *found_flow(const struct rda_iwarp_feed *w,
					 const struct rda_finding *finding)
{
	return w->feed.engine->flows.table.items[finding->key.subject.index];
}

/* Whichever start frame is captured first, W28 is of who replied: from the server's port. */
START_TEST(crc_off_of_who_replied)
{
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	w.streams[0].sequence = 5000;
	w.streams[1].sequence = 1000;
	for (unsigned i = 0; i < 2; i++)
		rda_iwarp_start(&w, _i ? i : 1 - i, 0, 1, "");
	rda_iwarp_finish(&w);
	ck_assert_ptr_nonnull(crc_off(&w));
	ck_assert_uint_eq(found_flow(&w, crc_off(&w))->key.source.bytes[15], 2);
	rda_iwarp_feed_end(&w);
}
END_TEST

Suite *rda_suite_check_iwarp_mpa(void)
{
	Suite *suite = suite_create("check_mpa");
	TCase *tcase = tcase_create("check_mpa");

	tcase_add_loop_test(tcase, stories_end_as_they_should, 0, RDA_COUNT(stories));
	tcase_add_loop_test(tcase, crc_off_of_who_replied, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
