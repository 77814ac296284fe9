/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a requester waits, and how often. Of the ladder of ConnectX, as measured in public on
 * ConnectX-6 Dx: the adaptive steps go on while they are shorter than a regular timeout, and take
 * one unit of the retry count together; then R - 1 regular timeouts expire, of twice 4.096 us x 2^T
 * and no less than that of T = 16, each but the last with one more transmission.
 */
#include "tests/simulate/peer.h"

#include <glib.h>

enum { LEAST_TIMEOUT = 16 };

static const int64_t steps_us[] = {20700,  17000,  33700,  67000,   100700,
				   201300, 537000, 805000, 2148000, 4295000};

static int64_t regular_ns(const struct sim_requester_plan *plan)
{
	if (plan->timer != SIM_TIMER_LADDER)
		return plan->timeout_ns;
	return INT64_C(2) * 4096 << MAX(plan->ack_timeout, LEAST_TIMEOUT);
}

/* Adaptive steps of its ladder. */
static uint32_t steps_of(const struct sim_requester_plan *plan)
{
	uint32_t steps = 0;

	if (plan->timer != SIM_TIMER_LADDER)
		return 0;
	while (steps < G_N_ELEMENTS(steps_us) && steps_us[steps] * 1000 < regular_ns(plan))
		steps++;
	return steps;
}

int64_t sim_timer_ns(const struct sim_requester *r)
{
	return r->expired < steps_of(r->plan) ? steps_us[r->expired] * 1000 : regular_ns(r->plan);
}

bool sim_timer_is_last(const struct sim_requester *r)
{
	switch (r->plan->timer) {
	case SIM_TIMER_PLAIN: return r->expired == r->plan->retries;
	case SIM_TIMER_LADDER:
		return r->expired + 1 == steps_of(r->plan) + (uint32_t)MAX(r->plan->retries - 1, 1);
	default: return false;
	}
}
