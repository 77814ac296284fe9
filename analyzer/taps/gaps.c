/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that are missed at the second tap. See gaps.h.
 */
#include "analyzer/taps/gaps.h"

#include "analyzer/base/psn.h"

static struct rda_hop_gap *gap_of(struct rda_gaps *gaps, const struct rda_passage *packet)
{
	return &gaps->of[packet->answered ? RDA_GAP_REQUESTS : RDA_GAP_OTHERS];
}

/* Whether it is, or stands for, what is missed: of requests that one, or one before it. */
static bool stands_for(const struct rda_hop_gap *gap, const struct rda_passage *packet)
{
	return !packet->answered || rda_psn_widen(gap->psn, packet->sequence) <= gap->psn;
}

static bool is_stall(const struct rda_hop_gap *gap, int64_t time_ns)
{
	return time_ns - gap->since_ns >= RDA_HOP_STALL_NS;
}

static void count(const struct rda_hop_gap *gap, struct rda_hop *hop)
{
	hop->stalls[gap->damaged]++;
}

void rda_gaps_gone(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet,
		   bool damaged)
{
	struct rda_hop_gap *gap = gap_of(gaps, packet);
	uint64_t tries = 1;

	if (gap->open && (!stands_for(gap, packet) || !is_stall(gap, packet->time_ns)))
		return;
	if (gap->open) {
		count(gap, hop);
		tries = gap->tries + 1;
	}
	*gap = (struct rda_hop_gap){
		.open = true,
		.damaged = damaged,
		.since_ns = packet->time_ns,
		.psn = packet->answered ? rda_psn_first(packet->sequence) : 0,
		.tries = tries,
	};
}

void rda_gaps_came(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet)
{
	struct rda_hop_gap *gap = gap_of(gaps, packet);

	if (!gap->open || !stands_for(gap, packet))
		return;
	if (is_stall(gap, packet->time_ns))
		count(gap, hop);
	gap->open = false;
}

void rda_gaps_unknown(struct rda_gaps *gaps)
{
	for (unsigned i = 0; i < RDA_GAPS; i++)
		gaps->of[i].open = false;
}

void rda_gaps_end(const struct rda_gaps *gaps, struct rda_hop *hop)
{
	for (unsigned i = 0; i < RDA_GAPS; i++) {
		if (!gaps->of[i].open)
			continue;
		count(&gaps->of[i], hop);
		hop->tries_lost[i] = gaps->of[i].tries;
	}
}
