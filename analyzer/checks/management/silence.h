/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of conversations as a whole, once all packets were seen: messages that nobody answered,
 * and hosts that begin too many of them.
 */
#ifndef RDA_CHECKS_MANAGEMENT_SILENCE_H
#define RDA_CHECKS_MANAGEMENT_SILENCE_H

#include "analyzer/checks/judge.h"

/*
 * A host that asks for more connections than this within a second, or for so many that come to
 * nothing: Linux needs about a millisecond for each, and a job of a thousand processes on a host
 * does not connect them all in one second.
 */
#define RDA_CHURN_PER_SECOND 1000
#define RDA_CHURN_FAILED     100

void rda_management_silences(struct rda_judge *judge);

#endif
