/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether what a sender sends again has IPv4 identifications of its own, as of Linux's stack, or
 * the one of its original, as of hardware that makes them of the PSN; and so how long after its
 * original a packet with the same one may be a copy.
 *
 *     PSN               5   6   7 |  6   7 |  6
 *     identification   20  21  22 | 23  24 | 23
 *
 * 6 is sent again with an identification of its own, 23, and that comes once more: a copy.
 *
 * What copies are: copies.h.
 */
#ifndef RDA_OWN_IDS_H
#define RDA_OWN_IDS_H

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/requester.h"

/*
 * More requests came again, sent again or copied, than with the identification that they had: of
 * those that were sent again at least one had another.
 */
bool rda_own_ids_have_resends(const struct rda_flow *flow, const struct rda_requester *requester);

/*
 * So long after its original a packet with the same identification is none of its copies any more:
 * RDA_COPY_NS; longer of requests where resends have their own and these tell the order of sending,
 * and of answers where those to what was asked again do so, as hosts stand still for a part of a
 * second; and of the first request once it was answered.
 */
int64_t rda_own_ids_copy_ns(const struct rda_flow *flow, const struct rda_packet *packet);

#endif
