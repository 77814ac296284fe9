/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames that stop a link (IEEE 802.3 annex 31B, IEEE 802.1Qbb), and whom they hold.
 *
 *     XOFF            XON         XOFF   XOFF          its quanta are over
 *      |<--- hold ---->|           |<------- hold ------->|
 *     x x             : x x x x x x x                     :x x x        packets of a sender
 *
 * A port asks its neighbour to send no more of a priority, for so many quanta of 512 bit times;
 * again before these are over, the hold goes on. No frame names the neighbour. Held was who sent
 * nothing from the beginning to the end: then all that is known of the gap is that the link was
 * stopped in it. Who sends meanwhile is on another link; the port itself is not held by what it
 * asks.
 *
 * How long a quantum is depends on the speed of the link, which no capture tells. Where quanta run
 * out sooner, because the link is faster than was taken for granted, a sender that goes on then
 * seems not to be held.
 */
#ifndef RDA_HOLDS_H
#define RDA_HOLDS_H

#include "analyzer/rda.h"
#include "analyzer/base/cold.h"
#include "dissectors/packet.h"

struct rda_flow;
struct rda_posting;

#define RDA_PRIORITIES 8

/* Beside the priorities: all of them, as plain pause frames have it. */
enum { RDA_CLASS_ALL = RDA_PRIORITIES, RDA_CLASSES };

/* Where nobody told the speed (rda_config.link_gbits) it is taken for this. */
#define RDA_PAUSE_LINK_GBITS 100

/* A frame that stops a link, or lets it go on. */
struct rda_link_stop {
	uint8_t mac[6];		      /* of the port that asks */
	uint16_t classes;	      /* mask of 1 << priority, or of 1 << RDA_CLASS_ALL */
	uint16_t quanta[RDA_CLASSES]; /* by class; 0: go on */
};

static inline bool rda_holds_asked(const struct rda_packet *packet)
{
	uint8_t last =
		packet->layer_count ? packet->layers[packet->layer_count - 1].header : RDA_ETH;

	return last == RDA_PFC || last == RDA_PAUSE;
}

/* False: it is cut, or none. */
RDA_COLD bool rda_link_stop_read(struct rda_link_stop *stop, const struct rda_frame *frame,
				 const struct rda_packet *packet);

/* How long that is. */
int64_t rda_holds_ns(uint16_t quanta, uint32_t gbits);

/* Of the VLAN tag, or as the upper bits of the DSCP have it. */
static inline uint8_t rda_holds_priority(const struct rda_packet *packet)
{
	return packet->tagged ? packet->priority : packet->dscp >> 3;
}

/* As the results have a class: the priority; -1: all. */
static inline int8_t rda_holds_priority_of(unsigned class)
{
	return class == RDA_CLASS_ALL ? -1 : (int8_t) class;
}

/* The latest holds that are kept of each class: where more ports ask at once, it is counted. */
#define RDA_HOLDS_KEPT 64

struct rda_holds;

/* The first of all makes them; `scope`: index of the series of captures. */
RDA_COLD void rda_holds_frame(struct rda_holds **holds, const struct rda_frame *frame,
			      const struct rda_packet *packet, const struct rda_meta *meta,
			      uint32_t scope, uint32_t link_gbits);
void rda_holds_free(struct rda_holds *holds);

/* rda_holds_packet asks whether there are any. */
RDA_COLD void rda_holds_look(const struct rda_holds *holds, const struct rda_posting *posting,
			     struct rda_flow *asker);

/*
 * A request, or a response to a READ, of `asker`'s (NULL: unknown) that is not taken yet: what held
 * it goes into the ledger of its time (time_ledger.h). Holds NULL: there were none.
 */
static inline void rda_holds_packet(const struct rda_holds *holds,
				    const struct rda_posting *posting, struct rda_flow *asker)
{
	if (holds)
		rda_holds_look(holds, posting, asker);
}

/* Holds that made room for others before they were over. Takes NULL. */
uint64_t rda_holds_not_kept(const struct rda_holds *holds);

#endif
