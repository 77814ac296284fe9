/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as bytes and back: blocks, tables, arrays, literals; more than one buffer of them; too
 * few.
 */
#include "analyzer/base/pack.h"

#include "tests/unit/pack_way.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

struct item {
	uint32_t key; /* first: the table's key */
	uint32_t count;
	uint64_t *list; /* owned */
};

struct thing {
	struct rda_table table;
	GArray *array;
	const char *word, *none;
	uint64_t *nothing;
	uint8_t *large;
};

enum { LARGE = 3 * RDA_PACK_BYTES + 7 };

static void pack_item(struct rda_pack *pack, void *context)
{
	struct item *item = context;

	rda_pack_block(pack, &item->list, item->count, sizeof(*item->list));
}

static void pack_thing(struct rda_pack *pack, struct thing *thing)
{
	rda_pack_table(pack, &thing->table, pack_item);
	rda_pack_array(pack, thing->array);
	rda_pack_literal(pack, &thing->word);
	rda_pack_literal(pack, &thing->none);
	rda_pack_block(pack, &thing->nothing, 5, sizeof(*thing->nothing));
	rda_pack_block(pack, &thing->large, LARGE, 1);
}

static struct thing begin(void)
{
	struct thing thing = {.array = g_array_new(FALSE, FALSE, sizeof(uint16_t))};

	rda_table_init(&thing.table, sizeof(uint32_t), sizeof(struct item), 1);
	return thing;
}

static void cleanup_item(void *item)
{
	g_free(((struct item *)item)->list);
}

static void cleanup(struct thing *thing)
{
	rda_table_cleanup(&thing->table, cleanup_item);
	g_array_free(thing->array, TRUE);
	g_free(thing->large);
}

static void fill(struct thing *thing)
{
	for (uint32_t key = 0; key < 100; key++) {
		struct item *item = rda_table_get(&thing->table, &key, NULL);

		item->count = key % 3;
		item->list = item->count ? g_new0(uint64_t, item->count) : NULL;
		for (uint32_t i = 0; i < item->count; i++)
			item->list[i] = key * UINT64_C(1000) + i;
	}
	for (uint16_t i = 0; i < 9; i++)
		g_array_append_val(thing->array, i);
	thing->word = "word";
	thing->large = g_malloc(LARGE);
	for (size_t i = 0; i < LARGE; i++)
		thing->large[i] = (uint8_t)(i * 7 + i / 256);
}

static void check_equal(const struct thing *a, const struct thing *b)
{
	ck_assert_uint_eq(a->table.count, b->table.count);
	for (uint32_t i = 0; i < a->table.count; i++) {
		const struct item *one = a->table.items[i], *two = b->table.items[i];

		ck_assert_uint_eq(one->key, two->key);
		ck_assert_uint_eq(one->count, two->count);
		ck_assert(!one->list == !two->list && (!one->list || one->list != two->list));
		if (one->list)
			ck_assert_mem_eq(one->list, two->list, one->count * sizeof(*one->list));
	}
	ck_assert_uint_eq(a->array->len, b->array->len);
	ck_assert_mem_eq(a->array->data, b->array->data, a->array->len * sizeof(uint16_t));
	ck_assert_ptr_eq(a->word, b->word);
	ck_assert_ptr_null(b->none);
	ck_assert_ptr_null(b->nothing);
	ck_assert_mem_eq(a->large, b->large, LARGE);
}

START_TEST(what_is_read_is_what_was_written)
{
	struct thing from = begin(), to = begin();
	GQueue way = G_QUEUE_INIT;
	struct rda_pack pack;

	fill(&from);
	rda_pack_write(&pack, pack_way_send, &way);
	pack_thing(&pack, &from);
	rda_pack_end(&pack);
	ck_assert_uint_eq(way.length, 4);
	rda_pack_read(&pack, pack_way_receive, &way);
	pack_thing(&pack, &to);
	ck_assert(!pack.cut && pack.at == pack.end);
	rda_pack_end(&pack);
	check_equal(&from, &to);
	cleanup(&from);
	cleanup(&to);
}
END_TEST

START_TEST(what_did_not_come_is_zero)
{
	uint64_t number = 1;
	GQueue way = G_QUEUE_INIT;
	struct rda_pack pack;
	struct thing to = begin();

	rda_pack_read(&pack, pack_way_receive, &way);
	rda_pack_bytes(&pack, &number, sizeof(number));
	ck_assert(pack.cut);
	ck_assert_uint_eq(number, 0);
	pack_thing(&pack, &to);
	rda_pack_end(&pack);
	ck_assert_uint_eq(to.table.count, 0);
	ck_assert_ptr_null(to.large);
	cleanup(&to);
}
END_TEST

Suite *rda_suite_pack(void)
{
	Suite *suite = suite_create("pack");
	TCase *tcase = tcase_create("pack");

	tcase_add_test(tcase, what_is_read_is_what_was_written);
	tcase_add_test(tcase, what_did_not_come_is_zero);
	suite_add_tcase(suite, tcase);
	return suite;
}
