/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list in the order of frames. See completed.h.
 */
#include "plugin/completed.h"

#include "analyzer/engine/fpdus.h"

#include <glib.h>

static GArray *list; /* struct rda_completed */

void rda_completed_begin(void)
{
	rda_completed_end();
	list = g_array_new(FALSE, FALSE, sizeof(struct rda_completed));
}

void rda_completed_end(void)
{
	if (list)
		g_array_free(list, TRUE);
	list = NULL;
}

static void add(uint64_t frame, uint8_t kind, int64_t latency_ns)
{
	struct rda_completed one = {latency_ns, (uint32_t)frame, kind};

	g_array_append_val(list, one);
}

void rda_completed_finish(const struct rda_engine *engine, uint64_t frame)
{
	unsigned count;
	const struct rda_fpdu_told *told = rda_engine_fpdus(engine, &count);

	for (unsigned i = 0; i < count; i++)
		if (told[i].done)
			add(frame, told[i].done_kind, told[i].latency_ns);
}

void rda_completed_packet(const struct rda_engine *engine, uint64_t frame)
{
	unsigned count;
	const struct rda_event *events = rda_engine_events(engine, &count);

	for (unsigned i = 0; i < count; i++)
		if (events[i].kind == RDA_EVENT_MESSAGE_DONE)
			add(frame, events[i].message, events[i].wait_ns);
	rda_completed_finish(engine, frame);
}

static const struct rda_completed *at(guint index)
{
	return &g_array_index(list, struct rda_completed, index);
}

const struct rda_completed *rda_completed_of(uint64_t frame, unsigned *count)
{
	guint low = 0, high = list ? list->len : 0;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (at(middle)->frame < frame)
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (list && low + *count < list->len && at(low + *count)->frame == frame)
		(*count)++;
	return *count ? at(low) : NULL;
}
