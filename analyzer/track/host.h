/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the NIC of one host would have counted, as far as the capture tells, under the NIC's names.
 */
#ifndef RDA_HOST_H
#define RDA_HOST_H

#include "analyzer/rda.h"
#include "analyzer/base/table.h"
#include "dissectors/packet.h"

void rda_host_init(struct rda_host *host);

/* The host of an address, made when there is none; the table is of struct rda_host. */
struct rda_host *rda_host_of(struct rda_table *hosts, const struct rda_address *address);

/* A connection of the host was followed in both directions: what accounts tell is known of it. */
void rda_host_has_accounts(struct rda_host *host);

/* Whether QPs of the host gave up is known: their requests were followed to the end. */
void rda_host_has_requests(struct rda_host *host);

/* Counts an undamaged packet for the two ends that its addresses name; it has a BTH. */
void rda_host_packet(struct rda_host *sender, struct rda_host *receiver,
		     const struct rda_frame *frame, const struct rda_packet *packet);

/* The host of an address, of values whose indices are sorted by address; or NULL. */
struct rda_host *rda_host_find(struct rda_host *hosts, const uint32_t *sorted, uint32_t count,
			       const struct rda_address *address);

/* Orders pointers to hosts by address: for qsort. */
int rda_host_compare(const void *a, const void *b);

#endif
