/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine: packets in, connections and facts out.
 *
 * It does no I/O, has no clock and no globals: bytes and a time go in (rda_engine_packet), and what
 * was learnt comes out as a value (rda_engine_result). The program and the plugin are shells on it.
 *
 * Ownership: the engine owns everything that it hands out but results. The bytes of a frame are
 * borrowed for the call.
 * Errors: none. A bad packet is data. GLib aborts the process when memory runs out.
 *
 * One pass over one capture, or several in a row:
 *
 *     rda_engine_new, { rda_engine_begin_capture, rda_engine_packet* }*, rda_engine_end,
 *     rda_engine_result, rda_engine_free
 */
#ifndef RDA_ENGINE_H
#define RDA_ENGINE_H

#include "analyzer/track/capture.h"
#include "analyzer/checks/finding.h"
#include "analyzer/track/connection.h"
#include "analyzer/track/host.h"
#include "analyzer/track/keys/key_ledger.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/slowest.h"
#include "analyzer/engine/result.h"
#include "analyzer/engine/trace.h"
#include "dissectors/packet.h"

struct rda_config {
	struct rda_dissect_config dissect;
	uint32_t window_cap; /* requests remembered of one direction; 0: RDA_WINDOW_CAP */
	uint32_t keys_cap;   /* memory keys remembered; 0: RDA_KEYS_MAX */
	uint32_t iwarp_cap;  /* iWARP connections; 0: RDA_IWARP_CONNECTIONS_MAX */
	uint32_t held_cap;   /* bytes held of all their streams; 0: RDA_STREAM_POOL_MAX */
	bool count_only;     /* no accounts of requests, no checks: a third of the time */
	bool trace;	     /* rda_engine_trace is asked for after each packet */
	/* events of memory keys are kept, to be judged together with those of other engines
	 * (rda_key_log_merge, rda_check_keys_replay); this engine then knows no keys */
	bool keep_key_events;
	bool checks_off[RDA_CHECK_COUNT]; /* these are not told */
	uint64_t hash_seed; /* any number, best a random one: the output does not depend on it */
};

struct rda_engine;

/* `config` is copied; NULL for the defaults. */
struct rda_engine *rda_engine_new(const struct rda_config *config);
void rda_engine_free(struct rda_engine *engine);

/* The packets that follow are of another capture (file). */
void rda_engine_begin_capture(struct rda_engine *engine);

/* The capturing program's own word: so many packets of this capture it could not keep. */
void rda_engine_dropped(struct rda_engine *engine, uint64_t packets);

/*
 * One frame. The dissected packet is returned for whoever wants to print it; it is valid until the
 * next call.
 */
const struct rda_packet *rda_engine_packet(struct rda_engine *engine, const struct rda_meta *meta,
					   const struct rda_frame *frame);

/* Of the packet that was given last; the engine was made with `trace`. */
struct rda_trace rda_engine_trace(const struct rda_engine *engine);

/* What it brought about, likewise; valid until the next frame. */
const struct rda_event *rda_engine_events(const struct rda_engine *engine, unsigned *count);

/* The number of a memory key, by the index that a trace has. */
uint32_t rda_engine_key_number(const struct rda_engine *engine, uint32_t index);

/* The half-flow that carries it, and the other way's as far as it is known by now; NULL: none. */
const struct rda_flow *rda_engine_flow(const struct rda_engine *engine);
const struct rda_flow *rda_engine_flow_back(const struct rda_engine *engine);

/*
 * The FPDUs and start frames of iWARP that ended in the frame that was given last; the engine was
 * made with `trace`. Valid until the next frame.
 */
struct rda_fpdu_told;
const struct rda_fpdu_told *rda_engine_fpdus(const struct rda_engine *engine, unsigned *count);

/* The bytes of iWARP's streams that it put in order, likewise: each byte once, and in order. */
struct rda_fpdu_part;
const struct rda_fpdu_part *rda_engine_fpdu_parts(const struct rda_engine *engine, unsigned *count);

/*
 * No more packets come: what waited for gaps that were never filled is taken as it is.
 * rda_engine_fpdus returns it then.
 */
void rda_engine_end(struct rda_engine *engine);

/*
 * What is known by now, as if no more packets came: at any time, as often as wanted. The engine
 * stays as it is, and the result is a value: the caller's, to be given to rda_result_free.
 */
struct rda_result *rda_engine_result(const struct rda_engine *engine);

/* What an engine with `keep_key_events` has of keys by now; to be freed. */
struct rda_key_log;
struct rda_key_log *rda_engine_key_log(const struct rda_engine *engine);

#endif
