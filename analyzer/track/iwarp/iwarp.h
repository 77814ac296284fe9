/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iWARP connections among the TCP connections of a capture: found by what they carry, on any port,
 * their two streams put together, FPDUs handed on.
 *
 *     segment --> is it of a known connection? --> stream (stream.h) --> MPA (mpa.h) --> hook
 *                       | no
 *                       v
 *                 begins it with an MPA request or reply?        yes: a connection from here
 *                 does it look like FPDUs, RDA_IWARP_CONFIRM of them one behind the other, or
 *                 fewer with a CRC that fits?                    yes: one that began before
 *
 * TCP that carries something else costs a place among RDA_IWARP_CANDIDATES, which a newer one may
 * take over: a flood of SYNs needs no memory.
 */
#ifndef RDA_IWARP_H
#define RDA_IWARP_H

#include "analyzer/track/flow.h"
#include "analyzer/track/iwarp/mpa.h"
#include "analyzer/base/meta.h"
#include "analyzer/base/table.h"

/* FPDUs in a row before a connection whose start was not captured is taken for one. */
#define RDA_IWARP_CONFIRM 3

/* A power of two: connections that are looked at at once, to find out what they are. */
#define RDA_IWARP_CANDIDATES 4096

/* Segments of a candidate that are kept until it is known; bytes kept of all candidates. */
#define RDA_IWARP_KEPT_SEGMENTS 16
#define RDA_IWARP_KEPT_MAX	(16u << 20)

/* Connections; past it new ones are not followed, and counted in `not_followed`. */
#define RDA_IWARP_CONNECTIONS_MAX 200000

/* A segment with payload, to know a copy of it by. */
struct rda_iwarp_passed {
	int64_t time_ns;
	uint32_t sequence;
	uint16_t length, ip_id;
};

/* Copies come behind so few other segments of their side at the most. */
#define RDA_IWARP_PASSED 16

/* One side's direction. */
struct rda_iwarp_side {
	struct rda_flow *flow; /* what it sends; the engine's */
	struct rda_stream stream;
	struct rda_mpa mpa;
	bool start_seen; /* its request or reply */
	struct rda_mpa_start start;
	bool has_depths;
	struct rda_mpa_depths depths;
	uint64_t start_place;
	int64_t start_ns;
	uint64_t fpdus;
	uint64_t zero_windows;
	uint32_t sequence; /* of its SYN; valid if syn_seen */
	bool syn_seen, fin_seen, rst_seen;
	uint64_t first_place;
	struct rda_iwarp_passed passed[RDA_IWARP_PASSED]; /* the latest, in a ring */
	uint32_t passed_count;
	uint64_t mirrored; /* segments that are in the capture once more */
	/* TCP checksums that fit, and that do not: judged as ICRCs are (icrc_source.h) */
	uint64_t checksums_good, checksums_bad;
	uint32_t longest_good; /* payload of a segment whose checksum fits */
};

struct rda_iwarp_key {
	struct rda_address low,
		high; /* the lower address, or of equal ones the lower port, is low */
	uint16_t low_port, high_port;
	uint32_t tap;
};

struct rda_iwarp_connection {
	struct rda_iwarp_key key;	/* first: the table's key */
	struct rda_iwarp_side sides[2]; /* [0] is what `low` sends */
	uint32_t generation;		/* counts reuses of the ports */
	int8_t initiator;		/* the side that sent the MPA request; -1 unknown */
	bool from_start;		/* its MPA request was seen */
	bool agreed;			/* both start frames were seen */
};

/* What happens at one packet of an iWARP connection. */
struct rda_iwarp_at {
	const struct rda_meta *meta;
	const struct rda_packet *packet;
	uint32_t capture;
	uint64_t place;
	struct rda_iwarp_connection *connection;
	unsigned side; /* that sent it */
	bool damaged;  /* its TCP checksum is wrong: nothing of it counts */
};

/* What a connection's segments mean to others; `context` is the same for all. */
struct rda_iwarp_hooks {
	struct rda_flow *(*flow)(void *context, const struct rda_flow_key *key,
				 const struct rda_meta *meta);
	void (*start)(void *context, const struct rda_iwarp_at *at,
		      const struct rda_mpa_start_seen *start);
	void (*fpdu)(void *context, const struct rda_iwarp_at *at,
		     const struct rda_fpdu_seen *fpdu);
	void (*lost)(void *context, const struct rda_iwarp_at *at, bool hole);
	void (*segment)(void *context, const struct rda_iwarp_at *at); /* each, after its bytes */
	/* bytes in order, before what is in them; may be NULL */
	void (*piece)(void *context, const struct rda_iwarp_at *at, const struct rda_piece *piece);
	void *context;
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

void rda_iwarp_init(struct rda_iwarp *iwarp, uint64_t seed, const struct rda_iwarp_hooks *hooks);
/* Other limits than RDA_IWARP_CONNECTIONS_MAX and RDA_STREAM_POOL_MAX; 0: that one stays. */
void rda_iwarp_limit(struct rda_iwarp *iwarp, uint32_t connections, uint32_t held);
void rda_iwarp_cleanup(struct rda_iwarp *iwarp);

/*
 * A TCP segment. True when it belongs to an iWARP connection. `at` has all but connection and side.
 */
bool rda_iwarp_segment(struct rda_iwarp *iwarp, struct rda_iwarp_at *at,
		       const struct rda_frame *frame);

/* No more segments: hands on what waits for gaps. */
void rda_iwarp_end(struct rda_iwarp *iwarp);

#endif
