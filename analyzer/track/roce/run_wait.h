/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How soon a requester obeys, and how long its timer takes, as far as its runs of resends tell.
 */
#ifndef RDA_RUN_WAIT_H
#define RDA_RUN_WAIT_H

#include "analyzer/track/roce/requester.h"

/*
 * A run that begins with this packet, or was to begin before, did so that long after its reason,
 * which was `due`; or after a silence, for a timer.
 */
void rda_run_waited(struct rda_requester *requester, const struct rda_request *request,
		    enum rda_trigger trigger, bool due, int64_t wait_ns);

#endif
