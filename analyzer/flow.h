/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A half-flow: everything that one QP received from one sender. The BTH names only the destination
 * QP, so the two directions of a connection begin life as two half-flows; pair.c joins them.
 *
 * Key: tap, carrier, source address, destination address, destination QP; for UD also the source QP,
 * which the DETH tells. QPNs are per host: equal numbers on both ends are common.
 */
#ifndef RDA_FLOW_H
#define RDA_FLOW_H

#include "dissectors/packet.h"

#include "analyzer/ranges.h"

/* kinds of messages: RDA_MESSAGES(M): M(ID, "name in the output") */
#define RDA_MESSAGES(M)                                                                            \
	M(SEND, "send")                                                                            \
	M(WRITE, "write")                                                                          \
	M(READ, "read")                                                                            \
	M(ATOMIC, "atomic")                                                                        \
	M(FLUSH, "flush")                                                                          \
	M(ATOMIC_WRITE, "atomic_write")

enum rda_message {
#define RDA_M(ID, name) RDA_MESSAGE_##ID,
	RDA_MESSAGES(RDA_M)
#undef RDA_M
	RDA_MESSAGE_COUNT
};

/* fatal and sequence NAKs by their meaning: RDA_NAKS(N): N(ID, "name in the output") */
#define RDA_NAKS(N)                                                                                \
	N(SEQUENCE, "sequence")                                                                    \
	N(INVALID_REQUEST, "invalid_request")                                                      \
	N(REMOTE_ACCESS, "remote_access")                                                          \
	N(REMOTE_OPERATIONAL, "remote_operational")                                                \
	N(OTHER, "other")

enum rda_nak {
#define RDA_N(ID, name) RDA_NAK_##ID,
	RDA_NAKS(RDA_N)
#undef RDA_N
	RDA_NAK_COUNT
};

struct rda_message_count {
	uint64_t count;
	uint64_t bytes; /* payload, each PSN counted once */
};

struct rda_flow_key {
	struct rda_address source, destination;
	uint32_t dest_qp;
	uint32_t src_qp; /* UD; else 0 */
	uint32_t tap;
	uint8_t carrier;
	bool datagram; /* UD: src_qp counts */
};

struct rda_flow {
	struct rda_flow_key key;
	uint32_t index;            /* in order of the first packet */
	uint64_t first_frame;      /* of its capture */
	uint32_t first_capture;
	int64_t first_time_ns, last_time_ns;
	uint16_t source_port;      /* UDP, of the first packet that is no CNP */
	bool source_port_known;
	int8_t transport;          /* enum rda_transport, of the first packet that tells; else NONE */
	bool management;           /* carried connection management (MADs to QP 1) */

	uint64_t packets, bytes;   /* bytes: frames, as on the wire */
	uint64_t request_packets;
	uint64_t response_packets;
	bool has_request, has_response;
	uint32_t first_psn, last_psn;           /* of requests, as on the wire */
	uint32_t first_response_psn, last_response_psn;
	uint64_t acks, naks[RDA_NAK_COUNT], rnr_naks, cnps, ce_marked;
	struct rda_message_count messages[RDA_MESSAGE_COUNT];
	uint64_t payload_bytes;    /* of requests and READ responses, each PSN counted once */
	uint32_t full_payload;     /* payload of First and Middle packets: the path MTU in use; 0 none */
	bool full_payload_varies;

	/* state */
	struct rda_ranges requests;  /* request PSNs seen, widened */
	struct rda_ranges responses; /* response PSNs seen, widened */
	uint32_t message;            /* enum rda_message of the message in progress */
};

#endif
