/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A login in the private data of connection management: of SRP, which has no port of its own, and
 * asks for a session with the REQ (dissectors/ulp/srp.h).
 */
#ifndef RDA_CM_LOGIN_H
#define RDA_CM_LOGIN_H

#include "analyzer/track/setup/cm_track.h"

/* The first REQ, REP or REJ of a conversation; what has no login changes nothing. */
void rda_cm_login_take(struct rda_cm_login *login, const struct rda_frame *frame,
		       const struct rda_packet *packet, const struct rda_cm *cm);

#endif
