/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RPC over RDMA: calls are named by their XID. What they read and write is moved by READs and
 * WRITEs of the chunks that the call lists; a long reply is written into its reply chunk. The
 * server may call back over the same connection (RFC 8167): these calls have XIDs of their own.
 */
#ifndef RDA_RPC_TRACK_H
#define RDA_RPC_TRACK_H

#include "analyzer/track/ulp/ulp.h"

void rda_rpc_message(struct rda_ulp *ulp, bool by_client, const struct rda_ulp_message *message);
void rda_rpc_placed(struct rda_ulp *ulp, struct rda_ulp_command *command, unsigned range,
		    const struct rda_ulp_bytes *bytes);

#endif
