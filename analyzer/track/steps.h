/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of one direction as steps of a collective: the first RDA_STEPS_KEPT of those that were
 * acknowledged. Libraries end a step with immediate data (NCCL) or send it as one message; so from
 * the first WRITE with immediate data on others count as parts of the step that one ends.
 */
#ifndef RDA_STEPS_H
#define RDA_STEPS_H

#include "analyzer/track/flow.h"

/* A message that was completed. */
void rda_steps_take(struct rda_flow *flow, const struct rda_exchange *exchange);

/* Both take NULL. */
struct rda_steps *rda_steps_copy(const struct rda_steps *steps);
void rda_steps_free(struct rda_steps *steps);

#endif
