/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many PSNs the READs of a requester take (IBA 9.4.4), where that could not be told when they
 * were sent: the MTU was not known, or the RETH was cut. The next new request begins behind the
 * READ, what repeats it may tell, or a response does (read_span.h).
 */
#ifndef RDA_REQUEST_SPAN_H
#define RDA_REQUEST_SPAN_H

#include "analyzer/track/roce/requester.h"

/*
 * The span of a READ was guessed: it is asked again now that it can be told, or something else lies
 * in it.
 */
void rda_request_span_mend(struct rda_requester *requester, const struct rda_request *request,
			   const struct rda_event_sink *sink);

/*
 * A READ whose span could not be told when it was sent: the next new request begins behind it. What
 * no MTU gives to the READ was missed, or comes late.
 */
void rda_request_span_settle(struct rda_requester *requester, const struct rda_request *request);

/* A damaged packet takes what seems to be the next PSN, which may be one of the latest READ's. */
void rda_request_span_covered(struct rda_requester *requester);

/* A READ that was sent before and is longer than it looked then takes new PSNs as well. */
void rda_request_span_new_part(struct rda_requester *requester, const struct rda_request *request);

/*
 * A response tells that the latest request, a READ of unknown span, ends at `end`; `guessed`: it
 * may be the response to another READ, sent before the capture.
 */
void rda_request_span_ends(struct rda_requester *requester, int64_t end, bool guessed);

/*
 * The READ at `begin`, whose span was not known, ends at `end`: the hole behind it shrinks or
 * grows. Returns how many requests passed since when it grew.
 */
uint64_t rda_request_span_told(struct rda_requester *requester, int64_t begin, int64_t end);

/* Whether what did not pass, the record at `index`, may be of the READ before it, of which nothing
 * told the span, or that came damaged: then what it was is not known. */
bool rda_request_span_may_have(const struct rda_requester *requester, uint32_t index);

#endif
