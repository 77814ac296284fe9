/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs: where the one at hand is, and what is due: what the responder said and the requester can
 * have heard by then. The only writer of the groups run and due of a requester. Why a run begins:
 * run_reason.h.
 */
#ifndef RDA_RUN_H
#define RDA_RUN_H

#include "analyzer/track/roce/past_run.h"
#include "analyzer/track/roce/requester.h"

static inline void rda_run_init(struct rda_requester *requester)
{
	requester->run.trigger = RDA_TRIGGER_NONE;
}

/* The run at hand would send `psn` next. */
static inline void rda_run_at(struct rda_requester *requester, int64_t psn)
{
	requester->run.next = psn;
}

/* The first answer counts `msn` messages up to `psn`: whether none was taken before those that
 * passed here. The same of all responses to the first READ: the first of them acknowledges it, and
 * only the last counts. */
void rda_run_first_answer(struct rda_requester *requester, int64_t psn, uint32_t msn);

/*
 * An answer to the run at hand, which began with the first PSN, counts `msn` messages; the latest
 * before it counted `before`. A QP that was set up anew counts from the beginning, one that has
 * them all counts on.
 */
void rda_run_counted(struct rda_requester *requester, uint32_t before, uint32_t msn);

/* The same of an answer up to `psn` to any run: each PSN of the next connection ended one message
 * at most. */
static inline void rda_run_counts_on(struct rda_requester *requester, int64_t psn, uint32_t msn)
{
	const struct rda_resend_run *run = &requester->rare->run;

	if (requester->run.trigger != RDA_TRIGGER_NONE && run->may_be_next && psn >= run->begin &&
	    msn > psn - run->begin + 1)
		rda_requester_rare(requester)->run.may_be_next = false;
}

/* What is sent now is not of the latest run of resends: a new `psn`, or INT64_MAX: another run. */
static inline void rda_run_ends(struct rda_requester *requester, int64_t psn)
{
	struct rda_past_run *run;

	if (!requester->run.open)
		return;
	requester->run.open = false;
	run = rda_past_run_newest(requester);
	if (run && run->end == INT64_MAX) {
		run->end = requester->order.latest;
		run->over = psn;
	}
}

/* The run of resends is over: `psn` is new. */
static inline void rda_run_over(struct rda_requester *requester, int64_t psn)
{
	requester->run.trigger = RDA_TRIGGER_NONE;
	rda_run_ends(requester, psn);
}

/* The latest run had not ended with what seemed to be new. */
static inline void rda_run_reopen(struct rda_requester *requester)
{
	struct rda_past_run *run = rda_past_run_newest(requester);

	requester->run.trigger = run->trigger;
	requester->run.open = true;
	run->end = run->over = INT64_MAX;
}

/* It was sent before the latest run began, by its place in the order of sending. */
static inline bool rda_run_overtook(const struct rda_requester *requester, int64_t place)
{
	const struct rda_past_run *run;

	if (!requester->run.had || place == RDA_ORDER_UNKNOWN || place > requester->order.before)
		return false; /* as nearly all: runs are looked at for the others only */
	run = rda_past_run_newest(requester);
	return run && place < run->first;
}

/* The packet at hand of the run may be a copy by the network, or late; or it was sent again. */
void rda_run_doubt(struct rda_requester *requester, const struct rda_request *request,
		   bool doubted);

/*
 * A run of resends of which `first`, with this place, was seen first, and which began earlier than
 * the packet at hand: behind what has the place `before`. What is sent now goes on as it did.
 * Returns the run.
 */
struct rda_past_run *rda_run_began(struct rda_requester *requester, const struct rda_request *first,
				   int64_t place, int64_t before,
				   const struct rda_event_sink *sink);

/* There was no run of resends so far, as is known now. What is due is still due. */
void rda_run_none(struct rda_requester *requester);

/* A run of resends begins with this packet; `original`: the place of what that repeats, or 0. */
void rda_run_begin(struct rda_requester *requester, const struct rda_request *request,
		   const struct rda_event_sink *sink, uint64_t original);

/* The responder gave a reason to resend from `psn`, after `wait_ns`. */
void rda_run_due(struct rda_requester *requester, enum rda_trigger trigger, int64_t psn,
		 int64_t time_ns, int64_t wait_ns, uint64_t frame);

/* The NAK for `psn`, which is due, may have been under way when that was sent again. */
static inline void rda_run_crossed(struct rda_requester *requester, int64_t psn)
{
	if (requester->rare->due.psn == psn)
		rda_requester_rare(requester)->due.crossed = true;
}

/* What is due for an answer that is missing: it had passed before. */
static inline void rda_run_had(struct rda_requester *requester)
{
	rda_requester_rare(requester)->due.had = true;
}

/* Whether a run that begins here asks again for a READ or ATOMIC. */
static inline bool rda_run_asks_again(const struct rda_requester *requester,
				      const struct rda_request *request)
{
	int64_t index = rda_window_find(&requester->window, request->begin);

	/* what was settled long ago is forgotten */
	return (index < 0 ? request->roles : rda_window_at(&requester->window, index)->roles) &
	       RDA_ROLE_ANSWERED;
}

/*
 * A response seemed to be passed over, and the requester sent on for longer than any needs to go
 * back: it had that response, which the capture missed.
 */
static inline bool rda_run_went_on(const struct rda_requester *requester)
{
	return requester->rare->due.trigger == RDA_TRIGGER_IMPLIED &&
	       requester->progress.last_ns - requester->rare->due.ns > RDA_REACTION_MIN_NS;
}

/* What was due was sent again, without a run: the responder takes what is ahead. */
static inline void rda_run_obeyed(struct rda_requester *requester)
{
	struct rda_requester_rare *rare = rda_requester_rare(requester);

	rare->run.cause = rare->due.frame;
	rare->due.trigger = RDA_TRIGGER_NONE;
}

/* An answer told the requester something new since its run of resends began. */
static inline void rda_run_told(struct rda_requester *requester)
{
	if (requester->rare->run.retrying)
		rda_requester_rare(requester)->run.retrying = false;
}

/* A run begins with this request: whether it may be the QP's next connection (reset.c). */
void rda_run_note_reset(struct rda_requester *requester, const struct rda_request *request);

#endif
