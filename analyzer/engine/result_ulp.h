/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upper layers in a result: made of an engine's, asked, merged, freed.
 */
#ifndef RDA_RESULT_ULP_H
#define RDA_RESULT_ULP_H

#include "analyzer/engine/ending.h"
#include "analyzer/engine/merge_part.h"

void rda_result_take_ulps(struct rda_result *result, const struct rda_engine *engine,
			  const struct rda_ending *ending);
void rda_result_free_ulps(struct rda_result *result);

/* Those of both, once the connections are merged. */
void rda_merge_ulps(struct rda_result *to, const struct rda_part part[2]);

#endif
