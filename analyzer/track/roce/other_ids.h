/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The identifications of the answers that a requester gives to its peer's requests, from the first
 * on that something was odd: they are of the same numbering as those of its own requests.
 *
 *     identification   20  21  24        22 and 23 were answers, or two requests are missing
 *     PSN               5   6   9
 *
 * Which of the two it was the answers tell, as far as they passed. What follows is overtaken.h's
 * part.
 */
#ifndef RDA_OTHER_IDS_H
#define RDA_OTHER_IDS_H

#include "analyzer/track/roce/requester.h"

/* The latest answers. */
#define RDA_OTHER_IDS_KEPT 64

struct rda_other_ids {
	int64_t since;			    /* behind this place all are noted */
	uint64_t count;			    /* so many were noted */
	uint16_t items[RDA_OTHER_IDS_KEPT]; /* a ring */
};

/* The requester answers something, in a packet with this identification. */
void rda_other_ids_note(struct rda_requester *requester, uint16_t ip_id);

/* From this place on in the order of sending all are noted. */
int64_t rda_other_ids_since(const struct rda_requester *requester);

/* How many of its latest answers have a place between two in the order of sending. */
uint32_t rda_other_ids_between(const struct rda_requester *requester, int64_t low, int64_t high);

#endif
