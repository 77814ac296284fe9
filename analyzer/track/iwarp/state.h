/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the trackers of iWARP connections and of their messages are made of, and how iwarp_detect.c
 * finds out which TCP connections are iWARP.
 */
#ifndef RDA_IWARP_STATE_H
#define RDA_IWARP_STATE_H

#include "analyzer/track/iwarp/checksums.h"
#include "analyzer/track/iwarp/iwarp.h"
#include "analyzer/track/iwarp/mpa.h"
#include "analyzer/track/iwarp/rdmap_track.h"
#include "analyzer/track/iwarp/tcp_stall.h"
#include "analyzer/base/table.h"

/* A segment with payload, to know a copy of it by. */
struct rda_iwarp_passed {
	int64_t time_ns;
	uint32_t sequence;
	uint16_t length, ip_id;
};

/* Copies come behind so few other segments of their side at the most. */
#define RDA_IWARP_PASSED 16

/* Of so many of the latest segments that repeat bytes it is known whether they came needlessly. */
#define RDA_IWARP_REPEATED 16

/* One side's direction. */
struct rda_iwarp_half {
	struct rda_flow *flow; /* what it sends; the engine's */
	struct rda_stream stream;
	struct rda_mpa mpa;
	bool start_seen; /* its request or reply */
	struct rda_mpa_start start;
	bool has_depths;
	struct rda_mpa_depths depths;
	bool start_doubtful;
	bool begun_doubtful; /* the segment that its start frame begins with is: */
	uint64_t begun_place;
	uint64_t start_place;
	int64_t start_ns;
	uint64_t fpdus;
	uint32_t sequence; /* of its SYN; valid if syn_seen */
	bool syn_seen;
	uint64_t first_place;
	struct rda_iwarp_passed passed[RDA_IWARP_PASSED]; /* the latest, in a ring */
	uint32_t passed_count;
	uint64_t mirrored;	   /* segments that are in the capture once more */
	uint64_t perhaps_mirrored; /* that are so, or were sent again: nothing tells */
	struct rda_checksums checksums;
	struct rda_tcp_stall stall;
	struct rda_tcp_block repeated[RDA_IWARP_REPEATED]; /* the latest, in a ring; empty: told */
	uint32_t repeated_count;
	uint64_t needless; /* segments that repeated what the other side says to have had */
};

struct rda_iwarp_key {
	struct rda_address low,
		high; /* the lower address, or of equal ones the lower port, is low */
	uint16_t low_port, high_port;
	uint32_t tap;
};

struct rda_iwarp_connection {
	struct rda_iwarp_key key;	/* first: the table's key */
	struct rda_iwarp_half sides[2]; /* [0] is what `low` sends */
	uint32_t generation;		/* counts reuses of the ports */
	int8_t initiator;		/* the side that sent the MPA request; -1 unknown */
	bool from_start;		/* its MPA request was seen */
	bool agreed;			/* both start frames were seen */
};

struct rda_iwarp_candidate;

struct rda_iwarp {
	struct rda_iwarp_hooks hooks;
	struct rda_table connections;		/* struct rda_iwarp_connection */
	struct rda_iwarp_candidate *candidates; /* RDA_IWARP_CANDIDATES; NULL before the first */
	struct rda_stream_pool pool;
	uint64_t kept_bytes; /* of candidates */
	uint32_t connections_cap;
	uint64_t not_followed;
	uint64_t seed;
};

/* A segment that was kept, with its bytes. */
struct rda_iwarp_kept {
	struct rda_segment segment; /* bytes owned */
	struct rda_tcp tcp;
	unsigned side;
	enum rda_tcp_check check;
};

/* Where an FPDU of a side begins. */
struct rda_iwarp_mark {
	bool known;
	uint32_t sequence;
};

/* What a connection was found out to be, and what was kept of it before that. */
struct rda_iwarp_detected {
	bool from_start;
	struct rda_iwarp_mark first[2]; /* of each side, in what was kept or is at hand */
	struct rda_iwarp_kept kept[RDA_IWARP_KEPT_SEGMENTS];
	unsigned kept_count;
};

/* Looks at a segment, of a packet, of a connection that is not known. True when it is iWARP. */
bool rda_iwarp_detect(struct rda_iwarp *iwarp, const struct rda_iwarp_key *key, unsigned side,
		      const struct rda_segment *segment, const struct rda_frame *frame,
		      const struct rda_packet *packet, struct rda_iwarp_detected *detected);

void rda_iwarp_free_kept(struct rda_iwarp *iwarp, struct rda_iwarp_kept *kept, unsigned count);
void rda_iwarp_forget_candidates(struct rda_iwarp *iwarp);

/* ---- messages (rdmap_track.c, rdmap_facts.c) ------------------------------------------------- */

/* First in, first out. */
struct rda_rdmap_asked_queue {
	struct rda_rdmap_asked *ring;	  /* owned */
	uint32_t first, count, allocated; /* a power of two */
	uint32_t doubtful; /* the oldest, of before a hole: others behind them may be missing */
	uint64_t forgotten;
};

enum rda_rdmap_channel_id {
	RDA_RDMAP_QUEUE_SEND, /* the untagged ones have the numbers of their queues */
	RDA_RDMAP_QUEUE_REQUEST,
	RDA_RDMAP_QUEUE_TERMINATE,
	RDA_RDMAP_QUEUE_ATOMIC,
	RDA_RDMAP_WRITES,
	RDA_RDMAP_RESPONSES,
	RDA_RDMAP_CHANNELS,
};

/* Messages that follow one another: of a queue, WRITEs, or READ Responses. */
struct rda_rdmap_channel {
	bool known; /* `next` is, and that no message is open unless it says so */
	bool open;
	uint32_t next; /* MSN, of queues */
	struct rda_rdmap_message message;
};

struct rda_rdmap {
	struct rda_rdmap_channel channels[RDA_RDMAP_CHANNELS];
	struct rda_rdmap_message *recent; /* owned; a ring */
	uint32_t recent_next, recent_allocated;
	struct rda_rdmap_asked_queue reads, atomics; /* that this side asked for */
	bool unsure;   /* what waits may not be all, or may have been answered unseen */
	bool missed;   /* the capture, or what is kept, lacks requests or answers */
	bool ahead;    /* it answered before anything of the other side was seen */
	bool guessed;  /* it was so and unsure, and what waits is known by the sinks of answers only
			*/
	bool shares;   /* READs wait for data at the same sink: sinks do not tell them apart */
	bool answered; /* the sink of the latest answer is known: */
	uint32_t answered_stag;
	uint64_t answered_offset;
	uint64_t sends;		       /* messages that were begun */
	uint32_t begun;		       /* messages that were begun, of all channels */
	struct rda_messages *messages; /* owned; latencies of what was answered; NULL: none */
};

static inline struct rda_rdmap_asked *rda_rdmap_asked_at(const struct rda_rdmap_asked_queue *q,
							 uint32_t index)
{
	return &q->ring[(q->first + index) & (q->allocated - 1)];
}

/* NULL when it is empty. */
static inline struct rda_rdmap_asked *rda_rdmap_oldest_of(const struct rda_rdmap_asked_queue *q)
{
	return q->count ? rda_rdmap_asked_at(q, 0) : NULL;
}

#endif
