/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What opcodes.def expands to: for each of the 256 BTH opcodes its name, roles and headers.
 *
 * Parsers and state machines test roles (`row->roles & RDA_ROLE_LAST`), never opcode numbers.
 */
#ifndef RDA_OPCODE_H
#define RDA_OPCODE_H

#include "dissectors/headers.h"
#include "dissectors/opcodes.def"

enum rda_role {
	RDA_ROLE_REQUEST = 1 << 0,
	RDA_ROLE_RESPONSE = 1 << 1,
	RDA_ROLE_SEND = 1 << 2,
	RDA_ROLE_WRITE = 1 << 3,
	RDA_ROLE_READ = 1 << 4,
	RDA_ROLE_ATOMIC = 1 << 5,
	RDA_ROLE_FLUSH = 1 << 6,
	RDA_ROLE_ATOMIC_WRITE = 1 << 7,
	RDA_ROLE_ACK = 1 << 8,
	RDA_ROLE_CNP = 1 << 9,
	RDA_ROLE_FIRST = 1 << 10, /* starts a message */
	RDA_ROLE_MIDDLE = 1 << 11,
	RDA_ROLE_LAST = 1 << 12,			/* ends a message */
	RDA_ROLE_ONLY = RDA_ROLE_FIRST | RDA_ROLE_LAST, /* does both */
	RDA_ROLE_ANSWERED = /* a request that its own response completes, no ACK */
	RDA_ROLE_READ | RDA_ROLE_ATOMIC | RDA_ROLE_FLUSH | RDA_ROLE_ATOMIC_WRITE,
	RDA_ROLE_USES_RECEIVE = 1 << 13, /* consumes a receive request */
};

enum rda_transport {
	RDA_TRANSPORT_NONE = -1,
#define RDA_VALUE_COLUMN(value, prefix, request, response) (value)
#define RDA_COLUMNS(split, ...)				   split(__VA_ARGS__)
#define RDA_T(ID)					   RDA_TRANSPORT_##ID = RDA_COLUMNS(RDA_VALUE_COLUMN, RDA_##ID##_TRANSPORT),
	RDA_TRANSPORTS(RDA_T)
#undef RDA_T
#undef RDA_VALUE_COLUMN
#undef RDA_COLUMNS
};

enum rda_payload_rule {
	RDA_PAYLOAD_NONE,
	RDA_PAYLOAD_FULL,  /* exactly the path MTU */
	RDA_PAYLOAD_SOME,  /* 1 byte to the path MTU */
	RDA_PAYLOAD_ANY,   /* 0 bytes to the path MTU */
	RDA_PAYLOAD_EIGHT, /* exactly 8 bytes */
};

enum rda_opcode_kind {
	RDA_OPCODE_RESERVED, /* in no row: the headers behind the BTH are unknown */
	RDA_OPCODE_KNOWN,
	RDA_OPCODE_VENDOR, /* the manufacturer's: the headers behind the BTH are unknown */
};

struct rda_opcode {
	const char *name;  /* "RC RDMA WRITE First"; never NULL */
	uint64_t headers;  /* mask of RDA_HAS(...), all that follow the BTH */
	uint16_t roles;	   /* mask of enum rda_role */
	int8_t transport;  /* enum rda_transport; NONE for CNP, reserved and vendor opcodes */
	uint8_t payload;   /* enum rda_payload_rule */
	uint8_t kind;	   /* enum rda_opcode_kind */
	uint8_t extension; /* bytes of the headers that follow the BTH */
};

/* The row of an opcode; never NULL: reserved and vendor opcodes have a row each of their kind. */
const struct rda_opcode *rda_opcode(uint8_t value);

/* Of each opcode its roles; 0: it is reserved or a vendor's. */
extern const uint16_t rda_opcode_roles[256];

/* RDA_RC_SEND_FIRST, ...: for tests and for those who build packets */
enum rda_opcode_value {
#define RDA_O(ID, low, name, roles, headers, payload, rc, uc, rd, ud, xrc)                         \
	RDA_OPERATION_##ID = (low),
	RDA_OPERATIONS(RDA_O)
#undef RDA_O
#define RDA_P(ID, value, name, roles, headers, payload) RDA_OPCODE_##ID = (value),
		RDA_SPECIAL_OPCODES(RDA_P)
#undef RDA_P
};

#define RDA_OPCODE(transport, operation)                                                           \
	((uint8_t)(RDA_TRANSPORT_##transport << 5 | RDA_OPERATION_##operation))

#endif
