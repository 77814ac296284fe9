/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash table: finds what was put in, keeps the order, does not move items, whatever the seed.
 */
#include "analyzer/base/table.h"
#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

struct item {
	uint32_t key; /* first: the table's key */
	uint32_t zero;
	uint64_t value;
};

START_TEST(items_are_found_in_order_and_do_not_move)
{
	static struct item *items[5000];
	const uint64_t seeds[] = {0, 1, UINT64_MAX, UINT64_C(0x0123456789abcdef)};
	struct rda_table table;

	rda_table_init(&table, sizeof(uint32_t), sizeof(struct item), seeds[_i]);
	for (uint32_t i = 0; i < RDA_COUNT(items); i++) {
		uint32_t key = i * 2654435761u;
		bool made = false;

		RDA_CHECK(rda_table_find(&table, &key) == NULL, "key %u", i);
		items[i] = rda_table_get(&table, &key, &made);
		RDA_CHECK(made && items[i]->key == key, "key %u", i);
		RDA_CHECK(items[i]->zero == 0 && items[i]->value == 0, "key %u", i);
		items[i]->value = i;
	}
	ck_assert_uint_eq(table.count, RDA_COUNT(items));
	for (uint32_t i = 0; i < RDA_COUNT(items); i++) {
		uint32_t key = i * 2654435761u, other = key + 1;
		bool made = true;

		RDA_CHECK(rda_table_find(&table, &key) == items[i], "key %u", i);
		RDA_CHECK(rda_table_get(&table, &key, &made) == items[i] && !made, "key %u", i);
		RDA_CHECK(table.items[i] == items[i] && items[i]->value == i, "key %u", i);
		RDA_CHECK(rda_table_find(&table, &other) == NULL, "key %u", i);
	}
	ck_assert_uint_eq(table.count, RDA_COUNT(items));
	rda_table_cleanup(&table, NULL);
}
END_TEST

struct sifting {
	uint32_t taken;
	uint64_t sum;
	struct item *latest; /* it stays as it was for a while */
};

static bool is_even(const void *item, void *context)
{
	(void)context;
	return ((const struct item *)item)->value % 2 == 0;
}

static void take(void *item, void *context)
{
	struct sifting *sifting = context;

	sifting->taken++;
	sifting->sum += ((struct item *)item)->value;
	free(sifting->latest);
	sifting->latest = item;
}

/* The others are found where they were, in the order that they had; and more find room. */
START_TEST(what_is_sifted_out_is_gone)
{
	struct sifting sifting = {0};
	struct rda_table table;
	struct item *last;

	rda_table_init(&table, sizeof(uint32_t), sizeof(struct item), 5);
	for (uint32_t key = 0; key < 1001; key++)
		((struct item *)rda_table_get(&table, &key, NULL))->value = key;
	last = table.items[1000];
	rda_table_sift(&table, is_even, take, &sifting);
	ck_assert_uint_eq(sifting.taken, 500);
	ck_assert_uint_eq(sifting.sum, 500 * 500);
	ck_assert_uint_eq(table.count, 501);
	ck_assert_ptr_eq(table.items[500], last);
	for (uint32_t key = 0; key < 1001; key++) {
		struct item *item = rda_table_find(&table, &key);

		RDA_CHECK((item != NULL) == !(key & 1), "key %u", key);
		RDA_CHECK(!item || table.items[key / 2] == item, "key %u", key);
	}
	for (uint32_t key = 999; key < 1001; key++) { /* asked for last before, and gone or not */
		bool made;

		rda_table_get(&table, &key, &made);
		RDA_CHECK(made == (key == 999), "key %u", key);
	}
	free(sifting.latest);
	for (uint32_t key = 1; key < 4001; key += 2)
		((struct item *)rda_table_get(&table, &key, NULL))->value = key;
	ck_assert_uint_eq(table.count, 501 + 2000);
	for (uint32_t key = 0; key < 1001; key++)
		RDA_CHECK(rda_table_find(&table, &key) != NULL, "key %u", key);
	rda_table_cleanup(&table, NULL);
}
END_TEST

/* Whatever was asked for before. */
START_TEST(what_is_asked_for_again)
{
	struct rda_table table;
	struct item *items[4] = {NULL};
	uint32_t state = 1;

	rda_table_init(&table, sizeof(uint32_t), sizeof(struct item), 5);
	for (unsigned i = 0; i < 1000; i++) {
		uint32_t key = (state = state * 1664525 + 1013904223) >> 30;
		bool made;
		struct item *item = rda_table_get(&table, &key, &made);

		RDA_CHECK(made == !items[key] && item->key == key, "key %u", key);
		RDA_CHECK(made || item == items[key], "key %u", key);
		items[key] = item;
	}
	ck_assert_uint_eq(table.count, 4);
	rda_table_cleanup(&table, NULL);
}
END_TEST

/* Keys of every length up to 40 bytes: each byte counts. */
START_TEST(every_byte_of_a_key_counts)
{
	for (size_t length = 1; length <= 40; length++) {
		uint8_t key[40] = {0};
		struct rda_table table;
		void *first;

		rda_table_init(&table, length, length, 7);
		first = rda_table_get(&table, key, NULL);
		for (size_t i = 0; i < length; i++) {
			key[i] = 0x80;
			RDA_CHECK(rda_table_find(&table, key) == NULL, "byte %zu of %zu", i,
				  length);
			RDA_CHECK(rda_table_get(&table, key, NULL) != first, "byte %zu of %zu", i,
				  length);
			key[i] = 0;
		}
		ck_assert_uint_eq(table.count, length + 1);
		ck_assert_ptr_eq(rda_table_find(&table, key), first);
		rda_table_cleanup(&table, NULL);
	}
}
END_TEST

static int compare_hashes(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return one < two ? -1 : one > two;
}

/* Keys that differ in one byte, wherever it is, have hashes that differ. */
START_TEST(hashes_are_spread)
{
	static const size_t lengths[] = {4, 8, 12, 29};

	for (unsigned l = 0; l < RDA_COUNT(lengths); l++) {
		uint32_t hashes[128 * 3], count = 0, different = 1;
		struct rda_table table;

		rda_table_init(&table, lengths[l], 32, 5);
		for (unsigned at = 0; at < 3; at++) {
			for (uint8_t value = 1; value <= 128; value++) {
				uint8_t key[32] = {0};

				key[at == 2 ? lengths[l] - 1 : at] = value;
				rda_table_get(&table, key, NULL);
			}
		}
		for (uint32_t i = 0; i <= table.mask; i++)
			if (table.slots[i].item)
				hashes[count++] = table.slots[i].hash;
		ck_assert_uint_eq(count, RDA_COUNT(hashes));
		qsort(hashes, count, sizeof(hashes[0]), compare_hashes);
		for (uint32_t i = 1; i < count; i++)
			different += hashes[i] != hashes[i - 1];
		ck_assert_uint_ge(different, count - 2);
		rda_table_cleanup(&table, NULL);
	}
}
END_TEST

/* The hash is of keys and seed, so that nobody can choose keys that collide. */
START_TEST(the_seed_changes_the_slots)
{
	struct rda_table one, two;
	unsigned same = 0, used = 0;

	rda_table_init(&one, sizeof(uint32_t), sizeof(struct item), 1);
	rda_table_init(&two, sizeof(uint32_t), sizeof(struct item), 2);
	for (uint32_t key = 0; key < 1000; key++) {
		rda_table_get(&one, &key, NULL);
		rda_table_get(&two, &key, NULL);
	}
	for (uint32_t i = 0; i <= one.mask; i++) {
		used += one.slots[i].item != 0;
		same += one.slots[i].item != 0 && one.slots[i].item == two.slots[i].item;
	}
	ck_assert_uint_eq(used, 1000);
	ck_assert_uint_lt(same, 50);
	rda_table_cleanup(&one, NULL);
	rda_table_cleanup(&two, NULL);
}
END_TEST

/* Items behind each other in the slots with one hash. */
static uint32_t equal_neighbours(const struct rda_table *table)
{
	uint32_t equal = 0, last = 0;

	for (uint32_t i = 0; i <= table->mask; i++) {
		if (!table->slots[i].item)
			continue;
		equal += table->slots[i].hash == last;
		last = table->slots[i].hash;
	}
	return equal;
}

/*
 * Keys with a word that cancels a constant of the hash, which anyone can read: their other word
 * must still count, or a hostile capture has as many collisions as it likes.
 */
START_TEST(no_word_cancels_the_other)
{
	static const uint64_t constants[] = {UINT64_C(0xd6e8feb86659fd93),
					     UINT64_C(0xe7037ed1a0b428db),
					     UINT64_C(0x9e3779b97f4a7c15),
					     UINT64_C(0xa0761d6478bd642f),
					     0,
					     UINT64_MAX};

	for (unsigned c = 0; c < RDA_COUNT(constants) * 2; c++) {
		uint64_t key[2] = {constants[c / 2], constants[c / 2]};
		struct rda_table table;

		rda_table_init(&table, sizeof(key), sizeof(key), UINT64_C(0x1234567890abcdef));
		for (uint32_t i = 0; i < 20; i++) { /* so few that the slots are not made anew */
			key[c % 2] = UINT64_C(0x0123456789) * (i + 1);
			rda_table_get(&table, key, NULL);
		}
		RDA_CHECK(equal_neighbours(&table) < 2, "constant %u, word %u", c / 2, c % 2);
		rda_table_cleanup(&table, NULL);
	}
}
END_TEST

START_TEST(equal_halves_do_not_cancel)
{
	struct rda_table table;

	rda_table_init(&table, 32, 32, 9);
	for (uint8_t i = 1; i <= 20; i++) {
		uint8_t key[32];

		memset(key, i, sizeof(key));
		rda_table_get(&table, key, NULL);
	}
	ck_assert_uint_lt(equal_neighbours(&table), 2);
	rda_table_cleanup(&table, NULL);
}
END_TEST

static unsigned cleaned;

static void check_cleanup(void *item)
{
	ck_assert_uint_eq(((struct item *)item)->key, cleaned);
	cleaned++;
}

START_TEST(cleanup_sees_every_item_in_order)
{
	struct rda_table table;

	rda_table_init(&table, sizeof(uint32_t), sizeof(struct item), 3);
	for (uint32_t key = 0; key < 100; key++)
		rda_table_get(&table, &key, NULL);
	cleaned = 0;
	rda_table_cleanup(&table, check_cleanup);
	ck_assert_uint_eq(cleaned, 100);
}
END_TEST

Suite *rda_suite_table(void)
{
	Suite *suite = suite_create("table");
	TCase *tcase = tcase_create("table");

	tcase_add_loop_test(tcase, items_are_found_in_order_and_do_not_move, 0, 4);
	tcase_add_test(tcase, what_is_sifted_out_is_gone);
	tcase_add_test(tcase, what_is_asked_for_again);
	tcase_add_test(tcase, every_byte_of_a_key_counts);
	tcase_add_test(tcase, hashes_are_spread);
	tcase_add_test(tcase, no_word_cancels_the_other);
	tcase_add_test(tcase, equal_halves_do_not_cancel);
	tcase_add_test(tcase, the_seed_changes_the_slots);
	tcase_add_test(tcase, cleanup_sees_every_item_in_order);
	suite_add_tcase(suite, tcase);
	return suite;
}
