/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, the CRCs: F01, F02, F03.
 *
 * Of one ICRC that does not fit nobody can tell whether the packet was damaged or captured before
 * the ICRC was put in. So failures are kept by their source (icrc_source.h) and told at the end.
 */
#ifndef RDA_CHECKS_FRAME_CRC_H
#define RDA_CHECKS_FRAME_CRC_H

#include "analyzer/checks/judge.h"

/*
 * Sources whose failures are kept apart; those past it are one for each capture. Damage may make
 * any number of addresses up.
 */
#define RDA_FAILED_SOURCES_MAX 4096

struct rda_failed_crcs {
	struct rda_table sources; /* of ICRCs */
	struct rda_table links;	  /* VCRCs, by capture */
};

void rda_failed_crcs_init(struct rda_failed_crcs *failed, uint64_t hash_seed);
void rda_failed_crcs_cleanup(struct rda_failed_crcs *failed);

/* A packet of which one CRC or both do not fit. */
RDA_COLD void rda_failed_crcs_packet(struct rda_failed_crcs *failed, const struct rda_at *at);

/* Tells what was found. */
void rda_failed_crcs_end(const struct rda_failed_crcs *failed, struct rda_judge *judge);

#endif
