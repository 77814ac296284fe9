/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RPC over RDMA, version 1 (RFC 8166), and the RPC messages in it (RFC 5531).
 *
 *     | XID | version 1 | credits | procedure | read list | write list | reply chunk | RPC message
 * | 4     4           4         4 read list    { 1 | position 4 | segment }* 0        the memory
 * that the other side reads write list   { 1 | count 4 | segment* }* 0          the memory that it
 * writes data into reply chunk  0, or 1 | count 4 | segment*           the memory that it writes a
 * long reply into segment      handle (R_Key) 4 | length 4 | offset (address) 8
 *
 *     call         XID | 0 | RPC version 2 | program | version | procedure | credential | verifier
 * | arguments reply        XID | 1 | 0 accepted | verifier | status | results
 *
 * All numbers are big endian, of 4 bytes unless said. With RDMA_NOMSG the RPC message is in a
 * chunk. What is in arguments and results is nfs.h's.
 */
#ifndef RDA_RPC_H
#define RDA_RPC_H

#include "dissectors/ulp/rpc.def"
#include "dissectors/ulp/xdr.h"

enum { RDA_RPC_RDMA_BYTES = 16, RDA_RPC_RDMA_VERSION = 1 };

enum rda_rpc_rdma_procedure {
	RDA_RPC_RDMA_MSG,
	RDA_RPC_RDMA_NOMSG,
	RDA_RPC_RDMA_MSGP,
	RDA_RPC_RDMA_DONE,
	RDA_RPC_RDMA_ERROR,
};

struct rda_rpc_rdma {
	uint32_t xid, version, credits, procedure;
};

enum rda_rpc_list {
	RDA_RPC_READ_LIST,
	RDA_RPC_WRITE_LIST,
	RDA_RPC_REPLY_CHUNK,
	RDA_RPC_LISTS_END, /* all were read */
	RDA_RPC_LISTS_CUT, /* the capture ends in them */
	RDA_RPC_LISTS_BAD, /* they contradict themselves, or the message's length */
};

/* Where a walk of the lists is; zeroed to begin with. */
struct rda_rpc_chunks {
	uint8_t list;	   /* enum rda_rpc_list */
	bool in_reply;	   /* the reply chunk has begun */
	uint32_t left;	   /* segments of the chunk at hand */
	uint32_t position; /* of it, in the read list */
};

struct rda_rpc_segment {
	uint8_t list;	   /* enum rda_rpc_list */
	uint32_t position; /* in the RPC message, of the read list; 0: of the message itself */
	uint32_t handle, length;
	uint64_t offset;
};

/* An RPC message, as far as it was captured. */
struct rda_rpc {
	uint32_t xid;
	bool is_reply;
	uint32_t rpc_version, program, version, procedure; /* of a call */
	uint32_t flavor;				   /* of its credential */
	uint32_t gss_service; /* RPCSEC_GSS: 1 none, 2 integrity, 3 privacy; else 0 */
	uint32_t status;      /* of a reply, if has_body: rda_rpc_status_of, 0: success */
	bool has_body;	      /* the cursor is at the arguments, or results */
};

enum rda_rpc_set {
	RDA_RPC_SET_OTHER,
	RDA_RPC_SET_PORTMAP,
	RDA_RPC_SET_MOUNT,
	RDA_RPC_SET_NFS3,
	RDA_RPC_SET_NFS4,
	RDA_RPC_SET_NFSCB,
	RDA_RPC_SET_NFSACL,
	RDA_RPC_SET_NLM,
	RDA_RPC_SET_NSM,
};

/* What refused a call; 0 is the program's own, which nfs.h knows. */
enum rda_rpc_class {
	RDA_RPC_CLASS_PROGRAM,
	RDA_RPC_CLASS_ACCEPTED,
	RDA_RPC_CLASS_DENIED,
	RDA_RPC_CLASS_AUTH,
	RDA_RPC_CLASS_RDMA,
};

/* Class in the high byte, code in the others. */
static inline uint32_t rda_rpc_status_of(enum rda_rpc_class class, uint32_t code)
{
	return (uint32_t) class << 24 | (code < 0xffffff ? code : 0xffffff);
}

/* Readers take the whole of their header, or nothing. */
bool rda_read_rpc_rdma(struct rda_cursor *c, struct rda_rpc_rdma *header);

/* The next segment of the lists; false: there is none, and chunks->list says why. */
bool rda_rpc_next_segment(struct rda_cursor *c, struct rda_rpc_chunks *chunks,
			  struct rda_rpc_segment *segment);

/* Of RDMA_ERROR, behind the header: its status. */
bool rda_read_rpc_rdma_error(struct rda_cursor *c, uint32_t *status);

/* True when it is known what it is: a call with its procedure, or a reply. */
bool rda_read_rpc(struct rda_cursor *c, struct rda_rpc *rpc);

enum rda_rpc_set rda_rpc_set_of(uint32_t program, uint32_t version);

/* NULL: there is no such status, or it is the program's. */
const char *rda_rpc_status_words(uint32_t status);

/* Of a call of that set: it comes up every day, and nothing is wrong. */
bool rda_rpc_status_is_usual(enum rda_rpc_set set, uint32_t status);

/*
 * Whether the message is a call of RPC over RDMA, and hardly anything else. `expected`: a port says
 * that the connection carries it.
 */
bool rda_rpc_is_call(const uint8_t *bytes, uint32_t have, bool expected);

#endif
