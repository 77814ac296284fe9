/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a connection begins, by the PSN that its set-up agreed on.
 *
 *     agreed: 100    103 104 105 ...    100 to 102 were lost, if somebody asks for them
 *     agreed: 100    7 100 101 ...      7 is late, of the QP's life before: nobody sent 8 to 99
 */
#ifndef RDA_BEGUN_H
#define RDA_BEGUN_H

#include "analyzer/track/roce/requester.h"

/*
 * What was sent before the first packet that was captured, if its PSN is near the agreed one: lost,
 * if a NAK or a run asks for it; else nothing is known of it.
 */
void rda_begun_as_agreed(struct rda_requester *requester, const struct rda_request *request);

/* This request comes next behind a hole that was just noted. */
void rda_begun_behind_hole(struct rda_requester *requester, const struct rda_request *request);

#endif
