/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SRP: commands of SCSI that failed, and what SRP itself refused. A refused login is told with the
 * REJ that carries it (M03).
 */
#ifndef RDA_CHECKS_ULP_SRP_H
#define RDA_CHECKS_ULP_SRP_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

/* The answer has an error. */
void rda_check_srp_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer);

#endif
