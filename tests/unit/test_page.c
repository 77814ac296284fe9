/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which connections a page tells where there are too many, and how many records. What the file is
 * made of, its policy and its data: page/file and page/browser.
 */
#include "analyzer/report/page/page.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <json-c/json.h>
#include <string.h>

enum { NAK_SEQUENCE = 0x60, MORE = 20, FIRST_QP = 0x100 };

static struct rda_feed feed;

static void say(uint8_t from, uint8_t to, uint32_t dest_qp, uint8_t opcode, uint32_t psn,
		uint8_t syndrome, uint32_t msn)
{
	struct rda_extended aeth = rda_aeth(syndrome, msn);
	struct rda_recipe recipe = rda_packet_of(from, to, dest_qp, opcode, psn);

	if (syndrome)
		recipe = rda_with(recipe, &aeth);
	rda_feed(&feed, &recipe);
}

/* Healthy connections that the page has no room for all of, then one with a loss, then a slow one.
 */
static void setup(void)
{
	const int64_t ms = 1000000;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < RDA_PAGE_MOST + MORE; i++)
		say(1, 2, FIRST_QP + i, RC_SEND_ONLY, i * 1000, 0, 0);
	say(1, 3, 0x33, RC_SEND_ONLY, 5000, 0, 0);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5000, 0x1f, 1);
	say(1, 3, 0x33, RC_SEND_ONLY, 5002, 0, 0);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5001, NAK_SEQUENCE, 1);
	say(1, 3, 0x33, RC_SEND_ONLY, 5001, 0, 0);
	say(1, 3, 0x33, RC_SEND_ONLY, 5002, 0, 0);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5002, 0x1f, 3);
	for (uint32_t i = 0; i < RDA_SLOWEST_KEPT;
	     i++) { /* all of the slowest messages are its own */
		say(4, 5, 0x24, RC_SEND_ONLY, 900000 + i, 0, 0);
		feed.meta.time_ns += 2 * ms;
		say(5, 4, 0x34, RC_ACKNOWLEDGE, 900000 + i, 0x1f, i + 1);
	}
	rda_engine_finish(feed.engine);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

/* The JSON of an element of the page. */
static json_object *document(const char *page, const char *id)
{
	char *mark = g_strdup_printf("id=\"%s\">", id);
	const char *begin = strstr(page, mark);
	char *text;
	json_object *json;

	ck_assert_ptr_nonnull(begin);
	begin += strlen(mark);
	text = g_strndup(begin, (gsize)(strstr(begin, "</script>") - begin));
	json = json_tokener_parse(text);
	ck_assert_ptr_nonnull(json);
	g_free(text);
	g_free(mark);
	return json;
}

static bool has_id(json_object *list, int id)
{
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (json_object_get_int(
			    json_object_object_get(json_object_array_get_idx(list, i), "id")) == id)
			return true;
	return false;
}

START_TEST(connections_with_findings_and_slow_messages_come_first)
{
	const struct rda_result *result = rda_engine_finished(feed.engine);
	const int count = (int)rda_result_connection_count(result);
	struct rda_report report = {.result = result};
	struct rda_page *page = rda_page_new(&report);
	struct rda_output out;

	ck_assert_int_eq(count, RDA_PAGE_MOST + MORE + 2);
	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	rda_page_print(page, &out);
	for (unsigned part = 0; part < 2; part++) {
		json_object *json = document(out.text->str, part ? "timelines" : "report");
		json_object *list = json_object_object_get(json, "connections");

		ck_assert_uint_eq(json_object_array_length(list), RDA_PAGE_MOST);
		ck_assert(has_id(list, count - 1) && has_id(list, count - 2) && has_id(list, 0));
		ck_assert(!has_id(list, RDA_PAGE_MOST - 1));
		if (!part)
			ck_assert_int_eq(
				json_object_get_int(json_object_object_get(
					json_object_object_get(json, "counts"), "connections")),
				count);
		json_object_put(json);
	}
	rda_output_cleanup(&out);
	rda_page_free(page);
}
END_TEST

Suite *rda_suite_page(void)
{
	Suite *suite = suite_create("page");
	TCase *tc = tcase_create("page");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, connections_with_findings_and_slow_messages_come_first);
	suite_add_tcase(suite, tc);
	return suite;
}
