/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which TCP connections are iWARP: private to iwarp.c, which has the idea.
 */
#ifndef RDA_IWARP_DETECT_H
#define RDA_IWARP_DETECT_H

#include "analyzer/track/iwarp/iwarp.h"

/* A segment that was kept, with its bytes. */
struct rda_iwarp_kept {
	struct rda_segment segment; /* bytes owned */
	struct rda_tcp tcp;
	unsigned side;
};

/* Where an FPDU of a side begins. */
struct rda_iwarp_mark {
	bool known;
	uint32_t sequence;
};

/* What a connection was found out to be, and what was kept of it before that. */
struct rda_iwarp_detected {
	bool from_start;
	struct rda_iwarp_mark first[2]; /* of each side, in what was kept or is at hand */
	struct rda_iwarp_kept kept[RDA_IWARP_KEPT_SEGMENTS];
	unsigned kept_count;
};

/* Looks at a segment of a connection that is not known. True when it is iWARP. */
bool rda_iwarp_detect(struct rda_iwarp *iwarp, const struct rda_iwarp_key *key, unsigned side,
		      const struct rda_segment *segment, const struct rda_tcp *tcp,
		      struct rda_iwarp_detected *detected);

void rda_iwarp_free_kept(struct rda_iwarp *iwarp, struct rda_iwarp_kept *kept, unsigned count);
void rda_iwarp_forget_candidates(struct rda_iwarp *iwarp);

#endif
