/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one FPDU of iWARP says: DDP segment and RDMAP header (RFC 5040, 5041, 7306).
 *
 *     | length | control | STag, offset (tagged)             | payload | pad | CRC |
 *     |   2    |    2    | or inv. STag, queue, MSN, offset  |         |     |  4  |
 *              |<----------------------- ULPDU ------------------------>|
 *
 * The FPDU lies in a TCP stream, whose bytes are put together elsewhere (analyzer/); markers are
 * taken out before. All values in host byte order.
 */
#ifndef RDA_RDMAP_H
#define RDA_RDMAP_H

#include "dissectors/opcode.h"
#include "dissectors/rdmap.def"

/* All that a ULPDU may have before its payload; Terminate's copies of headers are the longest. */
#define RDA_ULPDU_HEADERS_MAX 72

/* What can be wrong with the form of one FPDU: RDA_ULPDU_FAULTS(X): X(ID, "words") */
#define RDA_ULPDU_FAULTS(X)                                                                        \
	X(SHORT, "it ends inside a header")                                                        \
	X(OPCODE, "the opcode is reserved")                                                        \
	X(TAGGED, "the operation is tagged where it must not be, or untagged where it must be")    \
	X(QUEUE, "the operation is on a queue that is not its own")                                \
	X(DDP_VERSION, "the DDP version is not 1")                                                 \
	X(RDMAP_VERSION, "the RDMAP version is neither 1 nor that of the RDMA consortium, 0")      \
	X(RESERVED, "reserved bits are set")

enum rda_ulpdu_fault {
#define RDA_X(ID, words) RDA_ULPDU_FAULT_##ID,
	RDA_ULPDU_FAULTS(RDA_X)
#undef RDA_X
		RDA_ULPDU_FAULT_COUNT
};

/* What a Terminate says and what it copies of the message that failed. */
struct rda_terminate {
	uint8_t layer, type, code;
	bool swapped;	 /* nibbles and flags the other way round, as Linux's siw sends them */
	bool either_way; /* no flag tells which it is, and there is such a reason both ways */
	bool has_length, has_ddp, has_rdmap; /* of these copies: */
	uint16_t length;		     /* of the DDP segment */
	bool tagged;
	uint8_t opcode;
	struct rda_ddp_tagged ddp_tagged;     /* if has_ddp and tagged */
	struct rda_ddp_untagged ddp_untagged; /* if has_ddp and not tagged */
	struct rda_rdmap_read read;	      /* if has_rdmap */
};

struct rda_ulpdu {
	uint16_t length; /* of the ULPDU */
	bool tagged, last;
	uint8_t opcode;
	uint8_t faults;	  /* mask of 1 << enum rda_ulpdu_fault */
	uint16_t headers; /* bytes before the payload */
	uint32_t payload_length;
	uint64_t present; /* mask of RDA_HAS(...): of these, those that were read */
	struct rda_ddp_tagged ddp_tagged;
	struct rda_ddp_untagged ddp_untagged;
	struct rda_rdmap_read read;
	struct rda_rdmap_atomic atomic;
	struct rda_rdmap_atomic_ack atomic_ack;
	struct rda_terminate terminate;
};

struct rda_rdmap_operation {
	const char *name; /* "READ Request"; "reserved" */
	bool known, tagged;
	uint8_t queue;
	uint16_t roles;	 /* mask of enum rda_role */
	uint64_t header; /* RDA_HAS(...) of what follows the DDP header, or 0 */
};

/* The row of an opcode (0..15); never NULL. */
const struct rda_rdmap_operation *rda_rdmap_operation(uint8_t opcode);

/*
 * Reads a ULPDU of `length` bytes, of which the first `captured` (RDA_ULPDU_HEADERS_MAX are enough)
 * are in memory. Never fails: what is wrong is in its faults; what was cut is not present.
 */
void rda_read_ulpdu(struct rda_ulpdu *ulpdu, const uint8_t *bytes, uint32_t captured,
		    uint16_t length);

/* The words for a Terminate's reason; never NULL. */
const char *rda_terminate_words(uint8_t layer, uint8_t type, uint8_t code);

const char *rda_ulpdu_fault_words(enum rda_ulpdu_fault fault);

#endif
