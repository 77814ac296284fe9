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
#include "analyzer/track/iwarp/fpdu.h"
#include "analyzer/base/meta.h"

/* FPDUs in a row before a connection whose start was not captured is taken for one. */
#define RDA_IWARP_CONFIRM 3

/* A power of two: connections that are looked at at once, to find out what they are. */
#define RDA_IWARP_CANDIDATES 4096

/* Segments of a candidate that are kept until it is known; bytes kept of all candidates. */
#define RDA_IWARP_KEPT_SEGMENTS 16
#define RDA_IWARP_KEPT_MAX	(16u << 20)

/* Connections; past it new ones are not followed, and counted in `not_followed`. */
#define RDA_IWARP_CONNECTIONS_MAX 200000

/* Bytes held behind gaps, in all streams of a capture. */
#define RDA_IWARP_HELD_MAX (64u << 20)

struct rda_iwarp;
struct rda_iwarp_connection;

/* What happens at one packet of an iWARP connection. */
struct rda_iwarp_at {
	const struct rda_meta *meta;
	const struct rda_packet *packet;
	uint32_t capture;
	uint64_t place;
	struct rda_iwarp_connection *connection;
	unsigned side; /* that sent it */
	bool damaged;  /* its TCP checksum is wrong: it counts only if it was accepted all the same
			*/
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
	/* of a segment of at->side whose checksum does not fit, when it is known: whether the other
	 * side acknowledged its bytes without having got them again */
	void (*damage)(void *context, const struct rda_iwarp_at *at, uint64_t place, bool accepted);
	/* bytes in order that a segment at `place` brought, before what is in them; may be NULL */
	void (*piece)(void *context, const struct rda_iwarp_at *at, uint64_t place, int64_t offset,
		      uint32_t length);
	void *context;
	/* an FPDU of at->side that never becomes whole (rda_iwarp_unfinished); may be NULL */
	void (*unfinished)(void *context, const struct rda_iwarp_at *at);
};

struct rda_iwarp *rda_iwarp_new(uint64_t seed, const struct rda_iwarp_hooks *hooks);
/* Other limits than RDA_IWARP_CONNECTIONS_MAX and RDA_IWARP_HELD_MAX; 0: that one stays. */
void rda_iwarp_limit(struct rda_iwarp *iwarp, uint32_t connections, uint32_t held);
void rda_iwarp_free(struct rda_iwarp *iwarp);

/*
 * A TCP segment. True when it belongs to an iWARP connection. `at` has all but connection and side.
 */
bool rda_iwarp_segment(struct rda_iwarp *iwarp, struct rda_iwarp_at *at,
		       const struct rda_frame *frame);

/* No more segments: hands on what waits for gaps. */
void rda_iwarp_end(struct rda_iwarp *iwarp);

/* Gaps that were not waited for; segments of connections that are not followed. */
uint64_t rda_iwarp_given_up(const struct rda_iwarp *iwarp);
uint64_t rda_iwarp_not_followed(const struct rda_iwarp *iwarp);

/* ---- facts, as of the packet at hand ----------------------------------------------------------
 */

/* What one side has sent so far. */
struct rda_iwarp_side {
	struct rda_flow *flow; /* NULL: nothing was seen */
	bool start_seen;       /* its request or reply: */
	bool initiates;	       /* it was a request */
	bool has_depths;
	struct rda_mpa_start start;
	struct rda_mpa_depths depths;
	bool start_doubtful; /* its bytes may have changed: its checksum does not fit, others may */
	uint64_t start_place;
	uint64_t fpdus;
	bool markers;		 /* its FPDUs have them */
	bool markers_known;	 /* whether they have is certain */
	bool markers_contradict; /* against the start frames */
	/* TCP */
	bool fin_seen;
	bool fin_unsure; /* its sender is not known to have checksums: damage may have made it */
	bool behind;	 /* it may have sent what was not captured, or not yet */
	bool waits;	 /* some of it waits for a gap to be filled */
	bool inside;	 /* and it ends inside an FPDU, so far */
	int64_t next, acked; /* the byte behind all in order; what the other side has below */
	uint64_t segments, retransmitted, late, holes; /* as struct rda_stream has them */
	uint64_t overtaken, again; /* of those late, as far as identifications tell */
	bool doubted; /* of some bytes only damaged copies are here, and others may have arrived */
	uint64_t zero_windows;
	uint64_t mirrored;	   /* segments that are in the capture once more */
	uint64_t perhaps_mirrored; /* of those retransmitted: or that, nothing tells */
	uint64_t needless;	   /* of those: the other side says that it had their bytes */
	uint64_t stalls;	   /* times that it stood still (tcp_stall.h), and in all: */
	int64_t stalled_ns;
	bool stall_unseen;	 /* and that data was under way is told by what followed */
	uint64_t checksums_good; /* segments whose checksum fits */
	bool unchecked;		 /* some segments with data are cut: they may be damaged */
};

/* No timer of a usual TCP stack runs out sooner (Linux): shorter pauses are of many kinds. */
#define RDA_TCP_STALL_NS INT64_C(200000000)

struct rda_iwarp_side rda_iwarp_side_of(const struct rda_iwarp_at *at, unsigned side);

/* Its `acked` alone. */
int64_t rda_iwarp_acked(const struct rda_iwarp_at *at, unsigned side);

/* The flow of a side; NULL: nothing of it was seen. */
struct rda_flow *rda_iwarp_flow(const struct rda_iwarp_at *at, unsigned side);

/* Both start frames were seen; the MPA request was. */
bool rda_iwarp_is_agreed(const struct rda_iwarp_at *at);
bool rda_iwarp_from_start(const struct rda_iwarp_at *at);

/* The first bytes, without markers, of the start frame or FPDU that a hook tells. */
const uint8_t *rda_iwarp_head(const struct rda_iwarp_at *at, bool is_start);

/*
 * The FPDU at hand, as far as its bytes are there: how many of them, without markers; 0, and no
 * *fpdu, in a start frame. *has_head: with all of its headers, which *fpdu has only then.
 */
uint32_t rda_iwarp_unfinished(const struct rda_iwarp_at *at, struct rda_fpdu_seen *fpdu,
			      bool *has_head);

/* Room for more of the payload of the sender's SENDs than MPA keeps, borrowed; whether it has some.
 */
void rda_iwarp_keep(const struct rda_iwarp_at *at, uint8_t *room, uint32_t size);
bool rda_iwarp_keeps(const struct rda_iwarp_at *at);

/* Where markers of the sender's stream are: here, and every 512 bytes before and behind. */
int64_t rda_iwarp_marker(const struct rda_iwarp_at *at);

#endif
