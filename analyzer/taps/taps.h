/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several captures together tell: which taps there are, how their clocks stand to each other,
 * and what became of packets between them. A value: what is printed of it is made in report/.
 */
#ifndef RDA_TAPS_H
#define RDA_TAPS_H

#include "analyzer/base/latency.h"
#include "analyzer/rda.h"

/* The truth is not below min and not above max; each may be unknown. */
struct rda_taps_bounds {
	bool has_min, has_max;
	int64_t min, max;
};

/* One place where packets were captured. */
struct rda_tap {
	char *name;	       /* owned */
	uint32_t group;	       /* taps of the same traffic have the same one */
	uint8_t relation;      /* enum rda_relation_kind: of its captures to others */
	uint64_t not_compared; /* packets behind those that were kept to be compared */
	uint32_t first, count; /* its captures: indices of the result's from `first` on */
	/* its clock less that of the first tap of its group: at the latter's first packet that both
	 * saw, in ns; how much faster it runs, in parts per billion */
	struct rda_taps_bounds offset_ns, drift_ppb;
	uint8_t clock; /* enum rda_clock_state: whether they are known, or why not */
};

enum { RDA_HOP_PLACES = 8 };

/* Packets whose loss is noticed in other ways. */
enum rda_gap_kind { RDA_GAP_REQUESTS, RDA_GAP_ANSWERS, RDA_GAPS };

/* No timer that is in use is shorter, and round trips inside a site are. */
#define RDA_HOP_STALL_NS 1000000

/* What becomes of packets on their way. */
enum rda_hop_fate {
	RDA_HOP_LOST,
	RDA_HOP_DAMAGED,
	RDA_HOP_MISREAD, /* damaged as the second tap has them, and came whole */
	RDA_HOP_OVERTAKEN,
	RDA_HOP_RECLASSED,
	RDA_HOP_MARKED,
	RDA_HOP_DOUBLED,
	RDA_HOP_FATES,
};

/* Frames of the first of each: at the first tap, and at the second; of a lost packet there what
 * came next, of one that is doubled its copy alone. */
struct rda_hop_shown {
	uint64_t places[RDA_HOP_FATES][RDA_HOP_PLACES]; /* meta.h */
	uint8_t counts[RDA_HOP_FATES];
};

/* What became of one direction of a connection from a tap to the next on its way. */
struct rda_hop {
	uint32_t connection; /* id */
	uint8_t flow;	     /* 0, 1 */
	uint32_t from, to;   /* taps */
	bool ordered; /* that it goes from `from` to `to` is known; else they are in no order */
	bool order_is_sure; /* whatever the mirrors (routes.h) */
	uint64_t packets;   /* that `from` saw while `to` was capturing */
	uint64_t lost;	    /* of them: not seen at `to`, nor known to have come all the same */
	uint64_t missed; /* not seen at `to`, and came: its capture missed them, or they went round
			  */
	/* of them: requests with a PSN that had not come to `to` before. Had its capture missed
	 * them, their acknowledgments would tell. */
	uint64_t lost_new;
	/* by enum rda_gap_kind, of lost packets and of damaged ones (gaps.h): times that something
	 * stood for one that is missed only after RDA_HOP_STALL_NS; of the one that is
	 * missed at the end, how often it was sent */
	uint64_t stalls[RDA_GAPS][2], tries[RDA_GAPS][2];
	uint64_t strays; /* damaged packets at `to`, of these hosts and this way, that `from` lacks
			  */
	uint64_t came_damaged; /* seen at both, and damaged at `to` */
	/* of lost_new: whose loss what `to` saw alone proves (S01). What it only missed, and was
	 * sent again behind what was lost or late, looks the same, and no acknowledgment tells.
	 * None where others saw something that came from `to`, and it did not: it misses packets */
	uint64_t proven;
	struct rda_hop_shown *shown; /* owned; NULL: all arrived as they were */
	uint64_t duplicated;	     /* seen at `to` once more than at `from` */
	uint64_t appeared;	     /* seen at `to` and never at `from`: its capture missed them */
	uint64_t reordered;	     /* seen at `to` behind one that `from` saw later */
	uint64_t changed;	     /* in one or more of these ways: */
	uint64_t dscp_changed, ce_set, icrc_broken;
	uint64_t misread;	  /* of icrc_broken: they came whole to their receiver */
	uint8_t dscp, other_dscp; /* of the first of dscp_changed: at `from`, at `to` */
	uint8_t unsure;		  /* mask of 1 << fate: one of these packets may be another */
	bool icrc_absent;	  /* nearly none fits at `to`: that tells nothing of damage */
	bool unvouched;		/* no checksum covers the class of one of those that differ in it */
	uint64_t broken_before; /* damaged at `from` */
	uint64_t not_compared;	/* seen at `from` while it is not known that `to` was capturing, or
				   past the window */
	struct rda_latency delay; /* one way, by the middle of the offset's bounds */
	int64_t error_ns;	  /* it may be so much more or less; -1: not known, and no delays */
};

/* Where the answers to one direction's requests were while these waited (residence.h): between the
 * tap that is told and the last one on the requests' way, or behind that. */
struct rda_taps_waits {
	uint32_t connection; /* id */
	uint8_t flow;	     /* 0, 1: of the requests */
	uint32_t from, to;   /* taps */
	int64_t network_ns, responder_ns, unknown_ns;
};

/* One wait of them that no limit explains, as it is parted in the sums of time. */
struct rda_taps_part {
	uint32_t connection;
	uint8_t flow;
	int64_t begin_ns, network_ns, responder_ns;
};

struct rda_taps {
	struct rda_tap *taps; /* owned */
	uint32_t count, group_count;
	struct rda_hop *hops; /* owned; by connection, flow and tap */
	uint32_t hop_count;
	uint32_t *tap_of; /* owned; by connection: the tap whose view is told */
	uint32_t connection_count;
	struct rda_taps_waits *waits; /* owned; by connection and flow */
	struct rda_taps_part *parts;  /* owned; by connection, flow and time */
	uint32_t wait_count, part_count;
};

/* The hops of a connection: *count of them from the returned one on. */
const struct rda_hop *rda_taps_hops(const struct rda_taps *taps, uint32_t connection,
				    uint32_t *count);

/* Of one direction; NULL: none are known. */
const struct rda_taps_waits *rda_taps_waits(const struct rda_taps *taps, uint32_t connection,
					    uint8_t flow);

/* The wait that began then; NULL: nothing of it is known. `taps` may be NULL. */
const struct rda_taps_part *rda_taps_part(const struct rda_taps *taps, uint32_t connection,
					  uint8_t flow, int64_t begin_ns);

/* Puts waits and parts in order. */
void rda_taps_sort_waits(struct rda_taps *taps);

/* A frame that shows what happened to a packet, of the first ones. */
void rda_hop_show(struct rda_hop *hop, enum rda_hop_fate fate, uint64_t place);

/* What a hop owns. */
void rda_hop_cleanup(struct rda_hop *hop);

/* Takes NULL. */
void rda_taps_free(struct rda_taps *taps);

#endif
