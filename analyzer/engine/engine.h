/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine: packets in, connections and facts out.
 *
 * It does no I/O, has no clock and no globals: bytes and a time go in (rda_engine_packet), and what
 * was learnt is asked for at the end (rda_engine_finish, then the views below). The program and the
 * plugin are shells on it.
 *
 * Ownership: the engine owns everything that it hands out; views are valid until rda_engine_free.
 * The bytes of a frame are borrowed for the call.
 * Errors: none. A bad packet is data. GLib aborts the process when memory runs out.
 *
 * One pass over one capture, or several in a row:
 *
 *     rda_engine_new, { rda_engine_begin_capture, rda_engine_packet* }*, rda_engine_finish,
 *     rda_engine_captures | rda_engine_hosts | rda_engine_connections ..., rda_engine_free
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
	bool checks_off[RDA_CHECK_COUNT]; /* these are not told */
	uint64_t hash_seed; /* any number, best a random one: the output does not depend on it */
};

/* What is known about one frame once the engine has finished. */
struct rda_verdict {
	uint8_t icrc;	    /* enum rda_icrc_verdict */
	int32_t connection; /* id, or -1 */
	int8_t flow;	    /* 0, 1, or -1 */
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
 * No more packets: pairs the flows, settles what had to wait for the end. What rda_engine_fpdus
 * returns then waited for gaps that were never filled.
 */
void rda_engine_finish(struct rda_engine *engine);

/*
 * What the finished engine says of a frame that it has seen. To print packets with what was only
 * known later (ICRC absent or bad, the connection's id), read the capture twice: once through
 * rda_engine_packet, then ask this with the same meta and frame.
 */
struct rda_verdict rda_engine_verdict(const struct rda_engine *engine, unsigned capture,
				      const struct rda_meta *meta, const struct rda_frame *frame,
				      const struct rda_packet *packet);

/* Whose a flow is: of a finished engine, by a key that another one made of the same packets. */
struct rda_flow_key;
struct rda_verdict rda_engine_place_of(const struct rda_engine *engine,
				       const struct rda_flow_key *key);

/* ---- views, after rda_engine_finish -------------------------------------------------------- */

/* One for each rda_engine_begin_capture, in that order. */
const struct rda_capture *rda_engine_capture(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_capture_count(const struct rda_engine *engine);

/* In order of the first packet. */
const struct rda_connection *rda_engine_connection(const struct rda_engine *engine, unsigned id);
unsigned rda_engine_connection_count(const struct rda_engine *engine);

/*
 * Groups of flows between two hosts in which pairing by source port or responses was not tried,
 * because there were more than RDA_PAIR_COMPARE_MAX each way.
 */
unsigned rda_engine_groups_not_compared(const struct rda_engine *engine);

/* In order of address. */
const struct rda_host *rda_engine_host(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_host_count(const struct rda_engine *engine);

/* Weightiest first; those that the capture has not enough for are left out (judge.h). */
const struct rda_finding *rda_engine_finding(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_finding_count(const struct rda_engine *engine);

/* The slowest messages of all connections, slowest first. */
const struct rda_slow_message *rda_engine_slow_message(const struct rda_engine *engine,
						       unsigned index);
unsigned rda_engine_slow_message_count(const struct rda_engine *engine);

/* Memory keys that requests named, in order of their first use. */
const struct rda_memory_key *rda_engine_key(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_key_count(const struct rda_engine *engine);

/* Who used a key: one of its user_count, in order of the first use. */
struct rda_endpoint rda_engine_key_user(const struct rda_engine *engine,
					const struct rda_memory_key *key, unsigned index);

/* What connection management, or a tool in clear, said: in order of the first message. */
struct rda_cm_pair;
const struct rda_cm_pair *rda_engine_conversation(const struct rda_engine *engine, unsigned index);
unsigned rda_engine_conversation_count(const struct rda_engine *engine);

/* Uses of keys that were not kept, because there were more than RDA_KEYS_MAX. */
uint64_t rda_engine_keys_not_kept(const struct rda_engine *engine);

/* What else the checks learnt: findings withheld, memory keys, states of the families. */
struct rda_judge;
const struct rda_judge *rda_engine_judge(const struct rda_engine *engine);

#endif
