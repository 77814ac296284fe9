/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a run of resends that something was due for may have begun for another reason, or be none
 * of its own.
 */
#ifndef RDA_RUN_DOUBT_H
#define RDA_RUN_DOUBT_H

#include "analyzer/track/roce/requester.h"

/* A run seems to begin with this packet for what is due (requester.h, rda_resend_cause). */
bool rda_run_is_doubted(const struct rda_requester *requester, const struct rda_request *request);

/* The READ or ATOMIC right before what a run is seen to begin with may be what it begins with, its
 * answer lost behind, and be late or lost itself. */
bool rda_run_may_follow_older(const struct rda_requester *requester, int64_t psn);

/*
 * A run begins with what has just passed in a run, sooner than a timer fires. One of the two is all
 * that a NAK asked for, perhaps, and the other of the run before, which goes on there, as what lies
 * below was acknowledged meanwhile.
 */
bool rda_run_begins_again(const struct rda_requester *requester, const struct rda_request *request);

/* Before the wait is over that an RNR NAK, which is due, asked for. */
bool rda_run_is_early(const struct rda_requester *requester, const struct rda_request *request);

/* What is due to begin with `psn` begins behind as many requests as came damaged just before: they
 * may be these, READs of several PSNs too. */
int64_t rda_run_behind_damaged(const struct rda_requester *requester, int64_t psn);

/* When the wait ends that an RNR NAK asked for and that no run has obeyed so far; RDA_NEVER_NS:
 * none, or it is over for so long that the RNR NAK did not arrive. */
int64_t rda_run_waits_until(const struct rda_requester *requester, int64_t time_ns);

/* A run begins, for what is `due` or not, before its beginning is noted: its first may be no
 * resend, but come late. */
void rda_run_begins_late(struct rda_requester *requester, const struct rda_request *request,
			 bool due, enum rda_trigger trigger);

/* Right behind the run's first packet that one comes again which follows it. */
bool rda_run_goes_on_at_once(const struct rda_requester *requester,
			     const struct rda_request *request);

/* A packet of the run at hand, late: where it is the first once more, one of the two was no resend,
 * but came late. */
void rda_run_shows_again(struct rda_requester *requester, const struct rda_request *request);

/*
 * The run at hand brings what had never passed, up to what had, and leaves that out, or the next
 * run begins there. It may be the run's own that overtook all of it, where nothing tells the order
 * of sending: then the others are new.
 *
 *     PSN    10 11 | 14 | 10 11 12 13 | 15      12 and 13 were lost before 14, or overtaken by it
 *     PSN    10 11 | 14 | 10 11 12 13 14        14 was sent before the run, and so were 12 and 13
 */
void rda_run_fills(struct rda_requester *requester, const struct rda_sent *record);
void rda_run_leaves_out(struct rda_requester *requester);
void rda_run_gives_way(struct rda_requester *requester); /* the next run begins */

/*
 * A copy of an older request passes, later than a mirror makes it: a run may have begun with it or
 * before. `ordinal`: of the request before the copy.
 */
void rda_run_copied(struct rda_requester *requester, const struct rda_request *request,
		    uint64_t ordinal);

#endif
