/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One direction of a connection with an upper layer, whatever carries it: the SEND and the WRITE
 * that are open, and the READs that wait for their data.
 */
#ifndef RDA_ULP_STREAM_H
#define RDA_ULP_STREAM_H

#include "analyzer/track/ulp/ulp.h"

/* READs under way: no device serves more; the oldest makes place. */
#define RDA_ULP_READS 128

struct rda_ulp_read {
	int64_t number; /* PSN, widened */
	struct rda_ulp_range range;
	int64_t asked_ns;
};

struct rda_ulp_stream {
	int64_t sent;	/* behind what was sent so far: a PSN, or an offset of TCP */
	int64_t acked;	/* iWARP: the other side has what is before that offset */
	uint64_t holes; /* in what was sent; and messages that could not be read */

	/* the SEND at hand */
	bool open;
	int64_t next;  /* PSN, or offset in the message, at which it goes on */
	int64_t ended; /* RoCE: behind the latest end of one that came ahead of its turn; 0: none */
	struct rda_ulp_message message;
	uint8_t *bytes; /* owned: of a SEND of several packets; NULL unused */
	uint8_t *fpdu;	/* owned: iWARP: what MPA keeps of one FPDU's payload; NULL unused */

	/* the WRITE at hand */
	bool writing;
	int64_t last; /* RoCE: the PSN of its last packet */
	struct rda_ulp_transfer write;

	struct rda_ulp_read *reads; /* owned; a ring; NULL unused */
	uint32_t read_first, read_count;
};

struct rda_ulp_stream *rda_ulp_stream_new(void);
void rda_ulp_stream_free(struct rda_ulp_stream *stream); /* may be NULL */

/* So far, of the asker (0) or the answerer (1), as PSNs or offsets of TCP: behind what it sent, and
 * what the other side acknowledged of that. */
int64_t rda_ulp_sent(const struct rda_ulp *ulp, unsigned side);
int64_t rda_ulp_acked(const struct rda_ulp *ulp, unsigned side);

/* One packet of a SEND: its payload, as far as it was captured. */
struct rda_ulp_piece {
	const uint8_t *bytes;
	uint32_t have, length;
	uint64_t place, last_place; /* of the frames that it began and ended in */
	int64_t first_ns, last_ns;
	int64_t at, next; /* where it stands, and what follows it: PSNs, or offsets */
	bool begins, ends;
	bool checked; /* rda_ulp_message */
};

/* Hands on what is complete; a SEND that another follows before it is is handed on as it is. */
void rda_ulp_stream_send(const struct rda_flow *flow, struct rda_ulp_stream *stream,
			 const struct rda_ulp_piece *piece);

/* The end of the SEND at hand has passed before: it is handed on as it is. */
void rda_ulp_stream_ended(const struct rda_flow *flow, struct rda_ulp_stream *stream);

/* A WRITE begins; ends, whole or not; packets are missing, and what is open will not end. */
void rda_ulp_stream_write(const struct rda_flow *flow, struct rda_ulp_stream *stream,
			  const struct rda_ulp_range *range, int64_t time_ns);
void rda_ulp_stream_written(const struct rda_flow *flow, struct rda_ulp_stream *stream, bool whole,
			    int64_t time_ns);
void rda_ulp_stream_lost(const struct rda_flow *flow, struct rda_ulp_stream *stream);

/* A READ; and its data, all of it. */
void rda_ulp_stream_read(struct rda_ulp_stream *stream, const struct rda_ulp_read *read);
void rda_ulp_stream_read_done(const struct rda_flow *flow, struct rda_ulp_stream *stream,
			      int64_t number, int64_t time_ns);

#endif
