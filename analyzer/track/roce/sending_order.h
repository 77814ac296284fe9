/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which a flow's requests were sent, where the IPv4 identification tells it.
 *
 * Many senders (Linux, and so rxe) give each packet the next identification, whatever it carries.
 * Packets that pass the tap in another order than that were overtaken, and a packet that is sent
 * again has a higher identification than all that were sent before it:
 *
 *     identification  17  18  20  19  21  22        19 was overtaken by 20
 *     PSN              5   6   8   7   6   7        6 and 7 (21, 22) were sent again
 *
 * Other flows of the sender take identifications too, and an idle sender may jump ahead, so a gap
 * alone is no loss (unshown.h). Senders whose identifications are 0, random, or made from the PSN
 * (a resend then has the one of its original) tell nothing. So an order is believed only when most
 * steps went ahead, and at least one of them by another number than the PSN did.
 *
 * What follows from the order is requester.c's part.
 */
#ifndef RDA_SENDING_ORDER_H
#define RDA_SENDING_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* The place of a packet in the order of sending is not known. */
#define RDA_ORDER_UNKNOWN INT64_MIN

/*
 * A path that reorders holds a packet back behind a few hundred others: 10 ms at 100 Gbit/s and 1
 * KB are 120,000, but then of many flows; what lies further back is taken for a jump.
 */
enum { RDA_ORDER_BEHIND_MOST = 4096 };

struct rda_sending_order {
	int64_t again_at;  /* valid if `again`: the first such place */
	int64_t latest_ns; /* when the packet passed that was sent last, as far as it was seen */
	/* steps ahead, from one packet to the next that was sent after it, behind no long silence;
	 * where 32 bits end they are halved, with what is counted of them and `odd` */
	uint32_t ahead;
	uint32_t near;	     /* of these, by little */
	uint32_t others;     /* of these, by more than one to the next PSN */
	uint32_t behind;     /* packets that were overtaken */
	uint32_t close;	     /* of the steps ahead to the next PSN: shortly after the one before */
	uint32_t strange;    /* of these: over identifications that nothing known has */
	uint16_t aside;	     /* answers of the same sender, ahead of the latest request */
	uint16_t behind_id;  /* of the latest packet that was overtaken; valid with `behind` */
	bool not_of_the_psn; /* a step differed from that of the PSN */
	bool again;	     /* what was sent later had a lower PSN: something was sent again */
	bool begun;
	bool leapt;  /* behind a silence one with a lower PSN was taken to be ahead, and may be late
		      */
	bool shared; /* others take identifications of the same sender between these */
	bool unnoted; /* the sender gave answers whose identifications are not known any more: */
	uint32_t odd; /* steps that are neither ahead nor behind: equal, or far away; saturates */
	uint32_t unnoted_place; /* of the latest of these, its lower bits */
	int64_t latest;		/* of the packet that was sent last; widened */
	int64_t before;		/* the same, before the packet at hand passed */
	int64_t latest_psn;	/* its PSN, widened */
	int64_t behind_ns;	/* when that passed; valid with `behind` */
};

/* rda_sending_order_of, whatever the identification is. */
int64_t rda_sending_order_step(struct rda_sending_order *order, uint16_t ip_id, int64_t psn,
			       int64_t time_ns);

/* The latest was sent again: its sender gives that the identification of the first. */
void rda_sending_order_again(struct rda_sending_order *order);

/* Identifications tell the order. */
bool rda_sending_order_is_known(const struct rda_sending_order *order);

/*
 * Hardly any other flow takes identifications between those of this one: as many as are missing
 * between two packets, so many were sent there, as a rule.
 */
bool rda_sending_order_is_dense(const struct rda_sending_order *order);

/*
 * The same of packets that are sent shortly one after another: nothing known has an identification
 * in between but in few cases, and what an idle sender passes over counts for neither.
 */
bool rda_sending_order_is_close(const struct rda_sending_order *order);

/* The sender of the requests sends an answer with this identification. */
static inline void rda_sending_order_aside(struct rda_sending_order *order, uint16_t ip_id)
{
	order->aside += (int16_t)(uint16_t)(ip_id - (uint16_t)order->latest) > 0;
}

/*
 * A packet of `order` passes now. Behind a silence what another order of the same sender has seen
 * counts too: where others take identifications there, they do here.
 */
void rda_sending_order_beside(struct rda_sending_order *order,
			      const struct rda_sending_order *other, int64_t time_ns);

/* Packets were seen to overtake others, by their identifications. */
bool rda_sending_order_is_broken(const struct rda_sending_order *order);

/* The place of a packet that has passed lately, where the order is known. */
static inline int64_t rda_sending_order_place(const struct rda_sending_order *order, uint16_t ip_id)
{
	return order->latest - (uint16_t)((uint16_t)order->latest - ip_id);
}

/* It was overtaken, if identifications tell the order. */
static inline bool rda_sending_order_is_behind(const struct rda_sending_order *order,
					       uint16_t ip_id)
{
	return (int16_t)(uint16_t)(ip_id - (uint16_t)order->latest) < 0;
}

/* The same, of the latest that passed, and it is no jump. */
static inline bool rda_sending_order_came_behind(const struct rda_sending_order *order,
						 uint16_t ip_id)
{
	return rda_sending_order_is_behind(order, ip_id) &&
	       (uint16_t)((uint16_t)order->latest - ip_id) <= RDA_ORDER_BEHIND_MOST;
}

/*
 * All identifications so far, and this one, go up as the PSNs do. Either nothing was sent again,
 * and what has not passed before is late; or they are made of the PSN. What comes next tells:
 *
 *     identification  17  18  20  19 | 21       counted: 7 is sent again
 *     PSN              5   6   8   7 |  7
 *
 * A packet that has passed is a copy, or sent again.
 */
static inline bool rda_sending_order_is_line(const struct rda_sending_order *order, uint16_t ip_id,
					     int64_t psn)
{
	return order->ahead && !order->odd && !order->not_of_the_psn &&
	       (uint16_t)(ip_id - (uint16_t)order->latest) == (uint16_t)(psn - order->latest_psn);
}

/*
 * The same of one that lies behind the latest: it was sent before that, and so before a run of
 * resends could begin, however long it was held back; or identifications are made of the PSN.
 */
static inline bool rda_sending_order_is_before(const struct rda_sending_order *order,
					       uint16_t ip_id, int64_t psn)
{
	int step = (int16_t)(uint16_t)(ip_id - (uint16_t)order->latest);

	return step < 0 && !order->odd && !order->not_of_the_psn && !order->again &&
	       step == psn - order->latest_psn;
}

/* As far as the order tells, the packet with this place is the first that was sent again; or none
 * was.
 */
static inline bool rda_sending_order_is_first_again(const struct rda_sending_order *order,
						    int64_t place)
{
	return !order->again || order->again_at == place;
}

/*
 * A request passes. Returns its place in the order of sending: comparable with those of other
 * requests of the flow, greater for what was sent later; or RDA_ORDER_UNKNOWN.
 */
static inline int64_t rda_sending_order_of(struct rda_sending_order *order, uint16_t ip_id,
					   int64_t psn, int64_t time_ns)
{
	/* one identification for all packets, as RoCEv1, IPv6 and many adapters have it */
	if (ip_id != (uint16_t)order->latest || psn == order->latest_psn || !order->begun)
		return rda_sending_order_step(order, ip_id, psn, time_ns);
	order->before = order->latest;
	order->odd++; /* from 0 again, perhaps: where none is ahead nothing is known all the same */
	return RDA_ORDER_UNKNOWN;
}

#endif
