/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses under way; see key_queue.h.
 */
#include "analyzer/track/keys/key_queue.h"

#include <glib.h>
#include <string.h>

void rda_key_pending_set_path(struct rda_key_pending *item, const struct rda_key_path *path)
{
	for (unsigned i = 0; i < sizeof(item->mac); i++)
		item->mac[i] = (uint8_t)(path->mac >> 8 * i);
	item->source_port = path->source_port;
	item->ttl = path->ttl;
}

struct rda_key_path rda_key_pending_path(const struct rda_key_pending *item)
{
	struct rda_key_path path = {.source_port = item->source_port, .ttl = item->ttl};

	for (unsigned i = 0; i < sizeof(item->mac); i++)
		path.mac |= (uint64_t)item->mac[i] << 8 * i;
	return path;
}

void rda_key_queue_cleanup(struct rda_key_queue *queue)
{
	g_free(queue->items);
	memset(queue, 0, sizeof(*queue));
}

/* Room for one more behind the last. */
static void make_room(struct rda_key_queue *queue)
{
	if (queue->head + queue->count < queue->allocated)
		return;
	/* half of it is free in front: moving costs less than the room that was used up since */
	if (queue->head > queue->allocated / 2) {
		memmove(queue->items, queue->items + queue->head,
			queue->count * sizeof(*queue->items));
		queue->head = 0;
		return;
	}
	queue->allocated = queue->allocated ? 2 * queue->allocated : 1;
	queue->items = g_renew(struct rda_key_pending, queue->items, queue->allocated);
}

void rda_key_queue_add(struct rda_key_queue *queue, const struct rda_key_pending *item,
		       uint32_t cap)
{
	uint32_t at;

	for (; queue->count >= cap; queue->dropped++)
		rda_key_queue_pop(queue);
	make_room(queue);
	at = queue->head + queue->count;
	/* behind all others, but for those that a hole held up */
	for (; at > queue->head && queue->items[at - 1].begin > item->begin; at--)
		queue->items[at] = queue->items[at - 1];
	queue->items[at] = *item;
	queue->count++;
}

static struct rda_key_pending *find(const struct rda_key_queue *queue, int64_t psn)
{
	uint32_t low = queue->head, high = queue->head + queue->count;

	while (low < high) { /* the first that begins behind it */
		uint32_t middle = low + (high - low) / 2;

		if (queue->items[middle].begin <= psn)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == queue->head || rda_key_pending_end(&queue->items[low - 1]) <= psn)
		return NULL;
	return &queue->items[low - 1];
}

const struct rda_key_pending *rda_key_queue_find(const struct rda_key_queue *queue, int64_t psn)
{
	return find(queue, psn);
}

bool rda_key_queue_again(struct rda_key_queue *queue, const struct rda_key_pending *item)
{
	struct rda_key_pending *first = find(queue, item->begin);

	/* a READ may be asked again from a packet inside it */
	if (!first || first->begin != item->begin || first->place == item->place)
		return false;
	if (!rda_key_pending_is_alike(first, item)) {
		first->changed_place = item->place;
		queue->changed = true;
	}
	return true;
}

const struct rda_key_pending *rda_key_queue_below(const struct rda_key_queue *queue, int64_t psn)
{
	if (!queue->count || rda_key_pending_end(&queue->items[queue->head]) > psn)
		return NULL;
	return &queue->items[queue->head];
}

const struct rda_key_pending *rda_key_queue_passed(struct rda_key_queue *queue, int64_t psn)
{
	for (uint32_t i = queue->head; i < queue->head + queue->count; i++) {
		if (queue->items[i].begin >= psn)
			break;
		if (!queue->items[i].passed) {
			queue->items[i].passed = true;
			return &queue->items[i];
		}
	}
	return NULL;
}

const struct rda_key_pending *rda_key_queue_first(const struct rda_key_queue *queue)
{
	return queue->count ? &queue->items[queue->head] : NULL;
}

void rda_key_queue_pop(struct rda_key_queue *queue)
{
	queue->head++;
	if (--queue->count == 0)
		queue->head = 0;
}
