/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of NVMe; see nvme_feed.h.
 */
#include "tests/unit/nvme_feed.h"

#include "analyzer/engine/state.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { HOST = 1, TARGET = 2, HOST_PSN = 100, TARGET_PSN = 5000 };
enum { FABRICS = 0x7f, CONNECT = 1 };

static void put_le(struct rda_build *b, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		rda_put8(b, (uint8_t)(value >> 8 * i));
}

void rda_nvme_feed_begin(struct rda_nvme_feed *n, bool iwarp)
{
	memset(n, 0, sizeof(*n));
	n->iwarp = iwarp;
	rda_iwarp_feed_begin(&n->w);
	n->psn[0] = HOST_PSN;
	n->psn[1] = TARGET_PSN;
	if (iwarp)
		rda_iwarp_open(&n->w);
	else
		rda_feed_exchange_at(&n->w.feed, HOST, TARGET, RDA_NVME_HOST_QP, RDA_NVME_TARGET_QP,
				     1, HOST_PSN, TARGET_PSN);
}

void rda_nvme_feed_end(struct rda_nvme_feed *n)
{
	rda_iwarp_feed_end(&n->w);
}

void rda_nvme_finish(struct rda_nvme_feed *n)
{
	rda_engine_finish(n->w.feed.engine);
}

static struct rda_recipe packet_of(unsigned side, uint8_t opcode, uint32_t psn)
{
	return side ? rda_packet_of(TARGET, HOST, RDA_NVME_HOST_QP, opcode, psn)
		    : rda_packet_of(HOST, TARGET, RDA_NVME_TARGET_QP, opcode, psn);
}

static void acknowledge(struct rda_nvme_feed *n, unsigned side, uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(0x1f, ++n->msn[side]);
	struct rda_recipe recipe = rda_with(packet_of(side, 0x11, psn), &aeth);

	if (!n->silent)
		rda_feed(&n->w.feed, &recipe);
}

static void request(struct rda_nvme_feed *n, unsigned side, struct rda_recipe *recipe)
{
	recipe->ack_req = true;
	recipe->psn = n->psn[side]++;
	rda_feed(&n->w.feed, recipe);
}

void rda_nvme_send(struct rda_nvme_feed *n, unsigned side, const struct rda_build *b)
{
	struct rda_recipe recipe = packet_of(side, RC_SEND_ONLY, 0);
	struct rda_build ulpdu = {0};

	if (n->iwarp) {
		rda_put_hex(&ulpdu, "4143 00000000 00000000");
		rda_put32(&ulpdu, ++n->msn[side]);
		rda_put32(&ulpdu, 0);
		rda_put(&ulpdu, b->bytes, b->length);
		rda_iwarp_fpdu(&n->w, side, &ulpdu);
		return;
	}
	recipe.payload = b->bytes;
	recipe.payload_length = b->length;
	request(n, side, &recipe);
	acknowledge(n, 1 - side, n->psn[side] - 1);
}

void rda_nvme_capsule(struct rda_build *b, uint8_t opcode, uint16_t cid, uint32_t nsid,
		      uint32_t key, uint32_t length, const uint32_t dwords[3])
{
	rda_put8(b, opcode);
	rda_put8(b, 0x40);
	put_le(b, cid, 2);
	put_le(b, nsid, 4);
	rda_put_zeros(b, 16);
	put_le(b, length ? RDA_NVME_ADDRESS : 0, 8);
	put_le(b, length, 3);
	put_le(b, key, 4);
	rda_put8(b, 0x40);
	for (unsigned i = 0; i < 3; i++)
		put_le(b, dwords[i], 4);
	rda_put_zeros(b, 12);
}

void rda_nvme_connect(struct rda_nvme_feed *n, uint16_t queue, uint32_t keep_ms)
{
	struct rda_build b = {0};

	rda_nvme_capsule(&b, FABRICS, 0, CONNECT, 0x99, 1024,
			 (uint32_t[]){(uint32_t)queue << 16, 31, keep_ms});
	rda_nvme_send(n, 0, &b);
	rda_nvme_complete(n, 0, 0);
}

static void block(struct rda_nvme_feed *n, uint8_t opcode, uint16_t cid, uint32_t key,
		  uint32_t length)
{
	struct rda_build b = {0};

	rda_nvme_capsule(&b, opcode, cid, 1, key, length, (uint32_t[]){0, 0, length / 512 - 1});
	rda_nvme_send(n, 0, &b);
}

void rda_nvme_read(struct rda_nvme_feed *n, uint16_t cid, uint32_t key, uint32_t length)
{
	block(n, 0x02, cid, key, length);
}

void rda_nvme_write(struct rda_nvme_feed *n, uint16_t cid, uint32_t key, uint32_t length)
{
	block(n, 0x01, cid, key, length);
}

void rda_nvme_admin(struct rda_nvme_feed *n, uint8_t opcode, uint16_t cid)
{
	struct rda_build b = {0};

	rda_nvme_capsule(&b, opcode, cid, 0, 0, 0, (uint32_t[]){0, 0, 0});
	rda_nvme_send(n, 0, &b);
}

void rda_nvme_complete(struct rda_nvme_feed *n, uint16_t cid, uint16_t status)
{
	struct rda_build b = {0};

	rda_put_zeros(&b, 12);
	put_le(&b, cid, 2);
	put_le(&b, (uint64_t)status << 1, 2);
	rda_nvme_send(n, 1, &b);
}

void rda_nvme_data(struct rda_nvme_feed *n, uint32_t key, uint32_t length)
{
	struct rda_extended reth = rda_reth(RDA_NVME_ADDRESS, key, length);
	struct rda_recipe recipe = rda_with(packet_of(1, RC_WRITE_ONLY, 0), &reth);

	if (n->iwarp) {
		rda_iwarp_write(&n->w, 1, key, RDA_NVME_ADDRESS, length);
		return;
	}
	recipe.payload_length = length;
	request(n, 1, &recipe);
	acknowledge(n, 0, n->psn[1] - 1);
}

void rda_nvme_place(struct rda_nvme_feed *n, uint32_t key, const struct rda_build *b)
{
	struct rda_extended reth = rda_reth(RDA_NVME_ADDRESS, key, b->length);
	struct rda_recipe recipe = rda_with(packet_of(1, RC_WRITE_ONLY, 0), &reth);
	struct rda_build ulpdu = {0};

	if (n->iwarp) {
		rda_put_hex(&ulpdu, "c140");
		rda_put32(&ulpdu, key);
		rda_put64(&ulpdu, RDA_NVME_ADDRESS);
		rda_put(&ulpdu, b->bytes, b->length);
		rda_iwarp_fpdu(&n->w, 1, &ulpdu);
		return;
	}
	recipe.payload = b->bytes;
	recipe.payload_length = b->length;
	request(n, 1, &recipe);
	acknowledge(n, 0, n->psn[1] - 1);
}

void rda_nvme_fetch(struct rda_nvme_feed *n, uint32_t key, uint32_t length)
{
	struct rda_extended reth = rda_reth(RDA_NVME_ADDRESS, key, length);
	struct rda_extended aeth = rda_aeth(0x1f, ++n->msn[0]);
	struct rda_recipe recipe = rda_with(packet_of(1, RC_READ_REQUEST, 0), &reth);

	if (n->iwarp) {
		n->msn[0]--;
		rda_iwarp_read(&n->w, 1, ++n->reads, key, RDA_NVME_ADDRESS, length);
		rda_iwarp_response(&n->w, 0, length);
		return;
	}
	request(n, 1, &recipe);
	recipe = rda_with(packet_of(0, RC_READ_RESPONSE_ONLY, n->psn[1] - 1), &aeth);
	recipe.payload_length = length;
	rda_feed(&n->w.feed, &recipe);
}

void rda_nvme_wait(struct rda_nvme_feed *n, int64_t ns)
{
	n->w.feed.meta.time_ns += ns;
}

const struct rda_ulp *rda_nvme_found(const struct rda_nvme_feed *n)
{
	const GPtrArray *list = n->w.feed.engine->ulps.list;

	ck_assert_uint_le(list->len, 1);
	return list->len ? list->pdata[0] : NULL;
}

bool rda_nvme_says(const struct rda_nvme_feed *n, enum rda_check check, const char *words)
{
	for (unsigned i = 0; i < rda_engine_finding_count(n->w.feed.engine); i++) {
		const struct rda_finding *f = rda_engine_finding(n->w.feed.engine, i);

		if (f->key.check == check)
			return strstr(rda_said_by(f), words) != NULL;
	}
	return false;
}
