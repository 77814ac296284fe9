/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table of items that begin with their key, kept also in order of insertion.
 *
 * Items are allocated by the table, zeroed but for the key, and never move. Iteration is in order
 * of insertion, so no output depends on hashes. The seed keeps a hostile capture from choosing keys
 * that collide.
 *
 * Keys are compared as bytes: whoever fills one clears its padding first (memset).
 */
#ifndef RDA_TABLE_H
#define RDA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instead of the new index of something that is no more, where others have new ones. */
#define RDA_GONE UINT32_MAX

struct rda_table_slot {
	uint32_t hash;
	uint32_t item; /* index + 1; 0: free */
};

struct rda_table {
	void **items; /* in order of insertion; owned */
	uint32_t count;
	uint32_t allocated;
	struct rda_table_slot *slots;
	uint32_t mask; /* slots - 1 */
	uint32_t key_size, item_size;
	uint64_t seed, second_seed;
	void *latest[2]; /* that rda_table_get returned, latest first; or NULL */
};

void rda_table_init(struct rda_table *table, size_t key_size, size_t item_size, uint64_t seed);

/* Frees the items, each given to `cleanup` before (NULL: nothing to do). */
void rda_table_cleanup(struct rda_table *table, void (*cleanup)(void *item));

/* The item of a key, or NULL. */
void *rda_table_find(const struct rda_table *table, const void *key);

/* Brings in what rda_table_find of the key will look at first. */
void rda_table_fetch(const struct rda_table *table, const void *key);

/* The item of a key, made when there is none; then *made is true (may be NULL). */
void *rda_table_get(struct rda_table *table, const void *key, bool *made);

/*
 * Takes out the items that `keeps` is not true of; each is given to `take`, which owns it then. The
 * others keep their order, and their addresses.
 */
void rda_table_sift(struct rda_table *table, bool (*keeps)(const void *item, void *context),
		    void (*take)(void *item, void *context), void *context);

/*
 * The item at this place in the order of insertion, which the caller owns from now on. NULL stands
 * there then: nothing may be looked for any more, only rda_table_cleanup be called.
 */
static inline void *rda_table_steal(struct rda_table *table, uint32_t index)
{
	void *item = table->items[index];

	table->items[index] = NULL;
	return item;
}

#endif
