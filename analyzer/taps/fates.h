/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of packets between taps, judged.
 */
#ifndef RDA_TAPS_FATES_H
#define RDA_TAPS_FATES_H

#include "analyzer/taps/taps.h"

/*
 * Adds what hops say to the findings of the result of all taps, in which connections have the ids
 * that hops name. A hop whose direction is not known says nothing: its packets may have taken the
 * other way.
 */
void rda_taps_fates(const struct rda_taps *taps, struct rda_result *result);

#endif
