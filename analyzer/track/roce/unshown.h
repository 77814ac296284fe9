/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a requester sent and the tap did not show, by identifications: where as many of them are
 * passed over as packets, from one request to one further on that was sent next of all that passed,
 * these were sent in their turn, whether or not they had been acknowledged by then.
 *
 *     identification   31  32  35  36  37        8 and 9 were sent between 32 and 35: so 9 was lost
 *     PSN               6   7  10  11   8        once, whatever the runs tell, and 8 if 37 is no
 *                                                late 33
 *
 * Others of the sender's packets take identifications, too. So it is asked that the numbers are
 * equal, less what its answers took (other_ids.h), that hardly ever anything unknown takes one
 * (sending_order.h), and that the two were sent shortly one after the other.
 *
 * What the runs tell of a PSN and what this tells are the same losses, or some of them: the greater
 * number is told. The capture may have missed these packets as well: so it is told as a loss for
 * which nothing asked, which is no proof.
 */
#ifndef RDA_UNSHOWN_H
#define RDA_UNSHOWN_H

#include "analyzer/track/roce/requester.h"

/* A request has been logged with its place in the order of sending (sent_log.h). */
void rda_unshown_logged(struct rda_requester *requester, const struct rda_request *request,
			int64_t place, const struct rda_event_sink *sink);

#endif
