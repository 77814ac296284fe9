/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of group W, by what they look at: what check_iwarp.c calls of check_mpa.c, check_ddp.c,
 * check_rdmap.c, check_terminate.c and check_stag.c. What they share is check_iwarp_case.h.
 */
#ifndef RDA_CHECKS_IWARP_PARTS_H
#define RDA_CHECKS_IWARP_PARTS_H

#include "analyzer/checks/iwarp/state.h"

/* check_mpa.c */
void rda_check_mpa_start(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start);
void rda_check_mpa_fpdu(const struct rda_iwarp_case *c);

/* check_ddp.c */
void rda_check_ddp_fpdu(const struct rda_iwarp_case *c);

/* check_rdmap.c */
void rda_check_rdmap_fpdu(const struct rda_iwarp_case *c);

/* check_terminate.c */
void rda_check_terminate_fpdu(const struct rda_iwarp_case *c);

/* check_stag.c */
void rda_check_stag_free(struct rda_judge *judge);
void rda_check_stag_fpdu(const struct rda_iwarp_case *c);
/* An STag that a Terminate calls invalid. */
void rda_check_stag_not_valid(const struct rda_iwarp_case *c, uint32_t stag);

#endif
