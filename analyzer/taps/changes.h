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

/* A packet that both saw; `sure`: it is no other one that looks like it; `delivered`: it came whole
 * to its receiver, so that what damages it is what the second tap captures by. */
struct rda_passed {
	const struct rda_passage *from, *to;
	bool sure, delivered;
};

/* Counts it in the hop. */
enum rda_came rda_changes_note(struct rda_hop *hop, const struct rda_passed *passed);

#endif
