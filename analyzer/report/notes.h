/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which findings are about a frame: the other way round from finding.h, for those who print
 * packets.
 *
 * A finding is about the frames that are its cases, however many: those that it lists, those behind
 * them, which are kept where packets are traced, and, where it covers all packets of a kind (every
 * resend of a direction), those. Findings that sum up what a whole host does are about the
 * frames that they list.
 */
#ifndef RDA_NOTES_H
#define RDA_NOTES_H

#include "analyzer/engine/result.h"

#include <glib.h>

struct rda_notes {
	const struct rda_result *result; /* borrowed */
	GArray *notes;			 /* owned; by place, then finding */
	GArray *kinds; /* owned; findings about all packets of a kind, by direction, then finding */
	GArray *damaged; /* owned; those about damaged packets, by their source */
	GArray *found;	 /* of the frame that was asked for last: uint32_t, indices of findings */
};

/* A frame, with what makes it a case of a finding about all packets of a kind. */
struct rda_noted {
	uint64_t place; /* meta.h */
	struct rda_verdict verdict;
	uint8_t standing, trigger;	  /* enum rda_standing, enum rda_trigger */
	const struct rda_address *source; /* NULL: not known */
};

/* From the findings of a result, which must last as long. */
void rda_notes_init(struct rda_notes *notes, const struct rda_result *result);
void rda_notes_cleanup(struct rda_notes *notes);

/* The findings about a frame, each once, weightiest first; valid until the next call. */
const uint32_t *rda_notes_of(struct rda_notes *notes, const struct rda_noted *frame,
			     unsigned *count);

/* The codes of these in the order of checks, each once, at most `most`; returns how many. */
unsigned rda_notes_codes(struct rda_notes *notes, const struct rda_noted *frame, const char **codes,
			 unsigned most);

#endif
