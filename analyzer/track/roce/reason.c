/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See reason.h.
 */
#include "analyzer/track/roce/reason.h"

#include <glib.h>

/* Whether a run that begins here asks again for a READ or ATOMIC. */
static bool asks_again(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, q->begin);

	return index >= 0 && rda_window_at(&r->window, index)->roles & RDA_ROLE_ANSWERED;
}

/* The answer to something behind what is asked again passed: its own was lost on its way from the
 * tap. */
static bool is_implied(const struct rda_requester *r, const struct rda_request *q, int64_t patience)
{
	return (r->answered > q->begin && q->time_ns - r->answered_ns <= patience) ||
	       (r->run_answered > q->begin && q->time_ns - r->run_answered_ns <= patience);
}

bool rda_reason_is_stale(const struct rda_requester *r, const struct rda_request *q)
{
	/* senders round an RNR wait up, and send first what they began; but when it is long over
	 * and all was silent, the RNR NAK did not arrive */
	int64_t since = r->due == RDA_TRIGGER_RNR ? MAX(r->due_ns, r->last_ns) : r->due_ns;

	return q->time_ns - since > rda_requester_patience(r) + 2 * r->due_wait_ns;
}

/* An RNR NAK asked to wait, and that time has not passed. */
static bool waits_for_receiver(const struct rda_requester *r, const struct rda_request *q)
{
	return r->due == RDA_TRIGGER_RNR && q->time_ns - r->due_ns < r->due_wait_ns / 2;
}

enum rda_trigger rda_reason_of(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t oldest = MIN(r->acked, r->incomplete), patience = rda_requester_patience(r);
	bool due = r->due != RDA_TRIGGER_NONE && !rda_reason_is_stale(r, q);
	bool again = asks_again(r, q);

	/* a NAK makes the requester go back to an older READ that is incomplete */
	if (due && (q->begin == r->due_psn ||
		    (q->begin < r->due_psn && again && r->due != RDA_TRIGGER_RNR)))
		return (enum rda_trigger)r->due;
	if (again && is_implied(r, q, patience))
		return RDA_TRIGGER_IMPLIED;
	/* the first of the run was lost before the tap */
	if (due && q->begin > r->due_psn && !waits_for_receiver(r, q))
		return (enum rda_trigger)r->due;
	if (q->begin <= oldest || q->time_ns - r->last_ns >= RDA_MIRROR_NS)
		return RDA_TRIGGER_TIMEOUT;
	return RDA_TRIGGER_UNEXPLAINED;
}

bool rda_reason_remains(const struct rda_requester *r, const struct rda_request *q,
			enum rda_trigger trigger)
{
	if (r->due == RDA_TRIGGER_RNR && trigger != RDA_TRIGGER_RNR)
		return waits_for_receiver(r, q);
	return r->due == RDA_TRIGGER_NAK && trigger != RDA_TRIGGER_NAK && q->begin < r->due_psn &&
	       !rda_reason_is_stale(r, q);
}
