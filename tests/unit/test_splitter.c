/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which frames belong together, at first glance and as they are dissected; QPs told in clear.
 */
#include "analyzer/engine/splitter.h"

#include "analyzer/base/address.h"
#include "analyzer/track/setup/cm_track.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { A = 1, B = 2, CLIENT_PORT = 40000, SERVER_PORT = 18515, SEND_ONLY = 0x04, BEGINNING = 64 };

/* What a frame's own dissection says of it. */
static void check_share(const struct rda_frame *frame)
{
	struct rda_share share = rda_frame_share(frame, NULL);
	struct rda_packet packet;
	uint64_t pair = 0;

	rda_dissect(&packet, frame, NULL);
	if (packet.carrier != RDA_CARRIER_NONE || rda_has(&packet, TCP))
		pair = rda_address_pair(&packet.source, &packet.destination);
	ck_assert_uint_eq(share.pair, pair);
	ck_assert_int_eq(share.rdma, packet.carrier != RDA_CARRIER_NONE);
}

START_TEST(the_first_glance_tells_what_the_whole_tells)
{
	struct rda_recipe recipe = rda_packet_of(A, B, 0x11, SEND_ONLY, 5);
	GRand *random = g_rand_new_with_seed(1);
	struct rda_built built;
	unsigned rdma = 0;

	rda_build_packet(&built, &recipe);
	for (unsigned i = 0; i < 200000; i++) {
		struct rda_built other = built;
		struct rda_frame frame = {other.b.bytes, other.b.length, other.b.length,
					  other.link};

		for (int n = g_rand_int_range(random, 0, 3); n > 0; n--)
			other.b.bytes[g_rand_int_range(random, 0, BEGINNING)] =
				(uint8_t)g_rand_int(random);
		if (i % 8 == 0)
			frame.captured = (uint32_t)g_rand_int_range(random, 0, BEGINNING);
		if (i % 64 == 1)
			frame.link = (uint16_t)g_rand_int_range(random, 0, 300);
		check_share(&frame);
		rdma += rda_frame_share(&frame, NULL).rdma;
	}
	ck_assert_uint_gt(rdma, 100000);
	g_rand_free(random);
}
END_TEST

static struct rda_share tell(struct rda_splitter *splitter, struct rda_meta *meta, bool server,
			     const char *text)
{
	struct rda_build b = {0};
	uint32_t ip;
	struct rda_frame frame;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, 6, server ? B : A, server ? A : B);
	rda_put16(&b, server ? SERVER_PORT : CLIENT_PORT);
	rda_put16(&b, server ? CLIENT_PORT : SERVER_PORT);
	rda_put32(&b, 1);
	rda_put32(&b, 1);
	rda_put32(&b, 0x50180200);
	rda_put32(&b, 0);
	rda_put(&b, text, (uint32_t)strlen(text));
	rda_close_ip4(&b, ip);
	frame = (struct rda_frame){b.bytes, b.length, b.length, 1};
	meta->number++;
	return rda_splitter_frame(splitter, meta, &frame);
}

/* The hosts are those that the lines name: another pair than the one that carries them. */
START_TEST(told_in_clear_between_others)
{
	const struct rda_config config = {.part = true};
	struct rda_splitter *splitter = rda_splitter_new(&config);
	struct rda_engine *part = rda_engine_new(&config);
	struct rda_meta meta = {0};
	struct rda_share share;
	struct rda_result *result;

	share = tell(splitter, &meta, false, "0000:000011:23b79a:00000000000000000000ffff0a000009");
	ck_assert_ptr_null(share.told);
	ck_assert_ptr_nonnull(rda_splitter_packet(splitter));
	share = tell(splitter, &meta, true, "0000:000022:ecf8ea:00000000000000000000ffff0a000008");
	ck_assert_ptr_nonnull(share.told);
	ck_assert_uint_ne(share.told_pair, share.pair);
	ck_assert_uint_eq(share.told_pair,
			  rda_address_pair(&share.told[0].address, &share.told[1].address));
	ck_assert_uint_eq(share.told[0].qpn, 0x11);
	ck_assert_uint_eq(share.told[1].qpn, 0x22);
	rda_engine_told(part, &meta, &share);
	rda_engine_told(part, &meta, &share); /* it is known */
	result = rda_engine_result(part);
	ck_assert_uint_eq(rda_result_conversation_count(result), 1);
	rda_result_free(result);
	rda_engine_free(part);
	rda_splitter_free(splitter);
}
END_TEST

Suite *rda_suite_splitter(void)
{
	Suite *suite = suite_create("splitter");
	TCase *tcase = tcase_create("splitter");

	tcase_add_test(tcase, the_first_glance_tells_what_the_whole_tells);
	tcase_add_test(tcase, told_in_clear_between_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
