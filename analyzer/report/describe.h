/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of captures, hosts, connections and packets to machines: each told once, for JSON
 * and CSV alike. docs/output.md is its description for people.
 */
#ifndef RDA_DESCRIBE_H
#define RDA_DESCRIBE_H

#include "analyzer/base/latency.h"
#include "analyzer/engine/trace.h"
#include "analyzer/report/machine_record.h"
#include "analyzer/report/report.h"

struct rda_fpdu_told;

#define RDA_SCHEMA "rdma-analyze/1"

void rda_describe_quality(struct rda_record *record, const struct rda_quality *quality);
/* `result` NULL: an empty one, for the columns. */
void rda_describe_pausing(struct rda_record *record, const struct rda_result *result,
			  const struct rda_pausing *pausing);
void rda_describe_pacing(struct rda_record *record, const struct rda_pacing *pacing);
void rda_describe_slowdown(struct rda_record *record, const struct rda_flow_facts *flow);
void rda_describe_collective(struct rda_record *record, const struct rda_collective *collective);
void rda_describe_way(struct rda_record *record, const struct rda_way *way);
void rda_describe_retired(struct rda_record *record, const struct rda_retired *retired);
void rda_describe_capture(struct rda_record *record, const struct rda_capture *capture,
			  const struct rda_flow_time *time, const struct rda_origin *origin);
void rda_describe_host(struct rda_record *record, const struct rda_host *host,
		       const struct rda_nic *nic, const struct rda_flow_time *time);
void rda_describe_connection(struct rda_record *record, const struct rda_result *result,
			     const struct rda_connection_facts *connection);

/* How it was set up and taken down, and on what terms: part of it; null without CM. */
void rda_describe_cm(struct rda_record *record, const struct rda_result *result,
		     const struct rda_connection_facts *connection);

/* The conversation that set it up; NULL without CM. */
const struct rda_cm_pair *rda_describe_find_cm(const struct rda_result *result,
					       const struct rda_connection_facts *connection);

/* A conversation of which no connection tells, because nothing was seen on what it set up. */
bool rda_describe_is_unconnected(const struct rda_conversation *conversation);
void rda_describe_conversation(struct rda_record *record,
			       const struct rda_conversation *conversation);

/* An object of `name`, or null of none or an empty one. */
void rda_describe_latency(struct rda_record *record, const char *name,
			  const struct rda_latency *latency);

void rda_describe_slow_message(struct rda_record *record, const struct rda_result *result,
			       const struct rda_slow_facts *slow);

/* A tap; and of a connection the tap that is told, and what became of packets between taps. NULL:
 * their names. */
void rda_describe_tap(struct rda_record *record, const struct rda_tap *tap);
void rda_describe_hops(struct rda_record *record, const struct rda_taps *taps, uint32_t connection);

void rda_describe_finding(struct rda_record *record, const struct rda_result *result,
			  const struct rda_finding *finding);

struct rda_explain;
struct rda_explained;
void rda_describe_explained(struct rda_record *record, const struct rda_explain *explain,
			    const struct rda_explained *explained);

struct rda_nic_compared;
void rda_describe_compared(struct rda_record *record, const struct rda_nic_compared *compared);

void rda_describe_key(struct rda_record *record, const struct rda_result *result,
		      const struct rda_key_facts *key);

void rda_describe_ulp(struct rda_record *record, const struct rda_ulp_facts *ulp);
void rda_describe_slow_command(struct rda_record *record, const struct rda_ulp_slow *slow);

/* One direction of a connection, as a line of CSV; `flow` is 0 or 1. */
void rda_describe_flow_line(struct rda_record *record, const struct rda_result *result,
			    const struct rda_connection_facts *connection, unsigned flow);

/* Codes told of one frame; a frame in more findings than that is hardly imaginable. */
#define RDA_NOTES_MAX 16

/* A frame that is to be printed, with all that is known about it. */
struct rda_sight {
	unsigned input; /* the file: index in the run */
	const struct rda_meta *meta;
	const struct rda_frame *frame;
	const struct rda_packet *packet;
	const struct rda_fpdu_told *fpdu; /* of iWARP; NULL: it is the packet */
	struct rda_verdict verdict;
	struct rda_trace trace;
	const struct rda_event *events; /* that it brought about */
	unsigned event_count;
	const char *notes[RDA_NOTES_MAX]; /* the codes of findings about it (notes.h) */
	unsigned note_count;
};

static inline bool rda_sight_is_pause(const struct rda_sight *sight)
{
	return !sight->fpdu &&
	       (rda_find_layer(sight->packet, RDA_PAUSE) || rda_find_layer(sight->packet, RDA_PFC));
}

/* A part of the time of what endpoint `side` of a connection asked. */
struct rda_time_sight {
	uint32_t connection;
	uint8_t side, cause; /* enum rda_time_cause */
	int64_t begin_ns, end_ns;
};

void rda_describe_packet(struct rda_record *record, const struct rda_sight *sight);

/* An FPDU or start frame. */
void rda_describe_fpdu(struct rda_record *record, const struct rda_sight *sight);

/* "READ Request", "MPA Reply" */
const char *rda_describe_fpdu_name(const struct rda_fpdu_told *told);

#endif
