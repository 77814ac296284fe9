/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, marks and the notices that follow them: G01-G06.
 *
 *     A ---- packets, some marked CE by a switch ---->  B
 *     A <--- CNP to A's QP: slow down ---------------   B
 *
 * How often NICs send CNPs, and whether they count by QP, by host or by port, is set by their
 * owners and not in the capture. So a CNP that is missing is never more than a suspicion.
 */
#ifndef RDA_CHECKS_CONGESTION_NOTICE_H
#define RDA_CHECKS_CONGESTION_NOTICE_H

#include "analyzer/checks/judge.h"

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
void rda_congestion_notice_end(const struct rda_notifiers *notifiers, struct rda_judge *judge);

#endif
