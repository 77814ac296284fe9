/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of captures that have nothing to do with each other, or of several taps of one traffic,
 * put side by side: nothing of one is held against anything of another, and what was judged of each
 * stays. What parts of one capture say together: rda_result_merge.
 *
 *     tap a   connections 0 1 2   hosts x y     told: 0 2, x
 *     tap b   connections 0 1     hosts x y     told: 1, y        ---> connections 0 1 2, hosts x y
 *
 * A host of several results is one, with the sums of what is told of it.
 */
#ifndef RDA_JOIN_H
#define RDA_JOIN_H

#include "analyzer/rda.h"

/*
 * A result, and what of it is told: by connection id, by rda_host.index; NULL: all. Its engine has
 * begun a capture for each that the others have read before, and left it empty.
 */
struct rda_joined {
	const struct rda_result *result;
	const bool *connections, *hosts;
};

/* The caller's, to be given to rda_result_free. More than two are joined one after the other. */
struct rda_result *rda_result_join(const struct rda_joined *a, const struct rda_joined *b);

#endif
