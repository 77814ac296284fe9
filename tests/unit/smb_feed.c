/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of SMB Direct; see smb_feed.h.
 */
#include "tests/unit/smb_feed.h"

enum { DATA = 24, HEADER = 64 };

void rda_smb_put_le(struct rda_build *b, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		rda_put8(b, (uint8_t)(value >> 8 * i));
}

void rda_smb_data(struct rda_build *b, uint32_t length, uint32_t remaining)
{
	rda_put_hex(b, "ff00 0100 0000 0000");
	rda_smb_put_le(b, remaining, 4);
	rda_smb_put_le(b, DATA, 4);
	rda_smb_put_le(b, length, 4);
	rda_put_zeros(b, 4);
}

void rda_smb_head(struct rda_build *b, const struct rda_smb_header *header)
{
	rda_put_hex(b, "fe534d42 4000 0000");
	rda_smb_put_le(b, header->status, 4);
	rda_smb_put_le(b, header->command, 2);
	rda_put_hex(b, "0100");
	rda_smb_put_le(b, header->flags, 4);
	rda_smb_put_le(b, header->next, 4);
	rda_smb_put_le(b, header->id, 8);
	rda_put_zeros(b, 32);
}

void rda_smb_negotiate(struct rda_nvme_feed *n, uint16_t granted)
{
	struct rda_build ask = {0}, answer = {0};

	rda_put_hex(&ask, "0001 0001 0000 ff00 54050000 54050000 56a70200");
	rda_nvme_send(n, 0, &ask);
	rda_put_hex(&answer, "0001 0001 0001 0000 ff00");
	rda_smb_put_le(&answer, granted, 2);
	rda_put_hex(&answer, "00000000 00008000 54050000 54050000 56a70200");
	rda_nvme_send(n, 1, &answer);
}

void rda_smb_open(struct rda_nvme_feed *n)
{
	rda_smb_negotiate(n, 254);
}

void rda_smb_empty(struct rda_nvme_feed *n, unsigned side, uint16_t granted)
{
	struct rda_build b = {0};

	rda_put_hex(&b, "ff00");
	rda_smb_put_le(&b, granted, 2);
	rda_put_zeros(&b, 16);
	rda_nvme_send(n, side, &b);
}

void rda_smb_ask(struct rda_nvme_feed *n, uint16_t command, uint64_t id)
{
	struct rda_build b = {0};

	rda_smb_data(&b, HEADER, 0);
	rda_smb_head(&b, &(struct rda_smb_header){.command = command, .id = id});
	rda_nvme_send(n, 0, &b);
}

void rda_smb_answer(struct rda_nvme_feed *n, uint16_t command, uint64_t id, uint32_t status)
{
	struct rda_build b = {0};

	rda_smb_data(&b, HEADER, 0);
	rda_smb_head(&b, &(struct rda_smb_header){command, status, 1, 0, id});
	rda_nvme_send(n, 1, &b);
}

void rda_smb_put_read(struct rda_build *b, uint64_t id, uint32_t key, uint32_t bytes)
{
	rda_smb_data(b, HEADER + 48 + 16, 0);
	rda_smb_head(b, &(struct rda_smb_header){.command = 8, .id = id});
	rda_put_hex(b, "3100 00 00");
	rda_smb_put_le(b, bytes, 4);
	rda_put_zeros(b, 8 + 16 + 4);
	rda_smb_put_le(b, 2, 4); /* to be invalidated */
	rda_put_zeros(b, 4);
	rda_smb_put_le(b, HEADER + 48, 2);
	rda_smb_put_le(b, 16, 2);
	rda_smb_put_le(b, RDA_NVME_ADDRESS, 8);
	rda_smb_put_le(b, key, 4);
	rda_smb_put_le(b, bytes, 4);
}
