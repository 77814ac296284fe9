/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group U: upper layers. What all of them have is judged here; what one of them has in a file of
 * its name.
 */
#ifndef RDA_CHECKS_ULP_ULP_H
#define RDA_CHECKS_ULP_ULP_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

/* A command was answered; an error is told by a check of its protocol. */
void rda_check_ulp_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer);

/* A case that an answer shows; `usual`: such answers come up every day, and harm nobody: a note. */
struct rda_finding *rda_ulp_find_answer(struct rda_judge *judge,
					const struct rda_ulp_answer *answer, enum rda_check check,
					bool usual);

#endif
