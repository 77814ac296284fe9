/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of RDS: its SENDs, to be sent with rda_nvme_send of nvme_feed.h.
 *
 *     rda_rds_send(&n, 0, &(struct rda_rds_pdu){.sequence = 1, .source = 4001, .destination = 4000,
 *                                               .length = 100, .inside = 100});
 */
#ifndef RDA_TEST_RDS_FEED_H
#define RDA_TEST_RDS_FEED_H

#include "tests/unit/nvme_feed.h"

struct rda_rds_pdu {
	uint64_t sequence, ack;
	uint32_t length, inside; /* bytes of the message, of them in this SEND */
	uint16_t source, destination;
	uint8_t flags;
	const char *extension; /* hex; NULL: none */
	bool wrong;	       /* the checksum */
};

/* With the right checksum. */
void rda_rds_put(struct rda_build *b, const struct rda_rds_pdu *pdu);
void rda_rds_send(struct rda_nvme_feed *n, unsigned side, const struct rda_rds_pdu *pdu);

/* Both pieces of a map in which these ports are congested. */
void rda_rds_map(struct rda_nvme_feed *n, unsigned side, const uint16_t *ports, unsigned count);

#endif
