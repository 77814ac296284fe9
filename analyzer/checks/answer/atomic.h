/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ATOMICs: what their results prove.
 *
 *     FetchAdd 7  ->  result 0     FetchAdd 7  ->  result 7     each result is what the one before
 *                                                               left, if nobody else writes there
 *
 * A word of memory is known by its memory key (of a responder) and the address. Its value is known
 * while the ATOMICs of one flow at a time change it; WRITEs to the same place end that for good.
 * Whoever uses the key counts, so all is told by events of keys (key_event.h).
 */
#ifndef RDA_CHECKS_ANSWER_ATOMIC_H
#define RDA_CHECKS_ANSWER_ATOMIC_H

#include "analyzer/checks/judge.h"

/* Words of memory that are followed; later ones are not. */
#define RDA_CELLS_MAX 65536

/* ATOMICs of a flow whose results are remembered, to compare that of a resend. */
#define RDA_ATOMICS_KEPT 16

/* Of a capture. */
struct rda_atomics {
	struct rda_table flows;	  /* struct rda_atomic_watch */
	struct rda_table cells;	  /* struct rda_cell: words of memory */
	struct rda_table regions; /* struct rda_cell_region: where WRITEs went, by key */
};

void rda_atomics_init(struct rda_atomics *atomics, uint64_t seed);
void rda_atomics_cleanup(struct rda_atomics *atomics);

/* An event of a key, and what it was to the ledger. */
void rda_atomics_take(struct rda_judge *judge, struct rda_atomics *atomics,
		      const struct rda_key_event *event, const struct rda_key_news *news);

#endif
