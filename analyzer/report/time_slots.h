/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of one direction went, along time: of each of equal slots how much of it each
 * cause had. All slots together have what spent_ns of the flow has.
 */
#ifndef RDA_TIME_SLOTS_H
#define RDA_TIME_SLOTS_H

#include "analyzer/report/describe.h"

struct rda_time_slots {
	int64_t begin_ns, slot_ns;
	unsigned count;
	int64_t *ns; /* of each slot one for each cause; owned; NULL: nothing was added */
};

/* `count` slots of `slot_ns` from `begin_ns` on. What lies outside counts to the first or last. */
void rda_time_slots_init(struct rda_time_slots *slots, int64_t begin_ns, int64_t slot_ns,
			 unsigned count);
void rda_time_slots_cleanup(struct rda_time_slots *slots);

void rda_time_slots_add(struct rda_time_slots *slots, const struct rda_time_sight *time);

/* 0 where nothing was added. */
int64_t rda_time_slots_ns(const struct rda_time_slots *slots, unsigned slot, uint8_t cause);

/* How a cause looks; `index` from 0: the bottom of the stack. */
struct rda_cause_look {
	uint8_t cause; /* enum rda_time_cause */
	const char *pattern, *light, *dark, *unicode, *ascii;
};
const struct rda_cause_look *rda_time_slots_look(unsigned index);

#endif
