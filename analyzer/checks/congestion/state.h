/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What group G watches of a half-flow. Made with the first packet that has a DSCP, an ECN or a VLAN
 * tag, or that a CNP is about: a flow without any of them costs nothing.
 */
#ifndef RDA_CHECKS_CONGESTION_STATE_H
#define RDA_CHECKS_CONGESTION_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/congestion/holds.h"

struct rda_pauses;

/* Which traffic class its packets are in; CNPs apart. */
struct rda_classes {
	unsigned form : 24;    /* of the latest packet (class.c): one like it says no more */
	unsigned priority : 8; /* VLAN's, or by the DSCP: of the latest packet */
	uint32_t form_capture; /* of the latest packet */
	uint64_t dscps;	       /* mask of 1 << DSCP */
	uint64_t first_place, other_place; /* of the first DSCP, and of the first that differs */
	uint32_t first_psn, other_psn;	   /* of these packets */
	uint8_t first_dscp, other_dscp;
	/* another packet has that DSCP, too: of one alone its class may be what is damaged */
	bool firsts_twice, others_twice;
	/* of the first packet with payload: ECT or CE; Not-ECT; 0: there is none */
	uint64_t capable_place, incapable_place;
};

/* Marks (CE) on the packets of this flow, and the CNPs that answer them. */
struct rda_marks {
	bool pending;	    /* marked, and no CNP has come */
	bool quiet;	    /* the pending one followed no CNP closely */
	bool noticed;	    /* a CNP has come: notice_ns is valid */
	int64_t pending_ns; /* when that was */
	uint64_t pending_place;
	bool any;		       /* latest_ns is valid */
	int64_t latest_ns;	       /* of the latest mark */
	int64_t notice_ns;	       /* of the latest CNP about this flow */
	uint64_t answered, unanswered; /* episodes: from a mark on to its CNP */
	uint64_t unanswered_place;     /* the first */
	uint64_t unprompted;	       /* CNPs without a mark before */
	uint64_t unprompted_place;
};

/* CNPs in this flow: about its peer. */
struct rda_notices {
	uint64_t dscps; /* mask of 1 << DSCP */
	uint64_t place; /* of the first */
	int64_t latest_ns;
	uint64_t unmatched; /* while the peer was not known */
	uint64_t unmatched_place;
	uint16_t ip_id;	  /* of the latest */
	uint64_t vouched; /* mask of 1 << DSCP: of several CNPs, or of one whose ICRC fits */
};

/* How fast the flow sent lately: bytes in buckets of 2^17 ns, about 131 us. */
#define RDA_RATE_SHIFT	 17
#define RDA_RATE_BUCKETS 16
#define RDA_RATE_SPAN	 4 /* buckets that are compared */

struct rda_rate {
	int64_t latest_ns;     /* when the latest bucket began */
	int64_t gap_ns;	       /* before the latest that ended a message; 0: there was none */
	int64_t begin_ns;      /* from which buckets count */
	int64_t bucket;	       /* the latest */
	uint64_t bytes_before; /* what the flow had sent when the latest bucket began */
	int64_t notice_bucket; /* of a CNP whose effect is waited for; 0 none */
	uint32_t idle;	       /* mask of buckets: all was answered in it, and nothing asked */
	uint32_t filled;       /* mask of those that have bytes; the latest once it is over */
	uint32_t bytes[RDA_RATE_BUCKETS];
	uint64_t before; /* bytes in RDA_RATE_SPAN before a series of CNPs; 0 unknown */
	uint64_t notice_place;
	uint64_t slower, as_before; /* CNPs by what followed them */
	uint64_t as_before_place;
};

struct rda_congestion_watch {
	struct rda_rate *rate; /* owned; NULL until the flow has sent a good deal */
	struct rda_classes classes;
	/* owned; NULL before the first mark, or CNP about one, and before the first CNP in it */
	struct rda_marks *marks;
	struct rda_notices *notices;
};

/*
 * What is watched of the flow. Where that begins now, its packets so far had neither DSCP nor ECN,
 * but for the one at hand (NULL: it is of another flow).
 */
struct rda_congestion_watch *rda_congestion_watch_of(struct rda_flow *flow,
						     const struct rda_packet *packet);
struct rda_notices *rda_congestion_notices(struct rda_congestion_watch *watch);
void rda_congestion_watch_free(struct rda_flow *flow); /* there need be none */

/*
 * Group G, whether a sender slows down when it is told to: G06.
 */

/* A packet of a flow that is watched, no CNP. */
void rda_rate_packet(const struct rda_at *at);

/* A CNP about `flow`, so long after the one before. */
void rda_rate_noticed(struct rda_flow *flow, const struct rda_at *at, int64_t since_ns);

void rda_rate_end(struct rda_judge *judge, const struct rda_flow *flow);

/*
 * Group G, which class of traffic packets are in and the form of CNPs: G07-G10, G16.
 */

/* Of the flow's packets but CNPs. */
struct rda_flow_classes rda_congestion_classes_of(const struct rda_flow *flow);

/* Of its CNPs, which are about packets of `data` (NULL: of none). */
struct rda_cnp_classes rda_congestion_cnp_classes_of(const struct rda_flow *flow,
						     const struct rda_flow *data);

/* An undamaged packet with a BTH, of a flow that is watched. */
void rda_congestion_class(struct rda_pauses *pauses, const struct rda_at *at);

void rda_congestion_class_connection(struct rda_judge *judge,
				     const struct rda_connection *connection);
void rda_congestion_class_overall(struct rda_judge *judge);

/*
 * Group G, QPs that share a UDP source port: G17.
 */
void rda_congestion_ways_overall(struct rda_judge *judge);

/*
 * Group G, by what CNPs are paced: G19.
 */
void rda_congestion_pacing_overall(struct rda_judge *judge);

/*
 * Group G, marks and the notices that follow them: G01-G06.
 *
 *     A ---- packets, some marked CE by a switch ---->  B
 *     A <--- CNP to A's QP: slow down ---------------   B
 *
 * How often NICs send CNPs, and whether they count by QP, by host or by port, is set by their
 * owners and not in the capture. So a CNP that is missing is never more than a suspicion.
 */

/* A CNP comes within this and the round trip time of the mark, or is missing. */
#define RDA_CNP_DUE_NS 1000000

/* What is told of hosts that send CNPs. */
struct rda_notifiers {
	struct rda_table hosts;
	uint32_t capture;
	bool begun;
	int64_t first_ns;  /* of the capture at hand, or of the first file of it */
	int64_t latest_ns; /* of the latest frame */
};

void rda_notifiers_init(struct rda_notifiers *notifiers, uint64_t hash_seed);
void rda_notifiers_cleanup(struct rda_notifiers *notifiers);

/* Any frame, for the time at which its capture began. */
static inline void rda_notifiers_time(struct rda_notifiers *notifiers, const struct rda_at *at)
{
	int64_t latest_ns = notifiers->latest_ns;

	notifiers->latest_ns = at->meta->time_ns;
	if (notifiers->begun && notifiers->capture == at->capture)
		return;
	if (!notifiers->begun || !rda_is_next_file(latest_ns, at->meta->time_ns))
		notifiers->first_ns = at->meta->time_ns;
	notifiers->begun = true;
	notifiers->capture = at->capture;
}

/* An undamaged packet with a BTH, of a flow that is watched. */
void rda_congestion_notice(struct rda_notifiers *notifiers, const struct rda_at *at);

void rda_congestion_notice_connection(struct rda_judge *judge,
				      const struct rda_connection *connection);
/* Hosts have other indices. */
void rda_notifiers_retire(struct rda_notifiers *notifiers, const struct rda_moved *moved);
void rda_notifiers_join(struct rda_notifiers *to, const struct rda_notifiers *from,
			const struct rda_moved *moved);
void rda_notifiers_pack(struct rda_pack *pack, struct rda_notifiers *notifiers);
void rda_congestion_notice_overall(const struct rda_notifiers *notifiers, struct rda_judge *judge);

/*
 * Group G, frames that stop a link: G11-G15.
 *
 *     XOFF: stop this priority for so many quanta of 512 bit times      XON: go on (0 quanta)
 *
 * How long a quantum is depends on the speed of the link, which no capture tells. Where nobody told
 * it (rda_config.link_gbits) it is taken for RDA_PAUSE_LINK_GBITS: on a slower link the shares of
 * time that are told are too small, on a faster one too great, unless an XON ended the pause. So
 * where it is not told a storm is an error only if it is one on the fastest links, too.
 */

/* Senders of pauses that are kept apart, with their priorities: a switch has at most 8 * ports. */
#define RDA_PAUSERS_MAX 4096

struct rda_pauses {
	struct rda_table pausers;   /* by capture, interface, MAC address and priority */
	struct rda_table links;	    /* the priorities of RDMA at each, and what is stopped */
	struct paused_link *latest; /* of them, whose packets are at hand; or NULL */
	uint64_t not_kept;	    /* pauses of more senders than are kept apart */
	uint32_t told_gbits;	    /* speed of the link; 0: not told */
};

void rda_pauses_init(struct rda_pauses *pauses, uint64_t hash_seed);
void rda_pauses_cleanup(struct rda_pauses *pauses);

/* A frame with RDA_PAUSE or RDA_PFC as its last layer. */
RDA_COLD void rda_pauses_frame(struct rda_pauses *pauses, const struct rda_at *at);

/* Packets of RDMA have this priority, by their VLAN tag or by their DSCP. */
void rda_pauses_rdma(struct rda_pauses *pauses, const struct rda_at *at);

/* Requests are sent again, as a NAK asked. */
void rda_pauses_loss(const struct rda_pauses *pauses, const struct rda_at *at,
		     const struct rda_event *event);

/* All engines saw all frames that stop links: what they know of those is the same. */
void rda_pauses_join(struct rda_pauses *to, const struct rda_pauses *from);
void rda_pauses_overall(const struct rda_pauses *pauses, struct rda_judge *judge);

const struct rda_pauses *rda_congestion_pauses(const struct rda_judge *judge);

/* What each sender of pauses stopped: a list of *count, the caller's. */
struct rda_pausing *rda_pauses_list(const struct rda_judge *judge,
				    const struct rda_capture *captures, uint32_t *count);

#endif
