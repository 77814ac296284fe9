/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READ and ATOMIC responses that passed the tap, and that the requester lacked all the same.
 *
 * A run begins with asking again for a response that did pass the tap, and for none that is older:
 * it was lost behind, if something behind it passed later and the run can be the reaction to that,
 * or it had the time to arrive and only what is missing is asked for:
 *
 *     requester    tap    responder
 *        |----------|---------->|   READ 10-12
 *        |   x------|<----------|   response 11   passes the tap, and is lost behind it
 *        |<---------|-----------|   response 12
 *        |----------|---------->|   READ 11-12    asks again for what the requester lacks
 *
 * What never passed the tap is owed.h's.
 */
#ifndef RDA_LOST_BEHIND_H
#define RDA_LOST_BEHIND_H

#include "analyzer/track/roce/responder.h"

/* A request that asks again, when the run that it may begin has begun: tells of the response that
 * it begins with (RDA_EVENT_RESPONSE_LOST_AFTER) and counts it, if it was lost behind the tap. */
void rda_lost_behind(struct rda_responder *responder, const struct rda_requester *requester,
		     const struct rda_request *request, const struct rda_event_sink *sink);

#endif
