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

/* It precedes all that passed, and nothing was answered: the first packet here may have overtaken
 * it, instead of being sent again for a NAK. */
bool rda_run_may_be_late(const struct rda_requester *requester, const struct rda_request *request);

/* Right behind the run's first packet that one comes again which follows it. */
bool rda_run_goes_on_at_once(const struct rda_requester *requester,
			     const struct rda_request *request);

/*
 * A copy of an older request passes, later than a mirror makes it: a run may have begun with it or
 * before. `ordinal`: of the request before the copy.
 */
void rda_run_copied(struct rda_requester *requester, const struct rda_request *request,
		    uint64_t ordinal);

#endif
