/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Headers and maps of RDS; rds.h has the figures.
 */
#include "dissectors/ulp/rds.h"

enum { EXTENSIONS = 32, EXTENSIONS_END = 48, RESERVED = 26, SUM = 30 };

enum extension {
#define RDA_E(type, ID, bytes) EXTENSION_##ID = (type),
	RDA_RDS_EXTENSIONS(RDA_E)
#undef RDA_E
};

/* Bytes behind the type; 0: it has no row. */
static unsigned extension_bytes(uint8_t type)
{
	switch (type) {
#define RDA_E(number, ID, bytes)                                                                   \
	case number: return bytes;
		RDA_RDS_EXTENSIONS(RDA_E)
#undef RDA_E
	default: return 0;
	}
}

static void read_extensions(const uint8_t *p, struct rda_rds *rds)
{
	unsigned at = EXTENSIONS;

	while (at < EXTENSIONS_END) {
		unsigned bytes = extension_bytes(p[at]);

		if (!bytes || at + 1 + bytes > EXTENSIONS_END)
			return;
		if (p[at] == EXTENSION_RDMA) {
			rds->has_rdma = true;
			rds->rdma_key = rda_be32(p + at + 1);
		}
		at += 1 + bytes;
	}
}

/* In ones' complement the 16-bit words of a right header add up to 0xffff. */
static bool is_sum_right(const uint8_t *p)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < RDA_RDS_BYTES; i += 2)
		sum += rda_be16(p + i);
	sum = (sum & 0xffff) + (sum >> 16);
	return sum == 0xffff;
}

bool rda_read_rds(struct rda_cursor *c, struct rda_rds *rds)
{
	const uint8_t *p = rda_cursor_take(c, RDA_RDS_BYTES);

	if (!p)
		return false;
	*rds = (struct rda_rds){
		.sequence = rda_be64(p),
		.ack = rda_be64(p + 8),
		.length = rda_be32(p + 16),
		.source = rda_be16(p + 20),
		.destination = rda_be16(p + 22),
		.flags = p[24],
		.credits = p[25],
		.reserved_set = rda_be32(p + RESERVED) != 0,
		.sum_right = is_sum_right(p),
	};
	read_extensions(p, rds);
	return true;
}

enum rda_rds_kind rda_rds_kind(const struct rda_rds *rds)
{
	if (rds->flags & RDA_RDS_CONGESTION)
		return RDA_RDS_MAP;
	return rds->sequence || rds->length || rds->source || rds->destination ? RDA_RDS_MESSAGE
									       : RDA_RDS_ACK;
}

bool rda_rds_is_header(const uint8_t *bytes, uint32_t have, bool expected)
{
	const uint8_t known = 0
#define RDA_F(value, ID) | (value)
		RDA_RDS_FLAGS(RDA_F)
#undef RDA_F
		;
	struct rda_cursor c = {bytes, 0, have, have};
	struct rda_rds rds;

	if (!rda_read_rds(&c, &rds) || !rds.sum_right)
		return false;
	if (expected)
		return true;
	if (rds.reserved_set || rds.flags & ~known || rds.length > RDA_RDS_MESSAGE_MOST)
		return false;
	switch (rda_rds_kind(&rds)) {
	case RDA_RDS_MAP: return !rds.sequence && rds.length == RDA_RDS_MAP_BYTES;
	case RDA_RDS_MESSAGE: return rds.sequence && rds.source | rds.destination;
	case RDA_RDS_ACK: break; /* too little to go by */
	}
	return false;
}

static uint32_t map_bytes(const struct rda_cursor *map)
{
	uint32_t bytes = rda_cursor_captured_left(map);

	return bytes > RDA_RDS_PIECE_BYTES ? RDA_RDS_PIECE_BYTES : bytes;
}

uint32_t rda_rds_count_congested(const struct rda_cursor *map)
{
	uint32_t bytes = map_bytes(map), count = 0;

	for (uint32_t i = 0; i < bytes; i++)
		for (unsigned rest = map->base[map->offset + i]; rest; rest &= rest - 1)
			count++;
	return count;
}

int32_t rda_rds_next_congested(const struct rda_cursor *map, uint32_t port)
{
	const uint8_t *p = map->base + map->offset;
	uint32_t bytes = map_bytes(map);

	while (port / 8 < bytes) {
		uint8_t rest = p[port / 8] >> port % 8;

		if (rest & 1)
			return (int32_t)port;
		port = rest ? port + 1 : (port / 8 + 1) * 8;
	}
	return -1;
}
