/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A key that hosts in different parts use, told while they read. What is judged of keys, in any
 * order of frames: test_merge_keys.c; of captures: program/jobs.
 */
#include "analyzer/engine/part_keys.h"

#include "analyzer/engine/retire.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, C = 3, WRITE_ONLY = 0x0a, KEY = 0x1234, WRITES = 6 };

static void write_to_a(struct rda_engine *engine, uint8_t from, uint32_t i)
{
	struct rda_extended reth = rda_reth(0x1000 + 64 * i, KEY, 64);
	struct rda_recipe recipe = rda_with(rda_packet_of(from, A, from, WRITE_ONLY, i), &reth);
	struct rda_meta meta = {.time_ns = i * INT64_C(1000), .number = i + 1};
	struct rda_frame frame;
	struct rda_built built;

	recipe.payload_length = 64;
	rda_build_packet(&built, &recipe);
	frame = (struct rda_frame){built.b.bytes, built.b.length, built.b.length, built.link};
	rda_engine_packet(engine, &meta, &frame);
}

/* Of three parts the third has no frames; what parts have is taken now and then, and at the end.
 * `_i`: the keys are closed before results are merged. */
START_TEST(users_of_a_key_in_two_parts)
{
	struct rda_config config = {.part = true};
	struct rda_part_keys *keys = rda_part_keys_new(&config, 3);
	struct rda_result *results[3], *merged, *two;
	const struct rda_key_facts *key;
	struct rda_engine *engines[3];

	for (unsigned k = 0; k < 3; k++) {
		config.part_number = k;
		engines[k] = rda_engine_new(&config);
		rda_engine_begin_capture(engines[k]);
	}
	for (unsigned k = 0; k < 3; k++) /* each is through before the next begins */
		for (uint32_t i = 0; i < WRITES; i++) {
			if (i % 2 == k)
				write_to_a(engines[k], k ? C : B, i);
			if (i == 2 || i == 4)
				rda_part_keys_take(keys, k, engines[k]);
		}
	for (unsigned k = 0; k < 3; k++) {
		rda_engine_end(engines[k]);
		results[k] = rda_engine_result(engines[k]);
		rda_engine_free(engines[k]);
		rda_part_keys_end(keys, k, results[k]);
	}
	if (_i)
		rda_part_keys_close(keys);
	two = rda_result_merge(results[2], results[1]);
	merged = rda_part_keys_unite(keys, two, results[0]);
	ck_assert_uint_eq(rda_result_key_count(merged), 1);
	key = rda_result_key(merged, 0);
	ck_assert_uint_eq(key->asked[RDA_KEY_USE_WRITE], WRITES);
	ck_assert_uint_eq(key->bytes, WRITES * 64);
	ck_assert_uint_eq(key->user_count, 2);
	ck_assert_uint_eq(key->users[0], 0);
	ck_assert_uint_eq(key->users[1], 1);
	ck_assert_uint_eq(rda_result_host_of_index(merged, key->id.responder)->address.bytes[15],
			  A);
	for (unsigned k = 1; k < 3; k++)
		rda_result_free(results[k]);
	rda_result_free(merged);
	rda_part_keys_free(keys);
}
END_TEST

/* Closed, and nothing is merged after all: what is known of the key is freed (leak checkers). */
START_TEST(closed_for_nothing)
{
	struct rda_config config = {.part = true};
	struct rda_part_keys *keys = rda_part_keys_new(&config, 1);
	struct rda_engine *engine = rda_engine_new(&config);

	write_to_a(engine, B, 0);
	rda_part_keys_take(keys, 0, engine);
	rda_part_keys_close(keys);
	rda_part_keys_close(keys);
	rda_part_keys_free(keys);
	rda_engine_free(engine);
	rda_part_keys_close(NULL);
	rda_part_keys_free(NULL);
}
END_TEST

static void tell_nothing(struct rda_engine *engine)
{
	struct rda_recipe recipe = rda_packet_of(A, B, 0x99, 0x04, 7);
	struct rda_meta meta = {.time_ns = 1, .number = 1};
	struct rda_frame frame;
	struct rda_built built;

	recipe.payload_length = 64;
	rda_build_packet(&built, &recipe);
	frame = (struct rda_frame){built.b.bytes, built.b.length, built.b.length, built.link};
	rda_engine_packet(engine, &meta, &frame);
}

/*
 * A key of which nothing was told (K03), on a connection whose beginning was not captured: nothing
 * is told of it, and it is counted. No less so when the connection went before the end; the key
 * goes with its host.
 */
START_TEST(connections_that_went)
{
	for (unsigned goes = 0; goes < 2; goes++) {
		struct rda_config config = {.part = true};
		struct rda_part_keys *keys = rda_part_keys_new(&config, 1);
		struct rda_engine *engine = rda_engine_new(&config);
		struct rda_result *result, *nothing, *merged;

		tell_nothing(engine);
		nothing = rda_engine_result(engine);
		write_to_a(engine, B, 1);
		rda_part_keys_take(keys, 0, engine);
		if (goes)
			rda_retire(engine, 0);
		rda_engine_end(engine);
		result = rda_engine_result(engine);
		rda_part_keys_end(keys, 0, result);
		rda_result_free(nothing);
		rda_engine_free(engine);
		engine = rda_engine_new(&config);
		nothing = rda_engine_result(engine);
		merged = rda_part_keys_unite(keys, result, nothing);
		ck_assert_uint_eq(rda_result_withheld(merged, RDA_CHECK_K03), 1);
		for (unsigned i = 0; i < rda_result_finding_count(merged); i++)
			ck_assert_int_ne(rda_result_finding(merged, i)->key.check, RDA_CHECK_K03);
		ck_assert_uint_eq(rda_result_key_count(merged), !goes);
		ck_assert_uint_eq(rda_result_retired(merged)->keys, goes);
		rda_result_free(merged);
		rda_engine_free(engine);
		rda_part_keys_free(keys);
	}
}
END_TEST

Suite *rda_suite_part_keys(void)
{
	Suite *suite = suite_create("part_keys");
	TCase *tcase = tcase_create("part_keys");

	tcase_add_loop_test(tcase, users_of_a_key_in_two_parts, 0, 2);
	tcase_add_test(tcase, closed_for_nothing);
	tcase_add_test(tcase, connections_that_went);
	suite_add_tcase(suite, tcase);
	return suite;
}
