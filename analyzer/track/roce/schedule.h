/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a sender's timer behaves, told by when it sent one request again while nothing answered.
 *
 *     constant   67   67   67   67 ...                       ms; the plain formula, retry count + 1
 * times adaptive   20.7 17 33.7 67 100.7 201.3 | 536.9 536.9 ...  ConnectX with adaptive
 * retransmission growing    16   32   64   128 ...                       others that back off
 *
 * A ConnectX climbs the ladder while its next step is shorter than a regular timeout, which is
 * twice 4.096 us * 2^T and no less than with T = 16. The ladder takes one unit of the retry count;
 * then retry count - 1 regular timeouts expire (one at least), each but the last with one more
 * try. Measured on ConnectX-6 Dx in its default settings, where a retry count of 7 comes to 12
 * transmissions in 3.66 s for T up to 16, and to 16 in 59.8 s for T = 20.
 */
#ifndef RDA_SCHEDULE_H
#define RDA_SCHEDULE_H

#include "analyzer/rda.h"

/* 3 bits in the CM REQ. */
#define RDA_RETRIES_MAX 7

/* Tries of which the times are remembered: more than any known sender makes before it gives up. */
#define RDA_TRIES_KEPT 24

/* One request that is sent again and again. */
struct rda_tries {
	int64_t armed_ns; /* when the timer began to run: the first transmission, or later progress
			   */
	uint32_t count;	  /* tries, the first transmission not among them */
	int64_t at_ns[RDA_TRIES_KEPT]; /* of the first of them */
	int64_t last_ns;
};

struct rda_schedule {
	uint8_t timer;	   /* enum rda_timer */
	uint32_t adaptive; /* tries by steps of the ladder; of ADAPTIVE only */
	uint32_t regular;  /* tries by regular timeouts, or by those of another timer */
	bool may_end;	   /* the timer that runs behind the latest try may be the sender's last */
	/* if it is: when it expires, after that try, between these; most 0: not known */
	int64_t least_ns, most_ns;
	uint32_t budget_least,
		budget_most; /* and the retry count that is spent then; valid if may_end */
	int64_t patience_ns; /* who sends nothing for so long behind the latest try sends no more */
	int64_t regular_ns;  /* the regular timeout; 0 not known */
};

/* The shortest and longest times between tries, or to the only one. */
void rda_tries_waits(const struct rda_tries *tries, int64_t *shortest_ns, int64_t *longest_ns);

/* `ack_timeout`: as connection management told it; -1 not known. */
struct rda_schedule rda_schedule_of(const struct rda_tries *tries, int ack_timeout);

/* Whether the tries, one at least, can be those of ConnectX's ladder. */
bool rda_schedule_may_be_adaptive(const struct rda_tries *tries);

static inline void rda_tries_add(struct rda_tries *tries, int64_t time_ns)
{
	if (tries->count < RDA_TRIES_KEPT)
		tries->at_ns[tries->count] = time_ns;
	tries->count++;
	tries->last_ns = time_ns;
}

#endif
