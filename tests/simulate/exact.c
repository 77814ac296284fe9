/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds from the truth alone, which hold whatever the tap saw; known.c has sharper ones, where
 * packets keep their order.
 *
 * With identifications that count, each transmission that the tap showed is told from a copy of it
 * and has its place among the others: so are resends, copies, and what overtook.
 */
#include "tests/simulate/exact.h"

#include "tests/simulate/named.h"
#include "tests/simulate/sums.h"

static const struct sim_bounds anything = {0, UINT64_MAX};

static struct sim_bounds up_to(uint64_t most)
{
	return (struct sim_bounds){0, most};
}

static struct sim_bounds just(uint64_t number)
{
	return (struct sim_bounds){number, number};
}

void sim_know_of_fabric(struct sim_known *k, const struct sim_world *world, uint8_t asker)
{
	const struct sim_give_up *end = &world->truth.given_up[asker];
	uint64_t runs = 0;
	struct sim_sums sums;

#define SIM_Q(name, where) k->name = anything;
	SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
	sim_sum(&sums, world, asker);
	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		runs += sums.runs[i];
	k->packets = sums.fresh;
	k->lost_before = up_to(sums.lost_before);
	k->lost_after = up_to(sums.lost_after);
	k->responses_lost_before = up_to(sums.responses_lost_before);
	k->responses_lost_after = up_to(sums.responses_lost_after);
	k->lost_by_capture = up_to(sums.unseen);
	k->resent = up_to(sums.resent_seen);
	k->spurious = up_to(sums.resent_taken);
	k->runs = up_to(runs);
	k->after_nak = up_to(sums.runs[RDA_TRIGGER_NAK]);
	k->after_rnr = up_to(sums.runs[RDA_TRIGGER_RNR]);
	k->after_implied = up_to(sums.runs[RDA_TRIGGER_IMPLIED]);
	k->after_timeout = up_to(sums.runs[RDA_TRIGGER_TIMEOUT]);
	k->mirrored = up_to(sums.copies);
	if (sim_order_is_known(world->plan, asker)) {
		k->resent = just(sums.resent_seen);
		k->mirrored = just(sums.copies);
	}
	/* each try but the first is a timer's */
	if (sim_give_up_is_knowable(world, asker))
		k->after_timeout.least = end->tries - 1;
}
