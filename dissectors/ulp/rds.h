/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reliable Datagram Sockets over RDMA: the header that each SEND begins with, and the congestion
 * map (net/rds/ of Linux, version 3.1).
 *
 *     | sequence 8 | acknowledged sequence 8 | length 4 | source port 2 | destination port 2 |
 *     | flags | credits | 0 (4) | checksum 2 | extensions 16 | up to 4096 bytes of the message
 *
 * Everything is big endian. The checksum is IP's, over these 48 bytes. A message longer than 4096
 * bytes takes several SENDs, whose headers have one sequence and the length of the whole. Without
 * ports and length it is an acknowledgement alone.
 *
 *     map: 8192 bytes in two SENDs; port p is bit p % 8 (1 << ...) of byte p / 8
 */
#ifndef RDA_RDS_H
#define RDA_RDS_H

#include "dissectors/cursor.h"
#include "dissectors/ulp/rds.def"

enum { RDA_RDS_BYTES = 48, RDA_RDS_PIECE_BYTES = 4096, RDA_RDS_MAP_BYTES = 8192 };

/* Longer messages are not sent. */
#define RDA_RDS_MESSAGE_MOST (UINT32_C(1) << 20)

enum rda_rds_flag {
#define RDA_F(value, ID) RDA_RDS_##ID = (value),
	RDA_RDS_FLAGS(RDA_F)
#undef RDA_F
};

struct rda_rds {
	uint64_t sequence, ack;	      /* ack: all up to it, of the other direction; 0: none */
	uint32_t length;	      /* of the message */
	uint16_t source, destination; /* ports */
	uint8_t flags;		      /* enum rda_rds_flag */
	uint8_t credits;	      /* SENDs that the receiver has more room for */
	bool reserved_set;
	bool sum_right;	   /* the checksum fits */
	bool has_rdma;	   /* an RDMA operation came before this message, */
	uint32_t rdma_key; /* to the memory of this key */
};

enum rda_rds_kind { RDA_RDS_MESSAGE, RDA_RDS_ACK, RDA_RDS_MAP };

/* Takes the whole of the header, or nothing. */
bool rda_read_rds(struct rda_cursor *c, struct rda_rds *rds);

enum rda_rds_kind rda_rds_kind(const struct rda_rds *rds);

/* A header of RDS, and hardly anything else; `expected`: a port says so. */
bool rda_rds_is_header(const uint8_t *bytes, uint32_t have, bool expected);

/*
 * In a piece of a map behind its header: the first port at or behind `port` that is congested, of
 * ports that are numbered from the first of the piece; -1: there is none in what was captured.
 */
int32_t rda_rds_next_congested(const struct rda_cursor *map, uint32_t port);

/* How many there are. */
uint32_t rda_rds_count_congested(const struct rda_cursor *map);

#endif
