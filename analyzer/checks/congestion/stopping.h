/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses by one sender of one priority on a time line: how long they stop a link of some speed.
 *
 *     XOFF ....stopped....|     XOFF ..stopped.. XON
 *          as long as asked            until released
 */
#ifndef RDA_CHECKS_CONGESTION_STOPPING_H
#define RDA_CHECKS_CONGESTION_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

/* A storm: stopped for more than half of this, or asked to be for so long without a pause. */
#define RDA_STORM_NS 100000000

enum { RDA_STORM_SLICES = 4 }; /* a power of two */

/* What the pauses come to on a link of one speed. */
struct rda_stopping {
	int64_t from_ns, until_ns;	     /* stopped; equal: it is not */
	int64_t stopped_ns;		     /* in all */
	int64_t span_ns, longest_ns;	     /* up to from_ns without a pause; the most of these */
	int64_t slice;			     /* the latest */
	int64_t slices_ns[RDA_STORM_SLICES]; /* stopped in it and in those before */
	int64_t most_ns;		     /* stopped within RDA_STORM_NS */
};

/* One more is asked for, or the release: for so long from now on. */
void rda_stopping_ask(struct rda_stopping *stop, int64_t now, int64_t holds_ns);

/* What was asked before is over, or replaced by this. */
void rda_stopping_end(struct rda_stopping *stop, int64_t now);

static inline bool rda_stopping_is_storm(const struct rda_stopping *stop)
{
	return stop->most_ns > RDA_STORM_NS / 2;
}

#endif
