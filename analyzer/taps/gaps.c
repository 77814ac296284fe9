/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that are missed at the second tap. See gaps.h.
 */
#include "analyzer/taps/gaps.h"

#include "analyzer/base/psn.h"

/* NULL: a packet that nobody waits for, or that is not of RDMA over Ethernet or InfiniBand. */
static struct rda_hop_gap *gap_of(struct rda_gaps *gaps, const struct rda_passage *packet)
{
	if (packet->answered)
		return &gaps->of[RDA_GAP_REQUESTS];
	return packet->answers ? &gaps->of[RDA_GAP_ANSWERS] : NULL;
}

/* Whether it is what is missed, or stands for it: a request that is repeated repeats those behind
 * it, an answer stands for those before it. */
static bool stands_for(const struct rda_hop_gap *gap, const struct rda_passage *packet)
{
	int64_t psn = rda_psn_widen(gap->psn, packet->sequence);

	return packet->answered ? psn <= gap->psn : psn >= gap->psn;
}

static bool is_stall(const struct rda_hop_gap *gap, int64_t time_ns)
{
	/* whatever the stamps are: their difference may need 65 bits */
	return time_ns >= gap->since_ns &&
	       (uint64_t)time_ns - (uint64_t)gap->since_ns >= RDA_HOP_STALL_NS;
}

static void count(const struct rda_hop_gap *gap, struct rda_hop *hop, unsigned kind)
{
	hop->stalls[kind][gap->damaged]++;
}

void rda_gaps_gone(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet,
		   bool damaged)
{
	struct rda_hop_gap *gap = gap_of(gaps, packet), old;
	bool again;

	if (!gap)
		return;
	old = *gap;
	/* READ responses are given again from the first one on */
	again = old.open && (packet->answers || stands_for(&old, packet)) &&
		is_stall(&old, packet->time_ns);
	if (again)
		count(&old, hop, (unsigned)(gap - gaps->of));
	*gap = (struct rda_hop_gap){
		.open = true,
		.damaged = damaged,
		.since_ns = packet->time_ns,
		.psn = old.open ? rda_psn_widen(old.psn, packet->sequence)
				: rda_psn_first(packet->sequence),
	};
	if (old.open) {
		gap->tries[0] = old.tries[0];
		gap->tries[1] = old.tries[1];
	}
	if (again || !old.open)
		gap->tries[damaged]++;
}

void rda_gaps_came(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet)
{
	struct rda_hop_gap *gap = gap_of(gaps, packet);

	if (!gap || !gap->open || !stands_for(gap, packet))
		return;
	if (is_stall(gap, packet->time_ns))
		count(gap, hop, (unsigned)(gap - gaps->of));
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
		const struct rda_hop_gap *gap = &gaps->of[i];

		hop->tries[i][0] = gap->open ? gap->tries[0] : 0;
		hop->tries[i][1] = gap->open ? gap->tries[1] : 0;
	}
}
