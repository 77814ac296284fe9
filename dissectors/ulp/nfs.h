/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NFS 3 and 4 (RFC 1813, 7530, 8881), their callbacks, and the services beside them: what a call
 * asks for, and whether it was done.
 *
 *     COMPOUND call     tag | minor version | [callback_ident] | count | { operation | arguments }*
 *     COMPOUND reply    status | tag | count | { operation | status | results }*
 *
 * A COMPOUND is named by its main operation (nfs.def says how), and known by its first operations.
 */
#ifndef RDA_NFS_H
#define RDA_NFS_H

#include "dissectors/ulp/nfs.def"
#include "dissectors/ulp/rpc.h"

/* Operations of a COMPOUND that are told. */
enum { RDA_NFS_OPERATIONS = 8 };

/* What a COMPOUND is called of which no operation is known, and its reply counts from. */
enum { RDA_NFS_COMPOUND = 1 };

/* Of a call that is in a chunk itself: what it asks for is not known. */
enum { RDA_NFS_LONG_CALL = 0xffff };

struct rda_nfs_call {
	uint16_t number; /* of the procedure, or of the COMPOUND's main operation */
	uint8_t count;	 /* of operations[] */
	uint8_t operations[RDA_NFS_OPERATIONS];
	uint32_t bytes; /* that are to be read or written */
};

struct rda_nfs_reply {
	uint32_t status;  /* nfsstat3, nfsstat4; 0: done */
	uint32_t results; /* of a COMPOUND: the last of them failed, where one did */
	bool has_bytes;
	uint32_t bytes; /* that were read or written */
};

/* The arguments of a call, or results of a reply, as far as they were captured. */
void rda_read_nfs_call(struct rda_cursor *c, enum rda_rpc_set set, uint32_t procedure,
		       struct rda_nfs_call *call);

/* False: the status was not captured. `number` as in the call. */
bool rda_read_nfs_reply(struct rda_cursor *c, enum rda_rpc_set set, uint16_t number,
			struct rda_nfs_reply *reply);

/* Set and number, as operations are told. */
static inline uint32_t rda_nfs_operation(enum rda_rpc_set set, uint16_t number)
{
	return (uint32_t)set << 16 | number;
}

/* NULL: it has none. */
const char *rda_nfs_operation_name(uint32_t operation);
const char *rda_nfs_status_words(enum rda_rpc_set set, uint32_t status);

/* An answer that file systems give every day. */
bool rda_nfs_status_is_usual(enum rda_rpc_set set, uint32_t status);

#endif
