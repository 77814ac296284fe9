/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stops a link. See holds.h.
 */
#include "analyzer/track/congestion/holds.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/time_sums.h"
#include "dissectors/opcode.h"

#include <glib.h>
#include <string.h>

enum { QUANTUM_BITS = 512 };

/* So long after an XOFF packets of who is held may come: a few that are on their way, and one that
 * was begun (9 KB at 10 Gbit/s: 7 us). The same before the end: a tap may see that late. */
enum { REACTION_NS = 10000 };

struct hold {
	int64_t from_ns, until_ns;
	uint32_t tap;
	uint8_t mac[6];
};

/* A ring of the latest of each class. */
struct rda_holds {
	uint32_t scope;
	uint64_t not_kept;
	uint32_t made[RDA_CLASSES]; /* of which the last RDA_HOLDS_KEPT are there */
	struct hold rings[RDA_CLASSES][RDA_HOLDS_KEPT];
};

/* ---- frames ---------------------------------------------------------------------------------- */

bool rda_link_stop_read(struct rda_link_stop *stop, const struct rda_frame *frame,
			const struct rda_packet *packet)
{
	struct rda_pause all;
	struct rda_eth eth;
	struct rda_pfc pfc;

	memset(stop, 0, sizeof(*stop));
	if (!rda_read_eth_of(frame, packet, &eth))
		return false;
	memcpy(stop->mac, eth.source, sizeof(stop->mac));
	if (rda_read_pause_of(frame, packet, &all)) {
		stop->classes = 1u << RDA_CLASS_ALL;
		stop->quanta[RDA_CLASS_ALL] = all.quanta;
		return true;
	}
	if (!rda_read_pfc_of(frame, packet, &pfc))
		return false;
	stop->classes = pfc.enabled & ((1u << RDA_PRIORITIES) - 1);
	memcpy(stop->quanta,
	       (const uint16_t[]){pfc.quanta0, pfc.quanta1, pfc.quanta2, pfc.quanta3, pfc.quanta4,
				  pfc.quanta5, pfc.quanta6, pfc.quanta7},
	       RDA_PRIORITIES * sizeof(*stop->quanta));
	return true;
}

/* A bit takes a nanosecond at 1 Gbit/s. */
int64_t rda_holds_ns(uint16_t quanta, uint32_t gbits)
{
	return (int64_t)quanta * QUANTUM_BITS / gbits;
}

/* ---- holds ----------------------------------------------------------------------------------- */

/* What this port asked for, and is not over; NULL: nothing. */
static struct hold *find(struct rda_holds *holds, unsigned class, const uint8_t mac[6],
			 const struct rda_meta *meta)
{
	uint32_t count = MIN(holds->made[class], RDA_HOLDS_KEPT);

	for (uint32_t i = 0; i < count; i++) {
		struct hold *hold = &holds->rings[class][i];

		if (hold->until_ns >= meta->time_ns && hold->tap == meta->tap &&
		    memcmp(hold->mac, mac, sizeof(hold->mac)) == 0)
			return hold;
	}
	return NULL;
}

static struct hold *add(struct rda_holds *holds, unsigned class, const uint8_t mac[6],
			const struct rda_meta *meta)
{
	struct hold *hold = &holds->rings[class][holds->made[class] % RDA_HOLDS_KEPT];

	if (holds->made[class] >= RDA_HOLDS_KEPT && hold->until_ns > meta->time_ns)
		holds->not_kept++;
	holds->made[class]++;
	*hold = (struct hold){.from_ns = meta->time_ns, .tap = meta->tap};
	memcpy(hold->mac, mac, sizeof(hold->mac));
	return hold;
}

static void stop(struct rda_holds *holds, unsigned class, const struct rda_link_stop *stop,
		 const struct rda_meta *meta, uint32_t gbits)
{
	struct hold *hold = find(holds, class, stop->mac, meta);

	if (!hold && !stop->quanta[class])
		return;
	if (!hold)
		hold = add(holds, class, stop->mac, meta);
	hold->until_ns = meta->time_ns + rda_holds_ns(stop->quanta[class], gbits);
}

void rda_holds_frame(struct rda_holds **holds, const struct rda_frame *frame,
		     const struct rda_packet *packet, const struct rda_meta *meta, uint32_t scope,
		     uint32_t link_gbits)
{
	struct rda_link_stop asked;

	if (!rda_link_stop_read(&asked, frame, packet))
		return;
	if (!*holds)
		*holds = g_new0(struct rda_holds, 1);
	if ((*holds)->scope != scope) {
		memset((*holds)->made, 0, sizeof((*holds)->made));
		(*holds)->scope = scope;
	}
	for (unsigned class = 0; class < RDA_CLASSES; class ++)
		if (asked.classes & 1u << class)
			stop(*holds, class, &asked, meta,
			     link_gbits ? link_gbits : RDA_PAUSE_LINK_GBITS);
}

void rda_holds_free(struct rda_holds *holds)
{
	g_free(holds);
}

uint64_t rda_holds_not_kept(const struct rda_holds *holds)
{
	return holds ? holds->not_kept : 0;
}

/* ---- whom they hold -------------------------------------------------------------------------- */

struct search {
	const struct rda_meta *meta; /* of the packet behind the gap */
	int64_t since_ns;	     /* when the gap began */
	struct rda_eth eth;
	struct rda_time_hold *found; /* in order of their beginnings */
	unsigned count;
};

static void insert(struct search *s, struct rda_time_hold hold)
{
	unsigned at = s->count++;

	for (; at && s->found[at - 1].from_ns > hold.from_ns; at--)
		s->found[at] = s->found[at - 1];
	s->found[at] = hold;
}

static void search(struct search *s, const struct rda_holds *holds, unsigned class)
{
	uint32_t count = MIN(holds->made[class], RDA_HOLDS_KEPT);

	for (uint32_t i = 0; i < count; i++) {
		const struct hold *hold = &holds->rings[class][i];
		int64_t until_ns = MIN(hold->until_ns, s->meta->time_ns);
		struct rda_time_hold found = {hold->from_ns, until_ns, {0}, (uint8_t) class};

		if (hold->tap != s->meta->tap || until_ns <= MAX(hold->from_ns, s->since_ns) ||
		    s->since_ns > hold->from_ns + REACTION_NS ||
		    s->meta->time_ns < hold->until_ns - REACTION_NS ||
		    memcmp(hold->mac, s->eth.source, sizeof(hold->mac)) == 0)
			continue;
		found.priority = rda_holds_priority_of(class);
		memcpy(found.mac, hold->mac, sizeof(found.mac));
		insert(s, found);
	}
}

void rda_holds_look(const struct rda_holds *holds, const struct rda_posting *posting,
		    struct rda_flow *asker)
{
	const struct rda_packet *packet = posting->packet;
	struct rda_time_hold found[2 * RDA_HOLDS_KEPT];
	struct search s = {.meta = posting->meta, .found = found};

	if (!(packet->opcode->roles & (RDA_ROLE_REQUEST | RDA_ROLE_READ)) ||
	    holds->scope != rda_place_capture(posting->place) ||
	    !rda_account_paused(asker, s.meta->time_ns, &s.since_ns) ||
	    !rda_read_eth_of(posting->frame, packet, &s.eth))
		return;
	search(&s, holds, rda_holds_priority(packet));
	search(&s, holds, RDA_CLASS_ALL);
	if (s.count)
		rda_account_held(asker, packet->opcode->roles, s.meta->time_ns, found, s.count);
}
