/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thinning, a slot at a time. See thin.h.
 */
#include "analyzer/report/page/thin.h"

enum { FIRST, LOW, HIGH, LAST, KEPT };

static void keep(struct rda_thin *thin, unsigned as, const struct rda_point *point)
{
	thin->kept[as] = *point;
	thin->number[as] = thin->seen;
}

void rda_thin_end(struct rda_thin *thin, GArray *to)
{
	bool low_first = thin->number[LOW] <= thin->number[HIGH];
	const unsigned order[KEPT] = {FIRST, low_first ? LOW : HIGH, low_first ? HIGH : LOW, LAST};
	uint32_t before = 0;

	for (unsigned i = 0; thin->seen && i < KEPT; i++) {
		if (thin->number[order[i]] == before)
			continue; /* it is also the one before */
		before = thin->number[order[i]];
		g_array_append_val(to, thin->kept[order[i]]);
	}
	thin->seen = 0;
}

void rda_thin_add(struct rda_thin *thin, const struct rda_point *point, GArray *to)
{
	int64_t slot = thin->slot_ns ? point->time_ns / thin->slot_ns : 0;

	if (thin->seen && (!thin->slot_ns || slot != thin->slot))
		rda_thin_end(thin, to);
	thin->slot = slot;
	thin->seen++;
	if (thin->seen == 1)
		keep(thin, FIRST, point);
	if (thin->seen == 1 || point->y < thin->kept[LOW].y)
		keep(thin, LOW, point);
	if (thin->seen == 1 || point->y > thin->kept[HIGH].y)
		keep(thin, HIGH, point);
	keep(thin, LAST, point);
}
