/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the FPDUs and start frames of iWARP count for: their flows, their capture, the checks; and,
 * for whoever prints packets, those that ended in the frame at hand.
 */
#ifndef RDA_FPDUS_H
#define RDA_FPDUS_H

#include "analyzer/engine/trace.h"
#include "analyzer/track/capture.h"
#include "analyzer/track/iwarp/iwarp.h"
#include "analyzer/track/keys/key_event.h"
#include "analyzer/track/messages.h"
#include "analyzer/track/ulp/ulp_iwarp.h"

#include <glib.h>

struct rda_judge;

/* An FPDU or start frame that ended in the frame at hand. */
struct rda_fpdu_told {
	const struct rda_flow *flow;
	bool is_start;
	struct rda_mpa_start_seen start; /* if is_start; without private data */
	struct rda_fpdu_seen fpdu;	 /* else */
	struct rda_trace trace;
	bool done;		    /* it completes a message of the other side: */
	uint8_t done_kind;	    /* enum rda_message */
	int64_t latency_ns;	    /* of it */
	bool markers;		    /* its direction has them: */
	int64_t marker;		    /* one is here in the stream, others 512 bytes apart */
	uint8_t head_bytes;	    /* of its length and headers, or of the start frame */
	uint32_t unfinished;	    /* it never became whole: so many bytes came; 0: it did */
	uint8_t kept_bytes;	    /* of these, and of the beginning of the payload: */
	uint8_t head[RDA_MPA_KEPT]; /* as they are in the stream, without markers */
};

/* Bytes of a stream that a frame was the first to bring. */
struct rda_fpdu_part {
	const struct rda_flow *flow;
	uint64_t place; /* of the frame: the one at hand, or one that waited for its turn */
	int64_t offset; /* as rda_fpdu_seen.offset */
	uint32_t length;
};

typedef struct rda_flow *rda_make_flow(void *context, const struct rda_flow_key *key,
				       const struct rda_meta *meta);

struct rda_fpdus {
	struct rda_iwarp *iwarp;	 /* owned */
	struct rda_judge *judge;	 /* borrowed */
	struct rda_slowest *slowest;	 /* borrowed */
	const struct rda_key_sink *keys; /* borrowed */
	struct rda_ulps *ulps;		 /* borrowed; NULL: nobody asks for upper layers */
	struct rda_capture *capture;	 /* of the frame at hand */
	rda_make_flow *make_flow;
	void *context;	    /* of make_flow */
	GArray *told;	    /* struct rda_fpdu_told; NULL when nobody asks */
	GArray *parts;	    /* struct rda_fpdu_part; NULL when nobody asks */
	GArray *unfinished; /* struct rda_fpdu_told; NULL when nobody asks */
};

/* `trace`: keep those of the frame at hand; `ulps` may be NULL. */
void rda_fpdus_init(struct rda_fpdus *fpdus, uint64_t seed, bool trace, struct rda_judge *judge,
		    struct rda_slowest *slowest, const struct rda_key_sink *keys,
		    struct rda_ulps *ulps, rda_make_flow *make_flow, void *context);
void rda_fpdus_cleanup(struct rda_fpdus *fpdus);

/* A frame with a TCP segment. Returns the flow that carries it; NULL when it is none of iWARP. */
struct rda_flow *rda_fpdus_segment(struct rda_fpdus *fpdus, struct rda_capture *capture,
				   uint32_t index, const struct rda_meta *meta,
				   const struct rda_frame *frame, const struct rda_packet *packet);

/* The next frame comes. */
void rda_fpdus_forget(struct rda_fpdus *fpdus);

/* What ended in the frame at hand; NULL when nothing did. */
const struct rda_fpdu_told *rda_fpdus_told(const struct rda_fpdus *fpdus, unsigned *count);

/* What will never end, as the frame at hand tells: so much of it as came. NULL: nothing. */
const struct rda_fpdu_told *rda_fpdus_unfinished(const struct rda_fpdus *fpdus, unsigned *count);

/* The bytes that it, or its acknowledgment, put in order; NULL when there are none. */
const struct rda_fpdu_part *rda_fpdus_parts(const struct rda_fpdus *fpdus, unsigned *count);

/* A capture has ended, or all have: what waits for gaps is handed on. */
void rda_fpdus_end(struct rda_fpdus *fpdus, struct rda_capture *capture);

/* DDP, RDMAP, and what a Terminate copies of both. */
#define RDA_FPDU_LAYERS_MAX 4

/*
 * Lists the headers of an FPDU or start frame that were read, in the order of the stream, for
 * whoever prints the fields of headers.def; their offsets count from the first
 * byte of the FPDU or frame, without markers. Returns how many.
 */
unsigned rda_fpdu_layers(const struct rda_fpdu_told *told,
			 struct rda_layer layers[RDA_FPDU_LAYERS_MAX]);

#endif
