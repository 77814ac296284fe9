/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of upper layers: messages of SMB Direct, to be sent with rda_nvme_send of
 * nvme_feed.h.
 *
 *     rda_smb_open(&n);                                            negotiates
 *     rda_smb_ask(&n, 0x05, 7);                                    CREATE, message 7
 *     rda_smb_answer(&n, 0x05, 7, 0xc0000034);
 */
#ifndef RDA_TEST_SMB_FEED_H
#define RDA_TEST_SMB_FEED_H

#include "tests/unit/nvme_feed.h"

struct rda_smb_header {
	uint16_t command;
	uint32_t status, flags, next;
	uint64_t id;
};

void rda_smb_put_le(struct rda_build *b, uint64_t value, unsigned bytes);

/* The header of SMB Direct, with so many bytes of data here and behind; the header of SMB 2. */
void rda_smb_data(struct rda_build *b, uint32_t length, uint32_t remaining);
void rda_smb_head(struct rda_build *b, const struct rda_smb_header *header);

/* Negotiates, with credits for the client's first SENDs; `open`: as many as servers grant. */
void rda_smb_negotiate(struct rda_nvme_feed *n, uint16_t granted);
void rda_smb_open(struct rda_nvme_feed *n);

/* A SEND of SMB Direct without data, that grants the other side so many credits. */
void rda_smb_empty(struct rda_nvme_feed *n, unsigned side, uint16_t granted);

void rda_smb_ask(struct rda_nvme_feed *n, uint16_t command, uint64_t id);
void rda_smb_answer(struct rda_nvme_feed *n, uint16_t command, uint64_t id, uint32_t status);

/* READ of so many bytes into memory of this key at RDA_NVME_ADDRESS. */
void rda_smb_put_read(struct rda_build *b, uint64_t id, uint32_t key, uint32_t bytes);

#endif
