/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many PSNs a READ takes: as many as its response has packets (IBA 9.4.4, 9.7.3.1).
 *
 *     READ of PSN 10, 2600 bytes       MTU 1024: 10 to 12
 *                                      MTU not known: the next request's PSN tells, or the last
 *                                      response
 *     READ of PSN 10, its RETH cut     how long it is nobody knows: only these tell
 */
#ifndef RDA_READ_SPAN_H
#define RDA_READ_SPAN_H

#include "analyzer/track/roce/account_parts.h"

/* Packets of the response to a READ of `length` bytes; at least 1. */
int64_t rda_read_span_packets(uint32_t length, uint32_t mtu);

/* Where a READ ends, by its latest appearance: that may have asked for the rest of it only. */
int64_t rda_read_span_end(const struct rda_sent *read, uint32_t mtu);

/* A READ response came; `mtu` 0: not known. */
void rda_read_span_answered(struct rda_account *account, const struct rda_response *response,
			    uint32_t mtu);

#endif
