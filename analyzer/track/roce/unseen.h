/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READ responses that only the capture missed, as the requester went on: until it asks for them
 * again after all.
 *
 *     A  READ 10-12                       SEND 13 ...  (patience is over)      READ 11 again
 *     B        response 10        12                                                    response 11
 *                          11 is lost     told: the capture missed 11          no: it was lost
 *
 * A requester far behind the capture point, or one that waits for long, asks so late.
 */
#ifndef RDA_UNSEEN_H
#define RDA_UNSEEN_H

#include "analyzer/track/event.h"
#include "analyzer/track/roce/requester.h"
#include "analyzer/track/roce/responder.h"

/* `count` responses from `psn` on never passed, and the requester went on. */
void rda_unseen_tell(struct rda_responder *responder, const struct rda_request *request,
		     int64_t psn, uint32_t count, const struct rda_event_sink *sink);

/* A READ is asked again that waits for nothing, as far as was known. */
void rda_unseen_asked(struct rda_responder *responder, const struct rda_requester *requester,
		      const struct rda_request *request, const struct rda_event_sink *sink);

#endif
