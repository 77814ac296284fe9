/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the NIC of one host would have counted, as far as the capture tells, under the NIC's names.
 */
#ifndef RDA_HOST_H
#define RDA_HOST_H

#include "analyzer/base/table.h"
#include "dissectors/packet.h"

/*
 * RDA_HOST_COUNTERS(C): C(name). One list for the struct and every report. A counter that is not
 * computed is RDA_UNKNOWN and printed as null.
 */
#define RDA_HOST_COUNTERS(C)                                                                       \
	C(duplicate_request)                                                                       \
	C(out_of_sequence)                                                                         \
	C(nak_seq_sent)                                                                            \
	C(packet_seq_err)                                                                          \
	C(rnr_nak_sent)                                                                            \
	C(rnr_nak_received)                                                                        \
	C(local_ack_timeout_err)                                                                   \
	C(implied_nak_seq_err)                                                                     \
	C(remote_access_errors_sent)                                                               \
	C(remote_access_errors_received)                                                           \
	C(remote_invalid_request_sent)                                                             \
	C(remote_invalid_request_received)                                                         \
	C(remote_op_errors_sent)                                                                   \
	C(remote_op_errors_received)                                                               \
	C(retry_exceeded)                                                                          \
	C(rnr_retry_exceeded)                                                                      \
	C(ecn_marked_received)                                                                     \
	C(cnp_sent)                                                                                \
	C(cnp_received)                                                                            \
	C(icrc_errors_received)

#define RDA_UNKNOWN UINT64_MAX

struct rda_host {
	struct rda_address address; /* first: the table's key */
	uint32_t index;		    /* in order of the first packet */
	uint64_t packets_sent;	    /* that were captured, undamaged */
#define RDA_C(name) uint64_t name;
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
};

void rda_host_init(struct rda_host *host);

/* The host of an address, made when there is none; the table is of struct rda_host. */
struct rda_host *rda_host_of(struct rda_table *hosts, const struct rda_address *address);

/* A connection of the host was followed in both directions: what accounts tell is known of it. */
void rda_host_has_accounts(struct rda_host *host);

/* Whether QPs of the host gave up is known: their requests were followed to the end. */
void rda_host_has_requests(struct rda_host *host);

/* Counts an undamaged packet for the two ends that its addresses name; it has a BTH. */
void rda_host_packet(struct rda_host *sender, struct rda_host *receiver,
		     const struct rda_packet *packet);

/* Orders pointers to hosts by address: for qsort. */
int rda_host_compare(const void *a, const void *b);

#endif
