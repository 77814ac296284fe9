/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of one direction of a reliable connection went: each nanosecond from its first
 * request on has one cause of RDA_TIME_CAUSES (rda.h), so that they add up to all of it.
 *
 *     requests  |||||||        |||||||                      |           |        | again
 *     answers          |    |         |  |                     |                    |
 *               sending waiting sending waiting   idle       waiting idle after_timeout
 *
 * What passes is requests and the responses to READs. As long as they follow each other at a pace
 * that the direction has shown, nothing is noted: it is sending. A pause is looked at when it is
 * over, and what happened in it tells whose it was:
 *
 *     all was answered        idle since then: nothing was asked
 *     the link was stopped    held, if nothing of it passed since that began (congestion/holds.h)
 *     inside a message        a CNP came shortly ago: congestion; else an answer came: limited (a
 *                             window of packets); none: paused
 *     an answer came          waiting, with so many requests outstanding: those waits that end at
 *                             one depth are its limit, which is known at the end (time_facts.h)
 *     else                    waiting
 *
 * A stall (stall.h) takes the time back that it was, so its parts are kept for a while before they
 * are summed (time_book.h).
 */
#ifndef RDA_TIME_LEDGER_H
#define RDA_TIME_LEDGER_H

#include "analyzer/rda.h"
#include "analyzer/base/cold.h"
#include "analyzer/track/event.h"
#include "analyzer/track/roce/time_book.h"

#include <stdbool.h>

struct rda_request;
struct rda_requester;

/* The usual pace of some packets in a row. */
struct rda_time_pace {
	/* of pauses of the row before a message, when perhaps nothing was asked; they saturate */
	uint32_t longest_ns, pauses_ns;
	int64_t begin_ns; /* of the row at hand */
	uint32_t bytes;	  /* behind its first packet */
	uint32_t slow;	  /* how long a byte may take, in 1/1024 ns */
	uint16_t packets; /* behind its first one */
	uint8_t pauses;	  /* before a message */
	bool known;
};

/* Responses to READs and ATOMICs. */
struct rda_time_came {
	struct rda_time_pace pace;
	int64_t latest_ns; /* RDA_NEVER_NS: there was none */
};

/* time_ledger.c writes, and the inline functions below. */
struct rda_time_ledger {
	int64_t first_ns;
	struct rda_time_came *came; /* owned; NULL before the first response */
	struct rda_time_book *book; /* owned; NULL before the first pause: all was sending */
	int64_t slowed_ns;	    /* the latest CNP; or RDA_NEVER_NS */
	struct rda_time_pace sent;
	int64_t last_ns; /* of the latest of what passes; at the end of the book, or behind */
	uint64_t done;	 /* messages, then */
};

#define RDA_TIME_ROW   4    /* packets in a row that tell a pace */
#define RDA_TIME_LEAST 1000 /* ns that are no pause */
/*
 * Bytes, about, that each packet takes besides its payload: headers, preamble and gap are about
 * 100, and a short one is not made that much sooner.
 */
#define RDA_TIME_HEADERS 128

void rda_time_ledger_init(struct rda_time_ledger *ledger);
void rda_time_ledger_cleanup(struct rda_time_ledger *ledger);

/* The first request of all. */
void rda_time_ledger_start(struct rda_time_ledger *ledger, int64_t time_ns);

static inline bool rda_time_ledger_paused(const struct rda_time_ledger *ledger,
					  const struct rda_time_pace *pace, int64_t time_ns,
					  uint32_t bytes)
{
	return time_ns - ledger->last_ns >
	       RDA_TIME_LEAST + (int64_t)((uint64_t)pace->slow * bytes >> 10);
}

/* A row of packets is full; `alone`: no answer came in it. */
void rda_time_ledger_row(struct rda_time_pace *pace, int64_t time_ns, bool alone);

/* A pause ended with a request, which is not taken yet. */
void rda_time_ledger_pause(struct rda_requester *requester, const struct rda_request *request,
			   uint32_t bytes);

/*
 * A response to a READ or ATOMIC, which is not taken yet; `first`: of its request, asked at
 * `asked_ns`. One that was asked behind the latest response does not follow that one: it is waited
 * for, however short.
 */
void rda_time_ledger_response(struct rda_requester *requester, int64_t time_ns, uint32_t payload,
			      int64_t asked_ns, bool first);

/* A request or response (by its roles), which is not taken yet, ends a pause in which these held
 * the link, in order of their beginnings. */
RDA_COLD void rda_time_ledger_held(struct rda_requester *requester, uint16_t roles, int64_t time_ns,
				   const struct rda_time_hold *holds, unsigned count);

/* From `from` to `to` nothing was taken, for this reason. */
void rda_time_ledger_stalled(struct rda_time_ledger *ledger, enum rda_trigger trigger, int64_t from,
			     int64_t to);

/* A CNP reached the requester. */
static inline void rda_time_ledger_slowed(struct rda_time_ledger *ledger, int64_t time_ns)
{
	ledger->slowed_ns = time_ns;
}

/* All that is known, if the connection begins and ends then. */
void rda_time_ledger_sum(const struct rda_requester *requester, int64_t begin_ns, int64_t end_ns,
			 struct rda_time_sums *sums);

#endif
