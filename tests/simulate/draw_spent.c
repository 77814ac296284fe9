/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans of requesters whose time is known: the tap stands at host 0, and host 0 asks as
 * applications and NICs do: at most so many messages or READs outstanding, or a window of packets;
 * as much as it can, at times of its own, or batch by batch with sleeps between.
 */
#include "tests/simulate/draw_fabric.h"

#include <glib.h>

static void draw_asking(struct sim_requester_plan *p, struct sim_random *random)
{
	p->messages = (uint32_t)sim_between(random, 20, 200);
	for (unsigned i = 0; i < SIM_MESSAGE_KINDS; i++)
		p->weights[i] = 0;
	p->weights[sim_below(random, SIM_MESSAGE_KINDS)] = 3;
	p->weights[sim_below(random, SIM_MESSAGE_KINDS)]++;
	p->gap_ns = ONE_OF(random, 200, 500, 1 * US);
	p->window = (uint32_t)ONE_OF(random, 64, 4096, 4096, 4096);
	p->reads = (uint32_t)ONE_OF(random, 1, 16, 128);
	p->depth = (uint32_t)ONE_OF(random, 0, 1, 2, 16, 64);
	p->pause_ns = 0;
	switch (sim_below(random, 3)) {
	case 0: p->pause_ns = ONE_OF(random, 500 * US, 5 * MS); break;
	case 1:
		p->batch = (uint32_t)sim_between(random, 1, 32);
		p->sleep_ns = ONE_OF(random, 100 * US, 2 * MS, 10 * MS);
		break;
	default: break;
	}
}

void sim_draw_spent(struct sim_plan *plan, struct sim_random *random)
{
	int64_t far = ONE_OF(random, 100 * US, 1 * MS);
	bool lossy = sim_below(random, 2);

	plan->timed = true;
	plan->mtu =
		256; /* hosts of the simulator take as long for a short packet as for a long one */
	plan->requester[1].messages = sim_below(random, 4) ? 0 : 10;
	draw_asking(&plan->requester[0], random);
	plan->requester[0].timeout_ns = sim_between(random, 2 * MS, 70 * MS) + 20 * far;
	plan->requester[0].reaction_ns = ONE_OF(random, 0, 2 * US, 50 * US);
	plan->responder[1].service_ns = ONE_OF(random, 0, 5 * US);
	plan->responder[1].nak_after_rnr = false;
	for (unsigned i = 0; i < 4; i++) {
		struct sim_link_plan *link = &plan->link[i / 2][i % 2];
		bool near = i / 2 == i % 2;

		link->delay_ns = near ? 0 : far;
		link->jitter_ns = near ? 0 : ONE_OF(random, 0, 500);
		if (!near && lossy)
			link->loss = (uint32_t)ONE_OF(random, 0, 1000, 5000);
		if (i / 2 && (plan->requester[0].weights[SIM_READ] ||
			      plan->requester[0].weights[SIM_ATOMIC]))
			link->loss = 0;
	}
	if (sim_below(random, 3) == 0 && plan->requester[0].window > 4000) {
		plan->link[0][1].marked = 5000;
		plan->requester[0].slowed_ns = ONE_OF(random, 50 * US, 500 * US);
	}
	if (lossy)
		plan->responder[1].unready = (uint32_t)ONE_OF(random, 0, 0, 20000);
}
