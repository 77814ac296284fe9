/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the READ responses that did not pass a requester names when it asks again.
 *
 *     A  READ 10-14   READ 15                       READ 11-14   READ 15        (a run of resends)
 *     B        response 10 .. 12 .. 14 ..
 *                         11    13    15             11 is named: A lacks it
 *
 * It asks for all behind what it lacks whether that came or not: 13 and 15 may have passed, and
 * been missed by the capture. So it is with a READ that it asks for from its beginning, for one
 * response in the middle.
 *
 * What of these was lost is owed.h's part.
 */
#ifndef RDA_NAMED_H
#define RDA_NAMED_H

#include "analyzer/track/roce/responder.h"

/*
 * `count` responses that `pending` lacks were added to what is owed just now, as `request` asks for
 * them again. Those that it begins with are named where a run of resends begins with it, or comes
 * to it behind others of which all is named.
 */
void rda_named_note(struct rda_responder *responder, const struct rda_requester *requester,
		    const struct rda_pending *pending, uint32_t count,
		    const struct rda_request *request);

#endif
