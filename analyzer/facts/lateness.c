/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which host of a collective starts late. See collective.h.
 *
 *     input  ======|             input  ======|
 *                  |<- after ->|====== start
 *
 * A host that waits for a late one starts soon after its input; only the late one lets its inputs
 * lie. Where that names nobody, hosts may wait for all others (a barrier): then it is the latest
 * step of all that a start is held against.
 */
#include "analyzer/facts/collective.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* So many steps, and starts of a host, before one is said to be late. */
enum { STEPS_MIN = 3, STARTS_MIN = 2 };

/* Late are half of the starts, by so many times what nine in ten of the others take, and
 * by more than a scheduler's moment. */
enum { LATE_TIMES = 4, LATE_LEAST_NS = 20000 };

/* A start after an input. */
struct start {
	int64_t after_ns; /* since the input, or the host's own output, was there */
	int64_t held_ns;  /* since the input was acknowledged; 0: it was not yet */
	uint64_t place;
};

struct starts {
	struct start *list;
	uint32_t count;
};

static int compare_int64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_sent(const void *one, const void *two)
{
	return compare_int64((*(const struct rda_step *const *)one)->sent_ns,
			     (*(const struct rda_step *const *)two)->sent_ns);
}

static int by_start(const void *one, const void *two)
{
	const struct rda_step *a = *(const struct rda_step *const *)one;
	const struct rda_step *b = *(const struct rda_step *const *)two;
	int order = compare_int64(a->start_ns, b->start_ns);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int by_after(const void *one, const void *two)
{
	const struct start *a = one, *b = two;
	int order = compare_int64(a->after_ns, b->after_ns);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* The steps of all edges from (or to) a host, in order. */
static const struct rda_step **steps_of(const struct rda_edge *edges, uint32_t count, uint32_t host,
					bool sent, uint32_t *total)
{
	const struct rda_step **steps;
	uint32_t length = 0;

	for (uint32_t i = 0; i < count; i++)
		if ((sent ? edges[i].from : edges[i].to) == host)
			length += edges[i].count;
	steps = g_new(const struct rda_step *, length + 1);
	length = 0;
	for (uint32_t i = 0; i < count; i++)
		if ((sent ? edges[i].from : edges[i].to) == host)
			for (uint32_t k = 0; k < edges[i].count; k++)
				steps[length++] = &edges[i].steps[k];
	qsort(steps, length, sizeof(struct rda_step *), sent ? by_start : by_sent);
	*total = length;
	return steps;
}

/*
 * The starts of a host after an input, in order of how long after: of a tree, where no input comes
 * before the host has sent what the one before was for.
 */
static void find_starts(struct starts *starts, const struct rda_edge *edges, uint32_t count,
			uint32_t host)
{
	uint32_t outs, ins, in = 0, taken = 0;
	const struct rda_step **out = steps_of(edges, count, host, true, &outs);
	const struct rda_step **input = steps_of(edges, count, host, false, &ins);
	int64_t own_ns = INT64_MIN; /* when its outputs so far were sent */

	*starts = (struct starts){.list = g_new(struct start, outs + 1)};
	for (uint32_t i = 0; i < outs; i++) {
		int64_t start_ns = out[i]->start_ns;

		while (in < ins && input[in]->sent_ns <= start_ns)
			in++;
		if (in > taken && own_ns <= start_ns) {
			const struct rda_step *last = input[in - 1];

			starts->list[starts->count++] = (struct start){
				start_ns - MAX(last->sent_ns, own_ns),
				MAX(0, start_ns - MAX(last->done_ns, own_ns)), out[i]->place};
		}
		taken = in;
		own_ns = MAX(own_ns, out[i]->sent_ns);
	}
	qsort(starts->list, starts->count, sizeof(struct start), by_after);
	g_free(out);
	g_free(input);
}

/*
 * The starts of the hosts, each after its own inputs of the step before: of rings and all-to-all,
 * where the next input may come while a host lets the one before lie.
 */
static void find_step_starts(struct starts *starts, const struct rda_edge *edges, uint32_t count,
			     uint32_t hosts, uint32_t steps)
{
	struct rda_step *input = g_new(struct rda_step, hosts),
			*own = g_new(struct rda_step, hosts);

	for (uint32_t i = 0; i < hosts; i++)
		starts[i] = (struct starts){.list = g_new(struct start, steps)};
	for (uint32_t k = 1; k < steps; k++) {
		for (uint32_t i = 0; i < hosts; i++) {
			input[i] = (struct rda_step){.sent_ns = INT64_MIN, .done_ns = INT64_MIN};
			own[i] = (struct rda_step){.start_ns = INT64_MAX, .sent_ns = INT64_MIN};
		}
		for (uint32_t i = 0; i < count; i++) {
			const struct rda_step *before = &edges[i].steps[k - 1];
			struct rda_step *to = &input[edges[i].to], *from = &own[edges[i].from];

			to->sent_ns = MAX(to->sent_ns, before->sent_ns);
			to->done_ns = MAX(to->done_ns, before->done_ns);
			from->sent_ns = MAX(from->sent_ns, before->sent_ns);
			if (edges[i].steps[k].start_ns >= from->start_ns)
				continue;
			from->start_ns = edges[i].steps[k].start_ns;
			from->place = edges[i].steps[k].place;
		}
		for (uint32_t i = 0; i < hosts; i++) {
			int64_t start_ns = own[i].start_ns;

			if (own[i].sent_ns > start_ns)
				continue; /* it sends two steps at a time */
			starts[i].list[starts[i].count++] = (struct start){
				start_ns - MAX(input[i].sent_ns, own[i].sent_ns),
				MAX(0, start_ns - MAX(input[i].done_ns, own[i].sent_ns)),
				own[i].place};
		}
	}
	for (uint32_t i = 0; i < hosts; i++)
		qsort(starts[i].list, starts[i].count, sizeof(struct start), by_after);
	g_free(input);
	g_free(own);
}

/* ---- all wait for all ------------------------------------------------------------------------ */

/* When the last of step k of all was sent. */
static int64_t sent_by_all(const struct rda_edge *edges, uint32_t count, uint32_t k)
{
	int64_t sent_ns = INT64_MIN;

	for (uint32_t i = 0; i < count; i++)
		sent_ns = MAX(sent_ns, edges[i].steps[k].sent_ns);
	return sent_ns;
}

/* The first output of a host in step k; NULL: it has none. */
static const struct rda_step *first_output(const struct rda_edge *edges, uint32_t count,
					   uint32_t host, uint32_t k)
{
	const struct rda_step *first = NULL;

	for (uint32_t i = 0; i < count; i++)
		if (edges[i].from == host &&
		    (!first || edges[i].steps[k].start_ns < first->start_ns))
			first = &edges[i].steps[k];
	return first;
}

/*
 * Where nobody begins a step before all have sent the one before, hosts may wait for more than
 * their own inputs: how long after that each starts. False: it is not so, and `starts` stays as it
 * is.
 */
static bool find_common_starts(struct starts *starts, const struct rda_edge *edges, uint32_t count,
			       uint32_t hosts, uint32_t steps)
{
	for (uint32_t k = 1; k < steps; k++) {
		int64_t sent_ns = sent_by_all(edges, count, k - 1);

		for (uint32_t i = 0; i < count; i++)
			if (edges[i].steps[k].start_ns < sent_ns)
				return false;
	}
	for (uint32_t i = 0; i < hosts; i++) {
		starts[i].list = g_renew(struct start, starts[i].list, steps);
		starts[i].count = 0;
	}
	for (uint32_t k = 1; k < steps; k++) {
		int64_t sent_ns = sent_by_all(edges, count, k - 1);

		for (uint32_t i = 0; i < hosts; i++) {
			const struct rda_step *first = first_output(edges, count, i, k);

			if (first) /* what it waited for may have been told to it late */
				starts[i].list[starts[i].count++] =
					(struct start){first->start_ns - sent_ns, 0, first->place};
		}
	}
	for (uint32_t i = 0; i < hosts; i++)
		qsort(starts[i].list, starts[i].count, sizeof(struct start), by_after);
	return true;
}

/* ---- in step --------------------------------------------------------------------------------- */

/* Of host h and step k: when the inputs were there, and the first output began. */
static bool is_in_step(const struct rda_edge *edges, uint32_t count, uint32_t hosts, uint32_t steps)
{
	int64_t *there = g_new(int64_t, (gsize)hosts * steps);
	bool in_step = true;

	for (size_t i = 0; i < (size_t)hosts * steps; i++)
		there[i] = INT64_MIN;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < steps; k++) {
			int64_t *last = &there[(size_t)edges[i].to * steps + k];

			*last = MAX(*last, edges[i].steps[k].sent_ns);
		}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 1; k < steps; k++)
			in_step &= edges[i].steps[k].start_ns >=
				   there[(size_t)edges[i].from * steps + k - 1];
	g_free(there);
	return in_step;
}

/* One clock, and as many steps for each edge, but for one that may be under way. */
static bool is_comparable(const struct rda_edge *edges, uint32_t count, uint32_t fewest)
{
	for (uint32_t i = 0; i < count; i++)
		if (edges[i].clock != edges[0].clock || edges[i].count > fewest + 1)
			return false;
	return true;
}

/* ---- who is late ----------------------------------------------------------------------------- */

/* What nine in ten starts of all hosts but one are not above. */
static int64_t usual_of_others(const struct starts *starts, uint32_t hosts, uint32_t but)
{
	struct starts all = {0};
	int64_t usual;

	for (uint32_t i = 0; i < hosts; i++)
		all.count += i == but ? 0 : starts[i].count;
	if (!all.count)
		return -1;
	all.list = g_new(struct start, all.count);
	all.count = 0;
	for (uint32_t i = 0; i < hosts; i++)
		for (uint32_t k = 0; i != but && k < starts[i].count; k++)
			all.list[all.count++] = starts[i].list[k];
	qsort(all.list, all.count, sizeof(struct start), by_after);
	usual = all.list[(all.count - 1) * 9 / 10].after_ns;
	g_free(all.list);
	return usual;
}

static void judge(struct rda_collective *collective, const struct starts *starts, uint32_t host)
{
	const struct starts *own = &starts[host];
	int64_t usual = usual_of_others(starts, collective->rank_count, host), least;
	uint32_t held = 0;

	if (usual < 0 || own->count < STARTS_MIN)
		return;
	least = MAX(usual * LATE_TIMES, usual + LATE_LEAST_NS);
	if (own->list[(own->count - 1) / 2].after_ns <= least)
		return;
	collective->late = (int32_t)host;
	collective->others_ns = usual;
	for (uint32_t i = 0; i < own->count; i++) {
		collective->late_starts += own->list[i].after_ns > least;
		held += own->list[i].held_ns * 2 > own->list[i].after_ns;
	}
	collective->held = held * 2 > own->count;
}

/* What of the ranks is told: how late each starts. */
static void take(struct rda_collective *collective, const struct starts *starts)
{
	for (uint32_t i = 0; i < collective->rank_count; i++) {
		struct rda_rank *rank = &collective->ranks[i];
		const struct starts *own = &starts[i];

		rank->starts = own->count;
		if (!own->count)
			continue;
		rank->after_ns = own->list[(own->count - 1) / 2].after_ns;
		rank->most_ns = own->list[own->count - 1].after_ns;
		rank->place = own->list[own->count - 1].place;
	}
}

static uint32_t slowest_of(const struct rda_collective *collective, const struct starts *starts)
{
	uint32_t slowest = 0;
	int64_t most = -1;

	for (uint32_t i = 0; i < collective->rank_count; i++) {
		const struct starts *own = &starts[i];
		int64_t median = own->count ? own->list[(own->count - 1) / 2].after_ns : -1;

		if (median > most)
			slowest = i;
		most = MAX(most, median);
	}
	return slowest;
}

void rda_lateness_of(struct rda_collective *collective, const struct rda_edge *edges,
		     uint32_t count)
{
	uint32_t hosts = collective->rank_count, fewest = UINT32_MAX;
	struct starts *starts = g_new0(struct starts, hosts);

	for (uint32_t i = 0; i < count; i++)
		fewest = MIN(fewest, edges[i].count);
	collective->steps = fewest;
	collective->late = -1;
	collective->in_step =
		is_comparable(edges, count, fewest) && is_in_step(edges, count, hosts, fewest);
	if (collective->in_step) {
		if (collective->shape == RDA_SHAPE_TREE)
			for (uint32_t i = 0; i < hosts; i++)
				find_starts(&starts[i], edges, count, i);
		else
			find_step_starts(starts, edges, count, hosts, fewest);
		take(collective, starts);
		if (fewest >= STEPS_MIN)
			judge(collective, starts, slowest_of(collective, starts));
		if (fewest >= STEPS_MIN && collective->late < 0 &&
		    find_common_starts(starts, edges, count, hosts, fewest)) {
			judge(collective, starts, slowest_of(collective, starts));
			if (collective->late >= 0)
				take(collective, starts);
		}
	}
	for (uint32_t i = 0; i < hosts; i++)
		g_free(starts[i].list);
	g_free(starts);
}
