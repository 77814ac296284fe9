/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * STags of iWARP as events of memory keys: what used them, what was refused, what was invalidated.
 * A READ worked when its data came; a WRITE is never acknowledged, so it is not known to have
 * worked.
 */
#ifndef RDA_STAG_TRACK_H
#define RDA_STAG_TRACK_H

#include "analyzer/track/iwarp/rdmap_track.h"
#include "analyzer/track/keys/key_event.h"

/* An FPDU whose contents can be trusted, after the messages of its side took it. */
struct rda_stag_at {
	uint64_t place;		      /* of the frame at hand, in which `fpdu` was told */
	struct rda_flow *flow, *peer; /* peer: NULL when nothing of it was seen */
	const struct rda_fpdu_seen *fpdu;
	const struct rda_rdmap_step *step;
	const struct rda_key_sink *sink;
};

void rda_stag_track_fpdu(const struct rda_stag_at *at);

/* FPDUs of a flow are missing. */
void rda_stag_track_lost(struct rda_flow *flow);

/* Whether an FPDU begins the use of an STag. */
bool rda_stag_is_used(const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step,
		      uint32_t *stag);

/*
 * The place where a flow invalidated an STag, and its owner has sent nothing since that could have
 * told it anew; 0: it did not, or that is not known.
 */
uint64_t rda_stag_invalidated(const struct rda_flow *flow, const struct rda_flow *peer,
			      uint32_t stag);

#endif
