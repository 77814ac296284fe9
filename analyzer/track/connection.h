/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection: two half-flows that belong together, or one whose peer was not found.
 */
#ifndef RDA_CONNECTION_H
#define RDA_CONNECTION_H

#include "analyzer/track/flow.h"

/* how it was paired, best evidence first: RDA_PAIRED_BY(P): P(ID, "name in the output") */
#define RDA_PAIRED_BY(P)                                                                           \
	P(NONE, "none")                                                                            \
	P(CM, "cm")                                                                                \
	P(EXCHANGE, "exchange")                                                                    \
	P(SOURCE_PORT, "source_port")                                                              \
	P(RESPONSES, "responses")                                                                  \
	P(ONLY_CANDIDATE, "only_candidate")

enum rda_paired_by {
#define RDA_P(ID, name) RDA_PAIRED_BY_##ID,
	RDA_PAIRED_BY(RDA_P)
#undef RDA_P
		RDA_PAIRED_BY_COUNT
};

/* RDA_SERVICES(S): S(ID, "name in the output") */
/* clang-format off */
#define RDA_SERVICES(S) \
	S(RC, "RC") S(UC, "UC") S(UD, "UD") S(RD, "RD") S(XRC, "XRC") S(CM, "CM") S(IWARP, "iWARP")
/* clang-format on */

enum rda_service {
	RDA_SERVICE_UNKNOWN, /* nothing but CNPs or undecodable opcodes was seen */
#define RDA_S(ID, name) RDA_SERVICE_##ID,
	RDA_SERVICES(RDA_S)
#undef RDA_S
};

/*
 * What a capture has of a connection. RDA_SEEN(X): X(ID, bit, "name in the output", "what is the
 * matter when it is not so")
 */
#define RDA_SEEN(X)                                                                                \
	X(BOTH, 0, "both_directions", "only one direction was captured")                           \
	X(START, 1, "from_start", "its start was not captured")                                    \
	X(UNBROKEN, 2, "unbroken", "the capture missed packets of it")                             \
	X(WHOLE, 3, "whole_packets", "packets were cut by the snap length")                        \
	X(CM, 4, "management", "its connection management was not captured")

enum rda_seen_bit {
#define RDA_X(ID, bit, name, otherwise) RDA_SEEN_##ID = 1 << (bit),
	RDA_SEEN(RDA_X)
#undef RDA_X
};

#define RDA_QPN_UNKNOWN UINT32_MAX

struct rda_endpoint {
	struct rda_address address;
	uint32_t qpn; /* or RDA_QPN_UNKNOWN */
	int32_t port; /* iWARP: TCP port; else -1 */
};

struct rda_connection {
	uint32_t id;
	uint8_t carrier;		  /* enum rda_carrier */
	uint8_t service;		  /* enum rda_service */
	uint8_t paired_by;		  /* enum rda_paired_by */
	uint32_t path_mtu;		  /* from CM, else as seen; 0 unknown */
	struct rda_endpoint endpoints[2]; /* [0] sent the first packet */
	const struct rda_flow *flows[2];  /* what endpoint i sent; NULL: nothing was seen */
	const char *application;	  /* "nvme", ...; NULL unknown */
	uint8_t seen; /* mask of enum rda_seen_bit: what the capture has of it */
	int64_t first_time_ns, last_time_ns;
};

#endif
