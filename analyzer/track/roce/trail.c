/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted array, searched by halves from the end: what is asked for is young, as a rule.
 */
#include "analyzer/track/roce/trail.h"

#include "dissectors/opcode.h"

#include <glib.h>
#include <string.h>

struct rda_trail {
	struct rda_trail_message *messages; /* owned; in order of PSN */
	uint32_t count, allocated;
	uint32_t numbers;
};

void rda_trail_free(struct rda_trail *trail)
{
	if (!trail)
		return;
	g_free(trail->messages);
	g_free(trail);
}

uint64_t rda_trail_footprint(const struct rda_trail *trail)
{
	return trail ? sizeof(*trail) + (uint64_t)trail->allocated * sizeof(*trail->messages) : 0;
}

/* How many messages begin at or before a PSN. */
static uint32_t count_before(const struct rda_trail *trail, int64_t psn)
{
	uint32_t low = 0, high = trail->count;

	if (high && trail->messages[high - 1].begin <= psn)
		return high;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trail->messages[middle].begin <= psn)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void make_room(struct rda_trail *trail)
{
	uint32_t half = RDA_TRAIL_CAP / 2;

	if (trail->count == RDA_TRAIL_CAP) {
		trail->count -= half;
		memmove(trail->messages, trail->messages + half,
			trail->count * sizeof(*trail->messages));
	}
	if (trail->count == trail->allocated) {
		trail->allocated = trail->allocated ? trail->allocated * 2 : 4;
		trail->messages =
			g_renew(struct rda_trail_message, trail->messages, trail->allocated);
	}
}

static struct rda_trail_message *insert(struct rda_trail *trail, const struct rda_trail_packet *p)
{
	struct rda_trail_message *message;
	uint32_t at;

	make_room(trail);
	at = count_before(trail, p->psn);
	message = &trail->messages[at];
	memmove(message + 1, message, (trail->count - at) * sizeof(*message));
	trail->count++;
	*message = (struct rda_trail_message){
		.begin = p->psn,
		.end = p->end,
		.frame = p->frame,
		.number = trail->numbers++,
		.read = (p->roles & RDA_ROLE_READ) != 0,
		.ended = (p->roles & RDA_ROLE_LAST) != 0,
	};
	return message;
}

/* The packet behind the last one of the message is its too, if the message goes on. */
static bool extends(const struct rda_trail_message *message, const struct rda_trail_packet *p)
{
	if (message->ended || p->psn != message->end || p->roles & RDA_ROLE_FIRST)
		return false;
	return (p->roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE)) != 0;
}

static void learn(struct rda_trail_message *message, const struct rda_trail_packet *p)
{
	bool request = (p->roles & RDA_ROLE_REQUEST) != 0;

	if (!message->unit && !(p->roles & RDA_ROLE_LAST) && request != message->read)
		message->unit = p->payload; /* the first packet, or one in the middle */
}

/* The message that holds a packet's PSN, or goes on with it. */
static struct rda_trail_message *find(struct rda_trail *trail, const struct rda_trail_packet *p)
{
	uint32_t before = count_before(trail, p->psn);
	struct rda_trail_message *message = before ? &trail->messages[before - 1] : NULL;

	if (!message)
		return NULL;
	if (message->read && message->begin == p->begin && p->end > message->end)
		message->end = p->end; /* more of it is known now */
	if (p->psn < message->end)
		return message;
	if (!(p->roles & RDA_ROLE_REQUEST) || !extends(message, p))
		return NULL;
	message->end = p->psn + 1;
	message->ended = (p->roles & RDA_ROLE_LAST) != 0;
	return message;
}

const struct rda_trail_message *rda_trail_packet(struct rda_trail **where,
						 const struct rda_trail_packet *p)
{
	bool first = p->roles & RDA_ROLE_REQUEST && p->roles & RDA_ROLE_FIRST;
	struct rda_trail_message *message;

	if (!*where && !first)
		return NULL;
	if (!*where)
		*where = g_new0(struct rda_trail, 1);
	message = find(*where, p);
	if (!message && first)
		message = insert(*where, p);
	if (message)
		learn(message, p);
	return message;
}

int64_t rda_trail_bytes(const struct rda_trail_message *message, const struct rda_trail_packet *p)
{
	int64_t before = p->psn - message->begin;
	bool carries = p->roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE | RDA_ROLE_READ) &&
		       message->read != ((p->roles & RDA_ROLE_REQUEST) != 0);

	if (!carries || (before && !message->unit))
		return -1;
	return before * message->unit + p->payload;
}
