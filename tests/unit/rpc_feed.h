/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of upper layers: calls and replies of RPC over RDMA, piece by piece, to be sent
 * with rda_nvme_send of nvme_feed.h.
 *
 *     rda_rpc_head(&b, 7, 0, (struct rda_rpc_lent){.write = 4096});
 *     rda_rpc_call(&b, 7, 100003, 4, 1);
 *     rda_put_hex(&b, "00000000 00000001 00000001 00000018");      PUTROOTFH
 */
#ifndef RDA_TEST_RPC_FEED_H
#define RDA_TEST_RPC_FEED_H

#include "tests/unit/nvme_feed.h"

/* Bytes of memory in each list; 0: the list is empty. */
struct rda_rpc_lent {
	uint32_t read, write, reply;
};

/* The keys of this memory; its address is RDA_NVME_ADDRESS. */
enum { RDA_RPC_READ_KEY = 0x1000, RDA_RPC_WRITE_KEY, RDA_RPC_REPLY_KEY };

void rda_rpc_head(struct rda_build *b, uint32_t xid, uint32_t procedure, struct rda_rpc_lent lent);
void rda_rpc_call(struct rda_build *b, uint32_t xid, uint32_t program, uint32_t version,
		  uint32_t procedure);
void rda_rpc_reply(struct rda_build *b, uint32_t xid, uint32_t accept_stat);

/* A COMPOUND of PUTROOTFH and READ of so many bytes; and what it is answered with. */
void rda_rpc_read(struct rda_build *b, uint32_t xid, uint32_t bytes);
void rda_rpc_read_done(struct rda_build *b, uint32_t xid, uint32_t bytes);

/* Whole messages: a COMPOUND of PUTROOTFH only, and its answer. */
void rda_rpc_ask(struct rda_nvme_feed *n, uint32_t xid);
void rda_rpc_answer(struct rda_nvme_feed *n, uint32_t xid, uint32_t status);

#endif
