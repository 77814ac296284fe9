/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SRP: requests are named by their tag, and the target reads and writes the memory that a command
 * lends. Both sides ask: the target for credits, and for an ear to an event.
 *
 * The target grants requests, at the login and with every answer; each one that is sent uses one
 * up.
 *
 *     login: 64    CMD: 63    CMD: 62    RSP, limit +1: 63
 */
#ifndef RDA_SRP_TRACK_H
#define RDA_SRP_TRACK_H

#include "analyzer/track/ulp/ulp.h"

/* The login that connection management carried counts as its first command. */
void rda_srp_begin(struct rda_ulp *ulp);
void rda_srp_message(struct rda_ulp *ulp, bool by_initiator, const struct rda_ulp_message *message);

/* What is short yet was so until then. */
void rda_srp_hold(struct rda_ulp_facts *facts, const struct rda_srp_track *srp, int64_t until_ns);

#endif
