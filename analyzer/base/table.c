/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open addressing with linear probing, at most two thirds full; nothing is ever removed.
 */
#include "analyzer/base/table.h"

#include "analyzer/base/fetch.h"
#include <glib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

/* Items that so many slots are for: what is not there is known after 5 of them, with all in use. */
static uint32_t most_of(uint32_t slots)
{
	return slots - slots / 3;
}

/* The product of two words, folded: every bit of both reaches every bit of it. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

static uint64_t fold(uint64_t a, uint64_t b)
{
	wide product = (wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}
#else /* processors of 32 bits: by halves */
static uint64_t fold(uint64_t a, uint64_t b)
{
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32); /* below 2^64 - 2^32 */
	uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);
	uint64_t high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);

	return high ^ (other << 32 | (low & UINT32_MAX));
}
#endif

void rda_table_init(struct rda_table *table, size_t key_size, size_t item_size, uint64_t seed)
{
	memset(table, 0, sizeof(*table));
	table->key_size = (uint32_t)key_size;
	table->item_size = (uint32_t)item_size;
	table->seed = seed ^ UINT64_C(0x9e3779b97f4a7c15);
	table->second_seed =
		fold(seed ^ UINT64_C(0xd6e8feb86659fd93), UINT64_C(0xe7037ed1a0b428db));
	table->mask = FIRST_SLOTS - 1;
	table->slots = g_malloc0(FIRST_SLOTS * sizeof(*table->slots));
}

void rda_table_cleanup(struct rda_table *table, void (*cleanup)(void *item))
{
	for (uint32_t i = 0; i < table->count; i++) {
		if (cleanup && table->items[i])
			cleanup(table->items[i]);
		g_free(table->items[i]);
	}
	g_free(table->items);
	g_free(table->slots);
}

static uint64_t word_at(const uint8_t *p, uint32_t left)
{
	uint64_t word = 0;

	memcpy(&word, p, left < 8 ? left : 8);
	return word;
}

/*
 * Sixteen bytes at a time, each pair of words multiplied by itself, so that the processor does the
 * pairs at once. Each word of a pair meets a seed: whoever knew a word that makes one factor 0
 * could have as many keys with one hash as there are other words. The constants are odd and
 * otherwise arbitrary.
 */
static uint32_t hash_of(const struct rda_table *table, const void *key)
{
	const uint8_t *p = key;
	uint64_t hash = table->seed, turn = hash, second = table->second_seed;
	uint32_t left = table->key_size;

	for (; left >= 16; left -= 16, p += 16) {
		hash ^= fold(word_at(p, 8) ^ turn, word_at(p + 8, 8) ^ second);
		turn += UINT64_C(0xa0761d6478bd642f);
	}
	if (left)
		hash ^= fold(word_at(p, left) ^ turn,
			     (left > 8 ? word_at(p + 8, left - 8) : 0) ^ second);
	return (uint32_t)fold(hash, UINT64_C(0x8ebc6af09c88c6e3));
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

void rda_table_fetch(const struct rda_table *table, const void *key)
{
	rda_fetch(&table->slots[hash_of(table, key) & table->mask]);
}

void *rda_table_find(const struct rda_table *table, const void *key)
{
	uint32_t at;

	if (table->count == 0) /* as findings of most captures are */
		return NULL;
	at = slot_of(table, key, hash_of(table, key));
	return table->slots[at].item ? table->items[table->slots[at].item - 1] : NULL;
}

/* What is asked for is often one of the two that were asked for before: hosts, and groups of what
 * lies between two of them. Then nothing is hashed, and no slot waited for. */
static void *get_again(struct rda_table *table, const void *key)
{
	for (unsigned i = 0; i < 2; i++) {
		void *item = table->latest[i];

		if (item && memcmp(item, key, table->key_size) == 0) {
			table->latest[i] = table->latest[0];
			return table->latest[0] = item;
		}
	}
	table->latest[1] = table->latest[0];
	return NULL;
}

/* The item of a key that is none of the latest. */
static void *get(struct rda_table *table, const void *key, bool *made)
{
	uint32_t hash = hash_of(table, key), at = slot_of(table, key, hash);
	void *item;

	*made = table->slots[at].item == 0;
	if (!*made)
		return table->items[table->slots[at].item - 1];
	if (table->count == table->allocated) {
		table->allocated = table->allocated ? table->allocated * 2 : 16;
		table->items = g_renew(void *, table->items, table->allocated);
	}
	item = g_malloc0(table->item_size);
	memcpy(item, key, table->key_size);
	table->items[table->count++] = item;
	table->slots[at] = (struct rda_table_slot){hash, table->count};
	if (table->count > most_of(table->mask + 1))
		grow(table);
	return item;
}

void *rda_table_get(struct rda_table *table, const void *key, bool *made)
{
	void *item = get_again(table, key);
	bool new = false;

	if (!item)
		item = table->latest[0] = get(table, key, &new);
	if (made)
		*made = new;
	return item;
}

/* Slots for the items that are left, by the hashes of their keys. */
static void fill_slots(struct rda_table *table)
{
	uint32_t slots = FIRST_SLOTS;

	while (table->count > most_of(slots))
		slots *= 2;
	g_free(table->slots);
	table->slots = g_malloc0(slots * sizeof(*table->slots));
	table->mask = slots - 1;
	for (uint32_t i = 0; i < table->count; i++) {
		uint32_t hash = hash_of(table, table->items[i]), at = hash & table->mask;

		while (table->slots[at].item)
			at = (at + 1) & table->mask;
		table->slots[at] = (struct rda_table_slot){hash, i + 1};
	}
}

void rda_table_sift(struct rda_table *table, bool (*keeps)(const void *item, void *context),
		    void (*take)(void *item, void *context), void *context)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < table->count; i++) {
		void *item = table->items[i];

		if (keeps(item, context))
			table->items[left++] = item;
		else
			take(item, context);
	}
	table->count = left;
	table->latest[0] = table->latest[1] = NULL;
	table->allocated = MAX(left, 16);
	table->items = g_renew(void *, table->items, table->allocated);
	fill_slots(table);
}
