/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of rates around CNPs, as a value: copied and freed. What makes it: slowing.c.
 */
#include "analyzer/track/congestion/slowing.h"

#include "analyzer/base/latency.h"

#include <glib.h>

struct rda_slowdown *rda_slowdown_copy(const struct rda_slowdown *from)
{
	struct rda_slowdown *copy;

	if (!from)
		return NULL;
	copy = g_memdup2(from, sizeof(*from));
	copy->allocated = from->kept;
	copy->list = g_memdup2(from->list, from->kept * sizeof(*from->list));
	rda_latency_copy(&copy->half, &from->half);
	rda_latency_copy(&copy->back, &from->back);
	return copy;
}

void rda_slowdown_cleanup(struct rda_slowdown *facts)
{
	g_free(facts->list);
	rda_latency_cleanup(&facts->half);
	rda_latency_cleanup(&facts->back);
}

void rda_slowdown_free(struct rda_slowdown *slowdown)
{
	if (!slowdown)
		return;
	rda_slowdown_cleanup(slowdown);
	g_free(slowdown);
}
