/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The READs and ATOMICs (and FLUSHes, ATOMIC WRITEs) of one direction that wait for responses.
 *
 * A READ of n packets takes n PSNs, and its responses carry them in order. When one is missing the
 * requester asks again from there: a READ whose first PSN lies inside the original's. So
 *
 *     READ 10-17     10 11 .. 13 14      12 is missing: 13 is an implied NAK
 *     READ 12-17           12 13 14 ...  asked again: response 12 was lost before this tap
 *
 * What is missing at the end of an answer that stopped was lost too: a responder sends all of
 * it. A response that comes more often than it was asked for had not been lost, but came late; so
 * losses are told when nothing came late for a while.
 *
 * When the requester asks again for a response that did pass the tap, it was lost behind it.
 */
#ifndef RDA_PENDING_H
#define RDA_PENDING_H

#include "analyzer/track/roce/responder.h"

/* A request that wants a response, new or again. */
void rda_pending_request(struct rda_responder *responder, struct rda_requester *requester,
			 const struct rda_request *request, enum rda_request_kind kind,
			 const struct rda_event_sink *sink);

/*
 * A new request, while others wait. If an answer to something behind the oldest came long ago and
 * it is not asked for again, the requester has what it wants: only this capture missed it.
 */
void rda_pending_overdue(struct rda_responder *responder, struct rda_requester *requester,
			 const struct rda_request *request, const struct rda_event_sink *sink);

/* A READ or ATOMIC response; `psn` is widened. False: nothing that waits asked for it. */
bool rda_pending_response(struct rda_responder *responder, struct rda_requester *requester,
			  int64_t psn, const struct rda_response *response,
			  const struct rda_event_sink *sink);

/* A positive ACK of `psn`: what waits below it has missed its response. */
void rda_pending_passed(struct rda_responder *responder, struct rda_requester *requester,
			int64_t psn, const struct rda_response *response);

#endif
