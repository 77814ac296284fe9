/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Habits as public documents describe them (Lumina, SIGCOMM'23; the drivers of rxe, mlx5, irdma,
 * bnxt_re, hns; measurements of ConnectX-6 Dx): reaction times of 2 to 400 us, READs repeated whole
 * or from the missing response, ACKs with and without credits, merged and delayed.
 */
#include "tests/simulate/draw_fabric.h"

#include <glib.h>

/* Timers no shorter than 67 ms, so that a NAK's reaction is not mistaken for one; any of 10 to 20.
 */
enum { CALM_TIMEOUT = 14, SHORTEST = 10, LONGEST = 20, RETRIES_MAX = 7 };

static bool one_in(struct sim_random *random, uint64_t count)
{
	return sim_below(random, count) == 0;
}

static void draw_timer(struct sim_requester_plan *p, struct sim_random *random, uint8_t shortest,
		       uint8_t longest, uint8_t fewest)
{
	p->timer = (uint8_t)sim_between(random, SIM_TIMER_PLAIN, SIM_TIMER_LADDER);
	p->ack_timeout = (uint8_t)sim_between(random, shortest, longest);
	p->retries = (uint8_t)sim_between(random, fewest, RETRIES_MAX);
	p->timeout_ns = (INT64_C(4096) << p->ack_timeout) * ONE_OF(random, 1, 1, 2, 4);
}

static void draw_nic(struct sim_plan *plan, unsigned host, struct sim_random *random)
{
	struct sim_requester_plan *asks = &plan->requester[host];
	struct sim_responder_plan *answers = &plan->responder[host];

	asks->reaction_ns = ONE_OF(random, 2 * US, 6 * US, 30 * US, 200 * US, 400 * US);
	asks->read_from_start = one_in(random, 2);
	asks->skips_acked &= !asks->read_from_start;
	if (one_in(random, 2))
		draw_timer(asks, random, CALM_TIMEOUT, CALM_TIMEOUT + 3, RETRIES_MAX);
	answers->nak_ns = ONE_OF(random, 0, 2 * US, 10 * US, 100 * US);
	answers->ack_delay_ns = ONE_OF(random, 0, 0, 5 * US, 100 * US);
	answers->credits = (uint8_t)ONE_OF(random, 0, 0, 24, 30);
	answers->nak_after_rnr = false;
	answers->rnr_code = (uint8_t)ONE_OF(random, 0, 1, 6, 12, 16);
	answers->unready = (uint32_t)ONE_OF(random, 0, 0, 20000);
	plan->ip_ids[host] = (uint8_t)sim_between(random, SIM_ID_HOST, SIM_ID_KINDS - 1);
}

static void draw_losses(struct sim_plan *plan, struct sim_random *random)
{
	int64_t loss = ONE_OF(random, 1000, 5000, 20000);

	for (unsigned i = 0; i < 4; i++)
		if (one_in(random, 2))
			plan->link[i / 2][i % 2].loss = (uint32_t)loss;
}

static void draw_paths(struct sim_plan *plan, struct sim_random *random)
{
	for (unsigned i = 0; i < 4; i++) {
		struct sim_spray_plan *spray = &plan->link[i / 2][i % 2].spray;
		int64_t apart = ONE_OF(random, 1 * US, 10 * US, 100 * US);

		if (i > 0 && one_in(random, 2))
			continue;
		spray->paths = (uint32_t)sim_between(random, 2, SIM_PATHS);
		spray->by = (uint8_t)ONE_OF(random, SIM_BY_PACKET, SIM_BY_PACKET, SIM_BY_FLOW,
					    SIM_BY_FLOWLET);
		for (unsigned path = 0; path < SIM_PATHS; path++)
			spray->more_ns[path] = sim_between(random, 0, apart);
	}
}

static void draw_late(struct sim_plan *plan, struct sim_random *random)
{
	for (unsigned i = 0; i < 4; i++) {
		struct sim_link_plan *link = &plan->link[i / 2][i % 2];

		if (i > 0 && one_in(random, 2))
			continue;
		link->late = (uint32_t)ONE_OF(random, 5000, 50000, 200000);
		link->late_ns = ONE_OF(random, 1 * US, 5 * US, 20 * US, 100 * US);
	}
}

static void draw_copies(struct sim_plan *plan, struct sim_random *random)
{
	for (unsigned i = 0; i < 4; i++) {
		struct sim_link_plan *link = &plan->link[i / 2][i % 2];

		if (i > 0 && one_in(random, 2))
			continue;
		link->twice = (uint32_t)ONE_OF(random, 10000, 50000);
		link->twice_ns = ONE_OF(random, 1, 1 * US, 30 * US, 300 * US);
	}
}

/* How long a requester tries at most, about. */
static int64_t patience_ns(const struct sim_requester_plan *p)
{
	return (p->retries + 1) * p->timeout_ns;
}

/* The path dies behind the tap, or the answers' before it; half of them come back to life. */
static void draw_death(struct sim_plan *plan, struct sim_random *random)
{
	struct sim_requester_plan *asks = &plan->requester[0];
	int64_t dead_ns = sim_between(random, 0, 3 * MS), alive_ns = INT64_MAX;
	bool requests = one_in(random, 2), before = one_in(random, 2);

	for (unsigned i = 0; i < 2; i++) {
		draw_timer(&plan->requester[i], random, SHORTEST, LONGEST, 0);
		plan->requester[i].window = 16;
	}
	plan->requester[1].messages = 0;
	if (one_in(random, 2)) {
		if (one_in(random, 4))
			asks->timer = SIM_TIMER_ENDLESS;
		alive_ns = dead_ns + sim_between(random, 0, patience_ns(asks) / 2);
	}
	plan->link[!requests][requests || !before].dead_ns = dead_ns;
	plan->link[!requests][requests || !before].alive_ns = alive_ns;
	plan->watched_ns = 1000 * MS + 3 * (INT64_C(8192) << MAX(asks->ack_timeout, 16));
}

static void draw_ghosts(struct sim_plan *plan, struct sim_random *random)
{
	for (unsigned i = 0; i < 2; i++) {
		plan->responder[i].ghosts = (uint32_t)ONE_OF(random, 0, 20000, 100000);
		plan->responder[i].own_psn_acks = one_in(random, 2);
		plan->responder[i].ack_all_duplicates = true;
	}
}

static void draw_same_psn(struct sim_plan *plan, struct sim_random *random)
{
	plan->managed = false;
	plan->requester[0].first_psn = plan->requester[1].first_psn = 0;
	plan->source_port = (uint16_t)sim_between(random, 0xc000, 0xffff);
	plan->ipv6 = false;
}

static void draw_damage(struct sim_plan *plan, struct sim_random *random)
{
	plan->tap.snaplen = 0;
	for (unsigned i = 0; i < 4; i++)
		plan->link[i / 2][i % 2].damaged = (uint32_t)ONE_OF(random, 0, 2000, 10000);
}

static void draw_placing(struct sim_plan *plan, bool silent, bool selective)
{
	for (unsigned i = 0; i < 2; i++) {
		plan->responder[i].silent = silent;
		plan->responder[i].unready = 0;
		plan->requester[i].selective = selective;
	}
}

static void draw_lost_naks(struct sim_plan *plan, struct sim_random *random)
{
	for (unsigned i = 0; i < 4; i++)
		plan->link[i / 2][i % 2].nak_loss = (uint32_t)ONE_OF(random, 0, 300000);
}

/* Timers of 1 to 33 ms, or four times as long: some are shorter than a round trip. */
static void draw_brisk(struct sim_plan *plan, struct sim_random *random)
{
	for (unsigned i = 0; i < 2; i++)
		draw_timer(&plan->requester[i], random, 8, 13, RETRIES_MAX);
}

/* From somewhere in the first milliseconds on, or so far. */
static void draw_piece(struct sim_plan *plan, struct sim_random *random)
{
	unsigned which = (unsigned)sim_between(random, 1, 3);
	int64_t begins_ns = sim_between(random, 0, ONE_OF(random, 100 * US, 3 * MS, 100 * MS));

	if (which & 1) {
		plan->tap.begins_ns = begins_ns;
		plan->managed = false;
	}
	if (which & 2)
		plan->tap.ends_ns =
			begins_ns +
			sim_between(random, 1, ONE_OF(random, 300 * US, 10 * MS, 300 * MS));
}

/* What is shown poorly; and what it is of. */
static enum sim_faults draw_tap(struct sim_plan *plan, enum sim_faults faults,
				struct sim_random *random)
{
	switch (faults) {
	case SIM_COARSE: plan->tap.stamp_ns = ONE_OF(random, 1 * US, 10 * US, 1 * MS); break;
	case SIM_ONE_WAY:
		plan->tap.hides[sim_below(random, 2)] = true;
		plan->managed = false;
		break;
	case SIM_PIECE: draw_piece(plan, random); break;
	case SIM_GAPPY: plan->tap.loss = (uint32_t)ONE_OF(random, 1000, 10000, 100000); break;
	case SIM_BRISK: break;
	default: return faults;
	}
	return (enum sim_faults)ONE_OF(random, SIM_SPRAYED, SIM_LATE, SIM_NICS, SIM_SILENT,
				       SIM_SELECTIVE, SIM_NAK_LOST);
}

void sim_draw_fabric(struct sim_plan *plan, enum sim_faults faults, struct sim_random *random)
{
	bool all = faults == SIM_FABRIC, brisk = faults == SIM_BRISK;

	faults = draw_tap(plan, faults, random);
	plan->addressed = true;
	plan->ipv6 = one_in(random, 8);
	for (unsigned i = 0; i < 2; i++)
		draw_nic(plan, i, random);
	if (faults == SIM_SPRAYED || (all && one_in(random, 2)))
		draw_paths(plan, random);
	if (faults == SIM_LATE || (all && one_in(random, 4)))
		draw_late(plan, random);
	if (faults == SIM_COPIED || (all && one_in(random, 4)))
		draw_copies(plan, random);
	if (faults == SIM_GHOSTS || (all && one_in(random, 8)))
		draw_ghosts(plan, random);
	if (faults == SIM_NAK_LOST || (all && one_in(random, 4)))
		draw_lost_naks(plan, random);
	if (faults == SIM_SKEWED || (all && one_in(random, 8)))
		plan->tap.skew_ns[sim_below(random, 2)] = 30 * US;
	if (sim_reorders(faults) && one_in(random, 2))
		draw_placing(plan, true, false);
	if (faults == SIM_SILENT || faults == SIM_SELECTIVE)
		draw_placing(plan, faults == SIM_SILENT, faults == SIM_SELECTIVE);
	if (!sim_reorders(faults) || all)
		draw_losses(plan, random);
	if (faults == SIM_SAME_PSN)
		draw_same_psn(plan, random);
	if (faults == SIM_DAMAGED)
		draw_damage(plan, random);
	if (faults == SIM_EXHAUSTED)
		draw_death(plan, random);
	if (brisk)
		draw_brisk(plan, random);
}
