/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credits of one sender; ulp_credits.h has the figure.
 */
#include "analyzer/track/ulp/ulp_credits.h"

#include "analyzer/base/meta.h"
#include "analyzer/track/roce/request.h"

#include <glib.h>
#include <string.h>

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

static void add_wait(const struct rda_ulp_credits *c, struct rda_ulp_waits *w, int64_t ns)
{
	w->times++;
	w->held_ns = rda_ns_sum(w->held_ns, ns);
	if (c->checked)
		w->checked_ns = MAX(w->checked_ns, ns);
	if (ns <= w->longest_ns)
		return;
	w->longest_ns = ns;
	w->longest_place = c->since_place;
	w->longest_granted = c->last_granted;
}

void rda_ulp_credits_use(struct rda_ulp_credits *c, const struct rda_ulp_use *use)
{
	int64_t waited_ns = c->until_ns - c->since_ns;

	if (!c->known)
		return;
	if (c->over && use->tells && waited_ns > 0 && use->time_ns - c->until_ns < waited_ns)
		add_wait(c, c->over_alone ? &c->waits : &c->perhaps, waited_ns);
	c->over = false;
	c->used += use->count;
	c->left -= use->count;
	if (c->left > 0)
		return;
	c->since_ns = use->time_ns;
	c->since_place = use->place;
	c->last_granted = use->grants;
}

void rda_ulp_credits_grant(struct rda_ulp_credits *c, uint32_t count, enum rda_ulp_grant grant,
			   int64_t time_ns)
{
	bool none = c->left <= 0;

	if (!c->known || !count)
		return;
	c->granted += count;
	c->left += count;
	if (none && c->left > 0 && c->begun) {
		c->over = grant != RDA_ULP_GRANT_TO_ANSWER;
		c->over_alone = grant == RDA_ULP_GRANT_ALONE;
		c->until_ns = time_ns;
	}
}

/* ---- debts ----------------------------------------------------------------------------------- */

void rda_ulp_debts_owe(struct rda_ulp_debts *d, int64_t end, uint64_t place, int64_t ns)
{
	struct rda_ulp_debt *latest;

	if (d->count < RDA_ULP_DEBTS)
		d->items[d->count++] = (struct rda_ulp_debt){.place = place};
	latest = &d->items[d->count - 1];
	latest->end = end;
	latest->ns = ns;
	latest->count++;
}

static void drop_first(struct rda_ulp_debts *d)
{
	memmove(d->items, d->items + 1, --d->count * sizeof(*d->items));
}

void rda_ulp_debts_pay(struct rda_ulp_debts *d, uint64_t count)
{
	uint64_t paid = MIN(count, d->overdue);

	d->overdue -= paid;
	for (count -= paid; count && d->count; count -= paid) {
		paid = MIN(count, d->items[0].count);
		d->items[0].count -= paid;
		if (!d->items[0].count)
			drop_first(d);
	}
}

void rda_ulp_debts_settle(struct rda_ulp_debts *d, int64_t acked, int64_t ns, bool checked)
{
	while (d->count && (d->items[0].end <= acked || ns - d->items[0].ns >= RDA_MIRROR_NS)) {
		if (!d->exceeded)
			d->exceeded_place = d->items[0].place;
		d->exceeded += d->items[0].count;
		d->exceeded_checked |= checked;
		d->overdue += d->items[0].count;
		drop_first(d);
	}
}

void rda_ulp_debts_forget(struct rda_ulp_debts *d)
{
	d->count = 0;
}

/* ---------------------------------------------------------------------------------------------- */

struct rda_ulp_credits rda_ulp_credits_until(const struct rda_ulp_credits *c, bool perhaps,
					     int64_t until_ns)
{
	struct rda_ulp_credits copy = *c;
	struct rda_ulp_waits *waits = perhaps ? &copy.perhaps : &copy.waits;

	if (!c->known || !c->begun || c->left > 0 || until_ns <= c->since_ns)
		return copy;
	waits->held = true;
	add_wait(c, waits, until_ns - c->since_ns);
	return copy;
}
