/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of RPC over RDMA; see rpc_feed.h.
 */
#include "tests/unit/rpc_feed.h"

static void segment(struct rda_build *b, uint32_t key, uint32_t bytes)
{
	rda_put32(b, key);
	rda_put32(b, bytes);
	rda_put64(b, RDA_NVME_ADDRESS);
}

void rda_rpc_head(struct rda_build *b, uint32_t xid, uint32_t procedure, struct rda_rpc_lent lent)
{
	rda_put32(b, xid);
	rda_put_hex(b, "00000001 00000020");
	rda_put32(b, procedure);
	if (lent.read) {
		rda_put_hex(b, "00000001 000000b0");
		segment(b, RDA_RPC_READ_KEY, lent.read);
	}
	rda_put32(b, 0);
	if (lent.write) {
		rda_put_hex(b, "00000001 00000001");
		segment(b, RDA_RPC_WRITE_KEY, lent.write);
	}
	rda_put32(b, 0);
	rda_put32(b, lent.reply != 0);
	if (lent.reply) {
		rda_put32(b, 1);
		segment(b, RDA_RPC_REPLY_KEY, lent.reply);
	}
}

void rda_rpc_call(struct rda_build *b, uint32_t xid, uint32_t program, uint32_t version,
		  uint32_t procedure)
{
	rda_put32(b, xid);
	rda_put_hex(b, "00000000 00000002");
	rda_put32(b, program);
	rda_put32(b, version);
	rda_put32(b, procedure);
	rda_put_hex(b, "00000001 00000004 61626364"); /* AUTH_SYS, of 4 bytes */
	rda_put_hex(b, "00000000 00000000");
}

void rda_rpc_reply(struct rda_build *b, uint32_t xid, uint32_t accept_stat)
{
	rda_put32(b, xid);
	rda_put_hex(b, "00000001 00000000 00000000 00000000");
	rda_put32(b, accept_stat);
}

void rda_rpc_read(struct rda_build *b, uint32_t xid, uint32_t bytes)
{
	rda_rpc_call(b, xid, 100003, 4, 1);
	rda_put_hex(b, "00000000 00000001 00000002 00000018 00000019");
	rda_put_zeros(b, 16 + 8);
	rda_put32(b, bytes);
}

void rda_rpc_read_done(struct rda_build *b, uint32_t xid, uint32_t bytes)
{
	rda_rpc_reply(b, xid, 0);
	rda_put_hex(b, "00000000 00000000 00000002 00000018 00000000 00000019 00000000 00000001");
	rda_put32(b, bytes);
}

void rda_rpc_ask(struct rda_nvme_feed *n, uint32_t xid)
{
	struct rda_build b = {0};

	rda_rpc_head(&b, xid, 0, (struct rda_rpc_lent){0});
	rda_rpc_call(&b, xid, 100003, 4, 1);
	rda_put_hex(&b, "00000000 00000001 00000001 00000018");
	rda_nvme_send(n, 0, &b);
}

void rda_rpc_answer(struct rda_nvme_feed *n, uint32_t xid, uint32_t status)
{
	struct rda_build b = {0};

	rda_rpc_head(&b, xid, 0, (struct rda_rpc_lent){0});
	rda_rpc_reply(&b, xid, 0);
	rda_put32(&b, status);
	rda_put_hex(&b, "00000000 00000001 00000018");
	rda_put32(&b, status);
	rda_nvme_send(n, 1, &b);
}
