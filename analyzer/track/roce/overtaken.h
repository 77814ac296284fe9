/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a request is that passes behind others that were sent after it: the original, late, or a
 * part of a run of resends, as its place in the order of sending (sending_order.h) tells.
 *
 *     identification   17 18 19 | 23 24 26 | 25 20 | 27
 *     PSN               5  6  7 |  6  7  9 |  8  8 | 10
 *
 * Run 2 begins behind 19 (and 20 to 22, which are late or lost); 25 is of run 2, 20 of the new
 * PSNs.
 *
 * No run begins with such a packet, and none ends. One that has the place of a packet that passed
 * before is a copy of it.
 */
#ifndef RDA_OVERTAKEN_H
#define RDA_OVERTAKEN_H

#include "analyzer/track/roce/requester.h"

/* `place`: not above the latest before it. Returns what the packet is; *original: of a copy. */
enum rda_request_kind rda_overtaken_packet(struct rda_requester *requester,
					   const struct rda_request *request, int64_t place,
					   const struct rda_event_sink *sink, uint64_t *original);

/*
 * The order of sending is known now: where it says that nothing was sent again before this request,
 * all that was taken for resends was late.
 */
void rda_overtaken_look_back(struct rda_requester *requester, const struct rda_request *request,
			     int64_t place, const struct rda_event_sink *sink);

#endif
