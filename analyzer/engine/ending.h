/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an engine would say if no more packets came: flows are paired, hosts and captures summed,
 * the last checks are done. The engine stays as it is; what is here points into it, and is good
 * until its next packet. result.c makes a value of it.
 */
#ifndef RDA_ENDING_H
#define RDA_ENDING_H

#include "analyzer/engine/state.h"
#include "analyzer/track/pair.h"

struct rda_ending {
	struct rda_capture *captures; /* owned; as many as the engine has */
	bool *timed;		      /* owned; which of them have times */
	struct rda_host *hosts;	      /* owned; by rda_host.index */
	struct rda_pairs pairs;
	struct rda_judge judge; /* the findings, and what the families remember */
};

void rda_ending_make(struct rda_ending *ending, const struct rda_engine *engine);
void rda_ending_cleanup(struct rda_ending *ending);

/* Captures with the frames that other engines have; g_free it. */
struct rda_capture *rda_ending_all_frames(const struct rda_capture *captures,
					  const struct rda_engine *engine);

/* What the account of a flow tells of its hosts is added to them. */
void rda_ending_flow(const struct rda_flow *flow, struct rda_host *sender,
		     struct rda_host *receiver);

/* Whether its QP gave up: known where the requests of a reliable connection were seen. */
void rda_ending_given_up(const struct rda_flow *flow, struct rda_host *sender,
			 const struct rda_whole *whole);

#endif
