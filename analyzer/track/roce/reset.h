/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QP that was reset and set up again where the capture did not see it: what its requests tell.
 * They have PSNs that have nothing to do with those before, or go back to where the connection began
 * and ask for something else there.
 *
 *     PSN 100 WRITE of 9000 bytes | 109 SEND | ...    10 ms or more    PSN 100 SEND, or 7,000,000
 *     ---------- one connection ------------->                         the next one
 *
 * A requester sends again what it sent, so that no other request of the connection can have that
 * PSN. Nobody sets a QP up within the time of a resend; what asks for something else sooner, or
 * further on, is told as a mistake of its sender (checks/sequence/resent.c). Where the next
 * connection asks for the same as the one before, its answers count messages from the beginning
 * again (run.h).
 */
#ifndef RDA_RESET_H
#define RDA_RESET_H

#include "analyzer/track/roce/account.h"

/*
 * A PSN so far from the next one is of another connection. No responder lets a requester run so far
 * ahead; of PSNs drawn at random 1 in 128 is nearer, and is then taken for the old connection's.
 */
#define RDA_RESET_PSNS 65536

/* No adapter sends packets of one QP faster: 33 million a second. */
#define RDA_RESET_PACKET_NS 30

/* What the capture did not see was not sent so many times as fast as all that it saw. */
#define RDA_RESET_FASTER 16

/* Whether a request is of another connection than what its flow sent, which has an account. */
bool rda_reset_shows(const struct rda_flow *flow, const struct rda_posting *posting);

/* The same after a fatal NAK or a DREQ: PSNs that have nothing to do with those before. */
bool rda_reset_after_end(const struct rda_flow *flow, const struct rda_posting *posting);

/* The connection of a flow ended so: what seemed to be sent again may have been the next one's, as
 * it asked for the same (rda_run_was_reset). */
void rda_reset_ends(struct rda_flow *flow);

#endif
