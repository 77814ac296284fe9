/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iSCSI over RDMA (iSER): the initiator's requests are named by their task tag; the target reads
 * and writes the memory that the iSER header of a SCSI command lends. The target pings with NOP-In.
 */
#ifndef RDA_ISER_TRACK_H
#define RDA_ISER_TRACK_H

#include "analyzer/track/ulp/ulp.h"

void rda_iser_message(struct rda_ulp *ulp, bool by_initiator,
		      const struct rda_ulp_message *message);

#endif
