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

#endif
