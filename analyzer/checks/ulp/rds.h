/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RDS: messages that were never acknowledged, and ports that had no room for them.
 */
#ifndef RDA_CHECKS_ULP_RDS_H
#define RDA_CHECKS_ULP_RDS_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

/* U04, of `count` messages that asked for an acknowledgement, `first` being the oldest. */
void rda_say_rds_unacknowledged(struct rda_judge *judge, struct rda_finding *f,
				const struct rda_ulp *ulp, const struct rda_ulp_command *first,
				uint64_t count, int64_t waited_ns);

/* The connection ended, or the capture. */
void rda_check_rds_connection(struct rda_judge *judge, const struct rda_ulp *ulp);

#endif
