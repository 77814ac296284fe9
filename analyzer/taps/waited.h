/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that taps have parted, put into the sums of time and into what is said of them.
 */
#ifndef RDA_TAPS_WAITED_H
#define RDA_TAPS_WAITED_H

#include "analyzer/taps/taps.h"

/* `result` is that of all taps, in which connections have the ids that waits name; its findings are
 * to be ranked anew. */
void rda_taps_waited(const struct rda_taps *taps, struct rda_result *result);

#endif
