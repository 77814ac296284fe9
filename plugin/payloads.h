/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the bytes of iWARP are: which frame was the first to bring which bytes of a stream, what
 * FPDUs these are of, and which of them are payload. 24 bytes for each segment, 32 for each FPDU.
 */
#ifndef RDA_PLUGIN_PAYLOADS_H
#define RDA_PLUGIN_PAYLOADS_H

#include "analyzer/engine/engine.h"

#include <glib.h>

/* What a frame brought. */
struct rda_payload_part {
	const struct rda_flow *flow;
	int64_t offset; /* in the stream, as rda_fpdu_seen.offset */
	uint32_t frame, length;
};

struct rda_payload_fpdu {
	const struct rda_flow *flow;
	int64_t offset;	 /* of its length field in the stream, as rda_fpdu_seen.offset */
	uint32_t frame;	 /* in which it ends */
	uint16_t head;	 /* bytes before its payload, and */
	uint16_t ulpdu;	 /* before its pad; without markers */
	uint16_t marker; /* bytes before the first marker behind `offset`; 0: there are none */
	bool damaged;
};

struct rda_payloads {
	GArray *parts; /* struct rda_payload_part, by frame */
	GArray *fpdus; /* struct rda_payload_fpdu, by flow, then offset */
};

void rda_payloads_init(struct rda_payloads *payloads);
void rda_payloads_cleanup(struct rda_payloads *payloads);

/* The engine took a frame, or has finished; then no more comes: from here on they can be found. */
void rda_payloads_packet(struct rda_payloads *payloads, const struct rda_engine *engine);
void rda_payloads_finish(struct rda_payloads *payloads);

/* NULL: the frame brought nothing that was not there before. */
const struct rda_payload_part *rda_payloads_part(const struct rda_payloads *payloads,
						 uint64_t frame);

/* The FPDUs that it has bytes of, in order: `*next` counts from 0 on; NULL: no more. */
const struct rda_payload_fpdu *rda_payloads_fpdu(const struct rda_payloads *payloads,
						 const struct rda_payload_part *part,
						 unsigned *next);

/* Where in a stream the first FPDU begins that was seen; there is one. */
int64_t rda_payloads_begin(const struct rda_payloads *payloads, const struct rda_flow *flow);

/*
 * Appends what of a part is the FPDU's payload, without markers: `bytes` are the part's. Returns
 * where in the stream that begins.
 */
int64_t rda_payload_append(GByteArray *to, const struct rda_payload_fpdu *fpdu,
			   const struct rda_payload_part *part, const uint8_t *bytes);

#endif
