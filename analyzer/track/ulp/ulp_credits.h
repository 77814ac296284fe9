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
 * who has nothing to send shows nothing of this. Where the grant came with a message, what is sent
 * behind it may be the answer to that, and has not waited: such a wait is one perhaps.
 *
 * A tap that shows one direction late, up to RDA_MIRROR_NS, may show a message before the grant
 * that it had. What was sent without a credit is a debt until the grant comes; it has none, for
 * certain, once its receiver's acknowledgment passed and no grant before that, or the time is over.
 */
#ifndef RDA_ULP_CREDITS_H
#define RDA_ULP_CREDITS_H

#include <stdbool.h>
#include <stdint.h>

struct rda_ulp_waits {
	uint64_t times;
	int64_t held_ns, longest_ns;
	int64_t checked_ns;	/* the longest that was counted while `checked` */
	uint64_t longest_place; /* the message before the longest */
	bool longest_granted;	/* and last_granted of it */
	bool held;		/* of a copy: it waits yet */
};

/* What a grant comes with. */
enum rda_ulp_grant {
	RDA_ULP_GRANT_ALONE,
	RDA_ULP_GRANT_WITH_MORE, /* what the sender may answer, though it had something to send */
	RDA_ULP_GRANT_TO_ANSWER, /* without which it had nothing to send */
};

struct rda_ulp_credits {
	bool known; /* of all that was granted and used: else nothing of this is told any more */
	bool begun; /* it is told when there is nothing left: not so while a connection begins */
	bool over;  /* the wait at hand is over, unless nothing is sent */
	bool over_alone;   /* by a grant that came with nothing else */
	bool last_granted; /* the message that used up the last granted some itself */
	bool checked;	   /* a checksum tells of all messages that were counted what they are */
	int64_t left;
	int64_t since_ns, until_ns; /* nothing is left, or `over` was left, from when to when */
	uint64_t since_place;	    /* the message that used up the last */

	uint64_t granted, used;

	struct rda_ulp_waits waits, perhaps;
};

/* Messages of a sender without a credit that grants may pay yet: further ones count with the latest
 * of them. */
#define RDA_ULP_DEBTS 8

struct rda_ulp_debt {
	int64_t end; /* of the message: a PSN, or an offset of TCP */
	int64_t ns;  /* when it passed */
	uint64_t place;
	uint64_t count;
};

struct rda_ulp_debts {
	struct rda_ulp_debt items[RDA_ULP_DEBTS]; /* the oldest first */
	uint32_t count;
	uint64_t overdue;		   /* older messages that no grant has paid */
	uint64_t exceeded, exceeded_place; /* messages that had no credit; the first's place */
	bool exceeded_checked;		   /* a checksum tells of all that was counted till then */
};

/* A message without a credit. */
void rda_ulp_debts_owe(struct rda_ulp_debts *debts, int64_t end, uint64_t place, int64_t ns);

/* So many are granted: the oldest are paid first, those that are overdue before all. */
void rda_ulp_debts_pay(struct rda_ulp_debts *debts, uint64_t count);

/* Up to `ns` no more was granted, and the receiver acknowledged what is before `acked`; `checked`:
 * a checksum tells of all messages that were counted what they are. */
void rda_ulp_debts_settle(struct rda_ulp_debts *debts, int64_t acked, int64_t ns, bool checked);

/* Something was not seen, or not understood: what is owed may be paid. */
void rda_ulp_debts_forget(struct rda_ulp_debts *debts);

/* So many are there, as far as they were ever given. */
void rda_ulp_credits_begin(struct rda_ulp_credits *credits, int64_t left, int64_t time_ns);

/* A message is counted, that grants or uses some: whether a checksum tells what it is. */
void rda_ulp_credits_count(struct rda_ulp_credits *credits, bool checked);

/* Something was not seen, or not understood. */
void rda_ulp_credits_forget(struct rda_ulp_credits *credits);

/* A message of the sender: */
struct rda_ulp_use {
	uint32_t count; /* of credits */
	bool tells;	/* it is there for what it carries, and not only to grant */
	bool grants;	/* it grants the other side some */
	uint64_t place;
	int64_t time_ns;
};

void rda_ulp_credits_use(struct rda_ulp_credits *credits, const struct rda_ulp_use *use);
void rda_ulp_credits_grant(struct rda_ulp_credits *credits, uint32_t count,
			   enum rda_ulp_grant grant, int64_t time_ns);

/* As it is where the connection was watched up to then: a wait at hand is one, or one perhaps, and
 * `held`. */
struct rda_ulp_credits rda_ulp_credits_until(const struct rda_ulp_credits *credits, bool perhaps,
					     int64_t until_ns);

#endif
