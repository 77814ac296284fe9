/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group W: iWARP.
 */
#ifndef RDA_CHECKS_IWARP_IWARP_H
#define RDA_CHECKS_IWARP_IWARP_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/iwarp/iwarp.h"
#include "analyzer/track/iwarp/rdmap_track.h"

/* A request or reply frame; an FPDU; bytes that are none; any segment of the connection; what
 * became of one whose checksum does not fit. */
void rda_check_iwarp_start(struct rda_judge *judge, const struct rda_iwarp_at *at,
			   const struct rda_mpa_start_seen *start);
void rda_check_iwarp_fpdu(struct rda_judge *judge, const struct rda_iwarp_at *at,
			  const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step);
void rda_check_iwarp_lost(struct rda_judge *judge, const struct rda_iwarp_at *at, bool hole);
void rda_check_iwarp_segment(struct rda_judge *judge, const struct rda_iwarp_at *at);
void rda_check_iwarp_damage(struct rda_judge *judge, const struct rda_iwarp_at *at, uint64_t place,
			    bool accepted);

/* When a FIN or RST of one of the two sides ended a connection of iWARP; INT64_MAX: none did. */
int64_t rda_iwarp_closed_ns(const struct rda_connection *connection);

#endif
