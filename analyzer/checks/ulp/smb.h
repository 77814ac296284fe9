/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMB Direct: commands that failed.
 */
#ifndef RDA_CHECKS_ULP_SMB_H
#define RDA_CHECKS_ULP_SMB_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

/* The answer has an error. */
void rda_check_smb_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer);

/* The connection ended, or the capture. */
void rda_check_smb_connection(struct rda_judge *judge, const struct rda_ulp *ulp);

#endif
