/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest requests of a flow in the order in which they were sent, where that is known
 * (sending_order.h), each appearance for itself:
 *
 *     place   17 18 19 20 | 23 24 | 25 26
 *     PSN      5  6  7  8 |  6  7 |  6  8
 *
 * PSNs go up within a run: where one does not lie above the one before it, a run begins. What comes
 * late finds its neighbours here.
 *
 * What is new and in order is taken from the window, when something else passes.
 */
#ifndef RDA_SENT_LOG_H
#define RDA_SENT_LOG_H

#include "analyzer/track/roce/requester.h"

/* More are not remembered. */
#define RDA_SENT_LOG_CAP 1024

struct rda_logged {
	int64_t place, psn, time_ns;
	uint64_t frame; /* its place (meta.h) */
	int64_t begin;	/* the PSNs from here to its own were sent between the one before it and it,
			   and did not come; or RDA_LOGGED_ANEW; unshown.c writes */
};

/* Nobody has looked yet what was sent before it. */
#define RDA_LOGGED_ANEW INT64_MIN

struct rda_sent_log {
	int64_t forgotten; /* nothing above this PSN was; INT64_MIN: nothing at all */
	int64_t next;	   /* what is new from here on has not been taken from the window */
	int64_t since; /* all that passed from this place on is here; INT64_MAX: from the next */
	uint32_t count, allocated;
	struct rda_logged items[]; /* in order of place */
};

/* The place of the latest appearance of a record in the order of sending. */
static inline int64_t rda_sent_place(const struct rda_requester *requester,
				     const struct rda_sent *record)
{
	return rda_sending_order_place(&requester->order, record->ip_id);
}

/* What has passed since the last one was logged; before a request that is not new is taken. Nothing
 * where its place is not known. */
void rda_sent_log_catch_up(struct rda_requester *requester, int64_t place);

/* That request, when it has been taken, if its place is known. */
void rda_sent_log_add(struct rda_requester *requester, const struct rda_request *request,
		      int64_t place);

/* What was sent before a place, as far as it has passed; NULL: nothing. */
const struct rda_logged *rda_sent_log_before(const struct rda_requester *requester, int64_t place);

/* What has passed with just this PSN and place; NULL: nothing that is remembered. */
const struct rda_logged *rda_sent_log_at(const struct rda_requester *requester, int64_t place,
					 int64_t psn);

/* The latest of what has passed with this PSN and a place in [from, to); NULL: none that is
 * remembered. */
const struct rda_logged *rda_sent_log_last(const struct rda_requester *requester, int64_t psn,
					   int64_t from, int64_t to);

/* Whether a PSN, or one above it, was sent before a place. */
bool rda_sent_log_reached(const struct rda_requester *requester, int64_t place, int64_t psn);

#endif
