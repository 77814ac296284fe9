/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The published law. See dcqcn.h.
 */
#include "analyzer/track/congestion/dcqcn.h"

/* g is 1 / 2^G_SHIFT: after this many periods nothing is left of alpha. */
enum { G_SHIFT = 8, PERIODS_MOST = 8192 };

bool rda_dcqcn_notice(struct rda_dcqcn *law, int64_t time_ns)
{
	uint64_t since = law->any && time_ns > law->latest_ns
				 ? (uint64_t)time_ns - (uint64_t)law->latest_ns
				 : 0;
	uint64_t periods = since / RDA_DCQCN_TIMER_NS;
	bool goes_on = law->any && since <= RDA_DCQCN_ROW_NS;

	if (periods > PERIODS_MOST)
		law->alpha = 0;
	for (uint64_t i = 0; i < periods && law->alpha >> G_SHIFT; i++)
		law->alpha -= law->alpha >> G_SHIFT;
	if (!goes_on)
		law->rate = RDA_DCQCN_ONE;
	law->cut = law->alpha / 2;
	law->rate -= (uint32_t)((uint64_t)law->rate * law->cut / RDA_DCQCN_ONE);
	law->alpha += (RDA_DCQCN_ONE - law->alpha) >> G_SHIFT;
	law->latest_ns = time_ns;
	law->any = true;
	return goes_on;
}
