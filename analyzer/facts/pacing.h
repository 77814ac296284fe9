/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By what receivers pace their CNPs: a NIC sends the next one a while after the latest to the same
 * QP, to the same host, or out of the same port, and has a mark pass without one till then.
 *
 *     marks of QP 1    x x x x x x x x
 *     marks of QP 2     x x x x x x x x
 *     CNPs, per QP     1 2     1 2     1 2        per port     1       2       1
 *
 * For each of the three the least gap of its CNPs is taken for the pace, and it is counted how many
 * CNPs these marks would have had by it. The one that comes to what was seen is it, if no other
 * does. A function of values, so parts may be merged first.
 */
#ifndef RDA_PACING_H
#define RDA_PACING_H

#include "analyzer/rda.h"

/* Owned: of each host that sent enough CNPs, in order of its address, tap by tap. */
struct rda_pacings {
	struct rda_pacing *list;
	uint32_t count;
};

void rda_pacings_of(struct rda_pacings *pacings, struct rda_flow_facts *const *flows,
		    uint32_t flow_count);
void rda_pacings_cleanup(struct rda_pacings *pacings);

/* What a CNP is sent for once in a while, as a word of a sentence: "QP", "port"; NULL: not known.
 */
const char *rda_pacing_words(uint8_t pacing);

#endif
