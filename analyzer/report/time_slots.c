/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of time spread over slots. See time_slots.h.
 */
#include "analyzer/report/time_slots.h"

#include "analyzer/report/causes.def"

#include <glib.h>

static const struct rda_cause_look looks[] = {
#define RDA_L(CAUSE, pattern, light, dark, unicode, ascii)                                         \
	{CAUSE, pattern, light, dark, unicode, ascii},
	RDA_CAUSE_LOOKS(RDA_L)
#undef RDA_L
};

G_STATIC_ASSERT(G_N_ELEMENTS(looks) == RDA_TIME_CAUSE_COUNT);

const struct rda_cause_look *rda_time_slots_look(unsigned index)
{
	return &looks[index];
}

void rda_time_slots_init(struct rda_time_slots *slots, int64_t begin_ns, int64_t slot_ns,
			 unsigned count)
{
	*slots = (struct rda_time_slots){begin_ns, slot_ns, count, NULL};
}

void rda_time_slots_cleanup(struct rda_time_slots *slots)
{
	g_free(slots->ns);
}

void rda_time_slots_add(struct rda_time_slots *slots, const struct rda_time_sight *time)
{
	int64_t at = time->begin_ns - slots->begin_ns, end = time->end_ns - slots->begin_ns;

	if (!slots->ns)
		slots->ns = g_new0(int64_t, (size_t)slots->count * RDA_TIME_CAUSE_COUNT);
	while (at < end) {
		int64_t slot = CLAMP(at / slots->slot_ns, 0, (int64_t)slots->count - 1);
		int64_t next = MIN(end, (slot + 1) * slots->slot_ns);

		if (slot == (int64_t)slots->count - 1)
			next = end;
		slots->ns[slot * RDA_TIME_CAUSE_COUNT + time->cause] += next - at;
		at = next;
	}
}

int64_t rda_time_slots_ns(const struct rda_time_slots *slots, unsigned slot, uint8_t cause)
{
	return slots->ns ? slots->ns[(size_t)slot * RDA_TIME_CAUSE_COUNT + cause] : 0;
}
