/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upper layers in a result; see result_ulp.h.
 */
#include "analyzer/engine/result_ulp.h"

#include "analyzer/engine/state.h"

#include <stdlib.h>

/* Of one connection there are several where it began anew unseen: as they were found. */
static int compare(const void *one, const void *two)
{
	const struct rda_ulp_facts *a = one, *b = two;

	if (a->connection != b->connection)
		return a->connection < b->connection ? -1 : 1;
	return (a->side > b->side) - (a->side < b->side);
}

static void sort(struct rda_result *result)
{
	if (result->ulp_count)
		qsort(result->ulps, result->ulp_count, sizeof(*result->ulps), compare);
}

void rda_result_take_ulps(struct rda_result *result, const struct rda_engine *engine,
			  const struct rda_ending *ending)
{
	const struct rda_ulps *from = &engine->ulps;
	const struct rda_seat *seats = ending->pairs.seats;

	result->ulp_count = from->list->len;
	result->ulps = g_new(struct rda_ulp_facts, from->list->len);
	for (uint32_t i = 0; i < result->ulp_count; i++) {
		const struct rda_ulp *ulp = from->list->pdata[i];
		const struct rda_seat *seat = &seats[ulp->asker->index];

		rda_ulp_facts_of(&result->ulps[i], ulp,
				 rda_captures_until(ending->captures, engine->captures->len,
						    ulp->asker->first_place));
		result->ulps[i].connection = seat->connection;
		result->ulps[i].side = seat->side;
		for (uint32_t j = 0; j < result->ulps[i].port_count; j++)
			result->ulps[i].ports[j].side ^= seat->side;
	}
	sort(result);
	result->slow_command_count = from->slowest_count;
	for (uint32_t i = 0; i < from->slowest_count; i++) {
		result->slow_commands[i] = from->slowest[i];
		result->slow_commands[i].connection = seats[from->slowest_flow[i]].connection;
	}
	result->ulps_not_followed = from->not_followed;
}

void rda_result_free_ulps(struct rda_result *result)
{
	for (uint32_t i = 0; i < result->ulp_count; i++)
		rda_ulp_facts_cleanup(&result->ulps[i]);
	g_free(result->ulps);
}

/* ---- two made one ---------------------------------------------------------------------------- */

/* Of equal ones the one that was answered earlier comes first. */
static bool is_slower(const struct rda_ulp_slow *a, const struct rda_ulp_slow *b)
{
	if (a->latency_ns != b->latency_ns)
		return a->latency_ns > b->latency_ns;
	return a->answer_place < b->answer_place;
}

static void merge_slowest(struct rda_result *to, const struct rda_part part[2])
{
	const struct rda_result *a = part[0].from, *b = part[1].from;
	uint32_t i = 0, j = 0;

	while (to->slow_command_count < RDA_SLOWEST_KEPT &&
	       (i < a->slow_command_count || j < b->slow_command_count)) {
		bool first = j == b->slow_command_count ||
			     (i < a->slow_command_count &&
			      !is_slower(&b->slow_commands[j], &a->slow_commands[i]));
		const struct rda_ulp_slow *next =
			first ? &a->slow_commands[i++] : &b->slow_commands[j++];
		struct rda_ulp_slow *slow;

		if (part[!first].connections[next->connection] == RDA_LEFT_OUT)
			continue;
		slow = &to->slow_commands[to->slow_command_count++];
		*slow = *next;
		slow->connection = part[!first].connections[slow->connection];
	}
}

void rda_merge_ulps(struct rda_result *to, const struct rda_part part[2])
{
	to->ulps = g_new(struct rda_ulp_facts, part[0].from->ulp_count + part[1].from->ulp_count);
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t i = 0; i < part[p].from->ulp_count; i++) {
			uint32_t connection = part[p].connections[part[p].from->ulps[i].connection];
			struct rda_ulp_facts *facts;

			if (connection == RDA_LEFT_OUT)
				continue;
			facts = &to->ulps[to->ulp_count++];
			rda_ulp_facts_copy(facts, &part[p].from->ulps[i]);
			facts->connection = connection;
		}
	sort(to);
	merge_slowest(to, part);
	to->ulps_not_followed = part[0].from->ulps_not_followed + part[1].from->ulps_not_followed;
}

/* ---- asked ----------------------------------------------------------------------------------- */

unsigned rda_result_ulp_count(const struct rda_result *result)
{
	return result->ulp_count;
}

const struct rda_ulp_facts *rda_result_ulp(const struct rda_result *result, unsigned index)
{
	return &result->ulps[index];
}

unsigned rda_result_slow_command_count(const struct rda_result *result)
{
	return result->slow_command_count;
}

const struct rda_ulp_slow *rda_result_slow_command(const struct rda_result *result, unsigned index)
{
	return &result->slow_commands[index];
}

uint64_t rda_result_ulps_not_followed(const struct rda_result *result)
{
	return result->ulps_not_followed;
}
