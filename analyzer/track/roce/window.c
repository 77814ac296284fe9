/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring that doubles when it is full. (An array whose records move to its front instead copies
 * each packet's record once more: 120 of the 2700 instructions of a packet.)
 */
#include "analyzer/track/roce/window.h"

#include "analyzer/base/assert.h"
#include "analyzer/base/cold.h"

#include <glib.h>
#include <string.h>

enum { FIRST_RECORDS = 8 };

void rda_window_init(struct rda_window *window, uint32_t cap)
{
	memset(window, 0, sizeof(*window));
	window->cap = cap ? cap : RDA_WINDOW_CAP;
	window->lean = true;
}

void rda_window_cleanup(struct rda_window *window)
{
	if (window->lean)
		g_free(window->packets);
	else
		g_free(window->records);
	g_free(window->headers);
	g_free(window->origin);
	window->packets = NULL;
	window->headers = NULL;
	window->origin = NULL;
	window->lean = true;
	window->header_count = window->headers_allocated = 0;
	window->head = window->count = window->allocated = 0;
}

RDA_COLD void rda_window_begins_with(struct rda_window *window, const struct rda_request *q)
{
	RDA_ASSERT(!window->origin);
	window->origin = g_new(struct rda_first_request, 1);
	*window->origin = (struct rda_first_request){
		.psn = q->begin,
		.va = q->va,
		.rkey = q->rkey,
		.length = q->length,
		.extra = q->extra,
		.payload = q->payload,
		.icrc = q->icrc,
		.ip_id = q->ip_id,
		.opcode = q->opcode,
		.ack_req = q->ack_req,
	};
}

RDA_COLD static void grow(struct rda_window *window)
{
	uint32_t allocated = MAX(FIRST_RECORDS, window->allocated * 2);
	struct rda_sent *records;

	records = g_new(struct rda_sent, allocated);
	for (uint32_t i = 0; i < window->count; i++)
		records[i] = *rda_window_at(window, i);
	g_free(window->records);
	window->records = records;
	window->allocated = allocated;
	window->head = 0;
}

/* Makes room for one more record. */
static void reserve(struct rda_window *window)
{
	if (window->count == window->allocated)
		grow(window);
}

RDA_COLD static void forget_first(struct rda_window *window)
{
	rda_window_drop_first(window);
	window->dropped++;
}

struct rda_sent *rda_window_append(struct rda_window *window)
{
	struct rda_sent *record;

	rda_window_thicken(window);
	while (window->count >= window->cap)
		forget_first(window);
	reserve(window);
	record = rda_window_at(window, window->count++);
	memset(record, 0, sizeof(*record));
	return record;
}

int64_t rda_window_find(const struct rda_window *window, int64_t psn)
{
	int64_t low = 0, high = (int64_t)window->count - 1;

	if (window->lean)
		return psn >= window->first && psn - window->first <= high ? psn - window->first
									   : -1;
	while (low <= high) {
		int64_t middle = low + (high - low) / 2;
		const struct rda_sent *record = rda_window_at(window, middle);

		if (psn < record->begin)
			high = middle - 1;
		else if (psn >= record->end)
			low = middle + 1;
		else
			return middle;
	}
	return -1;
}

/* Cuts record `index` in two at `psn`, which lies inside it. */
static void cut(struct rda_window *window, int64_t index, int64_t psn)
{
	RDA_ASSERT(rda_window_at(window, index)->begin < psn);
	RDA_ASSERT(rda_window_at(window, index)->end > psn);
	reserve(window);
	for (int64_t i = window->count++; i > index; i--)
		*rda_window_at(window, i) = *rda_window_at(window, i - 1);
	rda_window_at(window, index)->end = psn;
	rda_window_at(window, index + 1)->begin = psn;
}

int64_t rda_window_split(struct rda_window *window, int64_t index, int64_t begin, int64_t end)
{
	if (rda_window_at(window, index)->end > end)
		cut(window, index, end);
	if (rda_window_at(window, index)->begin < begin) {
		cut(window, index, begin);
		index++;
	}
	for (; index > 0 && window->count > window->cap; index--)
		forget_first(window);
	return index;
}

void rda_window_join(struct rda_window *window, int64_t index)
{
	RDA_ASSERT(rda_window_at(window, index)->end == rda_window_at(window, index + 1)->begin);
	rda_window_at(window, index)->end = rda_window_at(window, index + 1)->end;
	window->count--;
	for (int64_t i = index + 1; i < (int64_t)window->count; i++)
		*rda_window_at(window, i) = *rda_window_at(window, i + 1);
}

uint32_t rda_window_forget(struct rda_window *w, uint32_t settled, uint32_t kept, int64_t time_ns)
{
	for (; !w->lean && settled > kept; settled--) {
		const struct rda_sent *oldest = rda_window_at(w, 0);

		if (oldest->unseen && time_ns - oldest->first_ns < RDA_MIRROR_NS)
			break;
		rda_window_drop_first(w);
	}
	return settled;
}
