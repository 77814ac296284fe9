/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was lost between taps, judged.
 */
#ifndef RDA_TAPS_LOSS_H
#define RDA_TAPS_LOSS_H

#include "analyzer/taps/taps.h"

/*
 * Adds what hops say to the findings of the result of all taps, in which connections have the ids
 * that hops name. A hop whose direction is not known says nothing: its packets may have taken the
 * other way.
 */
void rda_taps_loss(const struct rda_taps *taps, struct rda_result *result);

#endif
