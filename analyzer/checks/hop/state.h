/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this family share.
 */
#ifndef RDA_HOP_STATE_H
#define RDA_HOP_STATE_H

#include "analyzer/checks/hop/hop.h"

/* What is told of a way that may have made somebody send again; NULL: that did not happen. */
struct rda_hop_told {
	struct rda_finding *lost, *damaged, *overtaken; /* H01, H02, H03 */
};

/*
 * Finds what followed from it among the findings of the told tap: they are explained by it from now
 * on, and it has what they cost. Nothing that something else explains.
 */
void rda_hop_effects(struct rda_judge *judge, const struct rda_hop_way *way,
		     const struct rda_hop_told *told);

#endif
