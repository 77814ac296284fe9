/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the engine only shells ask that print packets as they pass: rda.h has the rest.
 *
 * The engine does no I/O, has no clock and no globals: bytes and a time go in (rda_engine_packet),
 * and what was learnt comes out as a value (rda_engine_result). The program and the plugin are
 * shells on it. Whatever is returned here belongs to the engine.
 */
#ifndef RDA_ENGINE_H
#define RDA_ENGINE_H

#include "analyzer/engine/result.h"
#include "analyzer/engine/trace.h"
#include "analyzer/rda.h"
#include "dissectors/packet.h"

/* Of the packet that was given last; the engine was made with `trace`. */
struct rda_trace rda_engine_trace(const struct rda_engine *engine);

/* The events of the latest frame; valid until the next one. */
const struct rda_event *rda_engine_events(const struct rda_engine *engine, unsigned *count);

/*
 * Commands of upper layers that were asked or answered at the latest frame, or behind it at
 * rda_engine_end; valid until the next one.
 */
const struct rda_command_told *rda_engine_commands(const struct rda_engine *engine,
						   unsigned *count);

/*
 * Parts of the time of flows that became known for good at the latest frame; rda_time_facts_cause
 * tells what they were. Behind rda_engine_end and rda_engine_times_left: all others; `result` is of
 * the same frames. Valid until the next frame. The engine was made with `trace` or `times`.
 */
const struct rda_time_told *rda_engine_times(const struct rda_engine *engine, unsigned *count);
void rda_engine_times_left(struct rda_engine *engine, const struct rda_result *result);

/* The number of a memory key, by the index that a trace has. */
uint32_t rda_engine_key_number(const struct rda_engine *engine, uint32_t index);

/* The half-flow that carries it, and the other way's as far as it is known by now; NULL: none. */
const struct rda_flow *rda_engine_flow(const struct rda_engine *engine);
const struct rda_flow *rda_engine_flow_back(const struct rda_engine *engine);

/* Connections that were closed early; and whether a flow of that number is left. */
uint64_t rda_engine_retired(const struct rda_engine *engine);
bool rda_engine_knows_flow(const struct rda_engine *engine, uint32_t number);

/*
 * The FPDUs and start frames of iWARP that ended in the frame that was given last; the engine was
 * made with `trace`. Valid until the next frame.
 */
struct rda_fpdu_told;
const struct rda_fpdu_told *rda_engine_fpdus(const struct rda_engine *engine, unsigned *count);

/* FPDUs of which is known since the latest frame, or since the end, that they never become whole.
 */
const struct rda_fpdu_told *rda_engine_fpdus_unfinished(const struct rda_engine *engine,
							unsigned *count);

/* The bytes of iWARP's streams that the latest frame put in order: each byte once, and in order. */
struct rda_fpdu_part;
const struct rda_fpdu_part *rda_engine_fpdu_parts(const struct rda_engine *engine, unsigned *count);

/*
 * rda_engine_result, of an engine of which nothing more is asked: it is freed, what is of a
 * connection as soon as the result has it, so that both are never there at once.
 */
struct rda_result *rda_engine_spend(struct rda_engine *engine);

#endif
