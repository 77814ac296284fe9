/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVMe over RDMA: a connection is a queue, the host its asker. Commands are named by their CID;
 * their data is moved by READs and WRITEs of the memory that the first SGL descriptor lends.
 */
#ifndef RDA_NVME_TRACK_H
#define RDA_NVME_TRACK_H

#include "analyzer/track/ulp/ulp.h"

bool rda_nvme_is_found(const uint8_t *bytes, uint32_t have, bool expected);
void rda_nvme_begin(struct rda_ulp *ulp);
void rda_nvme_message(struct rda_ulp *ulp, bool by_host, const struct rda_ulp_message *message);

#endif
