/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which findings list a frame: the other way round from finding.h, for those who print packets.
 */
#ifndef RDA_NOTES_H
#define RDA_NOTES_H

#include "analyzer/engine/result.h"

#include <glib.h>

struct rda_notes {
	GArray *notes; /* owned; by place, then check */
};

/* From the findings of a result. */
void rda_notes_init(struct rda_notes *notes, const struct rda_result *result);
void rda_notes_cleanup(struct rda_notes *notes);

/* The codes of a place (meta.h), each once, at most `most`; returns how many. */
unsigned rda_notes_of(const struct rda_notes *notes, uint64_t place, const char **codes,
		      unsigned most);

#endif
