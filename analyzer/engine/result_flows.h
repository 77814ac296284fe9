/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of an engine's flows, for its result.
 */
#ifndef RDA_RESULT_FLOWS_H
#define RDA_RESULT_FLOWS_H

#include "analyzer/engine/result_state.h"
#include "analyzer/engine/state.h"
#include "analyzer/track/pair.h"

/* `spent`: nobody asks for the flows any more, and they are freed, but for those that flows of
 * other connections know: the engine's table has NULL in their places. */
void rda_result_take_flows(struct rda_result *result, struct rda_engine *engine,
			   const struct rda_pairs *pairs, bool spent);

#endif
