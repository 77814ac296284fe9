/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The 256 rows of the opcode table, multiplied out from the transports and operations of
 * opcodes.def by the preprocessor. A value that two rows claim is a compile error.
 */
#include "dissectors/opcode.h"

/* short names for the roles column */
enum {
	REQUEST = RDA_ROLE_REQUEST,
	RESPONSE = RDA_ROLE_RESPONSE,
	SEND = RDA_ROLE_SEND,
	WRITE = RDA_ROLE_WRITE,
	READ = RDA_ROLE_READ,
	ATOMIC = RDA_ROLE_ATOMIC,
	FLUSH = RDA_ROLE_FLUSH,
	ATOMIC_WRITE = RDA_ROLE_ATOMIC_WRITE,
	ACK = RDA_ROLE_ACK,
	CNP = RDA_ROLE_CNP,
	FIRST = RDA_ROLE_FIRST,
	MIDDLE = RDA_ROLE_MIDDLE,
	LAST = RDA_ROLE_LAST,
	ONLY = RDA_ROLE_ONLY,
	USES_RECEIVE = RDA_ROLE_USES_RECEIVE,
};

/* their bytes */
enum {
#define RDA_BYTES_OF(ID, id, bytes, name, source) RDA_EXTENDED_HEADERS_##ID = (bytes),
	RDA_EXTENDED_HEADERS(RDA_BYTES_OF)
#undef RDA_BYTES_OF
};

/* the headers column is a sum: one bit for each header, their bytes on top */
#define BYTES_SHIFT 56
#define WITH(ID)                                                                                   \
	(((uint64_t)RDA_EXTENDED_HEADERS_##ID /* missing? a row of that list in headers.def */     \
	  << BYTES_SHIFT) +                                                                        \
	 RDA_HAS(ID))
_Static_assert(RDA_MAD <= BYTES_SHIFT, "all extended headers have a bit below their bytes");

#define RDA_ROW(value, full_name, sum, roles_, rule, transport_)                                   \
	[value] = {.name = (full_name),                                                            \
		   .headers = (sum) & ((UINT64_C(1) << BYTES_SHIFT) - 1),                          \
		   .roles = (roles_),                                                              \
		   .transport = (transport_),                                                      \
		   .payload = RDA_PAYLOAD_##rule,                                                  \
		   .kind = RDA_OPCODE_KNOWN,                                                       \
		   .extension = (uint64_t)(sum) >> BYTES_SHIFT},

/* one operation in one transport; the second macro splits the transport's columns */
#define RDA_IN(TRANSPORT, low, name, roles, headers, rule)                                         \
	RDA_IN_COLUMNS(TRANSPORT, low, name, roles, headers, rule, RDA_##TRANSPORT##_TRANSPORT)
#define RDA_IN_COLUMNS(...) RDA_IN_ROW(__VA_ARGS__)
#define RDA_IN_ROW(TRANSPORT, low, name, roles, headers, rule, high, prefix, request, response)    \
	RDA_ROW((high) << 5 | (low), prefix " " name,                                              \
		((roles)&REQUEST ? (request) : (response)) + (headers), roles, rule,               \
		RDA_TRANSPORT_##TRANSPORT)

#define RDA_Y(row) row
#define RDA_N(row)
#define RDA_O(ID, low, name, roles, headers, rule, rc, uc, rd, ud, xrc)                            \
	RDA_##rc(RDA_IN(RC, low, name, roles, headers, rule))                                      \
		RDA_##uc(RDA_IN(UC, low, name, roles, headers, rule))                              \
			RDA_##rd(RDA_IN(RD, low, name, roles, headers, rule))                      \
				RDA_##ud(RDA_IN(UD, low, name, roles, headers, rule))              \
					RDA_##xrc(RDA_IN(XRC, low, name, roles, headers, rule))
#define RDA_P(ID, value, name, roles, headers, rule)                                               \
	RDA_ROW(value, name, headers, roles, rule, RDA_TRANSPORT_NONE)

static const struct rda_opcode rows[256] = {
	/* clang-format off */
	RDA_OPERATIONS(RDA_O)
	RDA_SPECIAL_OPCODES(RDA_P)
	/* clang-format on */
};

#undef RDA_ROW
#define RDA_ROW(value, full_name, sum, roles_, rule, transport_) [value] = (roles_),

const uint16_t rda_opcode_roles[256] = {
	/* clang-format off */
	RDA_OPERATIONS(RDA_O)
	RDA_SPECIAL_OPCODES(RDA_P)
	/* clang-format on */
};

static const struct rda_opcode reserved = {
	.name = "reserved opcode", .transport = RDA_TRANSPORT_NONE, .kind = RDA_OPCODE_RESERVED};
static const struct rda_opcode vendor = {
	.name = "vendor specific", .transport = RDA_TRANSPORT_NONE, .kind = RDA_OPCODE_VENDOR};

/* Of the vendors': named, and not decoded. */
enum { MRC_OPCODES = 0xc6, MRC_OPCODES_LAST = 0xde };
static const struct rda_opcode mrc = {.name = "MRC (multipath reliable connection)",
				      .transport = RDA_TRANSPORT_NONE,
				      .kind = RDA_OPCODE_VENDOR};

const struct rda_opcode *rda_opcode(uint8_t value)
{
	if (rows[value].name)
		return &rows[value];
	if (value >= MRC_OPCODES && value <= MRC_OPCODES_LAST)
		return &mrc;
	return value >= RDA_VENDOR_OPCODES ? &vendor : &reserved;
}
