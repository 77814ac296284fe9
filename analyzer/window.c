/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array that is appended to at the end and dropped from at the head; the head's room is
 * reclaimed when the array would have to grow.
 */
#include "analyzer/window.h"

#include <glib.h>
#include <string.h>

enum { FIRST_RECORDS = 8 };

void rda_window_init(struct rda_window *window, uint32_t cap)
{
	memset(window, 0, sizeof(*window));
	window->cap = cap ? cap : RDA_WINDOW_CAP;
}

void rda_window_cleanup(struct rda_window *window)
{
	g_free(window->records);
	window->records = NULL;
	window->head = window->count = window->allocated = 0;
}

/* Makes room for `more` records behind the last. */
static void reserve(struct rda_window *window, uint32_t more)
{
	if (window->head + window->count + more <= window->allocated)
		return;
	if (window->head >= window->count + more && window->head) {
		memmove(window->records, window->records + window->head,
			window->count * sizeof(*window->records));
		window->head = 0;
		return;
	}
	window->allocated = MAX(FIRST_RECORDS, (window->head + window->count + more) * 2);
	window->records = g_renew(struct rda_sent, window->records, window->allocated);
}

static void forget_first(struct rda_window *window)
{
	rda_window_drop_first(window);
	window->dropped++;
}

void rda_window_append(struct rda_window *window, const struct rda_sent *record)
{
	while (window->count >= window->cap)
		forget_first(window);
	reserve(window, 1);
	*rda_window_at(window, window->count) = *record;
	window->count++;
}

int64_t rda_window_find(const struct rda_window *window, int64_t psn)
{
	int64_t low = 0, high = (int64_t)window->count - 1;

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
	struct rda_sent *record;

	reserve(window, 1);
	record = rda_window_at(window, index);
	memmove(record + 1, record, (window->count - (uint64_t)index) * sizeof(*record));
	window->count++;
	record[0].end = psn;
	record[1].begin = psn;
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
	struct rda_sent *record = rda_window_at(window, index);

	record->end = record[1].end;
	window->count--;
	memmove(record + 1, record + 2, (window->count - (uint64_t)index - 1) * sizeof(*record));
}

void rda_window_drop_first(struct rda_window *window)
{
	window->head++;
	window->count--;
	if (window->count == 0)
		window->head = 0;
}
