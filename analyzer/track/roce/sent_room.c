/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places between those that are logged; sent_room.h has the figure.
 */
#include "analyzer/track/roce/sent_room.h"

#include <glib.h>

/* Packets of the PSNs [begin, end), up to `most`: each record is one, and what is not remembered
 * may be one, too. */
static int64_t packets_between(const struct rda_requester *r, int64_t begin, int64_t end,
			       int64_t most)
{
	const struct rda_window *window = &r->window;
	int64_t index = rda_window_find(window, begin), packets = 0;

	for (; index >= 0 && index < (int64_t)window->count && packets < most; index++, packets++)
		if (rda_window_at(window, index)->begin >= end)
			break;
	return packets;
}

/* Behind the PSNs of what was logged. */
static int64_t end_of(const struct rda_requester *r, const struct rda_logged *logged)
{
	int64_t index = rda_window_find(&r->window, logged->psn);

	return index < 0 ? logged->psn + 1 : rda_window_at(&r->window, index)->end;
}

/*
 * How many transmissions of the record may be missing between two that are logged: one that the run
 * of the former went on to, and one with which that of the latter had begun, or had gone on with.
 */
static unsigned room_between(const struct rda_requester *r, const struct rda_sent *record,
			     const struct rda_logged *before, const struct rda_logged *behind)
{
	int64_t places = behind->place - before->place - 1, up = INT64_MAX, on = INT64_MAX;

	if (places < 1)
		return 0;
	if (before->psn < record->begin)
		up = packets_between(r, end_of(r, before), record->begin, places) + 1;
	if (behind->psn > record->begin)
		on = packets_between(r, record->end, behind->psn, places) + 1;
	if (up != INT64_MAX && on != INT64_MAX) /* one run has it where there is any place */
		return 1 + (up + on <= places);
	return up <= places || on <= places;
}

uint8_t rda_sent_room(const struct rda_requester *r, const struct rda_sent *record)
{
	const struct rda_sent_log *log = r->rare->log;
	unsigned room, shown;
	uint32_t first = 0;

	if (!log || log->forgotten >= record->begin || record->begin >= log->next)
		return UINT8_MAX;
	while (first < log->count && log->items[first].psn < record->begin)
		first++;
	if (first == log->count)
		return UINT8_MAX;
	room = log->items[log->count - 1].psn < record->begin;
	shown = log->items[first].psn == record->begin;
	if (!shown) /* it was to be sent before that, whatever its sender numbers */
		room += first ? MAX(1, room_between(r, record, &log->items[first - 1],
						    &log->items[first]))
			      : 1;
	for (uint32_t i = first + 1; i < log->count && room < UINT8_MAX; i++) {
		room += room_between(r, record, &log->items[i - 1], &log->items[i]);
		shown += log->items[i].psn == record->begin;
	}
	/* what passed before any was logged has a place where nothing seems to be */
	room -= MIN(room, (unsigned)record->seen - MIN(record->seen, shown));
	return (uint8_t)MIN(room, UINT8_MAX);
}
