/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SENDs of RDS; see rds_feed.h.
 */
#include "tests/unit/rds_feed.h"

#include "dissectors/ulp/rds.h"

enum { SUM_AT = 30 };

void rda_rds_put(struct rda_build *b, const struct rda_rds_pdu *pdu)
{
	uint32_t begin = b->length, sum = 0;

	rda_put64(b, pdu->sequence);
	rda_put64(b, pdu->ack);
	rda_put32(b, pdu->length);
	rda_put16(b, pdu->source);
	rda_put16(b, pdu->destination);
	rda_put8(b, pdu->flags);
	rda_put_zeros(b, 7);
	if (pdu->extension)
		rda_put_hex(b, pdu->extension);
	rda_put_zeros(b, RDA_RDS_BYTES - (b->length - begin));
	for (uint32_t i = begin; i < b->length; i += 2)
		sum += (uint32_t)b->bytes[i] << 8 | b->bytes[i + 1];
	sum = ~((sum & 0xffff) + (sum >> 16)) ^ pdu->wrong;
	b->bytes[begin + SUM_AT] = (uint8_t)(sum >> 8);
	b->bytes[begin + SUM_AT + 1] = (uint8_t)sum;
	rda_put_zeros(b, pdu->inside);
}

void rda_rds_send(struct rda_nvme_feed *n, unsigned side, const struct rda_rds_pdu *pdu)
{
	struct rda_build b = {0};

	rda_rds_put(&b, pdu);
	rda_nvme_send(n, side, &b);
}

void rda_rds_map(struct rda_nvme_feed *n, unsigned side, const uint16_t *ports, unsigned count)
{
	const struct rda_rds_pdu pdu = {.flags = RDA_RDS_CONGESTION,
					.length = RDA_RDS_MAP_BYTES,
					.inside = RDA_RDS_PIECE_BYTES};

	for (uint32_t piece = 0; piece < 2; piece++) {
		struct rda_build b = {0};

		rda_rds_put(&b, &pdu);
		for (unsigned i = 0; i < count; i++)
			if (ports[i] >> 15 == piece)
				b.bytes[RDA_RDS_BYTES + (ports[i] & 0x7fff) / 8] |=
					(uint8_t)(1 << ports[i] % 8);
		rda_nvme_send(n, side, &b);
	}
}
