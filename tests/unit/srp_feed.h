/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of SRP: its login, and its units, to be sent with rda_nvme_send of nvme_feed.h.
 *
 *     rda_srp_feed_begin(&n, false, 64);                64 requests are granted
 *     rda_srp_read(&n, 7, 0x1000, 512);                 READ(10), tag 7, into key 0x1000
 *     rda_nvme_data(&n, 0x1000, 512);                   the target WRITEs it
 *     rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 7, .limit = 1});
 */
#ifndef RDA_TEST_SRP_FEED_H
#define RDA_TEST_SRP_FEED_H

#include "tests/unit/nvme_feed.h"

/* Private data, in RDMA-CM's form behind its 36 bytes, and in that of InfiniBand's. */
#define RDA_SRP_COMPACT_HEX                                                                        \
	"0000000000000000 0006 00 00 00001034 505400fffeda0001 505400fffeda0001"                   \
	"505400fffeda0002 505400fffeda0002 0044 000000000000"
#define RDA_SRP_LOGIN_HEX                                                                          \
	"00 00000000000000 0000000000000000 00001034 00000000 0006 00 00 0000 0000"                \
	"505400fffeda0001 505400fffeda0001 505400fffeda0002 505400fffeda0002 0000000000000000"

/* A queue as nvme_feed.h has it, with a login where it is RoCE; `limit` 0: without. */
void rda_srp_feed_begin(struct rda_nvme_feed *n, bool iwarp, uint32_t limit);

/* An operation of SCSI without data, and any unit. */
void rda_srp_ask(struct rda_nvme_feed *n, uint64_t tag, uint8_t cdb);
void rda_srp_send(struct rda_nvme_feed *n, unsigned side, const char *hex);

/* READ(10) and WRITE(10) by a direct buffer at RDA_NVME_ADDRESS. */
void rda_srp_read(struct rda_nvme_feed *n, uint64_t tag, uint32_t key, uint32_t bytes);
void rda_srp_write(struct rda_nvme_feed *n, uint64_t tag, uint32_t key, uint32_t bytes);

struct rda_srp_answer {
	uint64_t tag;
	uint32_t limit;
	uint8_t flags, status;
	uint32_t out_residual, in_residual;
	const char *response, *sense; /* hex; NULL: none */
};
void rda_srp_respond(struct rda_nvme_feed *n, const struct rda_srp_answer *answer);

#endif
