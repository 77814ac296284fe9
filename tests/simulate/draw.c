/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan from a seed.
 */
#include "tests/simulate/draw_fabric.h"

#include <string.h>

static void draw_requester(struct sim_requester_plan *p, struct sim_random *random, int64_t rtt_ns)
{
	p->messages = (uint32_t)sim_between(random, 4, 60);
	for (unsigned i = 0; i < SIM_MESSAGE_KINDS; i++)
		p->weights[i] = (uint32_t)ONE_OF(random, 0, 1, 1, 4);
	p->weights[SIM_WRITE]++;
	p->longest = (uint32_t)ONE_OF(random, 1, 2, 4, 12);
	p->window = (uint32_t)ONE_OF(random, 16, 32, 128);
	p->reads = (uint32_t)ONE_OF(random, 1, 2, 16);
	p->ack_every = (uint32_t)ONE_OF(random, 1, 4, 64);
	p->gap_ns = ONE_OF(random, 200, 1 * US, 8 * US, 40 * US);
	p->pause_ns = ONE_OF(random, 0, 100 * US, 3 * MS);
	p->timeout_ns = sim_between(random, 60 * MS, 500 * MS) + 20 * rtt_ns;
	p->one_retry = sim_below(random, 2) == 0;
	p->skips_acked = sim_below(random, 2) == 0;
	p->first_psn = (uint32_t)ONE_OF(random, 0, 0xfffff0, 0x7ffff8,
					(int64_t)sim_below(random, 1 << 24));
}

static void draw_responder(struct sim_responder_plan *p, struct sim_random *random)
{
	p->service_ns = ONE_OF(random, 0, 5 * US, 50 * US);
	p->gap_ns = ONE_OF(random, 200, 1 * US, 8 * US);
	p->rnr_code = (uint8_t)ONE_OF(random, 1, 6, 12, 16);
	p->unready_ns = ONE_OF(random, 5 * US, 500 * US, 10 * MS);
	p->nak_after_rnr = sim_below(random, 2) == 0;
	p->ack_all_duplicates = sim_below(random, 2) == 0;
}

static void draw_path(struct sim_plan *plan, struct sim_random *random)
{
	int64_t near = ONE_OF(random, 500, 20 * US, 1 * MS);
	int64_t far = ONE_OF(random, 500, 20 * US, 1 * MS);

	for (unsigned from = 0; from < 2; from++)
		for (unsigned stretch = 0; stretch < 2; stretch++) {
			struct sim_link_plan *link = &plan->link[from][stretch];

			link->delay_ns = from == stretch ? near : far;
			link->jitter_ns = ONE_OF(random, 0, 500, link->delay_ns / 2);
		}
}

/* Losses of some, all or none of the stretches. */
static void draw_loss(struct sim_plan *plan, struct sim_random *random)
{
	bool bursts = sim_below(random, 4) == 0;
	int64_t loss = ONE_OF(random, 2000, 10000, 30000, 100000);

	for (unsigned i = 0; i < 4; i++) {
		struct sim_link_plan *link = &plan->link[i / 2][i % 2];

		if (sim_below(random, 2))
			continue;
		if (bursts) {
			link->burst_begins = (uint32_t)loss / 4;
			link->burst_ends = 300000;
		} else {
			link->loss = (uint32_t)loss;
		}
	}
}

static void draw_reorder(struct sim_plan *plan, struct sim_random *random)
{
	for (unsigned i = 0; i < 4; i++) {
		struct sim_link_plan *link = &plan->link[i / 2][i % 2];

		if (sim_below(random, 2) == 0) {
			link->late = (uint32_t)ONE_OF(random, 5000, 50000);
			link->late_ns = ONE_OF(random, 3 * US, 50 * US, 1 * MS);
		}
		if (sim_below(random, 4) == 0)
			link->twice = 10000;
		link->marked = (uint32_t)ONE_OF(random, 0, 0, 20000);
	}
}

/* Nothing is there twice. */
static void draw_no_copies(struct sim_plan *plan)
{
	for (unsigned i = 0; i < 4; i++)
		plan->link[i / 2][i % 2].twice = 0;
	plan->tap.mirrored = 0;
}

void sim_draw(struct sim_plan *plan, enum sim_faults faults, uint64_t seed)
{
	struct sim_random random = {seed * 0x9e3779b97f4a7c15 + faults};
	bool all = faults == SIM_ALL || faults == SIM_ONCE;
	int64_t rtt_ns;

	memset(plan, 0, sizeof(*plan));
	plan->seed = seed;
	plan->mtu = sim_below(&random, 4) ? 256 : 1024;
	plan->managed = sim_below(&random, 2) == 0;
	plan->qpn[0] = (uint32_t)sim_between(&random, 2, 0xfffffe);
	plan->qpn[1] = (uint32_t)sim_between(&random, 2, 0xfffffe);
	draw_path(plan, &random);
	rtt_ns = plan->link[0][0].delay_ns * 3 + plan->link[0][1].delay_ns * 3;
	for (unsigned i = 0; i < 2; i++) {
		draw_requester(&plan->requester[i], &random, rtt_ns);
		draw_responder(&plan->responder[i], &random);
	}
	if (sim_below(&random, 2))
		plan->requester[1].messages = 0;
	plan->tap.snaplen = sim_below(&random, 2) ? 128 : 0;
	if (faults == SIM_LOSSY || all || faults == SIM_BOTH) {
		draw_loss(plan, &random);
		for (unsigned i = 0; i < 2; i++)
			plan->responder[i].unready = (uint32_t)ONE_OF(&random, 0, 0, 50000);
	}
	/* a NAK whose RNR NAK nobody saw looks like that of a lost request */
	for (unsigned i = 0; i < 2; i++)
		if (plan->link[i][0].loss || plan->link[i][0].burst_begins || all ||
		    faults == SIM_BOTH)
			plan->responder[i].nak_after_rnr = false;
	if (all)
		draw_reorder(plan, &random);
	if (faults == SIM_TAP_LOSSY || all || faults == SIM_BOTH)
		plan->tap.loss = (uint32_t)ONE_OF(&random, 5000, 50000, 200000);
	if (all)
		plan->tap.mirrored = (uint32_t)ONE_OF(&random, 0, 10000);
	if (faults == SIM_ONCE)
		draw_no_copies(plan);
	if (faults == SIM_SPENT)
		sim_draw_spent(plan, &random);
	else if (faults >= SIM_SPRAYED && faults != SIM_ONCE)
		sim_draw_fabric(plan, faults, &random);
}
