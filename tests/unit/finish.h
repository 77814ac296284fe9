/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests: an engine at its end, and what is behind its result: flows and connections as the
 * trackers have them, findings with those that were withheld. rda_engine_finish makes an ending of
 * the engine; what the others return is good until rda_engine_drop.
 */
#ifndef RDA_TEST_FINISH_H
#define RDA_TEST_FINISH_H

#include "analyzer/checks/judge.h"
#include "analyzer/engine/engine.h"

void rda_engine_finish(struct rda_engine *engine);

/* Frees the engine, finished or not, and its ending. */
void rda_engine_drop(struct rda_engine *engine);

/* Its result; do not free it. */
const struct rda_result *rda_engine_finished(const struct rda_engine *engine);

const struct rda_capture *rda_engine_capture(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_capture_count(const struct rda_engine *engine);
const struct rda_connection *rda_engine_connection(const struct rda_engine *engine, unsigned id);
unsigned rda_engine_connection_count(const struct rda_engine *engine);
unsigned rda_engine_groups_not_compared(const struct rda_engine *engine);
uint64_t rda_engine_flows_compared(const struct rda_engine *engine);
const struct rda_host *rda_engine_host(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_host_count(const struct rda_engine *engine);
const struct rda_finding *rda_engine_finding(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_finding_count(const struct rda_engine *engine);
const struct rda_slow_message *rda_engine_slow_message(const struct rda_engine *engine,
						       unsigned index);
unsigned rda_engine_slow_message_count(const struct rda_engine *engine);
const struct rda_memory_key *rda_engine_key(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_key_count(const struct rda_engine *engine);
struct rda_endpoint rda_engine_key_user(const struct rda_engine *engine,
					const struct rda_memory_key *key, unsigned index);
uint64_t rda_engine_keys_not_kept(const struct rda_engine *engine);
struct rda_verdict rda_engine_verdict(const struct rda_engine *engine, unsigned capture,
				      const struct rda_meta *meta, const struct rda_frame *frame,
				      const struct rda_packet *packet);
struct rda_verdict rda_engine_place_of(const struct rda_engine *engine,
				       const struct rda_flow_key *key);

/* The id of a flow's connection, and its side of it. */
uint32_t rda_engine_connection_of(const struct rda_engine *engine, const struct rda_flow *flow);

/* Of an engine that is not finished its own. */
const struct rda_judge *rda_engine_judge(const struct rda_engine *engine);

#endif
