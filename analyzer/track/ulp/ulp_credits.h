/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credits of one sender: each message uses some up, its receiver grants others. What was granted
 * counts when it passes, which is never later than when the sender has it: so a sender has no more
 * than is counted here, and may have less.
 *
 *     granted 3     | -1 | -1 | -1     0 left        +2      -1
 *     sender       -o----o----o                              o-->
 *                             |<------- held -------->|
 *
 * It is held when it had nothing left, and sent again sooner behind the grant than it had waited:
 * who has nothing to send shows nothing of this.
 */
#ifndef RDA_ULP_CREDITS_H
#define RDA_ULP_CREDITS_H

#include <stdbool.h>
#include <stdint.h>

struct rda_ulp_credits {
	bool known; /* of all that was granted and used: else nothing of this is told any more */
	bool begun; /* it is told when there is nothing left: not so while a connection begins */
	bool over;  /* the wait at hand is over, unless nothing is sent */
	bool last_granted; /* the message that used up the last granted some itself */
	bool checked;	   /* a checksum tells of all messages that were counted what they are */
	int64_t left;
	int64_t since_ns, until_ns; /* nothing is left, or `over` was left, from when to when */
	uint64_t since_place;	    /* the message that used up the last */

	uint64_t granted, used;
	uint64_t exceeded, exceeded_place; /* messages without a credit; the first's place */
	bool exceeded_checked;		   /* `checked` when one of them came */

	uint64_t times; /* waits */
	int64_t held_ns, longest_ns;
	int64_t checked_ns;	/* the longest that was counted while `checked` */
	uint64_t longest_place; /* the message before the longest */
	bool longest_granted;	/* and last_granted of it */
	bool held;		/* of a copy: it waits yet */
};

/* So many are there, as far as they were ever given. */
void rda_ulp_credits_begin(struct rda_ulp_credits *credits, int64_t left, int64_t time_ns);

/* A message is counted, that grants or uses some: whether a checksum tells what it is. */
void rda_ulp_credits_count(struct rda_ulp_credits *credits, bool checked);

/* Something was not seen, or not understood. */
void rda_ulp_credits_forget(struct rda_ulp_credits *credits);

/* A message of the sender; `grants`: it grants the other side some. */
void rda_ulp_credits_use(struct rda_ulp_credits *credits, uint32_t count, bool grants,
			 uint64_t place, int64_t time_ns);
void rda_ulp_credits_grant(struct rda_ulp_credits *credits, uint32_t count, int64_t time_ns);

/* As it is where the connection was watched up to then: a wait at hand is one, and `held`. */
struct rda_ulp_credits rda_ulp_credits_until(const struct rda_ulp_credits *credits,
					     int64_t until_ns);

#endif
