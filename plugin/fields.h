/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields that can be filtered by. Those of headers come from headers.def, as rdma.HEADER.FIELD
 * ("rdma.reth.rkey"); the analysis has its own list here.
 */
#ifndef RDA_PLUGIN_FIELDS_H
#define RDA_PLUGIN_FIELDS_H

#include "plugin/compat.h"

#include "analyzer/check.h"
#include "dissectors/headers.h"

/*
 * RDA_OWN_FIELDS(O): O(ID, "abbreviation", "Name", TYPE, DISPLAY, strings)
 * Frame numbers are shown as links.
 */
#define RDA_OWN_FIELDS(O)                                                                          \
	O(STREAM, "rdma.stream", "Stream index", FT_UINT32, BASE_DEC, NULL)                        \
	O(RKEY, "rdma.rkey", "Remote key", FT_UINT32, BASE_HEX, NULL)                              \
	O(QP, "rdma.qp", "Queue pair", FT_UINT32, BASE_HEX, NULL)                                  \
	O(SOURCE_QP, "rdma.src_qp", "Source QP", FT_UINT32, BASE_HEX, NULL)                        \
	O(DESTINATION_QP, "rdma.dest_qp", "Destination QP", FT_UINT32, BASE_HEX, NULL)             \
	O(ENDPOINT, "rdma.endpoint", "Endpoint", FT_STRING, BASE_NONE, NULL)                       \
	O(SOURCE_ENDPOINT, "rdma.src_endpoint", "Source endpoint", FT_STRING, BASE_NONE, NULL)     \
	O(DESTINATION_ENDPOINT, "rdma.dest_endpoint", "Destination endpoint", FT_STRING,           \
	  BASE_NONE, NULL)                                                                         \
	O(PAIRED_BY, "rdma.paired_by", "Paired by", FT_STRING, BASE_NONE, NULL)                    \
	O(SERVICE, "rdma.service", "Service", FT_STRING, BASE_NONE, NULL)                          \
	O(TRANSPORT, "rdma.transport", "Transport", FT_STRING, BASE_NONE, NULL)                    \
	O(OPERATION, "rdma.operation", "Operation", FT_STRING, BASE_NONE, NULL)                    \
	O(PAYLOAD, "rdma.payload_length", "Payload length", FT_UINT32, BASE_DEC, NULL)             \
	O(STATUS, "rdma.status", "Status", FT_STRING, BASE_NONE, NULL)                             \
	O(FAULT, "rdma.fault", "Fault", FT_STRING, BASE_NONE, NULL)                                \
	O(ICRC, "rdma.icrc", "ICRC", FT_UINT32, BASE_HEX, NULL)                                    \
	O(ICRC_STATUS, "rdma.icrc.status", "ICRC status", FT_STRING, BASE_NONE, NULL)              \
	O(VCRC_STATUS, "rdma.vcrc.status", "VCRC status", FT_STRING, BASE_NONE, NULL)              \
	O(RELATIVE_PSN, "rdma.analysis.relative_psn", "Relative PSN", FT_INT64, BASE_DEC, NULL)    \
	O(RETRANSMISSION, "rdma.analysis.retransmission", "This packet is a retransmission",       \
	  FT_NONE, BASE_NONE, NULL)                                                                \
	O(RETRANSMISSION_OF, "rdma.analysis.retransmission_of", "Retransmission of", FT_FRAMENUM,  \
	  BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_PREV))                                      \
	O(RESENT_BY, "rdma.analysis.resent_by", "Sent again in", FT_FRAMENUM, BASE_NONE,           \
	  FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_NEXT))                                                 \
	O(ANSWERS, "rdma.analysis.answers", "Answers", FT_FRAMENUM, BASE_NONE,                     \
	  FRAMENUM_TYPE(FT_FRAMENUM_REQUEST))                                                      \
	O(ANSWERED_BY, "rdma.analysis.answered_by", "Answered by", FT_FRAMENUM, BASE_NONE,         \
	  FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE))                                                     \
	O(ACK_RTT, "rdma.analysis.ack_rtt", "Time since the request", FT_DOUBLE, BASE_NONE, NULL)  \
	O(NAK, "rdma.analysis.nak", "Negative acknowledgement", FT_STRING, BASE_NONE, NULL)        \
	O(CREDITS, "rdma.analysis.credits", "Credits", FT_INT32, BASE_DEC, NULL)                   \
	O(RNR_DELAY, "rdma.analysis.rnr_delay", "To wait before the retry (ms)", FT_DOUBLE,        \
	  BASE_NONE, NULL)                                                                         \
	O(FINDING, "rdma.analysis.finding", "Finding", FT_STRING, BASE_NONE, NULL)

enum rda_own_field {
#define RDA_O(ID, abbreviation, name, type, display, strings) RDA_OWN_##ID,
	RDA_OWN_FIELDS(RDA_O)
#undef RDA_O
		RDA_OWN_COUNT
};

extern int rda_own_hf[RDA_OWN_COUNT];

enum {
	RDA_ETT_RDMA = RDA_HEADER_COUNT, /* headers have their ids */
	RDA_ETT_ANALYSIS,
	RDA_ETT_COUNT
};

extern int rda_ett[RDA_ETT_COUNT];

void rda_fields_register(int protocol);

/* The first header that is listed: what is outside of it, the built-in dissectors show well. */
#define RDA_FIRST_SHOWN RDA_LRH

/* The field number `index` of a header. */
int rda_header_hf(enum rda_header_id header, unsigned index);

/* Of a finding of a check, as severe as it is. */
expert_field *rda_finding_expert(enum rda_check check, enum rda_severity severity);

#endif
