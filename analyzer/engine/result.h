/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a result only the project itself asks: rda.h has the rest. Nothing in a result points
 * into an engine.
 */
#ifndef RDA_RESULT_H
#define RDA_RESULT_H

#include "analyzer/checks/finding.h"
#include "analyzer/facts/flow_facts.h"
#include "analyzer/rda.h"
#include "analyzer/track/capture.h"
#include "analyzer/track/connection.h"
#include "analyzer/track/host.h"
#include "analyzer/track/keys/key_ledger.h"
#include "analyzer/track/setup/cm_track.h"
#include "analyzer/track/messages.h"

/*
 * Cases of a check that the capture has not enough for: that are left out, and that would be proven
 * in a fuller one.
 */
uint64_t rda_result_withheld(const struct rda_result *result, enum rda_check check);
uint64_t rda_result_lowered(const struct rda_result *result, enum rda_check check);

/* Requests of a flow, by its index, that were lost before the capture point (S01), whether that is
 * told or not: for certain, and those and perhaps. */
struct rda_lost_before {
	uint64_t proven, all;
};
struct rda_lost_before rda_result_lost_before(const struct rda_result *result, uint32_t flow);

/* The host of an address; NULL: nobody sent anything to it, or from it. */
const struct rda_host *rda_result_find_host(const struct rda_result *result,
					    const struct rda_address *address);

/* A flow by its index, which is less than rda_result_flow_count. */
const struct rda_flow_facts *rda_result_flow_at(const struct rda_result *result, uint32_t index);
uint32_t rda_result_flow_count(const struct rda_result *result);

/* Whether there is one capture, be it in several files: places are told without it. */
bool rda_result_is_one_series(const struct rda_result *result);

/* As rda_result_place_of, of a flow of this capture: of joined results each has its own. */
struct rda_verdict rda_result_place_in(const struct rda_result *result, uint32_t capture,
				       const struct rda_flow_key *key);

/* As rda_result_merge of two that nobody asks for any more: they are freed, and what is of their
 * flows is taken over, not copied. */
struct rda_result *rda_result_unite(struct rda_result *a, struct rda_result *b);

#endif
