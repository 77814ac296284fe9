/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RDS: both sides send messages, which are named by their sequence; the sequence that a later SEND
 * of the other side acknowledges answers all up to it. The side of the first SEND is the asker; the
 * other's messages are asked back. An acknowledgement waits for something to send unless a message
 * requires it.
 *
 *     A  sequence 7, port 4001 to 4000, 200 bytes  -->
 *                                                  <--  sequence 5, acknowledges 7
 *
 * A READ or WRITE belongs to the message that follows it and names its key. Congestion maps tell
 * which ports of their sender have no room; where a piece of one was not captured, the ports of it
 * stay as they were. A map comes in two pieces that do not say which they are: behind a SEND that
 * could not be read they count as unread, until a message of that side, which comes between maps.
 */
#ifndef RDA_RDS_TRACK_H
#define RDA_RDS_TRACK_H

#include "analyzer/track/ulp/ulp.h"

void rda_rds_begin(struct rda_ulp *ulp);
void rda_rds_message(struct rda_ulp *ulp, bool by_asker, const struct rda_ulp_message *message);
void rda_rds_transferred(struct rda_ulp *ulp, const struct rda_ulp_transfer *transfer);

/* Ports that are congested yet were so until then. */
void rda_rds_hold(struct rda_ulp_facts *facts, const struct rda_rds_track *rds, int64_t until_ns);

#endif
