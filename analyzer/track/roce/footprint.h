/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * About how much memory a flow takes with all that trackers keep of it: nothing is counted as it is
 * allocated, so that packets cost nothing more; whoever bounds memory asks from time to time.
 */
#ifndef RDA_FOOTPRINT_H
#define RDA_FOOTPRINT_H

#include "analyzer/track/flow.h"

/* What malloc adds to each allocation. */
#define RDA_FOOTPRINT_BLOCK 16

/* Bytes, without its memory keys (key_track.h), stream of iWARP and upper layer. */
uint64_t rda_footprint_flow(const struct rda_flow *flow);

/*
 * A look ahead (engine/ahead.h): an account (NULL: none) is brought into the caches; and once it is
 * there, what it points to.
 */
void rda_footprint_fetch(const struct rda_account *account);
void rda_footprint_fetch_rest(const struct rda_account *account);

/* No more packets come: requests of which there is nothing to tell are forgotten. */
void rda_footprint_spend(struct rda_account *account); /* may be NULL */

#endif
