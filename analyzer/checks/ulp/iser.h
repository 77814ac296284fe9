/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iSCSI over RDMA: commands of SCSI that failed, and what iSCSI itself refused.
 */
#ifndef RDA_CHECKS_ULP_ISER_H
#define RDA_CHECKS_ULP_ISER_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

/* The answer has an error. */
void rda_check_iser_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer);

#endif
