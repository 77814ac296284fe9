/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings of a result that follow from what no packet of it tells, such as the counters of NICs or
 * another tap: found by whoever knows that, once the result is there, and weighed and ranked with
 * the others.
 */
#ifndef RDA_LATER_H
#define RDA_LATER_H

#include "analyzer/checks/finding.h"

struct rda_result;

/* One more case of a check of group N about the host with this rda_host.index. Not NULL. */
struct rda_finding *rda_result_find_later(struct rda_result *result, enum rda_check check,
					  uint32_t host);

/* What became of packets between taps, in a result of all of them. */
struct rda_hop_way;
void rda_result_add_way(struct rda_result *result, const struct rda_hop_way *way);

/* How the waits of a direction are parted by taps, in such a result; after the last of them the
 * time of hosts and captures is made anew. */
struct rda_hop_waits;
void rda_result_part_waits(struct rda_result *result, const struct rda_hop_waits *waits);
void rda_result_parted_waits(struct rda_result *result);

/* That was all: --check applies to them too, and all findings are ranked anew. */
void rda_result_found_later(struct rda_result *result);

#endif
