/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What private data asks for and grants; see cm_login.h.
 */
#include "analyzer/track/setup/cm_login.h"

#include "dissectors/ulp/srp.h"

void rda_cm_login_take(struct rda_cm_login *login, const struct rda_frame *frame,
		       const struct rda_packet *packet, const struct rda_cm *cm)
{
	struct rda_cursor c;
	struct rda_srp srp;
	bool ip_cm;

	if (cm->id != RDA_CM_REQ && cm->id != RDA_CM_REP && cm->id != RDA_CM_REJ)
		return;
	if (!rda_cm_private_data(frame, packet, cm, &c, &ip_cm))
		return;
	if (cm->id == RDA_CM_REQ) {
		login->asked = rda_srp_read_login_request(&c, ip_cm, &srp);
	} else if (rda_srp_read_login_answer(&c, &srp)) {
		login->granted = cm->id == RDA_CM_REP && srp.type == RDA_SRP_LOGIN_RSP;
		login->refused = cm->id == RDA_CM_REJ && srp.type == RDA_SRP_LOGIN_REJ;
		login->limit = login->granted ? srp.limit : 0;
		login->reason = login->refused ? srp.reason : 0;
	}
}
