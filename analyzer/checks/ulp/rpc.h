/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RPC over RDMA: calls that were refused, and operations of NFS that failed.
 */
#ifndef RDA_CHECKS_ULP_RPC_H
#define RDA_CHECKS_ULP_RPC_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

/* The answer has an error. */
void rda_check_rpc_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer);

#endif
