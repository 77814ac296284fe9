/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which requests came whole to their responder, whatever another tap shows of them: they were sent
 * once, and acknowledged.
 *
 *     request 30   31   32        answer 31        30, 31: acknowledged, and sent but once
 *                        31 again                  31 may be the first or the second one
 *
 * Sent once is said of what no request with as high a PSN came before, and none with as low a one
 * came behind: so of what others overtook nothing is said.
 */
#ifndef RDA_DELIVERED_H
#define RDA_DELIVERED_H

#include "analyzer/taps/passage.h"

/*
 * By packet, the caller's (g_free). `back`: of each of so many flows the other direction, or
 * RDA_PASSAGE_NO_FLOW; NULL: none is known.
 */
bool *rda_delivered_find(const struct rda_passages *passages, const uint32_t *back,
			 uint32_t flow_count);

#endif
