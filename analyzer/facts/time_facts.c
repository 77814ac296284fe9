/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of time, and the limit that they show; time_facts.h has the figure.
 */
#include "analyzer/facts/time_facts.h"

#include "analyzer/base/assert.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/time_sums.h"

#include <glib.h>
#include <string.h>

/* Fewer waits show no limit. */
enum { WAITS_MIN = 8 };

/* The depths at `top` and a step below it. */
static struct rda_time_depth about(const struct rda_time_depth *depths, unsigned top)
{
	struct rda_time_depth sum = depths[top];

	if (!top)
		return sum;
	sum.ns += depths[top - 1].ns;
	sum.waits += depths[top - 1].waits;
	return sum;
}

/* The waits of one depth are the requester's limit, if they are most of all; the others are not. */
static void take_waits(struct rda_flow_time *time, const struct rda_time_sums *sums)
{
	struct rda_time_depth best = {0};
	int64_t all = 0;
	uint8_t step = 0;

	for (unsigned i = 0; i < RDA_TIME_DEPTHS; i++) {
		struct rda_time_depth sum = about(sums->depths, i);

		all += sums->depths[i].ns;
		if (sums->depths[i].ns && sum.ns > best.ns) {
			best = sum;
			step = (uint8_t)(i + 1);
		}
	}
	if (best.waits < WAITS_MIN || best.ns < all - best.ns) {
		best = (struct rda_time_depth){0};
		step = 0;
	}
	time->step = step;
	time->ns[RDA_TIME_WAITING] += all - best.ns;
	time->ns[RDA_TIME_LIMITED] += best.ns;
	time->limited_ns = best.ns;
	time->limited_waits = best.waits;
	time->depth = best.most;
	for (unsigned i = 1; i < RDA_MESSAGE_COUNT; i++)
		if (sums->kinds[i] > sums->kinds[time->kind])
			time->kind = (uint8_t)i;
}

static int64_t sum_of(const struct rda_flow_time *time)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		sum += time->ns[i];
	return sum;
}

void rda_time_facts_of(struct rda_flow_time *time, struct rda_held held[RDA_HELD_KINDS],
		       const struct rda_flow *flow)
{
	struct rda_time_sums sums;
	int64_t begin, end;

	*time = (struct rda_flow_time){0};
	memset(held, 0, RDA_HELD_KINDS * sizeof(*held));
	if (!flow->peer || (!flow->account && !flow->peer->account))
		return;
	time->known = true;
	time->directions = 1;
	begin = MIN(flow->first_time_ns, flow->peer->first_time_ns);
	end = MAX(flow->last_time_ns, flow->peer->last_time_ns);
	time->total_ns = end - begin;
	rda_account_time(flow, begin, end, &sums);
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		time->ns[i] = sums.ns[i];
	take_waits(time, &sums);
	memcpy(held, sums.held, sizeof(sums.held));
	if (sums.idles)
		time->perhaps_way_ns =
			MIN(rda_ns_times(sums.idle_least_ns, sums.idles), time->ns[RDA_TIME_IDLE]);
	time->pause_ns = sums.idle_most_ns;
	RDA_ASSERT(sum_of(time) == time->total_ns);
}

uint8_t rda_time_facts_cause(const struct rda_flow_time *time, const struct rda_time_told *told)
{
	if (told->depth && (told->depth == time->step || told->depth + 1 == time->step))
		return RDA_TIME_LIMITED;
	return told->cause;
}

void rda_time_facts_add(struct rda_flow_time *total, const struct rda_flow_time *time)
{
	if (!time->known)
		return;
	total->known = true;
	total->directions += time->directions;
	total->total_ns = rda_ns_sum(total->total_ns, time->total_ns);
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		total->ns[i] = rda_ns_sum(total->ns[i], time->ns[i]);
}

uint8_t rda_time_facts_most(const struct rda_flow_time *time)
{
	uint8_t most = RDA_TIME_CAUSE_COUNT;

	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		if (time->ns[i] > (most < RDA_TIME_CAUSE_COUNT ? time->ns[most] : 0))
			most = (uint8_t)i;
	return most;
}
