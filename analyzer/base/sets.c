/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets that do not overlap. See sets.h.
 */
#include "analyzer/base/sets.h"

void rda_sets_init(uint32_t *sets, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		sets[i] = i;
}

uint32_t rda_sets_of(uint32_t *sets, uint32_t number)
{
	while (sets[number] != number)
		number = sets[number] = sets[sets[number]];
	return number;
}

void rda_sets_join(uint32_t *sets, uint32_t one, uint32_t other)
{
	uint32_t a = rda_sets_of(sets, one), b = rda_sets_of(sets, other);

	if (a < b)
		sets[b] = a;
	else
		sets[a] = b;
}
