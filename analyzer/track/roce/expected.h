/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PSN a responder expects, as far as the requests tell that pass the tap toward it:
 *
 *     PSN               12  10  11  12 | 10  11
 *     expected   (10)       11  12  13 | 13  13
 *                ahead                 | duplicates
 *
 * What passes is taken for what arrives, and in that order. The first packet of all begins the
 * count, until one comes that it overtook. What a timer's run repeats before anything was answered
 * tells nothing (again.h). What the responder says puts the PSN right, which is responder.c's part:
 * an ACK proves it (prove), a NAK makes it fall back unless the request came since.
 */
#ifndef RDA_EXPECTED_H
#define RDA_EXPECTED_H

#include "analyzer/track/roce/responder.h"

/* rda_expected_request, whatever passes. */
void rda_expected_any(struct rda_responder *responder, const struct rda_requester *requester,
		      const struct rda_request *request, enum rda_request_kind kind);

/* A request passes, which the requester's account has taken as `kind`. */
static inline void rda_expected_request(struct rda_responder *responder,
					const struct rda_requester *requester,
					const struct rda_request *request,
					enum rda_request_kind kind)
{
	if (kind != RDA_REQUEST_NEW || request->begin != responder->at.expected) {
		rda_expected_any(responder, requester, request, kind);
		return;
	}
	responder->at.expected = request->end;
	responder->at.ahead = 0;
}

/*
 * What appeared in order behind the packet that is known to have arrived arrived too, as far as is
 * known: up to a hole, or to what was sent before it and not again.
 */
void rda_expected_catch_up(struct rda_responder *responder, const struct rda_requester *requester);

/*
 * The READ at `begin`, which was taken for one of a single PSN, takes those up to `end`: what came
 * behind it was in its turn, perhaps, as far as that was expected next.
 */
void rda_expected_span(struct rda_responder *responder, const struct rda_requester *requester,
		       int64_t begin, int64_t end);

/* The responder expects `psn`: what passed behind it was dropped. */
void rda_expected_fall_back(struct rda_responder *responder, struct rda_requester *requester,
			    int64_t psn);

/*
 * A NAK crossed the latest appearance of what it names, `record`: that was taken, and so was what
 * followed it, for new. They had looked like duplicates.
 */
void rda_expected_repeat(struct rda_responder *responder, const struct rda_requester *requester,
			 const struct rda_sent *record);

#endif
