/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A and M: requesters that gave up (track/roce/giveup.h).
 */
#ifndef RDA_CHECKS_ANSWER_GIVEUP_H
#define RDA_CHECKS_ANSWER_GIVEUP_H

#include "analyzer/checks/answer/state.h"

/* S04 tells of the same timeouts: it becomes a note when it has no others. */
void rda_giveup_tells_of_timeouts(struct rda_judge *judge, const struct rda_flow *flow,
				  enum rda_check by);

/* The findings. */
void rda_giveup_end(struct rda_judge *judge, const struct rda_flow *flow,
		    const struct rda_gave_up *gave_up);

void rda_giveup_overall(struct rda_judge *judge);

#endif
