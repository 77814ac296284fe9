/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result that went through bytes is merged as the one that it was made of. Whole worlds of them:
 * simulate/sharded, which sends all its parts that way.
 */
#include "analyzer/engine/result_pack.h"

#include "analyzer/engine/result.h"
#include "tests/unit/feed.h"
#include "tests/unit/pack_way.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { FRAMES = 40, SEND_LAST = 0x02, SEND_ONLY = 0x04 };

static struct rda_result *sent(const struct rda_result *result)
{
	GQueue way = G_QUEUE_INIT;
	struct rda_result *got;
	struct rda_pack pack;

	rda_pack_write(&pack, pack_way_send, &way);
	rda_result_pack(&pack, result);
	rda_pack_end(&pack);
	rda_pack_read(&pack, pack_way_receive, &way);
	got = rda_result_unpack(&pack);
	ck_assert(!pack.cut && pack.at == pack.end && g_queue_is_empty(&way));
	rda_pack_end(&pack);
	return got;
}

/* What host 1 sends to another one, with the end of a message that had no beginning. */
static struct rda_result *part_of(uint8_t other)
{
	const struct rda_config config = {.part = true, .part_number = other};
	struct rda_engine *engine = rda_engine_new(&config);
	struct rda_result *result;
	struct rda_built built;

	rda_engine_begin_capture(engine);
	for (uint32_t i = 0; i < FRAMES; i++) {
		uint8_t opcode = i == FRAMES / 2 ? SEND_LAST : SEND_ONLY;
		struct rda_recipe recipe = rda_packet_of(1, other, 0x11, opcode, i);
		struct rda_meta meta = {.time_ns = i * INT64_C(1000), .number = 2 * i + other};
		struct rda_frame frame;

		rda_build_packet(&built, &recipe);
		frame = (struct rda_frame){built.b.bytes, built.b.length, built.b.length,
					   built.link};
		rda_engine_packet(engine, &meta, &frame);
	}
	rda_engine_end(engine);
	result = rda_engine_result(engine);
	rda_engine_free(engine);
	return result;
}

START_TEST(it_merges_as_before)
{
	struct rda_result *a = part_of(2), *b = part_of(3), *far_a = sent(a), *far_b = sent(b);
	struct rda_result *here = rda_result_merge(a, b), *there = rda_result_merge(far_a, far_b);

	ck_assert_uint_eq(rda_result_connection_count(there), 2);
	ck_assert_uint_eq(rda_result_flow_count(there), rda_result_flow_count(here));
	for (uint32_t i = 0; i < rda_result_flow_count(here); i++) {
		const struct rda_flow_facts *one = rda_result_flow_at(here, i);
		const struct rda_flow_facts *two = rda_result_flow_at(there, i);

		ck_assert_uint_eq(one->packets, two->packets);
		ck_assert_mem_eq(&one->key, &two->key, sizeof(one->key));
	}
	ck_assert_uint_gt(rda_result_finding_count(here), 0);
	ck_assert_uint_eq(rda_result_finding_count(there), rda_result_finding_count(here));
	for (unsigned i = 0; i < rda_result_finding_count(here); i++) {
		char *one = rda_finding_text(rda_result_finding(here, i));
		char *two = rda_finding_text(rda_result_finding(there, i));

		ck_assert_str_eq(one, two);
		g_free(one);
		g_free(two);
	}
	for (unsigned i = 0; i < 6; i++)
		rda_result_free(((struct rda_result *[]){a, b, far_a, far_b, here, there})[i]);
}
END_TEST

Suite *rda_suite_result_pack(void)
{
	Suite *suite = suite_create("result_pack");
	TCase *tcase = tcase_create("result_pack");

	tcase_add_test(tcase, it_merges_as_before);
	suite_add_tcase(suite, tcase);
	return suite;
}
