/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credits of one sender; ulp_credits.h has the figure.
 */
#include "analyzer/track/ulp/ulp_credits.h"

#include "analyzer/base/meta.h"

#include <glib.h>

void rda_ulp_credits_begin(struct rda_ulp_credits *c, int64_t left, int64_t time_ns)
{
	*c = (struct rda_ulp_credits){
		.known = true, .checked = true, .left = left, .since_ns = time_ns};
}

void rda_ulp_credits_count(struct rda_ulp_credits *c, bool checked)
{
	c->checked &= checked;
}

void rda_ulp_credits_forget(struct rda_ulp_credits *c)
{
	c->known = false;
}

static void add_wait(struct rda_ulp_credits *c, int64_t ns)
{
	c->times++;
	c->held_ns = rda_ns_sum(c->held_ns, ns);
	if (c->checked)
		c->checked_ns = MAX(c->checked_ns, ns);
	if (ns <= c->longest_ns)
		return;
	c->longest_ns = ns;
	c->longest_place = c->since_place;
	c->longest_granted = c->last_granted;
}

void rda_ulp_credits_use(struct rda_ulp_credits *c, uint32_t count, bool grants, uint64_t place,
			 int64_t time_ns)
{
	int64_t waited_ns = c->until_ns - c->since_ns;

	if (!c->known)
		return;
	if (c->over && waited_ns > 0 && time_ns - c->until_ns < waited_ns)
		add_wait(c, waited_ns);
	c->over = false;
	if (c->left < (int64_t)count) {
		if (!c->exceeded++)
			c->exceeded_place = place;
		c->exceeded_checked |= c->checked;
	}
	c->used += count;
	c->left -= count;
	if (c->left > 0)
		return;
	c->since_ns = time_ns;
	c->since_place = place;
	c->last_granted = grants;
}

void rda_ulp_credits_grant(struct rda_ulp_credits *c, uint32_t count, int64_t time_ns)
{
	bool none = c->left <= 0;

	if (!c->known || !count)
		return;
	c->granted += count;
	c->left += count;
	if (none && c->left > 0 && c->begun) {
		c->over = true;
		c->until_ns = time_ns;
	}
}

struct rda_ulp_credits rda_ulp_credits_until(const struct rda_ulp_credits *c, int64_t until_ns)
{
	struct rda_ulp_credits copy = *c;

	if (!c->known || !c->begun || c->left > 0 || until_ns <= c->since_ns)
		return copy;
	copy.held = true;
	add_wait(&copy, until_ns - c->since_ns);
	return copy;
}
