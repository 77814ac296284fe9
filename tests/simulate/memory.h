/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What requests do with memory, drawn anew: a few keys and words that many use, whose keys are told
 * in SENDs, invalidated and refused.
 */
#ifndef RDA_SIM_MEMORY_H
#define RDA_SIM_MEMORY_H

#include "tests/simulate/capture.h"

/*
 * Rewrites a capture, whose packets keep their places, PSNs and lengths. A packet that is sent
 * again is rewritten as the first was, but for a few: those are an impostor's. Results of ATOMICs
 * are what a responder would answer that executes them when it answers, but for a few.
 */
void sim_share_memory(struct sim_capture *capture, uint64_t seed);

#endif
