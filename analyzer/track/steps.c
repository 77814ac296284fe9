/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages as steps. See steps.h.
 */
#include "analyzer/track/steps.h"

#include <glib.h>

enum { FIRST_ROOM = 4 };

static void keep(struct rda_steps *steps, const struct rda_step *step)
{
	if (steps->count == RDA_STEPS_KEPT) {
		steps->more++;
		return;
	}
	if (steps->count == steps->allocated) {
		steps->allocated = steps->allocated ? 2 * steps->allocated : FIRST_ROOM;
		steps->list = g_renew(struct rda_step, steps->list, steps->allocated);
	}
	steps->list[steps->count++] = *step;
}

/* Where a step begins: with the WRITEs before the one that ends it. */
static void open_step(struct rda_steps *steps, const struct rda_exchange *exchange)
{
	if (steps->open)
		return;
	steps->open = true;
	steps->open_ns = exchange->start_ns;
	steps->open_place = exchange->first_frame;
}

void rda_steps_take(struct rda_flow *flow, const struct rda_exchange *exchange)
{
	bool write = exchange->kind == RDA_MESSAGE_WRITE;
	struct rda_steps *steps = flow->steps;
	struct rda_step step = {exchange->start_ns, exchange->sent_ns,
				exchange->start_ns + exchange->latency_ns, exchange->first_frame};

	if (!write && exchange->kind != RDA_MESSAGE_SEND)
		return;
	if (!steps)
		steps = flow->steps = g_new0(struct rda_steps, 1);
	if (write && exchange->notifies && !steps->immediate) {
		steps->immediate = true;
		steps->count = 0;
		steps->more = 0;
	}
	if (steps->immediate && !(write && exchange->notifies)) {
		if (write)
			open_step(steps, exchange);
		return;
	}
	if (steps->open) {
		step.start_ns = steps->open_ns;
		step.place = steps->open_place;
		steps->open = false;
	}
	keep(steps, &step);
}

struct rda_steps *rda_steps_copy(const struct rda_steps *steps)
{
	struct rda_steps *copy;

	if (!steps)
		return NULL;
	copy = g_memdup2(steps, sizeof(*steps));
	copy->allocated = steps->count;
	copy->list = g_memdup2(steps->list, steps->count * sizeof(*steps->list));
	return copy;
}

void rda_steps_free(struct rda_steps *steps)
{
	if (!steps)
		return;
	g_free(steps->list);
	g_free(steps);
}
