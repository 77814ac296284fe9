/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How good captures are: by values, each lack alone; and of an engine's result.
 */
#include "analyzer/facts/quality.h"

#include "analyzer/base/latency.h"

#include "tests/unit/flow_list.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, A_QP = 0x11, B_QP = 0x22, PORT = 0xc000, ALL_SEEN = 0x7f };

/* A connection of one flow that has done a WRITE, in a capture of nanoseconds. */
struct scene {
	struct rda_capture capture;
	struct rda_stamps stamps;
	struct rda_connection_facts connections[2];
	struct rda_flow_facts flow;
	struct rda_flow_latencies latencies;
	unsigned count;
	struct rda_quality quality;
};

static void set(struct scene *scene)
{
	*scene = (struct scene){
		.stamps = {.unit_ns = 1},
		.connections = {{.service = RDA_SERVICE_RC, .seen = ALL_SEEN, .flows = {0, -1}},
				{.service = RDA_SERVICE_RC, .seen = ALL_SEEN, .flows = {0, -1}}},
		.count = 1,
	};
	scene->flow.message_kind = RDA_MESSAGE_WRITE;
	scene->flow.messages.count = 1;
	scene->flow.latencies = &scene->latencies;
}

static const struct rda_topic_quality *judge(struct scene *scene, enum rda_topic topic)
{
	const struct rda_quality_sources of = {
		.captures = &scene->capture,
		.stamps = &scene->stamps,
		.connections = scene->connections,
		.flows = rda_flow_list(&scene->flow, 1),
		.capture_count = 1,
		.connection_count = scene->count,
	};

	rda_quality_of(&scene->quality, &of);
	return &scene->quality.topics[topic];
}

START_TEST(all_is_told_of_a_whole_connection)
{
	struct scene scene;

	set(&scene);
	for (unsigned topic = 0; topic < RDA_TOPIC_COUNT; topic++) {
		ck_assert_uint_eq(judge(&scene, topic)->tells, RDA_TELLS);
		ck_assert_uint_eq(judge(&scene, topic)->without, 0);
	}
}
END_TEST

/* Each thing that may be lacking takes from just those topics that need it. */
START_TEST(each_lack_alone)
{
	struct scene scene;

	for (unsigned bit = 0; bit < RDA_LACK_SET_UP; bit++) {
		if (!(ALL_SEEN >> bit & 1))
			break;
		set(&scene);
		scene.connections[0].seen = (uint8_t)(ALL_SEEN & ~(1u << bit));
		for (unsigned topic = 0; topic < RDA_TOPIC_COUNT; topic++) {
			uint8_t tells = judge(&scene, topic)->tells;

			ck_assert_uint_eq(tells,
					  rda_topic_bars(topic) >> bit & 1    ? RDA_TELLS_NOTHING
					  : rda_topic_needs(topic) >> bit & 1 ? RDA_TELLS_IN_PART
									      : RDA_TELLS);
		}
	}
}
END_TEST

START_TEST(one_of_two_connections_is_a_part)
{
	struct scene scene;

	set(&scene);
	scene.count = 2;
	scene.connections[1].seen &= (uint8_t)~RDA_SEEN_BOTH;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_LOSS)->tells, RDA_TELLS_IN_PART);
	ck_assert_uint_eq(scene.quality.topics[RDA_TOPIC_LOSS].without, 1);
	ck_assert_uint_eq(scene.quality.topics[RDA_TOPIC_LOSS].lacking[0], 1);
	scene.connections[0].seen &= (uint8_t)~RDA_SEEN_BOTH;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_LOSS)->tells, RDA_TELLS_NOTHING);
}
END_TEST

/* The set-up is known by its management, or by what was told in clear. */
START_TEST(set_up)
{
	struct scene scene;

	set(&scene);
	scene.connections[0].seen &= (uint8_t)~RDA_SEEN_CM;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_SET_UP)->tells, RDA_TELLS);
	scene.connections[0].seen &= (uint8_t)~RDA_SEEN_START;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_SET_UP)->tells, RDA_TELLS_NOTHING);
}
END_TEST

START_TEST(stamps_beside_the_round_trip)
{
	const struct {
		int64_t unit_ns, ack_ns;
		uint8_t tells;
	} cases[] = {
		{1, 5, RDA_TELLS},
		{1000, 10000, RDA_TELLS},
		{1000, 9999, RDA_TELLS_IN_PART},
		{1000, 1000, RDA_TELLS_IN_PART},
		{1000, 999, RDA_TELLS_NOTHING},
		{1000000, 0, RDA_TELLS_NOTHING},
		{0, 5, RDA_TELLS},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		set(&scene);
		scene.stamps.unit_ns = cases[i].unit_ns;
		rda_latency_add(&scene.latencies.acks, cases[i].ack_ns);
		ck_assert_uint_eq(judge(&scene, RDA_TOPIC_LATENCY)->tells, cases[i].tells);
		ck_assert(scene.quality.acks_timed);
		ck_assert_int_eq(scene.quality.ack_ns, cases[i].ack_ns);
		ck_assert_uint_eq(scene.quality.topics[RDA_TOPIC_LOSS].tells, RDA_TELLS);
		rda_latency_cleanup(&scene.latencies.acks);
	}
}
END_TEST

START_TEST(a_clock_that_goes_back)
{
	struct scene scene;

	set(&scene);
	scene.stamps.go_back = true;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_LATENCY)->tells, RDA_TELLS_IN_PART);
}
END_TEST

/* What answers nothing has no latency; where nobody asks nothing is lacking. */
START_TEST(not_asked)
{
	struct scene scene;

	set(&scene);
	scene.connections[0].service = RDA_SERVICE_UC;
	scene.connections[0].seen &= (uint8_t)~RDA_SEEN_BOTH;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_LATENCY)->tells, RDA_TELLS_NOT_ASKED);
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_LOSS)->tells, RDA_TELLS);
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_KEYS)->tells, RDA_TELLS);
	scene.flow.messages.count = 0;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_KEYS)->tells, RDA_TELLS_NOT_ASKED);
	scene.connections[0].service = RDA_SERVICE_UD;
	ck_assert_uint_eq(judge(&scene, RDA_TOPIC_LOSS)->tells, RDA_TELLS_NOT_ASKED);
}
END_TEST

START_TEST(of_a_result)
{
	const struct rda_quality *quality;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, A, B, A_QP, B_QP, 1);
	rda_feed_send(&feed, A, B, B_QP, PORT, 1);
	rda_feed_acknowledge(&feed, B, A, A_QP, PORT, 1);
	rda_engine_dropped(feed.engine, 7);
	rda_engine_finish(feed.engine);
	quality = rda_result_quality(rda_engine_finished(feed.engine));
	ck_assert_uint_eq(quality->dropped, 7);
	ck_assert_uint_eq(quality->topics[RDA_TOPIC_LOSS].tells, RDA_TELLS_IN_PART);
	ck_assert_uint_eq(quality->topics[RDA_TOPIC_LATENCY].tells, RDA_TELLS);
	ck_assert_uint_eq(quality->topics[RDA_TOPIC_KEYS].tells, RDA_TELLS_NOT_ASKED);
	ck_assert_uint_eq(quality->topics[RDA_TOPIC_SET_UP].tells, RDA_TELLS);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_quality(void)
{
	Suite *suite = suite_create("quality");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, all_is_told_of_a_whole_connection);
	tcase_add_test(tests, each_lack_alone);
	tcase_add_test(tests, one_of_two_connections_is_a_part);
	tcase_add_test(tests, set_up);
	tcase_add_test(tests, stamps_beside_the_round_trip);
	tcase_add_test(tests, a_clock_that_goes_back);
	tcase_add_test(tests, not_asked);
	tcase_add_test(tests, of_a_result);
	suite_add_tcase(suite, tests);
	return suite;
}
