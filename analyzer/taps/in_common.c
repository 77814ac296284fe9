/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting what each two have in common. See in_common.h.
 */
#include "analyzer/taps/in_common.h"

#include <glib.h>
#include <string.h>

void rda_in_common_init(struct rda_in_common *c, uint32_t count, uint8_t enough)
{
	c->count = count;
	c->words = (count + 63) / 64;
	c->enough = enough;
	c->things = g_new0(uint8_t, (size_t)count * count);
	c->open = g_new(uint64_t, (size_t)count * c->words);
	c->who = g_new0(uint64_t, c->words);
	if (count)
		memset(c->open, UINT8_MAX, sizeof(*c->open) * count * c->words);
}

void rda_in_common_cleanup(struct rda_in_common *c)
{
	g_free(c->things);
	g_free(c->open);
	g_free(c->who);
}

void rda_in_common_add(struct rda_in_common *c, uint32_t holder)
{
	uint64_t *open = c->open + (size_t)holder * c->words;

	for (uint32_t word = 0; word < c->words; word++)
		for (uint64_t left = c->who[word] & open[word]; left; left &= left - 1) {
			unsigned bit = (unsigned)__builtin_ctzll(left);
			size_t other = (size_t)word * 64 + bit;

			if (++c->things[other * c->count + holder] == c->enough)
				open[word] &= ~(UINT64_C(1) << bit);
		}
	c->who[holder / 64] |= UINT64_C(1) << holder % 64;
}

void rda_in_common_next(struct rda_in_common *c)
{
	memset(c->who, 0, sizeof(*c->who) * c->words);
}
