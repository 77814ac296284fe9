/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PDUs of iSER; see iser_feed.h.
 */
#include "tests/unit/iser_feed.h"

static void memory(struct rda_build *b, uint32_t key)
{
	rda_put32(b, key);
	rda_put64(b, key ? RDA_NVME_ADDRESS : 0);
}

void rda_iser_send(struct rda_nvme_feed *n, unsigned side, const struct rda_iser_pdu *pdu)
{
	struct rda_build b = {0}, data = {0};

	if (pdu->data)
		rda_put_hex(&data, pdu->data);
	rda_put8(&b, (uint8_t)(0x10 | (pdu->write_key ? 8 : 0) | (pdu->read_key ? 4 : 0)));
	rda_put_zeros(&b, 3);
	memory(&b, pdu->write_key);
	memory(&b, pdu->read_key);
	rda_put8(&b, pdu->opcode);
	rda_put8(&b, pdu->flags);
	rda_put8(&b, pdu->response);
	rda_put8(&b, pdu->status);
	rda_put32(&b, data.length);
	rda_put_hex(&b, "0003 000000000000");
	rda_put32(&b, pdu->task);
	rda_put32(&b, pdu->word);
	rda_put_zeros(&b, 8);
	rda_put8(&b, pdu->cdb);
	rda_put_zeros(&b, 3);
	rda_put16(&b, pdu->login);
	rda_put_zeros(&b, 6);
	rda_put32(&b, pdu->residual);
	rda_put(&b, data.bytes, data.length);
	rda_nvme_send(n, side, &b);
}

void rda_iser_read(struct rda_nvme_feed *n, uint32_t task, uint32_t key, uint32_t bytes)
{
	rda_iser_send(n, 0,
		      &(struct rda_iser_pdu){.opcode = 0x01,
					     .flags = 0xc0,
					     .task = task,
					     .word = bytes,
					     .read_key = key,
					     .cdb = 0x28});
}

void rda_iser_respond(struct rda_nvme_feed *n, uint32_t task, uint8_t status)
{
	rda_iser_send(n, 1,
		      &(struct rda_iser_pdu){
			      .opcode = 0x21, .flags = 0x80, .status = status, .task = task});
}
