/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader chose: which connections, in which order, which findings and packets.
 */
#include "analyzer/report/choice.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { NAK_SEQUENCE = 0x60, ACK = 0x1f, MS = 1000000 };

static struct rda_feed feed;
static const struct rda_result *result;
static uint32_t *problems;

/* `value` is the MSN of an answer, the payload of a request. */
static void say(uint8_t from, uint8_t to, uint32_t dest_qp, uint8_t opcode, uint32_t psn,
		uint8_t syndrome, uint32_t value)
{
	struct rda_extended aeth = rda_aeth(syndrome, value);
	struct rda_recipe recipe = rda_packet_of(from, to, dest_qp, opcode, psn);

	if (syndrome)
		recipe = rda_with(recipe, &aeth);
	else
		recipe.payload_length = value;
	rda_feed(&feed, &recipe);
}

/*
 * 0: hosts 1 and 2, most packets.  1: hosts 1 and 3, a loss, a resend after 20 ms.
 * 2: hosts 3 and 2, most bytes, the slowest message (50 ms).
 */
static void setup(void)
{
	rda_feed_begin(&feed);
	for (uint32_t psn = 100; psn < 110; psn++) {
		say(1, 2, 0x22, RC_SEND_ONLY, psn, 0, 8);
		say(2, 1, 0x11, RC_ACKNOWLEDGE, psn, ACK, psn - 99);
	}
	say(1, 3, 0x33, RC_SEND_ONLY, 5000, 0, 8);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5000, ACK, 1);
	say(1, 3, 0x33, RC_SEND_ONLY, 5002, 0, 8);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5001, NAK_SEQUENCE, 1);
	feed.meta.time_ns += 20 * MS;
	say(1, 3, 0x33, RC_SEND_ONLY, 5001, 0, 8);
	say(1, 3, 0x33, RC_SEND_ONLY, 5002, 0, 8);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5002, ACK, 3);
	say(3, 2, 0x24, RC_SEND_ONLY, 900000, 0, 2000);
	feed.meta.time_ns += 50 * MS;
	say(2, 3, 0x34, RC_ACKNOWLEDGE, 900000, ACK, 1);
	rda_engine_finish(feed.engine);
	result = rda_engine_finished(feed.engine);
	problems = rda_choice_problems(result);
	ck_assert_uint_eq(rda_result_connection_count(result), 3);
	for (uint32_t id = 0; id < 3; id++)
		ck_assert_int_ge(rda_result_connection(result, id)->flows[1], 0);
}

static void teardown(void)
{
	g_free(problems);
	rda_feed_end(&feed);
}

/* "120": the ids in their order */
static void expect(struct rda_choice choice, const char *ids)
{
	GArray *chosen = rda_choice_connections(&choice, result, problems);
	GString *got = g_string_new(NULL);

	for (guint i = 0; i < chosen->len; i++)
		g_string_append_printf(got, "%u", g_array_index(chosen, uint32_t, i));
	ck_assert_str_eq(got->str, ids);
	g_string_free(got, TRUE);
	g_array_unref(chosen);
}

static const struct {
	enum rda_sort sort;
	const char *ids;
} orders[] = {
	{RDA_SORT_WORST, "120"}, {RDA_SORT_STALLED, "102"}, {RDA_SORT_RESENT, "102"},
	{RDA_SORT_LOST, "102"},	 {RDA_SORT_LATENCY, "210"}, {RDA_SORT_PACKETS, "012"},
	{RDA_SORT_BYTES, "201"}, {RDA_SORT_ID, "012"},
};

START_TEST(each_order_has_the_most_first_and_equals_by_id)
{
	expect((struct rda_choice){.sort = orders[_i].sort}, orders[_i].ids);
}
END_TEST

START_TEST(only_what_is_asked_for)
{
	expect((struct rda_choice){.host = "192.0.2.3"}, "12"); /* either end */
	expect((struct rda_choice){.host = "192.0.2.1", .sort = RDA_SORT_PACKETS}, "01");
	expect((struct rda_choice){.host = "192.0.2.9"}, "");
	expect((struct rda_choice){.has_connection = true, .connection = 2}, "2");
	expect((struct rda_choice){.has_connection = true, .connection = 0, .host = "192.0.2.3"},
	       "");
	expect((struct rda_choice){.code = "S01"}, "1");
	expect((struct rda_choice){.code = "U01"}, "");
	ck_assert(!rda_choice_is_part(&(struct rda_choice){.all = true, .sort = RDA_SORT_ID}));
	ck_assert(rda_choice_is_part(&(struct rda_choice){.has_connection = true}));
	ck_assert(rda_choice_is_part(&(struct rda_choice){.host = "192.0.2.1"}));
	ck_assert(rda_choice_is_part(&(struct rda_choice){.code = "S01"}));
}
END_TEST

static void take_flow(void *context, const struct rda_connection_facts *connection, unsigned side,
		      const struct rda_flow_facts *flow)
{
	ck_assert_ptr_eq(flow, rda_result_flow(result, connection, side));
	g_string_append_printf(context, "%u.%u ", connection->id, side);
}

START_TEST(flows_of_what_is_asked_for)
{
	GString *flows = g_string_new(NULL);

	rda_choice_each_flow(&(struct rda_choice){.host = "192.0.2.3"}, result, take_flow, flows);
	ck_assert_str_eq(flows->str, "1.0 1.1 2.0 2.1 ");
	g_string_free(flows, TRUE);
}
END_TEST

START_TEST(addresses_may_be_in_capitals)
{
	struct rda_result *of_six;
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x22, RC_SEND_ONLY, 1);
	struct rda_feed six;
	char name[RDA_ADDRESS_TEXT], *capitals;

	recipe.route = RDA_ROUTE_IP6;
	rda_feed_begin(&six);
	rda_feed(&six, &recipe);
	of_six = rda_engine_result(six.engine);
	rda_address_text(name, &rda_result_connection(of_six, 0)->endpoints[0].address);
	capitals = g_ascii_strup(name, -1);
	ck_assert_str_ne(name, capitals);
	ck_assert(rda_choice_has_connection(&(struct rda_choice){.host = capitals}, of_six, 0));
	g_free(capitals);
	rda_result_free(of_six);
	rda_feed_end(&six);
}
END_TEST

START_TEST(problems_are_the_weightiest_above_a_note)
{
	/* 0 and 2 have notes at most */
	ck_assert_uint_eq(problems[0], RDA_CHOICE_HEALTHY);
	ck_assert_uint_eq(problems[2], RDA_CHOICE_HEALTHY);
	ck_assert_uint_ne(problems[1], RDA_CHOICE_HEALTHY);
	for (uint32_t i = 0; i < problems[1]; i++)
		ck_assert(rda_result_finding(result, i)->connection != 1 ||
			  rda_result_finding(result, i)->severity == RDA_SEVERITY_NOTE);
}
END_TEST

static bool has(struct rda_choice choice, int connection, enum rda_subject_kind kind,
		uint32_t index)
{
	struct rda_finding finding = {
		.key = {.subject = {kind, index}, .check = RDA_CHECK_S01},
		.connection = connection,
	};

	return rda_choice_has_finding(&choice, result, &finding);
}

START_TEST(findings_of_a_connection_a_host_a_check)
{
	const struct rda_host *third = rda_result_host(result, 2);
	char name[RDA_ADDRESS_TEXT];

	ck_assert_str_eq(rda_address_text(name, &third->address), "192.0.2.3");
	ck_assert(has((struct rda_choice){.code = "S01"}, -1, RDA_SUBJECT_CAPTURE, 0));
	ck_assert(!has((struct rda_choice){.code = "S02"}, -1, RDA_SUBJECT_CAPTURE, 0));
	ck_assert(has((struct rda_choice){.host = "192.0.2.3"}, 1, RDA_SUBJECT_CONNECTION, 1));
	ck_assert(!has((struct rda_choice){.host = "192.0.2.3"}, 0, RDA_SUBJECT_CONNECTION, 0));
	ck_assert(
		has((struct rda_choice){.host = "192.0.2.3"}, -1, RDA_SUBJECT_HOST, third->index));
	ck_assert(
		!has((struct rda_choice){.host = "192.0.2.1"}, -1, RDA_SUBJECT_HOST, third->index));
	ck_assert(!has((struct rda_choice){.host = "192.0.2.1"}, -1, RDA_SUBJECT_CAPTURE, 0));
	ck_assert(!has((struct rda_choice){.has_connection = true, .connection = 0}, -1,
		       RDA_SUBJECT_CAPTURE, 0));
}
END_TEST

static bool has_packet(struct rda_choice choice, int32_t connection, const char *code)
{
	return rda_choice_has_packet(&choice, connection, &rda_result_host(result, 0)->address,
				     &rda_result_host(result, 1)->address, &code, code != NULL);
}

START_TEST(packets_of_a_connection_a_host_a_check)
{
	ck_assert(has_packet((struct rda_choice){.all = true}, -1, NULL));
	ck_assert(has_packet((struct rda_choice){.code = "S01"}, 0, "S01"));
	ck_assert(!has_packet((struct rda_choice){.code = "S01"}, 0, "S02"));
	ck_assert(!has_packet((struct rda_choice){.code = "S01"}, 0, NULL));
	ck_assert(has_packet((struct rda_choice){.host = "192.0.2.1"}, -1, NULL));
	ck_assert(has_packet((struct rda_choice){.host = "192.0.2.2"}, -1, NULL));
	ck_assert(!has_packet((struct rda_choice){.host = "192.0.2.3"}, -1, NULL));
	ck_assert(
		has_packet((struct rda_choice){.has_connection = true, .connection = 1}, 1, NULL));
	ck_assert(
		!has_packet((struct rda_choice){.has_connection = true, .connection = 1}, 0, NULL));
	ck_assert(!has_packet((struct rda_choice){.has_connection = true, .connection = 0}, -1,
			      NULL));
	/* not known is not the greatest number */
	ck_assert(!has_packet((struct rda_choice){.has_connection = true, .connection = UINT32_MAX},
			      -1, NULL));
}
END_TEST

static void expect_why(struct rda_choice choice, const struct rda_result *of, const char *option,
		       const char *why)
{
	const char *by;
	char *got = rda_choice_why_not(&choice, of, &by);

	ck_assert_pstr_eq(got, why);
	if (why)
		ck_assert_str_eq(by, option);
	g_free(got);
}

START_TEST(what_is_not_there_is_told)
{
	struct rda_engine *engine = rda_engine_new(NULL);
	struct rda_result *none = rda_engine_result(engine);
	struct rda_choice choice = {.has_connection = true, .connection = 2};

	expect_why(choice, result, NULL, NULL);
	choice.connection = 3;
	expect_why(choice, result, "--connection", "there are 0 to 2");
	expect_why(choice, none, "--connection", "there are none");
	expect_why((struct rda_choice){.host = "192.0.2.3"}, result, NULL, NULL);
	expect_why((struct rda_choice){.host = "192.0.2.33"}, result, "--host",
		   "no RDMA host here is called 192.0.2.33");
	expect_why((struct rda_choice){.all = true}, none, NULL, NULL);
	rda_result_free(none);
	rda_engine_free(engine);
}
END_TEST

Suite *rda_suite_choice(void)
{
	Suite *suite = suite_create("choice");
	TCase *tc = tcase_create("choice");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, each_order_has_the_most_first_and_equals_by_id, 0,
			    RDA_COUNT(orders));
	tcase_add_test(tc, only_what_is_asked_for);
	tcase_add_test(tc, flows_of_what_is_asked_for);
	tcase_add_test(tc, addresses_may_be_in_capitals);
	tcase_add_test(tc, problems_are_the_weightiest_above_a_note);
	tcase_add_test(tc, findings_of_a_connection_a_host_a_check);
	tcase_add_test(tc, packets_of_a_connection_a_host_a_check);
	tcase_add_test(tc, what_is_not_there_is_told);
	suite_add_tcase(suite, tc);
	return suite;
}
