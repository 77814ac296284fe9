/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a requester begins to send again: what the responder said and the requester can have heard by
 * then, or else a timer.
 */
#ifndef RDA_REASON_H
#define RDA_REASON_H

#include "analyzer/track/roce/requester.h"

/* Why a run begins with this packet. */
enum rda_trigger rda_reason_of(const struct rda_requester *requester,
			       const struct rda_request *request);

/* What is due was said too long ago to be what a resend follows. */
bool rda_reason_is_stale(const struct rda_requester *requester, const struct rda_request *request);

/*
 * A run began for another reason, below what is due or before its time, and what is due had not
 * reached the requester then: another run follows.
 */
bool rda_reason_remains(const struct rda_requester *requester, const struct rda_request *request,
			enum rda_trigger trigger);

#endif
