/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One direction of a TCP connection, as a tap sees it: segments in, bytes in order out.
 *
 *     segments   [100..200) [300..400)      [200..300)        ...
 *     out        100..200   (held)           200..300 300..400
 *
 * What was seen before is left out; what comes too early is held, up to RDA_STREAM_HELD_MAX. A gap
 * that the other side has acknowledged is the capture's own and will not be filled: it is handed on
 * as a hole, and so is one behind which too much is held, and what a snap length cut away. What
 * comes for such a gap all the same is late: it was not seen before. The latest RDA_STREAM_GAPS_MAX
 * of them are remembered; below those that are forgotten, whatever comes counts as late.
 *
 * A segment whose checksum does not fit is set aside. Bytes that come once more were damaged in it;
 * bytes that the other side acknowledges without that were whole where it counts: whoever
 * acknowledges them had them under a checksum that fits. They are handed on as they are here, and
 * as doubtful: what was acknowledged may be this segment, before its copy for the capture was
 * damaged, or another one that the capture has not.
 *
 * Sequence numbers are widened on entry (RFC 9293 3.4 counts modulo 2^32). The stream knows nothing
 * of what its bytes mean.
 */
#ifndef RDA_STREAM_H
#define RDA_STREAM_H

#include "analyzer/track/iwarp/tcp_order.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes and segments that wait for a gap to be filled, per direction: a large window of today. */
#define RDA_STREAM_HELD_MAX	     (1u << 20)
#define RDA_STREAM_HELD_SEGMENTS_MAX 1024

/* Gaps that were given up and may be filled yet, per direction. */
#define RDA_STREAM_GAPS_MAX 16

/* Damaged segments that may have been accepted yet, per direction. */
#define RDA_STREAM_ASIDE_MAX 16

struct rda_segment {
	uint32_t sequence; /* of the first byte, as on the wire; of a SYN, one before it */
	const uint8_t *bytes;
	uint32_t captured, length; /* payload bytes in memory, and on the wire */
	bool syn, rst;
	bool doubtful;	/* its checksum does not fit */
	bool unfit;	/* it does not, and its side is not known to have any that do */
	bool checked;	/* it does */
	bool accepted;	/* and it came before: it was set aside until it was acknowledged */
	uint16_t ip_id; /* 0: none */
	uint32_t had_begin, had_end; /* what came to its sender twice, as it says; equal: nothing */
	int64_t time_ns;
	uint64_t place; /* meta.h */
};

/* Bytes in order; a piece never spans two segments. */
struct rda_piece {
	int64_t offset;	      /* of its first byte in the stream: the widened sequence number */
	const uint8_t *bytes; /* NULL: a hole of `length` bytes */
	int64_t length;
	int64_t segment_left; /* of its segment, from its first byte, captured or not */
	bool begins_segment;  /* its first byte was the first of a segment */
	bool trimmed;	      /* its segment began with bytes that were there before */
	bool doubtful;	      /* not all of it may be as it was sent */
	bool checked;	      /* all of it is: the checksum of its segment fits */
	int64_t time_ns;
	uint64_t place;
};

typedef void rda_take_piece(void *context, const struct rda_piece *piece);

struct rda_stream_pool {
	uint64_t cap;	   /* of: */
	uint64_t held;	   /* bytes, in all streams */
	uint64_t given_up; /* gaps that were not waited for because the pool or a stream was full */
};

struct rda_held;
struct rda_aside;

/* What became of a damaged segment. */
struct rda_damage {
	uint64_t place;
	bool accepted; /* the other side acknowledged its bytes, which came no second time */
};

/* Bytes that were not seen, in front of others that were handed on. */
struct rda_gap {
	int64_t begin, end;
};

struct rda_stream {
	struct rda_stream_pool *pool; /* borrowed */
	bool begun;
	bool accepted; /* a damaged segment was, whose bytes came no second time */
	int64_t next;  /* the byte that is handed on next */
	int64_t acked; /* the other side has everything below; 0 unknown */
	int64_t sent;  /* all below was sent by then: the number of a segment without data */
	int64_t reset; /* that of a RST, which may be another's and mean nothing; 0: none */
	struct rda_held *held; /* owned; in order, not overlapping `next` */
	uint32_t held_count, held_allocated, held_bytes;
	int64_t first; /* whether what is below was seen is not known, or it was not; 0: all is */
	struct rda_gap *gaps; /* owned; NULL: none; the oldest first */
	uint32_t gap_count;
	uint64_t segments, retransmitted, out_of_order; /* segments with payload */
	uint64_t late; /* behind later ones, and new: sent again after a loss before the tap, or
			  overtaken: `order` tells for those in front of what is held */
	struct rda_tcp_order order;
	uint64_t holes;
	struct rda_aside *aside; /* owned; NULL: none; in order of their first bytes */
	uint32_t aside_count;
};

void rda_stream_init(struct rda_stream *stream, struct rda_stream_pool *pool);
void rda_stream_cleanup(struct rda_stream *stream);

/* Its first byte is known to have this number, whatever of it comes first. */
void rda_stream_begin(struct rda_stream *stream, uint32_t sequence);

/*
 * What was handed on so far was damaged, and its place may have been: its first byte has this
 * number. What waits for it waits on.
 */
void rda_stream_begin_anew(struct rda_stream *stream, uint32_t sequence);

/* Takes a segment; hands on what is in order now. */
void rda_stream_segment(struct rda_stream *stream, const struct rda_segment *segment,
			rda_take_piece *take, void *context);

/*
 * Bytes that the other side has, that were sent as a segment without data tells, or that come after
 * a gap, are not here: they may come, or not. Behind its FIN a side sends nothing, whatever the
 * number of a RST is.
 */
static inline bool rda_stream_is_behind(const struct rda_stream *s, bool fin)
{
	int64_t end = s->next + (fin ? 1 : 0);

	return s->held_count || s->acked > end || s->sent > end || (!fin && s->reset > end);
}

/* The other side acknowledged everything below this sequence number. */
void rda_stream_acknowledged(struct rda_stream *stream, uint32_t acknowledgment,
			     rda_take_piece *take, void *context);

/*
 * A segment whose checksum does not fit. What became of it is told when it is known, one segment by
 * one, and has to be asked for until there is none (false) behind each call of this and of the
 * three others.
 */
void rda_stream_damaged(struct rda_stream *stream, const struct rda_segment *segment);
bool rda_stream_damage(struct rda_stream *stream, struct rda_damage *damage);

/* No more segments: what is held is handed on, behind holes. What is aside was not
 * accepted. */
void rda_stream_end(struct rda_stream *stream, rda_take_piece *take, void *context);

#endif
