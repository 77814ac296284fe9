/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of upper layers: PDUs of iSER, to be sent with rda_nvme_send of nvme_feed.h.
 *
 *     rda_iser_pdu(&n, 0, (struct rda_iser_pdu){.opcode = 0x01, .task = 7, .read_key = 0x1000,
 *                                               .word = 4096, .cdb = 0x28, .flags = 0xc0});
 */
#ifndef RDA_TEST_ISER_FEED_H
#define RDA_TEST_ISER_FEED_H

#include "tests/unit/nvme_feed.h"

struct rda_iser_pdu {
	uint8_t opcode, flags, response, status;
	uint32_t task;
	uint32_t word; /* behind the task tag: bytes of a command, the target's tag */
	uint32_t write_key, read_key; /* 0: none; of memory at RDA_NVME_ADDRESS */
	uint8_t cdb;
	uint16_t login; /* class and detail */
	uint32_t residual;
	const char *data; /* hex; NULL: none */
};

void rda_iser_send(struct rda_nvme_feed *n, unsigned side, const struct rda_iser_pdu *pdu);

/* A READ(10) of so many bytes into `key`; a response without sense data. */
void rda_iser_read(struct rda_nvme_feed *n, uint32_t task, uint32_t key, uint32_t bytes);
void rda_iser_respond(struct rda_nvme_feed *n, uint32_t task, uint8_t status);

#endif
