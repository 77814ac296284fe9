/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In what a packet that passed two taps was changed between them: its class, a mark, its bytes.
 */
#ifndef RDA_CHANGES_H
#define RDA_CHANGES_H

#include "analyzer/taps/passage.h"
#include "analyzer/taps/taps.h"

/* What it is to who waits for it at the second tap. */
enum rda_came {
	RDA_CAME_WHOLE,
	RDA_CAME_BROKEN,  /* it was whole at the first tap */
	RDA_CAME_DAMAGED, /* it may have been so there */
};

/* A packet that both saw is counted in the hop; `sure`: it is no other one that looks like it. */
enum rda_came rda_changes_note(struct rda_hop *hop, const struct rda_passage *from,
			       const struct rda_passage *to, bool sure);

#endif
