/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of flows that a test has in an array, as those who ask for a result's get them.
 */
#ifndef RDA_FLOW_LIST_H
#define RDA_FLOW_LIST_H

#include "analyzer/rda.h"

#define RDA_FLOW_LIST 64

/* Pointers to `count` of them, RDA_FLOW_LIST at most; valid until the next call. */
static inline struct rda_flow_facts *const *rda_flow_list(const struct rda_flow_facts *flows,
							  uint32_t count)
{
	static struct rda_flow_facts *list[RDA_FLOW_LIST];

	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct rda_flow_facts *)(uintptr_t)&flows[i]; /* nobody writes */
	return list;
}

#endif
