/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is judged of the way between two taps of one traffic: values in, findings out. Who compares
 * the taps is analyzer/taps/.
 */
#ifndef RDA_CHECKS_HOP_H
#define RDA_CHECKS_HOP_H

#include "analyzer/checks/judge.h"

/* Packets that one thing happened to, and frames that show the first of them: as the first tap saw
 * each, and as the second did; of a lost one there what came next. */
struct rda_hop_cases {
	uint64_t count;
	const uint64_t *places;
	unsigned place_count;
};

/* What is missed for long where it was lost or damaged: how often, and of what is missed at the end
 * how often it was sent. */
struct rda_hop_missed {
	uint64_t lost_stalls, damaged_stalls, lost_tries, damaged_tries;
};

/* One direction of a connection from a tap to the next on its way, and what became of it there. */
struct rda_hop_way {
	uint32_t connection; /* id */
	uint8_t side;
	int32_t flow, other; /* indices of the direction, and of the other one; -1: the told tap
				saw nothing of it */
	int32_t sender;	     /* rda_host.index; -1: not known */
	uint32_t number;     /* of the way among those of the direction */
	struct rda_hop_missed requests; /* of the direction */
	struct rda_hop_missed answers;	/* to requests of the other one */
	/* no way stalled more often for who sent those requests; and how often all did that
	 * requests pass, or answers, whichever is more */
	bool most_requests, most_answers;
	uint64_t all_requests, all_answers;
	bool is_before, is_behind; /* the told tap is at its end or farther on; at its beginning, or
				      before that */
	const char *from, *to;	   /* names of the taps */
	uint64_t packets;	   /* that passed `from` */
	/* misread: damaged as `to` captured them, and they came whole to their receiver */
	struct rda_hop_cases lost, damaged, misread, overtaken, reclassed, marked, doubled;
	uint64_t certain; /* of the lost ones: those that `to` did not just miss */
	/* that these are the packets that passed `from`, and were whole there */
	bool damaged_is_sure, reclassed_is_sure, marked_is_sure;
	uint8_t dscp, other_dscp; /* of the first of `reclassed`: at `from`, at `to` */
};

/* Adds findings that are to be ranked. */
void rda_check_hop_way(struct rda_judge *judge, const struct rda_hop_way *way);

/* Where the answers to a direction's requests were while these waited. */
struct rda_hop_waits {
	int32_t flow;	       /* index of the direction */
	const char *from, *to; /* names of the taps: the one that is told, the last on the way */
	int64_t network_ns, responder_ns, unknown_ns;
	/* of those, what no limit of the requester explains */
	int64_t unlimited_network_ns, unlimited_responder_ns;
};

/* Says it in what was found of the direction's time. */
void rda_check_hop_waits(struct rda_judge *judge, const struct rda_hop_waits *waits);

#endif
