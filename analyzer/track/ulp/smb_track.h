/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMB Direct: a SEND carries SMB 2 messages, several where they are compounded; one that is longer
 * than a SEND comes in several, of which the first has the headers. Requests are named by their
 * message ID; the server moves the data of READ and WRITE.
 */
#ifndef RDA_SMB_TRACK_H
#define RDA_SMB_TRACK_H

#include "analyzer/track/ulp/ulp.h"

void rda_smb_message(struct rda_ulp *ulp, bool by_client, const struct rda_ulp_message *message);

#endif
