/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of each RDMA frame, message and FPDU: what was known when it passed, and what came
 * of it. Frames without RDMA cost 4 bytes.
 *
 * Frames are numbers in the capture; 0: none.
 */
#ifndef RDA_PLUGIN_RECORDS_H
#define RDA_PLUGIN_RECORDS_H

#include "analyzer/engine/engine.h"
#include "analyzer/engine/fpdus.h"
#include "plugin/streams.h"

#include <glib.h>

struct rda_frame_record {
	int64_t time_ns;
	int64_t relative_psn;
	uint32_t retransmission_of, answers; /* earlier frames */
	uint32_t original;		     /* the first with the same request */
	uint32_t cause;			     /* the NAK or response that made it resend */
	uint32_t answered_by, resent_by;     /* later frames, the first each */
	uint32_t message;		     /* see rda_records_message; 0 none */
	uint32_t message_bytes;		     /* up to here; UINT32_MAX unknown */
	uint32_t psns_in_flight, bytes_in_flight;
	uint32_t key;	   /* index plus one; 0 none */
	uint32_t key_uses; /* so far */
	uint32_t fpdu;	   /* see rda_records_fpdu; 0 none */
	uint32_t stream;   /* plus one; 0 none */
	uint32_t previous; /* frame of the stream */
	uint32_t missing;  /* requests before it that were not seen by then */
	uint16_t reads_outstanding;
	uint8_t standing, counts_as; /* enum rda_standing; as in struct rda_trace, and the next */
	uint8_t trigger;	     /* enum rda_trigger */
	bool relative_known, flight_known;
};

struct rda_message_record {
	int64_t latency_ns; /* valid if done_frame */
	uint64_t bytes;	    /* valid if done_frame */
	uint32_t number;    /* as rda_trace.message */
	uint32_t first_frame;
	uint32_t last_frame; /* the latest with its data, so far */
	uint32_t done_frame; /* what completed it */
};

/* An FPDU or start frame of iWARP; of the frame in which it ended. */
struct rda_fpdu_record {
	const struct rda_flow *flow;
	uint32_t next;	      /* of the same frame; 0 none */
	uint32_t head;	      /* where its headers are: rda_records_head */
	uint32_t first_frame; /* in which it begins */
	uint32_t answers, answered_by;
	uint32_t message, message_frame;
	int64_t message_bytes; /* -1 unknown */
	uint32_t crc_stored, crc_computed;
	uint32_t reads_outstanding;
	uint16_t head_bytes;
	uint8_t crc; /* enum rda_mpa_crc */
	uint8_t bad_markers;
	bool is_start, is_reply, markers, begins_segment, message_known, reads_known;
};

struct rda_records {	  /* owned, all of it */
	GArray *index;	  /* guint32, by frame: of its record plus one */
	GArray *frames;	  /* struct rda_frame_record */
	GArray *messages; /* struct rda_message_record */
	GArray *fpdus;	  /* struct rda_fpdu_record */
	GByteArray *heads;
	GArray *seen; /* guint8, by rda_flow.index: RDA_FPDUS_... */
	struct rda_streams streams;
	uint64_t tail; /* the frame of the latest FPDU */
};

void rda_records_init(struct rda_records *records);
void rda_records_cleanup(struct rda_records *records);

/* The engine has taken a frame; the last time when it has finished, with no packet. */
void rda_records_packet(struct rda_records *records, const struct rda_engine *engine,
			const struct rda_meta *meta, const struct rda_packet *packet);

/* All is known: what no later packet has settled is what it counts as. */
void rda_records_finish(struct rda_records *records);

/* NULL when nothing is kept of it. */
const struct rda_frame_record *rda_records_frame(const struct rda_records *records,
						 uint64_t number);
const struct rda_message_record *rda_records_message(const struct rda_records *records,
						     uint32_t message);
const struct rda_fpdu_record *rda_records_fpdu(const struct rda_records *records, uint32_t fpdu);

/* What the FPDUs of a flow were: a mask, by rda_flow.index. */
enum {
	RDA_FPDUS_REQUEST = 1, /* start frames of MPA */
	RDA_FPDUS_REPLY = 2,
	RDA_FPDUS_MESSAGES = 4,
	RDA_FPDUS_ANSWERS = 8,
	RDA_FPDUS_TERMINATE = 16,
};
unsigned rda_records_seen(const struct rda_records *records, uint32_t flow);

/* Length and headers of an FPDU, or a start frame, as they are in the stream. */
const uint8_t *rda_records_head(const struct rda_records *records,
				const struct rda_fpdu_record *fpdu);

#endif
