/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVMe over RDMA: commands that failed, and hosts that let the keep-alive timer expire.
 */
#ifndef RDA_CHECKS_ULP_NVME_H
#define RDA_CHECKS_ULP_NVME_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

void rda_check_nvme_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer);
/* `closed_ns`: when TCP ended it; INT64_MAX: it did not. */
void rda_check_nvme_connection(struct rda_judge *judge, const struct rda_ulp *ulp,
			       int64_t closed_ns);

#endif
