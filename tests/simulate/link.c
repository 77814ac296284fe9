/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A packet on one stretch of the path.
 */
#include "tests/simulate/link.h"

static bool loses(struct sim_link *link, struct sim_random *random)
{
	const struct sim_link_plan *plan = link->plan;

	if (sim_chance(random, link->burst ? plan->burst_ends : plan->burst_begins))
		link->burst = !link->burst;
	return link->burst || sim_chance(random, plan->loss);
}

/* When a packet that keeps its place behind the others arrives. */
static int64_t in_turn(struct sim_link *link, struct sim_random *random, int64_t now_ns)
{
	int64_t at = now_ns + link->plan->delay_ns + sim_between(random, 0, link->plan->jitter_ns);

	if (at <= link->latest_ns)
		at = link->latest_ns + 1;
	return link->latest_ns = at;
}

struct sim_passage sim_link_pass(struct sim_link *link, struct sim_random *random, int64_t now_ns)
{
	const struct sim_link_plan *plan = link->plan;
	struct sim_passage passage = {0};

	if (loses(link, random))
		return passage;
	passage.copies = 1;
	passage.marked = sim_chance(random, plan->marked);
	if (sim_chance(random, plan->late)) {
		passage.late = true;
		passage.arrives_ns[0] =
			now_ns + plan->delay_ns + sim_between(random, 1, plan->late_ns);
	} else {
		passage.arrives_ns[0] = in_turn(link, random, now_ns);
	}
	if (sim_chance(random, plan->twice)) {
		passage.copies = 2;
		passage.arrives_ns[1] = in_turn(link, random, passage.arrives_ns[0]);
	}
	return passage;
}
