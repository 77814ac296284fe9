/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands of SCSI that failed, whatever carries them.
 */
#ifndef RDA_CHECKS_ULP_SCSI_H
#define RDA_CHECKS_ULP_SCSI_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/ulp/ulp.h"

/* The answer has an error of SCSI's own (rda_scsi_status); tags have so many digits. */
void rda_check_scsi_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer,
			   unsigned tag_digits);

#endif
