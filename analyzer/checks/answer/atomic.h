/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ATOMICs: what their results prove, and how many of them and of READs are under way.
 *
 *     FetchAdd 7  ->  result 0     FetchAdd 7  ->  result 7     each result is what the one before
 *                                                               left, if nobody else writes there
 *
 * A word of memory is known by the responder, the r_key and the address. Its value is known while
 * the ATOMICs of one flow at a time change it; WRITEs to the same place end that for good.
 */
#ifndef RDA_CHECKS_ANSWER_ATOMIC_H
#define RDA_CHECKS_ANSWER_ATOMIC_H

#include "analyzer/checks/answer/state.h"

/* Words of memory that are followed; later ones are not. */
#define RDA_CELLS_MAX 65536

/* Of a capture: the words of memory. */
struct rda_cells {
	struct rda_table words;	  /* struct rda_cell */
	struct rda_table regions; /* struct rda_cell_region: where WRITEs went, by key */
	uint64_t not_followed;
};

void rda_cells_init(struct rda_cells *cells, uint64_t seed);
void rda_cells_cleanup(struct rda_cells *cells);

/* A request: an ATOMIC, a READ, or a WRITE with its RETH. */
RDA_COLD void rda_atomic_request(const struct rda_at *at, struct rda_cells *cells,
				 struct rda_answer_watch *watch);

/* The result of an ATOMIC; `psn` is widened. */
void rda_atomic_response(const struct rda_at *at, struct rda_cells *cells,
			 struct rda_answer_watch *watch, int64_t psn);

/* All packets were seen: what of the requests of a flow was not told yet. */
void rda_atomic_end(struct rda_judge *judge, const struct rda_flow *flow);

#endif
