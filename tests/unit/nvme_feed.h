/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of upper layers: an NVMe queue between host 1 and controller 2, over RoCE or iWARP.
 *
 *     rda_nvme_feed_begin(&n, false);
 *     rda_nvme_connect(&n, 0, 5000);                        the admin queue, keep-alive 5 s
 *     rda_nvme_read(&n, 17, 0x1000, 4096);                  Read, command 17, into key 0x1000
 *     rda_nvme_data(&n, 0x1000, 4096);                      the controller WRITEs it
 *     rda_nvme_complete(&n, 17, 0);
 *
 * Everything is acknowledged, and 1 us behind what came before.
 */
#ifndef RDA_TEST_NVME_FEED_H
#define RDA_TEST_NVME_FEED_H

#include "tests/unit/iwarp_feed.h"

enum { RDA_NVME_HOST_QP = 0x11, RDA_NVME_TARGET_QP = 0x22, RDA_NVME_ADDRESS = 0x7000 };

struct rda_nvme_feed {
	struct rda_iwarp_feed w; /* w.feed of both */
	bool iwarp, silent;	 /* silent: nothing is acknowledged */
	uint32_t psn[2], msn[2], reads;
};

void rda_nvme_feed_begin(struct rda_nvme_feed *n, bool iwarp);
void rda_nvme_feed_end(struct rda_nvme_feed *n);
void rda_nvme_finish(struct rda_nvme_feed *n);

/* Whether the first finding of a check has these words. */
bool rda_nvme_says(const struct rda_nvme_feed *n, enum rda_check check, const char *words);

/* A capsule's first 64 bytes; `dwords` are 10 to 12. Of length 0: no data. */
void rda_nvme_capsule(struct rda_build *b, uint8_t opcode, uint16_t cid, uint32_t nsid,
		      uint32_t key, uint32_t length, const uint32_t dwords[3]);

/* A SEND by the host (0) or the controller (1), in one packet. */
void rda_nvme_send(struct rda_nvme_feed *n, unsigned side, const struct rda_build *b);

void rda_nvme_connect(struct rda_nvme_feed *n, uint16_t queue, uint32_t keep_ms);
void rda_nvme_read(struct rda_nvme_feed *n, uint16_t cid, uint32_t key, uint32_t length);
void rda_nvme_write(struct rda_nvme_feed *n, uint16_t cid, uint32_t key, uint32_t length);
void rda_nvme_admin(struct rda_nvme_feed *n, uint8_t opcode, uint16_t cid);
/* Status code type and code, as rda_nvme_status has them. */
void rda_nvme_complete(struct rda_nvme_feed *n, uint16_t cid, uint16_t status);

/* Data of a Read, or of a Write, as the controller moves it: one packet of at most 1024 bytes. */
void rda_nvme_data(struct rda_nvme_feed *n, uint32_t key, uint32_t length);
/* The same, with these bytes. */
void rda_nvme_place(struct rda_nvme_feed *n, uint32_t key, const struct rda_build *b);
void rda_nvme_fetch(struct rda_nvme_feed *n, uint32_t key, uint32_t length);

void rda_nvme_wait(struct rda_nvme_feed *n, int64_t ns);

/* The only upper layer that was found, as the engine has it by now; NULL: there is none. */
const struct rda_ulp *rda_nvme_found(const struct rda_nvme_feed *n);

#endif
