/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In what packets were changed between two taps. See changes.h.
 */
#include "analyzer/taps/changes.h"

#include "dissectors/values.h"

static void show_both(struct rda_hop *hop, enum rda_hop_fate fate, const struct rda_passage *from,
		      const struct rda_passage *to, bool sure)
{
	rda_hop_show(hop, fate, from->place);
	rda_hop_show(hop, fate, to->place);
	if (!sure)
		hop->unsure |= (uint8_t)(1u << fate);
}

/* The class, and the mark, unless a damaged header tells them. Whether one of them was changed. */
static bool note_class(struct rda_hop *hop, const struct rda_passage *from,
		       const struct rda_passage *to, bool sure)
{
	bool marked = to->ecn == RDA_ECN_CE && from->ecn != RDA_ECN_CE;
	/* what the outermost header has at the first tap already is changed before it, and copied
	 * inwards where the tunnel ends */
	bool reclassed = from->dscp != to->dscp && from->outer_dscp != to->dscp;

	if (from->torn || to->torn || !(marked || reclassed))
		return false;
	hop->unvouched |= !to->vouched;
	hop->ce_set += marked;
	if (marked)
		show_both(hop, RDA_HOP_MARKED, from, to, sure);
	if (!reclassed)
		return true;
	if (!hop->dscp_changed) {
		hop->dscp = from->dscp;
		hop->other_dscp = to->dscp;
	}
	hop->dscp_changed++;
	show_both(hop, RDA_HOP_RECLASSED, from, to, sure);
	return true;
}

enum rda_came rda_changes_note(struct rda_hop *hop, const struct rda_passed *passed)
{
	const struct rda_passage *from = passed->from, *to = passed->to;
	bool damaged = to->damaged && !hop->icrc_absent;
	bool broken = damaged && from->checked;

	hop->changed += note_class(hop, from, to, passed->sure) || broken;
	hop->icrc_broken += broken;
	hop->misread += broken && passed->delivered;
	if (broken)
		show_both(hop, passed->delivered ? RDA_HOP_MISREAD : RDA_HOP_DAMAGED, from, to,
			  passed->sure);
	if (passed->delivered || !damaged)
		return RDA_CAME_WHOLE;
	return broken ? RDA_CAME_BROKEN : RDA_CAME_DAMAGED;
}
