/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A packet that was sent again, and passes before its original does:
 *
 *     identification   17 18 | 26 | 19 20 | 24 25 | 27
 *     PSN               5  6 |  8 |  7  8 |  6  7 |  9
 *
 * 26 is taken for new when it passes, or for late where others of its PSN had been missing. At 20
 * the order of sending (sending_order.h) tells that it was not: 8 was sent before.
 */
#ifndef RDA_PASSED_FIRST_H
#define RDA_PASSED_FIRST_H

#include "analyzer/track/roce/requester.h"

/*
 * A request that is late, with this place in the order of sending, and before it is taken into the
 * account. If what passed with its PSN, `record`, was sent behind it, that counts as resent from
 * now on (RDA_EVENT_FILLED).
 */
void rda_passed_first(struct rda_requester *requester, const struct rda_request *request,
		      int64_t place, struct rda_sent *record, const struct rda_event_sink *sink);

#endif
