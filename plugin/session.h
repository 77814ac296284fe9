/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin knows of the capture that is open: the engine, and records of its frames.
 *
 *     first pass   every frame once, in order: rda_session_packet
 *     its end      rda_session_finish: now connections and findings are known
 *     later        any frame in any order: records, findings, rda_result_verdict
 *
 * There is one capture open at a time, as Wireshark has it. A reload or a change of preferences
 * ends the session and begins another.
 */
#ifndef RDA_PLUGIN_SESSION_H
#define RDA_PLUGIN_SESSION_H

#include "plugin/compat.h"
#include "plugin/commands.h"
#include "plugin/payloads.h"
#include "plugin/records.h"

#include "analyzer/report/notes.h"
#include "analyzer/report/others.h"

/* What the preferences say; from the next session on. */
extern struct rda_config rda_session_config;

/* The line of a frame (info.c) is written into the column Info. */
extern rda_boolean rda_session_info_column;

void rda_session_begin(void);
void rda_session_end(void);

/* A frame on the first pass; valid until the next one. After the end of that pass it is NULL. */
const struct rda_packet *rda_session_packet(const struct rda_meta *meta,
					    const struct rda_frame *frame);

/* The first pass is over. Nothing when it was before. */
void rda_session_finish(void);

/* A frame is looked at again: finishes when all frames of the capture were passed once more. */
void rda_session_revisit(void);

/* How the frames of the session are dissected: with the ports that Wireshark has, too. */
const struct rda_dissect_config *rda_session_dissect(void);

bool rda_session_is_finished(void);
struct rda_engine *rda_session_engine(void);

/* Known once finished; else NULL. */
const struct rda_result *rda_session_result(void);

const struct rda_records *rda_session_records(void);

/* Of upper layers; while a capture is open. */
const struct rda_commands *rda_session_commands(void);

/* What the frames were until the first with RDMA. */
const struct rda_others *rda_session_others(void);

/* NULL when it is no RDMA, or was not passed. */
const struct rda_frame_record *rda_session_record(uint64_t number);

/* Known once finished. Of rda_session_part: NULL when the frame has no bytes of an FPDU. */
const struct rda_payloads *rda_session_payloads(void);
const struct rda_payload_part *rda_session_part(uint64_t number);

/* The stream of iWARP that it has something of; NULL: none, or not known. */
const struct rda_flow *rda_session_flow(uint64_t number);

/*
 * The findings about a frame, weightiest first, once finished: indices in the result, valid until
 * the next call. `verdict` is what the result says of it; `source` who sent it, or NULL.
 */
const uint32_t *rda_session_findings(uint64_t number, struct rda_verdict verdict,
				     const struct rda_address *source, unsigned *count);

/* Whether findings list the frame itself; others are about all RDMA packets of a kind. */
bool rda_session_is_listed(uint64_t number);

#endif
