/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where conversations of connection management are bounded, and what they take.
 */
#include "analyzer/track/setup/state.h"

#include "analyzer/track/flow.h"

/* What table and malloc add to an item. */
enum { ITEM = 48 };

void rda_cm_track_limit(struct rda_cm_track *track, uint32_t most)
{
	track->most = most < RDA_CM_PAIRS_MAX ? most : RDA_CM_PAIRS_MAX;
}

uint64_t rda_cm_track_not_kept(const struct rda_cm_track *track)
{
	return track->not_kept + track->names_not_kept;
}

uint64_t rda_cm_track_bytes(const struct rda_cm_track *track)
{
	return track->pairs.count *
		       (sizeof(struct rda_cm_pair) + sizeof(struct rda_conversation) + ITEM) +
	       track->ids.count * (sizeof(struct rda_cm_id) + ITEM) +
	       track->ends.count * (sizeof(struct rda_cm_end) + ITEM);
}

static void sift_pair(struct rda_cm_pair *pair, const uint32_t *moved)
{
	for (unsigned side = 0; side < 2; side++)
		if (pair->flows[side] && moved[pair->flows[side]->index] == RDA_GONE) {
			pair->flows[side] = NULL;
			pair->retired = true;
		}
	if (pair->carrier != RDA_CM_FLOW_NONE)
		pair->carrier =
			moved[pair->carrier] == RDA_GONE ? RDA_CM_FLOW_NONE : moved[pair->carrier];
}

void rda_cm_track_sift(struct rda_cm_track *track, const uint32_t *moved)
{
	for (uint32_t i = 0; i < track->pairs.count; i++)
		sift_pair(rda_cm_track_pair_at(track, i), moved);
}
