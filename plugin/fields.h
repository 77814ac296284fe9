/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields that can be filtered by. Those of headers come from headers.def, as rdma.HEADER.FIELD
 * ("rdma.reth.rkey"); the analysis has its own list here.
 */
#ifndef RDA_PLUGIN_FIELDS_H
#define RDA_PLUGIN_FIELDS_H

#include "plugin/compat.h"

#include "analyzer/checks/check.h"
#include "dissectors/headers.h"

/*
 * RDA_OWN_FIELDS(O): O(ID, "abbreviation", "Name", TYPE, DISPLAY, strings)
 * Frame numbers are shown as links.
 */
#define RDA_OWN_FIELDS(O)                                                                          \
	O(STREAM, "rdma.stream", "Stream index", FT_UINT32, BASE_DEC, NULL)                        \
	O(RKEY, "rdma.rkey", "Remote key", FT_UINT32, BASE_HEX, NULL)                              \
	O(QP, "rdma.qp", "Queue pair", FT_UINT24, BASE_HEX, NULL)                                  \
	O(SOURCE_QP, "rdma.src_qp", "Source QP", FT_UINT24, BASE_HEX, NULL)                        \
	O(DESTINATION_QP, "rdma.dest_qp", "Destination QP", FT_UINT24, BASE_HEX, NULL)             \
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
	O(MPA_MARKERS, "rdma.mpa.markers", "Markers", FT_BOOLEAN, BASE_NONE, NULL)                 \
	O(MPA_BAD_MARKERS, "rdma.mpa.bad_markers", "Wrong markers", FT_UINT8, BASE_DEC, NULL)      \
	O(MPA_CRC, "rdma.mpa.crc", "CRC", FT_UINT32, BASE_HEX, NULL)                               \
	O(MPA_CRC_COMPUTED, "rdma.mpa.crc.computed", "Computed CRC", FT_UINT32, BASE_HEX, NULL)    \
	O(MPA_CRC_STATUS, "rdma.mpa.crc.status", "CRC status", FT_STRING, BASE_NONE, NULL)         \
	O(MPA_FIRST_FRAME, "rdma.mpa.first_frame", "Begins in", FT_FRAMENUM, BASE_NONE, NULL)      \
	O(MPA_PART_OF, "rdma.mpa.part_of", "Part of an FPDU that ends in", FT_FRAMENUM, BASE_NONE, \
	  NULL)                                                                                    \
	O(STAG, "rdma.stag", "STag", FT_UINT32, BASE_HEX, NULL)                                    \
	O(TERMINATE, "rdma.terminate", "Terminate", FT_STRING, BASE_NONE, NULL)                    \
	O(RELATIVE_PSN, "rdma.analysis.relative_psn", "Relative PSN", FT_INT64, BASE_DEC, NULL)    \
	O(ROLE, "rdma.analysis.role", "Role", FT_STRING, BASE_NONE, NULL)                          \
	O(RETRANSMISSION, "rdma.analysis.retransmission", "This packet is a retransmission",       \
	  FT_NONE, BASE_NONE, NULL)                                                                \
	O(REORDERED, "rdma.analysis.reordered", "This packet comes late", FT_NONE, BASE_NONE,      \
	  NULL)                                                                                    \
	O(MIRRORED, "rdma.analysis.mirrored", "This packet is a mirrored copy", FT_NONE,           \
	  BASE_NONE, NULL)                                                                         \
	O(RETRANSMISSION_OF, "rdma.analysis.retransmission_of", "Retransmission of", FT_FRAMENUM,  \
	  BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_PREV))                                      \
	O(RESEND_TRIGGER, "rdma.analysis.resend_trigger", "Sent again", FT_STRING, BASE_NONE,      \
	  NULL)                                                                                    \
	O(RESEND_CAUSE, "rdma.analysis.resend_cause", "Sent again because of", FT_FRAMENUM,        \
	  BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE))                                              \
	O(RESENT_BY, "rdma.analysis.resent_by", "Sent again in", FT_FRAMENUM, BASE_NONE,           \
	  FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_NEXT))                                                 \
	O(ANSWERS, "rdma.analysis.answers", "Answers", FT_FRAMENUM, BASE_NONE,                     \
	  FRAMENUM_TYPE(FT_FRAMENUM_REQUEST))                                                      \
	O(ANSWERED_BY, "rdma.analysis.answered_by", "Answered by", FT_FRAMENUM, BASE_NONE,         \
	  FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE))                                                     \
	O(ANSWER_TIME, "rdma.analysis.answer_time", "Time until the answer", FT_DOUBLE, BASE_NONE, \
	  NULL)                                                                                    \
	O(ACK_RTT, "rdma.analysis.ack_rtt", "Time since the request", FT_DOUBLE, BASE_NONE, NULL)  \
	O(NAK, "rdma.analysis.nak", "Negative acknowledgement", FT_STRING, BASE_NONE, NULL)        \
	O(CREDITS, "rdma.analysis.credits", "Credits", FT_INT32, BASE_DEC, NULL)                   \
	O(RNR_DELAY, "rdma.analysis.rnr_delay", "To wait before the retry (ms)", FT_DOUBLE,        \
	  BASE_NONE, NULL)                                                                         \
	O(MESSAGE, "rdma.analysis.message", "Message", FT_UINT32, BASE_DEC, NULL)                  \
	O(MESSAGE_FIRST, "rdma.analysis.message_first", "First frame of the message", FT_FRAMENUM, \
	  BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE))                                              \
	O(MESSAGE_LAST, "rdma.analysis.message_last", "Last frame of the message", FT_FRAMENUM,    \
	  BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE))                                              \
	O(MESSAGE_BYTES, "rdma.analysis.message_bytes", "Bytes of the message so far", FT_UINT64,  \
	  BASE_DEC, NULL)                                                                          \
	O(MESSAGE_LENGTH, "rdma.analysis.message_length", "Length of the message", FT_UINT64,      \
	  BASE_DEC, NULL)                                                                          \
	O(MESSAGE_DONE, "rdma.analysis.message_done", "Message completed in", FT_FRAMENUM,         \
	  BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_ACK))                                               \
	O(MESSAGE_LATENCY, "rdma.analysis.message_latency", "Latency of the message", FT_DOUBLE,   \
	  BASE_NONE, NULL)                                                                         \
	O(PSNS_IN_FLIGHT, "rdma.analysis.psns_in_flight", "PSNs in flight", FT_UINT32, BASE_DEC,   \
	  NULL)                                                                                    \
	O(BYTES_IN_FLIGHT, "rdma.analysis.bytes_in_flight", "Bytes in flight", FT_UINT32,          \
	  BASE_DEC, NULL)                                                                          \
	O(READS_OUTSTANDING, "rdma.analysis.reads_outstanding", "READ requests outstanding",       \
	  FT_UINT32, BASE_DEC, NULL)                                                               \
	O(KEY_USE, "rdma.analysis.key_use", "Uses of the key so far", FT_UINT32, BASE_DEC, NULL)   \
	O(KEY_READS, "rdma.key.reads", "READs in all", FT_UINT64, BASE_DEC, NULL)                  \
	O(KEY_WRITES, "rdma.key.writes", "WRITEs in all", FT_UINT64, BASE_DEC, NULL)               \
	O(KEY_ATOMICS, "rdma.key.atomics", "ATOMICs in all", FT_UINT64, BASE_DEC, NULL)            \
	O(KEY_BYTES, "rdma.key.bytes", "Bytes asked for in all", FT_UINT64, BASE_DEC, NULL)        \
	O(KEY_LOW, "rdma.key.low_address", "Lowest address", FT_UINT64, BASE_HEX, NULL)            \
	O(KEY_HIGH, "rdma.key.high_address", "End of the addresses", FT_UINT64, BASE_HEX, NULL)    \
	O(KEY_FIRST, "rdma.key.first_frame", "First used in", FT_FRAMENUM, BASE_NONE,              \
	  FRAMENUM_TYPE(FT_FRAMENUM_NONE))                                                         \
	O(KEY_REFUSED, "rdma.key.refused", "Refused in all", FT_UINT64, BASE_DEC, NULL)            \
	O(KEY_REFUSED_FRAME, "rdma.key.refused_frame", "Refused request in", FT_FRAMENUM,          \
	  BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE))                                              \
	O(KEY_INVALIDATED, "rdma.key.invalidated_frame", "Invalidated in", FT_FRAMENUM, BASE_NONE, \
	  FRAMENUM_TYPE(FT_FRAMENUM_NONE))                                                         \
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
	RDA_ETT_KEY,
	RDA_ETT_FPDU,
	RDA_ETT_COUNT
};

extern int rda_ett[RDA_ETT_COUNT];

void rda_fields_register(int protocol);

/* The first header that is listed: what is outside of it, the built-in dissectors show well. */
#define RDA_FIRST_SHOWN RDA_LRH

/* The field number `index` of a header. */
int rda_field_hf(enum rda_header_id header, unsigned index);

/* Of a finding of a check, as severe as it is. */
expert_field *rda_field_expert(enum rda_check check, enum rda_severity severity);

#endif
