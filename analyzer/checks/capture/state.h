/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group Q by its files:
 *
 *     capture.c    the hooks; what was missed, copied, cut or dropped
 *     anew.c       Q01: whether what was acknowledged is of one life of the QP
 *     direction.c  Q03: one direction only
 *     reorder.c    Q10: what came late
 *     clock.c      time stamps
 */
#ifndef RDA_CHECKS_CAPTURE_STATE_H
#define RDA_CHECKS_CAPTURE_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/roce/reach.h"

/* Of what came late; `responses` were sent by the flow whose watch it is. */
struct rda_reorder_watch {
	struct rda_reach requests, responses;
	/* requests behind what was sent later, as the order of sending tells, besides those that
	 * had been missing: which were sent again, or new behind what was; and before that order
	 * was known, the first of them */
	uint64_t resent, news, blind, blind_place;
};

struct rda_capture_watch {
	uint64_t undecodable;		     /* packets with a reserved opcode or without sense */
	uint64_t ack_requests;		     /* of reliable requests */
	int64_t asked_ns;		     /* the first of these; valid if there is one */
	struct rda_reorder_watch *reordered; /* owned; NULL: nothing came late */
	bool begins_doubted; /* its first packet may be damaged, and tell another PSN */
	bool missed_early;   /* some of what was missed, just behind the beginning of the capture */
};

/* Made when it is first asked for. */
struct rda_capture_watch *rda_capture_watch(struct rda_flow *flow);

/* All that asks for what is sent again is here, as far as the capture tells: of a NAK that it
 * missed, or shows late, nothing tells that it was obeyed. */
bool rda_capture_has_all_answers(const struct rda_connection *connection,
				 const struct rda_flow *flow);

/* ---- anew.c ---------------------------------------------------------------------------------- */

/* What was acknowledged and not seen may lie between two lives of the QP, or the answer be to the
 * life before: then the capture missed nothing. */
bool rda_capture_may_be_anew(const struct rda_at *at, const struct rda_event *event);

/* ---- direction.c ----------------------------------------------------------------------------- */

/* A request asks for an answer, and nothing of the other direction was seen so far. */
void rda_direction_asked(const struct rda_at *at);
/* All was seen, and of this connection one direction. */
void rda_direction_tell(struct rda_judge *judge, const struct rda_connection *connection);
/* Where all hosts are known: packets of the one whose answers are not there may be of others. */
void rda_direction_overall(struct rda_judge *judge);

/* ---- reorder.c ------------------------------------------------------------------------------- */

/* A request, or a response to one, that came late. */
void rda_reorder_request(const struct rda_at *at, const struct rda_event *event);
void rda_reorder_response(const struct rda_at *at, const struct rda_event *event);
/* A request that was sent again; one that came behind what was sent after it. */
void rda_reorder_resent(const struct rda_at *at, const struct rda_event *event);
void rda_reorder_overtaken(const struct rda_at *at, const struct rda_event *event);
/* All was seen. */
void rda_reorder_tell(struct rda_judge *judge, const struct rda_connection *connection,
		      const struct rda_flow *flow);

#endif
