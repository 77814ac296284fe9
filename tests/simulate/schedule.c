/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A binary heap.
 */
#include "tests/simulate/schedule.h"

#include <glib.h>

void sim_schedule_cleanup(struct sim_schedule *schedule)
{
	g_free(schedule->heap);
}

static bool is_before(const struct sim_event *a, const struct sim_event *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->order < b->order;
}

void sim_schedule_add(struct sim_schedule *schedule, const struct sim_event *event)
{
	struct sim_event added = *event;
	uint32_t at = schedule->count++;

	added.order = schedule->order++;
	if (schedule->count > schedule->allocated) {
		schedule->allocated = schedule->count * 2 + 64;
		schedule->heap = g_renew(struct sim_event, schedule->heap, schedule->allocated);
	}
	while (at > 0 && is_before(&added, &schedule->heap[(at - 1) / 2])) {
		schedule->heap[at] = schedule->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	schedule->heap[at] = added;
}

bool sim_schedule_next(struct sim_schedule *schedule, struct sim_event *event)
{
	struct sim_event *heap = schedule->heap, last;
	uint32_t at = 0, child;

	if (!schedule->count)
		return false;
	*event = heap[0];
	last = heap[--schedule->count];
	while ((child = at * 2 + 1) < schedule->count) {
		if (child + 1 < schedule->count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (is_before(&last, &heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return true;
}
