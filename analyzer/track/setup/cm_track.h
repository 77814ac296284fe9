/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What connection management said: which two QPs a REQ and its REP tie together, and on what terms.
 *
 *     A: REQ(local comm ID a, QPN p, PSN x) ->
 *        <- B: REP(local comm ID b, remote comm ID a, QPN q, PSN y)      =>  A:p - B:q
 *
 * A starting PSN is the one that its RECIPIENT begins to send with: A's first request has y, B's
 * first has x. A side says how many READs it serves (responder resources) and how many it means to
 * have under way (initiator depth). The REP has the last word: A may have under way what B serves
 * by it, and B what it means to have there.
 *
 * Messages are matched by communication IDs, which each host gives out for itself. A conversation
 * of which the REQ was not captured is kept too, as far as it goes.
 */
#ifndef RDA_CM_TRACK_H
#define RDA_CM_TRACK_H

#include "analyzer/base/meta.h"
#include "dissectors/mad.h"

/*
 * Conversations kept: about 450 bytes each, several for each of 100,000 QPs would not fit a QPN
 * anyway. A capture of a REQ flood could ask for any number.
 */
#define RDA_CM_PAIRS_MAX 200000

/* The same message at least so much later was sent again; sooner it is a mirror's copy. */
#define RDA_CM_REPEAT_NS INT64_C(1000000)

/* The same packet, by its PSN and IP identification, sooner than that is a copy made by the
 * network: no agent is known to ask again so soon. */
#define RDA_CM_COPY_NS INT64_C(50000000)

#define RDA_CM_QPN_UNKNOWN UINT32_MAX
#define RDA_CM_FLOW_NONE   UINT32_MAX

/*
 * What the exchange allows one end as a requester; -1: not known. Retries are what its QP was given
 * on Linux: the active side takes the retry count and the ACK timeout of its own REQ, which are
 * those that it tells the other; RNR retries are what the other side tells it.
 */
struct rda_cm_limits {
	int8_t retry_count;	/* resends without progress */
	int8_t rnr_retry_count; /* resends after RNR NAKs; 7: without end */
	int8_t ack_timeout;	/* the timer's exponent: 4.096 us * 2^n; 0: no timer */
	int16_t reads;		/* READs and ATOMICs under way, as the REP says */
	bool timer_offered;	/* the ACK timeout is the other side's, which this one may leave:
				   each sets its own (rdma_set_ack_timeout), and nothing tells that */
};

/* When a message was sent; `count` 0: it was not captured. */
struct rda_cm_moment {
	int64_t first_ns, last_ns;
	uint64_t first_place, last_place; /* meta.h */
	uint32_t tap;			  /* of the first: elsewhere it is a second view of it */
	uint32_t count;			  /* times it was sent, at that tap */
	uint32_t psn;			  /* of the latest packet, and: */
	uint16_t ip_id;			  /* 0: none */
	bool checked;			  /* the ICRCs of all fit, copies among them */
};

/* Whether a packet with the same message is in the capture once more. */
static inline bool rda_cm_is_copy(const struct rda_cm_moment *moment,
				  const struct rda_packet *packet, int64_t time_ns)
{
	bool alike =
		packet->ip_id && packet->ip_id == moment->ip_id && packet->bth.psn == moment->psn;

	return time_ns - moment->last_ns < (alike ? RDA_CM_COPY_NS : RDA_CM_REPEAT_NS);
}

/* What private data says of a login of SRP (srp.h); all 0: nothing. */
struct rda_cm_login {
	bool asked, granted, refused;
	int32_t limit;	 /* if granted: requests that may be under way */
	uint32_t reason; /* if refused */
};

struct rda_flow;

enum rda_cm_side_id { RDA_CM_ACTIVE, RDA_CM_PASSIVE };

struct rda_cm_side {
	struct rda_address address;
	uint32_t qpn;	   /* or RDA_CM_QPN_UNKNOWN */
	int32_t first_psn; /* that it begins to send with, as the other side said; -1 unknown */
	int16_t resources; /* READs and ATOMICs that it serves at once; -1 unknown */
	int16_t depth;	   /* READs and ATOMICs that it means to have under way; -1 unknown */
	struct rda_cm_limits limits;
	uint32_t key;			 /* EXCHANGE: of its memory; 0 not told */
	uint64_t va;			 /* where that begins */
	struct rda_cm_moment dreq, drep; /* that it sent */
};

/* One conversation. It is a pair of QPs once both QPNs are known. */
struct rda_cm_pair {
	struct rda_cm_side sides[2]; /* enum rda_cm_side_id; in order of appearance if !begun */
	uint8_t by;		     /* enum rda_paired_by: CM or EXCHANGE */
	bool begun;		     /* the REQ was captured: the sides are known for sure */
	bool xrc;		     /* the passive QPN is the REP's EECN */
	int8_t transport;	     /* of the REQ: 0 RC, 1 UC, 2 RD, 3 extended; -1 unknown */
	int8_t cm_timeout;   /* that the active side waits for: 4.096 us * 2^n; -1 unknown */
	int8_t cm_retries;   /* -1 unknown */
	int8_t rej_by;	     /* enum rda_cm_side_id, if rej.count */
	int32_t rej_reason;  /* if rej.count; -1 it was cut */
	uint32_t path_mtu;   /* bytes; 0 unknown */
	uint64_t service_id; /* 0 unknown */
	uint64_t tid;	     /* of the first message */
	uint64_t place;	     /* where it became known (meta.h) */
	uint32_t asked_id;   /* communication ID of the active side; valid if begun */
	struct rda_cm_login login;
	struct rda_cm_moment req, mra, rep, rtu, rej; /* EXCHANGE: the two lines are req and rep */
	uint32_t carrier; /* index of the flow of its first message; RDA_CM_FLOW_NONE: none */
	/* a flow of it was, to save memory, or one of its QPs has a new name: its end is not known
	 */
	bool retired;
	const struct rda_cm_pair *earlier; /* that tied the same two QPs before; or NULL */
	struct rda_flow *flows[2]; /* that the sides sent, as far as they were seen; of one tap */
};

/* A conversation as a value. */
struct rda_conversation {
	struct rda_cm_pair said; /* without the members that point to others */
	bool is_connected;	 /* something was seen on what it set up */
	bool has_active;	 /* something was seen that the active side sent on it */
};

struct rda_cm_track;

/* One message, as the tracker took it. */
struct rda_cm_step {
	struct rda_cm cm;
	struct rda_cm_pair *pair; /* the conversation; NULL: SIDR, or it is not kept */
	struct rda_cm_pair *past; /* another, of which it names a QP anew; or NULL */
	uint8_t sender;		  /* enum rda_cm_side_id, in `pair` */
	bool fresh;		  /* the first of its kind in the conversation */
	bool checked;		  /* its ICRC fits */
	bool repeated;		  /* sent again; neither: seen again (a mirror, another tap) */
};

struct rda_cm_track *rda_cm_track_new(uint64_t seed);
void rda_cm_track_free(struct rda_cm_track *track);

/* What is seen from this capture on is no repetition of what was seen before it. */
void rda_cm_track_begin(struct rda_cm_track *track, uint32_t capture);

/* Takes note of a packet's CM message; false when it has none. `place` is its frame's (meta.h). */
bool rda_cm_track_packet(struct rda_cm_track *track, const struct rda_meta *meta, uint64_t place,
			 const struct rda_frame *frame, const struct rda_packet *packet,
			 struct rda_cm_step *step);

/* What one side of a pair said of itself, other than in a CM message. */
struct rda_cm_said {
	struct rda_address address;
	uint32_t qpn, first_psn; /* that it begins to send with itself */
	int16_t resources;	 /* READs that it serves at once; -1 unknown */
	uint32_t key;		 /* of its memory; 0: not told */
	uint64_t va;		 /* where that begins */
	int64_t time_ns;
	uint64_t place; /* meta.h */
};

/*
 * Two sides told each other their QPs, [0] first. The pair, or NULL when it is known or a live CM
 * conversation says otherwise.
 */
struct rda_cm_pair *rda_cm_track_told(struct rda_cm_track *track, const struct rda_cm_said said[2],
				      uint32_t tap);

/*
 * The conversation that set up the connection of a flow, or NULL. Both QPNs of it are known; what
 * else is depends on what was captured of it: ask for -1 and 0.
 */
const struct rda_cm_pair *rda_cm_track_pair(const struct rda_cm_track *track,
					    const struct rda_flow *flow);

/* A flow was seen first: from now on its conversation knows it. NULL: there is none. */
const struct rda_cm_pair *rda_cm_track_bind(const struct rda_cm_track *track,
					    struct rda_flow *flow);

/* Whether both QPs are known. */
bool rda_cm_is_tied(const struct rda_cm_pair *pair);

/* Whether the conversation is at its end: refused, or one side left. */
bool rda_cm_is_over(const struct rda_cm_pair *pair);

/* Whether connection management set up the connection of a flow; and has not ended it. */
bool rda_cm_set_up(const struct rda_flow *flow);
bool rda_cm_keeps_up(const struct rda_flow *flow);

/* Whether the conversation was at its end when the flow began. */
bool rda_cm_was_over(const struct rda_cm_pair *pair, const struct rda_flow *flow);

/* When a DREQ of one of the two sides ended the connection of a flow, later than that; INT64_MAX:
 * none did. */
int64_t rda_cm_left_ns(const struct rda_cm_track *track, const struct rda_flow *flow,
		       int64_t after_ns);

static inline bool rda_cm_disconnected(const struct rda_cm_track *track,
				       const struct rda_flow *flow, int64_t after_ns)
{
	return rda_cm_left_ns(track, flow, after_ns) != INT64_MAX;
}

/* The sides of a flow's pair: who sends it, and who receives it. */
const struct rda_cm_side *rda_cm_sender(const struct rda_cm_pair *pair,
					const struct rda_flow *flow);
const struct rda_cm_side *rda_cm_receiver(const struct rda_cm_pair *pair,
					  const struct rda_flow *flow);

/* What a flow's sender may do as a requester; NULL: nobody said. */
const struct rda_cm_limits *rda_cm_limits_of(const struct rda_flow *flow);

/* The ACK timeout among these, as it is coded (0: none); -1: nothing says it. */
static inline int rda_cm_ack_timeout_of(const struct rda_flow *flow)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);

	return limits ? limits->ack_timeout : -1;
}

/* Conversations, in order of their first message. */
uint32_t rda_cm_track_count(const struct rda_cm_track *track);
const struct rda_cm_pair *rda_cm_track_at(const struct rda_cm_track *track, uint32_t index);
uint32_t rda_cm_track_index(const struct rda_cm_pair *pair);

/* A time of connection management: 4.096 us * 2^n. */
static inline int64_t rda_cm_time_ns(unsigned exponent)
{
	return INT64_C(4096) << (exponent & 31);
}

/* Where no timer was agreed on: none is likely to be longer (2^18 units). */
#define RDA_CM_LONGEST_TIMER_NS INT64_C(1100000000)

/* So long the timer may take of a requester whose ACK timeout this is: four times that. */
static inline int64_t rda_cm_longest_timer_ns(unsigned ack_timeout)
{
	return 4 * rda_cm_time_ns(ack_timeout);
}

/* So long the timer of a flow's sender may take; INT64_MAX: it has none. */
static inline int64_t rda_cm_longest_timer_of(const struct rda_flow *flow)
{
	int told = rda_cm_ack_timeout_of(flow);

	if (told < 0)
		return RDA_CM_LONGEST_TIMER_NS;
	return told ? rda_cm_longest_timer_ns((unsigned)told) : INT64_MAX;
}

/* Fewer conversations than RDA_CM_PAIRS_MAX. */
void rda_cm_track_limit(struct rda_cm_track *track, uint32_t most);

/* Messages of further conversations, which were not followed, and those by which a host named
 * itself once more than is kept. */
uint64_t rda_cm_track_not_kept(const struct rda_cm_track *track);

/* About what all of them take, in the result too. */
uint64_t rda_cm_track_bytes(const struct rda_cm_track *track);

/* Flows go, as rda_flows_sift has it (flows.h): before they do. */
void rda_cm_track_sift(struct rda_cm_track *track, const uint32_t *moved);

#endif
