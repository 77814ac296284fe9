/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iWARP connections in what a capture has of TCP: memory that hostile captures cannot grow.
 */
#include "analyzer/track/iwarp/state.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

static struct rda_flow flow; /* of all: nobody looks at it */

static struct rda_flow *any_flow(void *context, const struct rda_flow_key *key,
				 const struct rda_meta *meta)
{
	(void)context;
	(void)key;
	(void)meta;
	return &flow;
}

static void no_start(void *context, const struct rda_iwarp_at *at,
		     const struct rda_mpa_start_seen *start)
{
	(void)context;
	(void)at;
	(void)start;
}

static void count_fpdu(void *context, const struct rda_iwarp_at *at,
		       const struct rda_fpdu_seen *fpdu)
{
	uint64_t *fpdus = context;

	(void)at;
	(void)fpdu;
	(*fpdus)++;
}

static void no_loss(void *context, const struct rda_iwarp_at *at, bool hole)
{
	(void)context;
	(void)at;
	(void)hole;
}

static void no_segment(void *context, const struct rda_iwarp_at *at)
{
	(void)context;
	(void)at;
}

static void no_damage(void *context, const struct rda_iwarp_at *at, uint64_t place, bool accepted)
{
	(void)context;
	(void)at;
	(void)place;
	(void)accepted;
}

static uint64_t fpdus;

static struct rda_iwarp *begin(void)
{
	const struct rda_iwarp_hooks hooks = {any_flow,	 no_start, count_fpdu, no_loss, no_segment,
					      no_damage, NULL,	   &fpdus,     NULL};

	fpdus = 0;
	return rda_iwarp_new(1, &hooks);
}

/* A segment of a client on `port`. */
static void give(struct rda_iwarp *iw, uint16_t port, uint32_t sequence, bool syn,
		 const uint8_t *bytes, uint32_t length)
{
	struct rda_packet packet = {
		.tcp = {.source_port = port,
			.destination_port = 7000,
			.sequence = sequence,
			.syn = syn,
			.ack = !syn,
			.window = 100},
		.payload_length = length,
		.payload_known = true,
	};
	struct rda_frame frame = {bytes, length, length, 1};
	struct rda_meta meta = {.number = 1};
	struct rda_iwarp_at at = {.meta = &meta, .packet = &packet, .place = 1};

	packet.source.kind = packet.destination.kind = RDA_ADDRESS_IP4;
	packet.source.bytes[15] = 1;
	packet.destination.bytes[15] = 2;
	rda_iwarp_segment(iw, &at, &frame);
}

START_TEST(a_flood_of_syns_makes_no_connection)
{
	struct rda_iwarp *iw = begin();

	for (unsigned i = 0; i < 3 * RDA_IWARP_CANDIDATES; i++)
		give(iw, (uint16_t)i, i, true, NULL, 0);
	ck_assert_uint_eq(iw->connections.count, 0);
	ck_assert_uint_eq(iw->pool.held, 0);
	rda_iwarp_free(iw);
}
END_TEST

static const uint8_t request[] = "MPA ID Req Frame\0\1\0\0";

enum { REQUEST = sizeof(request) - 1, BIG = 60000 };

START_TEST(gaps_that_never_fill_hold_no_more_than_the_pool)
{
	static const uint8_t zeros[BIG];
	struct rda_iwarp *iw = begin();

	for (unsigned port = 0; port < 200; port++) {
		give(iw, (uint16_t)port, 1000, false, request, REQUEST);
		for (unsigned i = 1; i < 40; i++) {
			give(iw, (uint16_t)port, 1000 + REQUEST + 2 * BIG * i, false, zeros, BIG);
			ck_assert_uint_le(iw->pool.held, RDA_IWARP_HELD_MAX + BIG);
		}
	}
	ck_assert_uint_gt(iw->pool.given_up, 0);
	rda_iwarp_end(iw);
	ck_assert_uint_eq(iw->pool.held, 0);
	rda_iwarp_free(iw);
}
END_TEST

/* The longest start frame and the longest FPDU that can be claimed, byte by byte. */
START_TEST(claimed_lengths_need_no_memory)
{
	uint8_t bytes[REQUEST];
	struct rda_iwarp *iw = begin();

	memcpy(bytes, request, REQUEST);
	bytes[18] = bytes[19] = 0xff;
	give(iw, 1, 1000, false, bytes, REQUEST);
	for (uint32_t i = 0; i < 70000; i++)
		give(iw, 1, 1000 + REQUEST + i, false, (const uint8_t *)"\xff", 1);
	ck_assert_uint_eq(iw->pool.held, 0);
	ck_assert_uint_eq(fpdus, 0);
	rda_iwarp_free(iw);
}
END_TEST

START_TEST(a_port_used_again_is_another_connection)
{
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	rda_iwarp_open_with(&w, 0x40);
	rda_iwarp_send(&w, 0, 1, 4);
	w.streams[0].crc = false;
	rda_iwarp_open_with(&w, 0x40);
	rda_iwarp_send(&w, 0, 1, 4); /* in the old one it would come twice */
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_engine_connection_count(w.feed.engine), 2);
	ck_assert_uint_eq(rda_iwarp_cases(&w, RDA_CHECK_W11), 0);
	rda_iwarp_feed_end(&w);
}
END_TEST

/* A link makes copies; the request was the first that was sent behind the SYN. */
START_TEST(a_copy_of_the_syn_is_no_other_connection)
{
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	rda_iwarp_open_with(&w, 0x40);
	rda_iwarp_send(&w, 0, 1, 4);
	w.openings = 0;
	rda_iwarp_shake_hands(&w);
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_engine_connection_count(w.feed.engine), 1);
	rda_iwarp_feed_end(&w);
}
END_TEST

Suite *rda_suite_iwarp(void)
{
	Suite *suite = suite_create("iwarp");
	TCase *tcase = tcase_create("iwarp");

	tcase_add_test(tcase, a_flood_of_syns_makes_no_connection);
	tcase_add_test(tcase, gaps_that_never_fill_hold_no_more_than_the_pool);
	tcase_add_test(tcase, claimed_lengths_need_no_memory);
	tcase_add_test(tcase, a_port_used_again_is_another_connection);
	tcase_add_test(tcase, a_copy_of_the_syn_is_no_other_connection);
	suite_add_tcase(suite, tcase);
	return suite;
}
