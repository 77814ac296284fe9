/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool of commands with two hashes; see ulp_commands.h.
 */
#include "analyzer/track/ulp/ulp_commands.h"

#include <glib.h>
#include <string.h>

enum { ALLOCATED_FIRST = 16, LENT_FIRST = 16 };

void rda_ulp_commands_init(struct rda_ulp_commands *c, uint64_t seed)
{
	memset(c, 0, sizeof(*c));
	c->seed = seed | 1;
}

void rda_ulp_commands_cleanup(struct rda_ulp_commands *c)
{
	g_free(c->items);
	g_free(c->lent);
	g_free(c->by_id);
	g_free(c->by_key);
}

/* The seed keeps a hostile capture from choosing numbers that collide. */
static uint32_t slot_of(const struct rda_ulp_commands *c, uint64_t number)
{
	uint64_t hash = (number ^ c->seed) * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 29) * c->seed;
	return (uint32_t)(hash >> 32) & (c->allocated - 1);
}

static uint32_t number_of(const struct rda_ulp_commands *c, const struct rda_ulp_command *command)
{
	return (uint32_t)(command - c->items) + 1;
}

static struct rda_ulp_command *at(const struct rda_ulp_commands *c, uint32_t number)
{
	return number ? &c->items[number - 1] : NULL;
}

/* ---- chains ---------------------------------------------------------------------------------- */

static void chain_id(struct rda_ulp_commands *c, struct rda_ulp_command *command)
{
	uint32_t *head = &c->by_id[slot_of(c, command->id)];

	command->before_of_id = 0;
	command->next_of_id = *head;
	if (*head)
		at(c, *head)->before_of_id = number_of(c, command);
	*head = number_of(c, command);
}

static void unchain_id(struct rda_ulp_commands *c, const struct rda_ulp_command *command)
{
	if (command->before_of_id)
		at(c, command->before_of_id)->next_of_id = command->next_of_id;
	else
		c->by_id[slot_of(c, command->id)] = command->next_of_id;
	if (command->next_of_id)
		at(c, command->next_of_id)->before_of_id = command->before_of_id;
}

static struct rda_ulp_lent *lent_at(const struct rda_ulp_commands *c, uint32_t number)
{
	return number ? &c->lent[number - 1] : NULL;
}

static void chain_key(const struct rda_ulp_commands *c, uint32_t number)
{
	struct rda_ulp_lent *lent = lent_at(c, number);
	uint32_t *head = &c->by_key[slot_of(c, lent->range.key)];

	lent->before_of_key = 0;
	lent->next_of_key = *head;
	if (*head)
		lent_at(c, *head)->before_of_key = number;
	*head = number;
}

static void unchain_key(const struct rda_ulp_commands *c, const struct rda_ulp_lent *lent)
{
	if (lent->before_of_key)
		lent_at(c, lent->before_of_key)->next_of_key = lent->next_of_key;
	else
		c->by_key[slot_of(c, lent->range.key)] = lent->next_of_key;
	if (lent->next_of_key)
		lent_at(c, lent->next_of_key)->before_of_key = lent->before_of_key;
}

/* ---- room ------------------------------------------------------------------------------------ */

/* Twice as many; the chains are made anew, oldest first. */
static void grow(struct rda_ulp_commands *c)
{
	uint32_t before = c->allocated;

	c->allocated = before ? 2 * before : ALLOCATED_FIRST;
	c->items = g_renew(struct rda_ulp_command, c->items, c->allocated);
	memset(c->items + before, 0, (c->allocated - before) * sizeof(*c->items));
	g_free(c->by_id);
	g_free(c->by_key);
	c->by_id = g_new0(uint32_t, c->allocated);
	c->by_key = g_new0(uint32_t, c->allocated);
	for (uint32_t i = c->allocated; i > before; i--) {
		c->items[i - 1].newer = c->unused;
		c->unused = i;
	}
	for (struct rda_ulp_command *command = at(c, c->oldest); command;
	     command = at(c, command->newer)) {
		chain_id(c, command);
		for (uint32_t i = command->first_lent; i; i = lent_at(c, i)->next_of_command)
			chain_key(c, i);
	}
}

static bool may_grow(const struct rda_ulp_commands *c, uint32_t total)
{
	uint32_t more = c->allocated ? c->allocated : ALLOCATED_FIRST;

	return c->allocated < RDA_ULP_COMMANDS_MAX && total + more <= RDA_ULP_COMMANDS_TOTAL;
}

struct rda_ulp_command *rda_ulp_commands_add(struct rda_ulp_commands *c, uint64_t id,
					     uint32_t *total)
{
	struct rda_ulp_command *command;
	uint32_t before = c->allocated;

	if (!c->unused && may_grow(c, *total)) {
		grow(c);
		*total += c->allocated - before;
	}
	if (!c->unused) {
		c->forgotten++;
		if (!c->count)
			return NULL;
		rda_ulp_commands_remove(c, at(c, c->oldest));
	}
	command = at(c, c->unused);
	c->unused = command->newer;
	memset(command, 0, sizeof(*command));
	command->id = id;
	command->older = c->newest;
	if (c->newest)
		at(c, c->newest)->newer = number_of(c, command);
	else
		c->oldest = number_of(c, command);
	c->newest = number_of(c, command);
	c->count++;
	chain_id(c, command);
	return command;
}

/* As much again, as long as the commands have it. */
static void grow_lent(struct rda_ulp_commands *c)
{
	uint32_t before = c->lent_allocated, most = RDA_ULP_RANGES_EACH * c->allocated;
	uint32_t after = before ? 2 * before : LENT_FIRST;

	if (after > most)
		return;
	c->lent = g_renew(struct rda_ulp_lent, c->lent, after);
	c->lent_allocated = after;
	for (uint32_t i = after; i > before; i--) {
		c->lent[i - 1].next_of_command = c->lent_unused;
		c->lent_unused = i;
	}
}

bool rda_ulp_commands_lend(struct rda_ulp_commands *c, struct rda_ulp_command *command,
			   const struct rda_ulp_range *range)
{
	uint32_t number;

	if (command->lent_count == RDA_ULP_RANGES)
		return false;
	if (!c->lent_unused)
		grow_lent(c);
	number = c->lent_unused;
	if (!number)
		return false;
	c->lent_unused = lent_at(c, number)->next_of_command;
	*lent_at(c, number) =
		(struct rda_ulp_lent){.range = *range, .command = number_of(c, command)};
	if (command->last_lent)
		lent_at(c, command->last_lent)->next_of_command = number;
	else
		command->first_lent = number;
	command->last_lent = number;
	command->lent_count++;
	chain_key(c, number);
	return true;
}

void rda_ulp_commands_remove(struct rda_ulp_commands *c, struct rda_ulp_command *command)
{
	uint32_t number = number_of(c, command);

	unchain_id(c, command);
	for (uint32_t i = command->first_lent; i; i = lent_at(c, i)->next_of_command)
		unchain_key(c, lent_at(c, i));
	if (command->last_lent) {
		lent_at(c, command->last_lent)->next_of_command = c->lent_unused;
		c->lent_unused = command->first_lent;
	}
	if (command->older)
		at(c, command->older)->newer = command->newer;
	else
		c->oldest = command->newer;
	if (command->newer)
		at(c, command->newer)->older = command->older;
	else
		c->newest = command->older;
	command->newer = c->unused;
	c->unused = number;
	c->count--;
}

/* ---- finding --------------------------------------------------------------------------------- */

struct rda_ulp_command *rda_ulp_commands_find(const struct rda_ulp_commands *c, uint64_t id)
{
	struct rda_ulp_command *command;

	if (!c->count)
		return NULL;
	command = at(c, c->by_id[slot_of(c, id)]);
	while (command && command->id != id)
		command = at(c, command->next_of_id);
	return command;
}

struct rda_ulp_command *rda_ulp_commands_of(const struct rda_ulp_commands *c, uint32_t key,
					    uint64_t address)
{
	const struct rda_ulp_lent *lent;

	if (!c->count)
		return NULL;
	lent = lent_at(c, c->by_key[slot_of(c, key)]);
	for (uint32_t searched = 0; lent && searched < RDA_ULP_SEARCHED; searched++) {
		if (lent->range.key == key && address >= lent->range.address &&
		    address - lent->range.address < lent->range.length)
			return at(c, lent->command);
		lent = lent_at(c, lent->next_of_key);
	}
	return NULL;
}

const struct rda_ulp_lent *rda_ulp_commands_first_lent(const struct rda_ulp_commands *c,
						       const struct rda_ulp_command *command)
{
	return lent_at(c, command->first_lent);
}

const struct rda_ulp_lent *rda_ulp_commands_next_lent(const struct rda_ulp_commands *c,
						      const struct rda_ulp_lent *lent)
{
	return lent_at(c, lent->next_of_command);
}

const struct rda_ulp_command *rda_ulp_commands_first(const struct rda_ulp_commands *c)
{
	return at(c, c->oldest);
}

const struct rda_ulp_command *rda_ulp_commands_next(const struct rda_ulp_commands *c,
						    const struct rda_ulp_command *command)
{
	return at(c, command->newer);
}
