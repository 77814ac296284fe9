/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a requester goes back: a NAK, an RNR NAK, an answer that is missing (an implied NAK), a
 * timer; IBTA vol 1, 9.7.5.2, 9.7.6.1.3. The likeliest of them.
 */
#ifndef RDA_RUN_REASON_H
#define RDA_RUN_REASON_H

#include "analyzer/track/roce/requester.h"

/* The reason of a run that begins with this packet, of which rda_run_cause_recall was told. */
enum rda_trigger rda_run_reason(const struct rda_requester *requester,
				const struct rda_request *request);

/* Since when nothing was sent, and nothing new was answered. */
int64_t rda_run_silent_since(const struct rda_requester *requester,
			     const struct rda_request *request);

/* What is due was said too long ago to be what a resend follows. */
bool rda_run_is_stale(const struct rda_requester *requester, const struct rda_request *request);

/*
 * A NAK that came while the run at hand went on asks for just this, and says that all below it
 * arrived: the run did not jump over what lies between, another one begins.
 */
bool rda_run_is_asked(const struct rda_requester *requester, const struct rda_request *request);

#endif
