/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, packets of which a CRC does not fit: by who sent them, and what became of them.
 *
 *     damaged ---- captured ----> asked for, or sent, once more      refused
 *                                 acknowledged, and no whole one     taken: what the receiver got
 *                                                                    was not damaged
 *                                 neither                            open
 *
 * Of one ICRC that does not fit nobody can tell whether the packet was damaged or captured before
 * the ICRC was put in. So failures are kept by their source (icrc_source.h) and told at the end.
 */
#ifndef RDA_CHECKS_FRAME_DAMAGED_H
#define RDA_CHECKS_FRAME_DAMAGED_H

#include "analyzer/checks/judge.h"

/*
 * Sources whose failures are kept apart; those past it are one for each capture. Damage may make
 * any number of addresses up.
 */
#define RDA_FAILED_SOURCES_MAX 4096

/* Damaged packets that are followed at once; where more come, what is open then stays so. */
#define RDA_FOLLOWED_MAX 4096

enum rda_fate {
	RDA_FATE_OPEN,
	RDA_FATE_REFUSED,
	RDA_FATE_TAKEN,
	RDA_FATES,
};

struct rda_failure {
	uint64_t place;
	uint32_t stored, computed;
};

/* The first cases of one kind, in order. */
struct rda_failures {
	uint64_t count;
	uint32_t kept;
	struct rda_failure of[RDA_FINDING_FRAMES];
};

/* The same, by what became of the packets. */
struct rda_failed {
	struct rda_failures by_fate[RDA_FATES];
};

struct rda_failed_source {
	struct rda_icrc_key key; /* first: the table's key; without an address: all the others */
	struct rda_failed mismatched; /* damage, if the source is known to send good ones */
	struct rda_failed damaged;    /* the IP header's checksum fails too: damage in any case */
	uint64_t first_place;
	int64_t flow; /* that carried them: its index; -1: none is known */
	bool flows_differ;
};

struct rda_failed_link {
	uint32_t capture; /* first: the table's key */
	struct rda_failures failures;
};

struct rda_failed_crcs {
	struct rda_table sources;  /* of ICRCs */
	struct rda_table links;	   /* VCRCs, by capture */
	struct rda_table followed; /* packets of sources, of which it may be known yet; by place */
};

void rda_failed_crcs_init(struct rda_failed_crcs *failed, uint64_t hash_seed);
void rda_failed_crcs_cleanup(struct rda_failed_crcs *failed);

/* A packet of which one CRC or both do not fit. */
RDA_COLD void rda_failed_crcs_packet(struct rda_failed_crcs *failed, const struct rda_at *at);

/* What became of requests that are followed, as a packet of a flow that is not damaged tells. */
RDA_COLD void rda_failed_crcs_settle(struct rda_failed_crcs *failed, const struct rda_at *at);

/* Whether there are any. */
static inline bool rda_failed_crcs_follow(const struct rda_failed_crcs *failed)
{
	return failed->followed.count != 0;
}

/* Flows have other indices. */
void rda_failed_crcs_retire(struct rda_failed_crcs *failed, const struct rda_whole *whole,
			    const struct rda_moved *moved);
void rda_failed_crcs_join(struct rda_failed_crcs *to, const struct rda_failed_crcs *from,
			  const struct rda_moved *moved);

/* Of two kinds, or of all fates. */
struct rda_failures rda_failures_together(const struct rda_failures *a,
					  const struct rda_failures *b);
struct rda_failed rda_failed_together(const struct rda_failed *a, const struct rda_failed *b);
struct rda_failures rda_failed_all(const struct rda_failed *failed);

#endif
