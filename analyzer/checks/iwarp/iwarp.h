/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group W: iWARP.
 */
#ifndef RDA_CHECKS_IWARP_IWARP_H
#define RDA_CHECKS_IWARP_IWARP_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/iwarp/iwarp.h"
#include "analyzer/track/iwarp/rdmap_track.h"

void rda_check_iwarp_begin(struct rda_judge *judge);
void rda_check_iwarp_free(struct rda_judge *judge);
void rda_check_iwarp_forget(struct rda_flow *flow); /* frees what is watched of it */

/* A request or reply frame; an FPDU; bytes that are none; any segment of the connection. */
void rda_check_iwarp_start(struct rda_judge *judge, const struct rda_iwarp_at *at,
			   const struct rda_mpa_start_seen *start);
void rda_check_iwarp_fpdu(struct rda_judge *judge, const struct rda_iwarp_at *at,
			  const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step);
void rda_check_iwarp_lost(struct rda_judge *judge, const struct rda_iwarp_at *at, bool hole);
void rda_check_iwarp_segment(struct rda_judge *judge, const struct rda_iwarp_at *at);

/* Once all packets were seen: for each connection, then once. */
void rda_check_iwarp_connection(struct rda_judge *judge, const struct rda_connection *connection);
void rda_check_iwarp_end(struct rda_judge *judge);

#endif
