/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open addressing with linear probing, at most half full; nothing is ever removed.
 */
#include "analyzer/table.h"

#include <glib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

void rda_table_init(struct rda_table *table, size_t key_size, size_t item_size, uint64_t seed)
{
	memset(table, 0, sizeof(*table));
	table->key_size = (uint32_t)key_size;
	table->item_size = (uint32_t)item_size;
	table->seed = seed;
	table->mask = FIRST_SLOTS - 1;
	table->slots = g_malloc0(FIRST_SLOTS * sizeof(*table->slots));
}

void rda_table_cleanup(struct rda_table *table, void (*cleanup)(void *item))
{
	for (uint32_t i = 0; i < table->count; i++) {
		if (cleanup)
			cleanup(table->items[i]);
		g_free(table->items[i]);
	}
	g_free(table->items);
	g_free(table->slots);
}

/* Multiply and fold, eight bytes at a time; the constant is the golden ratio's fraction. */
static uint32_t hash_of(const struct rda_table *table, const void *key)
{
	const uint8_t *p = key;
	uint64_t hash = table->seed ^ table->key_size, word;
	uint32_t left = table->key_size;

	for (; left >= 8; left -= 8, p += 8) {
		memcpy(&word, p, 8);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	if (left) {
		word = 0;
		memcpy(&word, p, left);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return (uint32_t)hash;
}

/* The slot of a key, or the free one where it belongs. */
static uint32_t slot_of(const struct rda_table *table, const void *key, uint32_t hash)
{
	uint32_t at = hash & table->mask;

	for (; table->slots[at].item; at = (at + 1) & table->mask)
		if (table->slots[at].hash == hash &&
		    memcmp(table->items[table->slots[at].item - 1], key, table->key_size) == 0)
			break;
	return at;
}

static void grow(struct rda_table *table)
{
	uint32_t old_slots = table->mask + 1, mask = old_slots * 2 - 1;
	struct rda_table_slot *old = table->slots;

	table->slots = g_malloc0(((size_t)mask + 1) * sizeof(*table->slots));
	for (uint32_t i = 0; i < old_slots; i++) {
		uint32_t at = old[i].hash & mask;

		if (!old[i].item)
			continue;
		while (table->slots[at].item)
			at = (at + 1) & mask;
		table->slots[at] = old[i];
	}
	table->mask = mask;
	g_free(old);
}

void *rda_table_find(const struct rda_table *table, const void *key)
{
	uint32_t at = slot_of(table, key, hash_of(table, key));

	return table->slots[at].item ? table->items[table->slots[at].item - 1] : NULL;
}

void *rda_table_get(struct rda_table *table, const void *key, bool *made)
{
	uint32_t hash = hash_of(table, key), at = slot_of(table, key, hash);
	void *item;

	if (made)
		*made = table->slots[at].item == 0;
	if (table->slots[at].item)
		return table->items[table->slots[at].item - 1];
	if (table->count == table->allocated) {
		table->allocated = table->allocated ? table->allocated * 2 : 16;
		table->items = g_renew(void *, table->items, table->allocated);
	}
	item = g_malloc0(table->item_size);
	memcpy(item, key, table->key_size);
	table->items[table->count++] = item;
	table->slots[at] = (struct rda_table_slot){hash, table->count};
	if (table->count > table->mask / 2)
		grow(table);
	return item;
}
