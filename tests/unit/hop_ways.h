/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A direction between two taps, of which tests say what became of its packets.
 */
#ifndef RDA_TEST_HOP_WAYS_H
#define RDA_TEST_HOP_WAYS_H

#include "analyzer/checks/hop/hop.h"

/* Of the direction, and of the other one; what both are of. */
enum { RDA_WAY_FLOW = 4, RDA_WAY_OTHER = 7, RDA_WAY_CONNECTION = 2, RDA_WAY_SIDE = 1 };

/* Frames at both taps in turn. */
#define RDA_WAY_PLACES 3
extern const uint64_t rda_way_places[RDA_WAY_PLACES];

/* 100 requests from "left" to "right", so many of which are lost: for certain, or perhaps. */
struct rda_hop_way rda_way_of(uint64_t lost, uint64_t certain);

struct rda_hop_cases rda_cases_of(uint64_t count);

/* What the checks judge with, empty at the beginning of each test. */
extern struct rda_judge rda_way_judge;
void rda_way_setup(void);
void rda_way_teardown(void);

/* What is told, by its rank. */
const struct rda_finding *rda_way_ranked(uint32_t index);

#endif
