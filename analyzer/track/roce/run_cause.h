/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the responder said may be two things that no run has obeyed yet: which of them a run does,
 * and what is due behind it. For run.c.
 */
#ifndef RDA_RUN_CAUSE_H
#define RDA_RUN_CAUSE_H

#include "analyzer/track/roce/past_run.h"
#include "analyzer/track/roce/requester.h"

/* An RNR NAK asked to wait, and that time has not passed. */
static inline bool rda_run_cause_waits(const struct rda_resend_cause *due,
				       const struct rda_request *request)
{
	return due->trigger == RDA_TRIGGER_RNR && request->time_ns - due->ns < due->wait_ns / 2;
}

/* A run begins with this packet: what was said before the latest is due, where it begins as that
 * asks. */
void rda_run_cause_recall(struct rda_requester *requester, const struct rda_request *request);

/* A run of which this was seen first follows what is due: it begins there, or did, with what was
 * lost or is late. */
bool rda_run_cause_is_of(const struct rda_requester *requester, const struct rda_request *request);

/* What is due is this PSN, or lies in the READ that begins there: some ask for all of it again. */
bool rda_run_cause_asks_for(const struct rda_requester *requester, int64_t psn);

/*
 * The answer that was missing when another implied so has passed since, and longer ago than a
 * requester needs to go back: nothing is due for it, but where it was lost behind, and then the run
 * begins with what it answers. The same of what a NAK asked for: it was acknowledged, and the run
 * begins with what was first sent long after the NAK.
 */
bool rda_run_cause_is_made_up_for(const struct rda_requester *requester,
				  const struct rda_request *request);

/*
 * An ACK, NAK or RNR NAK whose AETH the snap length cut off passed behind what a run begins with,
 * and behind the run before: it may be what this run obeys.
 */
bool rda_run_cause_is_cut_off(const struct rda_requester *requester,
			      const struct rda_request *request);

/* A run began for another reason, below what is due or before its time, and what is due had not
 * reached the requester then: another run follows. */
bool rda_run_cause_remains(const struct rda_requester *requester, const struct rda_request *request,
			   enum rda_trigger trigger);

/*
 * Two RNR NAKs are due, and the older puts off a READ or ATOMIC before the other that is not
 * answered yet: the requester goes back to that, whatever is put off behind it.
 */
bool rda_run_cause_is_first(const struct rda_requester *requester);

/* What was due is obeyed: what was said later is due now, or the wait that goes on; what was said
 * before no more. */
void rda_run_cause_next(struct rda_requester *requester);

/* The latest run had sent this before what was seen first of it: where that lies below the NAK that
 * it seemed to obey, it is the one before that which it obeys, and the later is due. */
void rda_run_cause_earlier(struct rda_requester *requester, struct rda_past_run *run,
			   const struct rda_request *request);

#endif
