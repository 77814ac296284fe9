/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What group G watches of a half-flow. Made with the first packet that has a DSCP, an ECN or a VLAN
 * tag, or that a CNP is about: a flow without any of them costs nothing.
 */
#ifndef RDA_CHECKS_CONGESTION_STATE_H
#define RDA_CHECKS_CONGESTION_STATE_H

#include "analyzer/checks/judge.h"

#define RDA_PRIORITIES 8

/* Which traffic class its packets are in; CNPs apart. */
struct rda_classes {
	uint64_t dscps;			   /* mask of 1 << DSCP */
	uint64_t cnp_dscps;		   /* likewise, of CNPs */
	uint64_t first_place, other_place; /* of the first DSCP, and of the first that differs */
	uint64_t cnp_place;		   /* of the first CNP */
	uint64_t capable, incapable;	   /* packets with payload: ECT or CE, Not-ECT */
	uint64_t capable_place, incapable_place; /* the first of each */
	uint8_t priority;			 /* VLAN's, or by the DSCP: of the latest packet */
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
	int64_t latest_ns;
	uint64_t unmatched; /* while the peer was not known */
	uint64_t unmatched_place;
	uint16_t ip_id; /* of the latest */
};

/* How fast the flow sent lately: bytes in buckets of 2^17 ns, about 131 us. */
#define RDA_RATE_SHIFT	 17
#define RDA_RATE_BUCKETS 16
#define RDA_RATE_SPAN	 4 /* buckets that are compared */

struct rda_rate {
	int64_t begin_ns; /* from which buckets count */
	int64_t bucket;	  /* the latest */
	uint32_t bytes[RDA_RATE_BUCKETS];
	uint64_t before;       /* bytes in RDA_RATE_SPAN before a series of CNPs; 0 unknown */
	int64_t notice_bucket; /* of a CNP whose effect is waited for; 0 none */
	uint64_t notice_place;
	uint64_t slower, as_before; /* CNPs by what followed them */
	uint64_t as_before_place;
};

struct rda_congestion_watch {
	struct rda_classes classes;
	struct rda_marks marks;
	struct rda_notices notices;
	struct rda_rate *rate; /* owned; NULL until the flow has sent a good deal */
};

/*
 * What is watched of the flow. Where that begins now, its packets so far had neither DSCP nor ECN,
 * but for the one at hand (NULL: it is of another flow).
 */
struct rda_congestion_watch *rda_congestion_watch_of(struct rda_flow *flow,
						     const struct rda_packet *packet);
void rda_congestion_watch_free(struct rda_flow *flow); /* there need be none */

#endif
