/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places of answers in the order of sending, and what was sent between two and did not come.
 *
 * Where as many identifications are passed over as PSNs, from one answer to one that was sent next
 * of all that passed, and each of these PSNs was asked for more than once, these answers were sent:
 *
 *     identification   31  32  34  36        READs, one response each, asked for again: an answer
 * to PSN               5   6   8   5        7 did not come; what had 35 nothing tells
 *
 * Nobody asks for that again where an earlier answer came. What comes late is in its place between
 * two, and parts the gap. Whose identifications are counted, and how often others take some:
 * sending_order.h. What was asked for once, and never again, only the capture missed.
 *
 * What is owed (owed.h) are the same losses, or some of them: each is told once. The capture may
 * have missed these answers as well, so they are told as suspected, and not where it is known to
 * miss some.
 */
#ifndef RDA_ANSWER_PLACE_H
#define RDA_ANSWER_PLACE_H

#include "analyzer/track/roce/responder.h"

/* The latest gaps in which something may come late. */
#define RDA_ANSWER_GAPS_KEPT 64

struct rda_answer_gap {
	int64_t from, to;   /* places in the order of sending, and */
	int64_t psn, end;   /* the PSNs of the answers there */
	uint64_t frame;	    /* of the answer at `to` when it came */
	int64_t ns, end_ns; /* when two passed between which these were sent */
	uint32_t counted;   /* responses between them, */
	uint32_t told;	    /* and so many of these were owed, and told as lost */
};

struct rda_answer_gaps {
	struct rda_answer_gap items[RDA_ANSWER_GAPS_KEPT];
	uint32_t count;
	int64_t last_ns;    /* when the latest answer passed, late or not */
	uint32_t forgotten; /* responses that were counted and not told, in those that made room */
	uint64_t frame;	    /* behind the latest in which something was counted */
	int64_t made_room;  /* the place behind the latest that made room; INT64_MIN: none did */
	bool is_unsure;	    /* what came late may have been counted in one that made room */
};

/* An answer passes: whether others have overtaken it is told in it. */
void rda_answer_place(struct rda_responder *responder, const struct rda_requester *requester,
		      struct rda_response *response, int64_t psn,
		      const struct rda_event_sink *sink);

/* Of what is owed so much as is certain is told as lost. Returns of how many of these
 * identifications do not tell: they stand apart. */
uint32_t rda_answers_told(struct rda_responder *responder, const struct rda_owed *owed);

/* One of them came all the same, `apart`: of those. Where it is not late by its identification,
 * these tell of no loss any more. */
void rda_answers_came(struct rda_responder *responder, bool late, bool apart);

#endif
