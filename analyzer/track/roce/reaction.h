/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast the two ends of a connection react to a gap, as this capture point sees it:
 *
 *     10 11 .. 13 ........ NAK 12 ............... 12 13
 *              |<- sent -->|  |<---- obeyed ----->|
 *
 * from the packet that shows the responder the gap to its NAK, and from the NAK to the run of
 * resends. What lies between the capture point and the host is in it, there and back.
 *
 *     NAK 12 ............... 11 12      a timer: who had heard the NAK would not send 11 again
 *            |<- unheard ->|
 */
#ifndef RDA_REACTION_H
#define RDA_REACTION_H

#include "analyzer/track/event.h"
#include "analyzer/track/flow.h"

struct rda_reactions {
	int64_t psn, nak_ns; /* of the latest NAK */
	bool open;	     /* nothing was sent again since */
	uint32_t unheard;    /* NAKs behind which a timer's run began below what they ask for */
	int64_t unheard_ns;  /* the soonest of these runs behind its NAK; valid if unheard */
	struct rda_latency sent, obeyed;
};

/* NAK_SEQUENCE, before the account takes it, or RESEND, of a flow with an account. */
void rda_reaction_event(struct rda_flow *asker, const struct rda_event *event);

/* NULL: the flow never got a NAK of a sequence error. */
const struct rda_reactions *rda_reactions_of(const struct rda_flow *flow);

/*
 * What seems to obey NAKs took as long as the runs behind those that were not heard: it may be the
 * same timer, and all NAKs have been lost behind this capture point.
 */
bool rda_reactions_may_be_timers(const struct rda_reactions *reactions);

void rda_reactions_free(struct rda_reactions *reactions);

#endif
