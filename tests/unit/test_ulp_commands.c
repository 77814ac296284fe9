/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands that wait, against a plain list of them; and what happens when there are too many.
 */
#include "analyzer/track/ulp/ulp_commands.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { MODEL = 256, STEPS = 200000, LENT = 12 };

struct entry {
	bool used;
	uint32_t id;
	struct rda_ulp_range ranges[LENT];
	unsigned count;
};

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*state >> 33) % below;
}

static void add(struct rda_ulp_commands *c, struct entry *entry, uint64_t *state, uint32_t *total)
{
	struct rda_ulp_command *command = rda_ulp_commands_add(c, entry->id, total);

	RDA_CHECK(command, "command %u", entry->id);
	entry->used = true;
	entry->count = draw(state, LENT + 1);
	for (unsigned i = 0; i < entry->count; i++) {
		/* disjoint, of few keys */
		entry->ranges[i] = (struct rda_ulp_range){
			.address = (uint64_t)entry->id * 0x10000 + 0x1000 * i,
			.key = draw(state, 3),
			.length = 1 + draw(state, 0xfff),
		};
		RDA_CHECK(rda_ulp_commands_lend(c, command, &entry->ranges[i]), "range %u", i);
	}
}

static void check(const struct rda_ulp_commands *c, const struct entry *entry)
{
	const struct rda_ulp_command *command = rda_ulp_commands_find(c, entry->id);
	const struct rda_ulp_lent *lent = command ? rda_ulp_commands_first_lent(c, command) : NULL;

	RDA_CHECK((command != NULL) == entry->used, "command %u", entry->id);
	for (unsigned i = 0; entry->used && i < entry->count; i++) {
		const struct rda_ulp_range *range = &entry->ranges[i];

		RDA_CHECK(lent && lent->range.address == range->address, "range %u", i);
		lent = rda_ulp_commands_next_lent(c, lent);
		RDA_CHECK(rda_ulp_commands_of(c, range->key, range->address) == command, "range %u",
			  i);
		RDA_CHECK(rda_ulp_commands_of(c, range->key, range->address + range->length - 1) ==
				  command,
			  "range %u", i);
		RDA_CHECK(!rda_ulp_commands_of(c, range->key, range->address + range->length),
			  "range %u", i);
		RDA_CHECK(!rda_ulp_commands_of(c, range->key + 3, range->address), "range %u", i);
	}
}

START_TEST(like_a_list)
{
	static struct entry entries[MODEL];
	struct rda_ulp_commands c;
	uint32_t total = 0, count = 0;
	uint64_t state = 1;

	memset(entries, 0, sizeof(entries));
	for (uint32_t i = 0; i < MODEL; i++)
		entries[i].id = i;
	rda_ulp_commands_init(&c, 42);
	for (unsigned step = 0; step < STEPS; step++) {
		struct entry *entry = &entries[draw(&state, MODEL)];

		if (entry->used) {
			rda_ulp_commands_remove(&c, rda_ulp_commands_find(&c, entry->id));
			entry->used = false;
			count--;
		} else {
			add(&c, entry, &state, &total);
			count++;
		}
		check(&c, entry);
		check(&c, &entries[draw(&state, MODEL)]);
		RDA_CHECK(c.count == count, "step %u", step);
	}
	ck_assert_uint_eq(total, c.allocated);
	ck_assert_uint_eq(c.forgotten, 0);
	rda_ulp_commands_cleanup(&c);
}
END_TEST

START_TEST(a_million_never_answered)
{
	struct rda_ulp_commands c;
	const struct rda_ulp_command *command;
	uint32_t total = 0;

	rda_ulp_commands_init(&c, 0);
	for (uint32_t i = 0; i < 1000000; i++)
		rda_ulp_commands_lend(&c, rda_ulp_commands_add(&c, i, &total),
				      &(struct rda_ulp_range){0x1000, 7, 64});
	ck_assert_uint_eq(c.count, RDA_ULP_COMMANDS_MAX);
	ck_assert_uint_eq(c.forgotten, 1000000 - RDA_ULP_COMMANDS_MAX);
	command = rda_ulp_commands_first(&c);
	for (uint32_t i = 1000000 - RDA_ULP_COMMANDS_MAX; command;
	     i++, command = rda_ulp_commands_next(&c, command))
		RDA_CHECK(command->id == i, "command %u", i);
	rda_ulp_commands_cleanup(&c);
}
END_TEST

/* What one connection took, another cannot have. */
START_TEST(room_for_all)
{
	struct rda_ulp_commands c;
	uint32_t total = RDA_ULP_COMMANDS_TOTAL - 32;

	rda_ulp_commands_init(&c, 0);
	for (uint32_t i = 0; i < 100; i++)
		ck_assert_ptr_nonnull(rda_ulp_commands_add(&c, i, &total));
	ck_assert_uint_eq(c.count, 32);
	ck_assert_uint_eq(c.forgotten, 68);
	ck_assert_uint_eq(total, RDA_ULP_COMMANDS_TOTAL);
	rda_ulp_commands_cleanup(&c);
	rda_ulp_commands_init(&c, 0);
	ck_assert_ptr_null(rda_ulp_commands_add(&c, 1, &total));
	ck_assert_uint_eq(c.forgotten, 1);
	rda_ulp_commands_cleanup(&c);
}
END_TEST

START_TEST(more_memory_than_is_kept)
{
	struct rda_ulp_commands c;
	struct rda_ulp_command *command;
	uint32_t total = 0;

	rda_ulp_commands_init(&c, 0);
	for (unsigned round = 0; round < 3; round++) {
		command = rda_ulp_commands_add(&c, 1, &total);
		for (unsigned i = 0; i <= RDA_ULP_RANGES; i++)
			ck_assert(rda_ulp_commands_lend(&c, command,
							&(struct rda_ulp_range){i, i, 1}) ==
				  (i < RDA_ULP_RANGES));
		ck_assert(rda_ulp_commands_of(&c, 254, 254) == command);
		rda_ulp_commands_remove(&c, command);
		ck_assert_ptr_null(rda_ulp_commands_of(&c, 0, 0));
	}
	rda_ulp_commands_cleanup(&c);
}
END_TEST

/* All of them lend as much as they can: they share what the connection has. */
START_TEST(all_lend_much)
{
	struct rda_ulp_commands c;
	uint32_t total = 0, lent = 0;

	rda_ulp_commands_init(&c, 0);
	for (uint32_t id = 0; id < 2 * RDA_ULP_COMMANDS_MAX; id++) {
		struct rda_ulp_command *command = rda_ulp_commands_add(&c, id, &total);

		for (unsigned i = 0; i < 20; i++)
			lent += rda_ulp_commands_lend(&c, command,
						      &(struct rda_ulp_range){16 * i, id, 16});
	}
	ck_assert_uint_eq(c.allocated, RDA_ULP_COMMANDS_MAX);
	ck_assert_uint_eq(c.lent_allocated, RDA_ULP_RANGES_EACH * RDA_ULP_COMMANDS_MAX);
	ck_assert_uint_lt(lent, 20 * 2 * RDA_ULP_COMMANDS_MAX);
	/* who comes when all is lent has nothing */
	ck_assert_uint_gt(lent, RDA_ULP_RANGES_EACH * RDA_ULP_COMMANDS_MAX);
	while (rda_ulp_commands_first(&c))
		rda_ulp_commands_remove(&c,
					rda_ulp_commands_find(&c, rda_ulp_commands_first(&c)->id));
	for (uint32_t id = 0; id < 1000; id++)
		ck_assert(rda_ulp_commands_lend(&c, rda_ulp_commands_add(&c, id, &total),
						&(struct rda_ulp_range){16, id, 16}));
	ck_assert_uint_eq(c.lent_allocated, RDA_ULP_RANGES_EACH * RDA_ULP_COMMANDS_MAX);
	rda_ulp_commands_cleanup(&c);
}
END_TEST

Suite *rda_suite_ulp_commands(void)
{
	Suite *suite = suite_create("ulp_commands");
	TCase *tcase = tcase_create("ulp_commands");

	tcase_add_test(tcase, like_a_list);
	tcase_add_test(tcase, a_million_never_answered);
	tcase_add_test(tcase, room_for_all);
	tcase_add_test(tcase, more_memory_than_is_kept);
	tcase_add_test(tcase, all_lend_much);
	suite_add_tcase(suite, tcase);
	return suite;
}
