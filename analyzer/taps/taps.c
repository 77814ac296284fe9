/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of taps as a value. See taps.h.
 */
#include "analyzer/taps/taps.h"

#include <glib.h>

const struct rda_hop *rda_taps_hops(const struct rda_taps *taps, uint32_t connection,
				    uint32_t *count)
{
	uint32_t low = 0, high = taps->hop_count;

	*count = 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (taps->hops[middle].connection < connection)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + *count < taps->hop_count && taps->hops[low + *count].connection == connection)
		++*count;
	return *count ? &taps->hops[low] : NULL;
}

void rda_taps_free(struct rda_taps *taps)
{
	if (!taps)
		return;
	for (uint32_t i = 0; i < taps->count; i++)
		g_free(taps->taps[i].name);
	for (uint32_t i = 0; i < taps->hop_count; i++)
		rda_latency_cleanup(&taps->hops[i].delay);
	g_free(taps->taps);
	g_free(taps->hops);
	g_free(taps->tap_of);
	g_free(taps);
}
