/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The login and the units of SRP; see srp_feed.h.
 */
#include "tests/unit/srp_feed.h"

#include <stdio.h>

enum { HOST = 1, TARGET = 2, HOST_PSN = 100, TARGET_PSN = 5000 };

static void login(struct rda_nvme_feed *n, uint32_t limit)
{
	char reply[128];

	snprintf(reply, sizeof(reply), "c0 000000 %08x 0000000000000000 00001034 00001034 0006 00",
		 limit);
	rda_feed_cm(&n->w.feed, &(struct rda_cm_message){.from = HOST,
							 .to = TARGET,
							 .attribute = 0x10,
							 .local_id = 1,
							 .qpn = RDA_NVME_HOST_QP,
							 .psn = TARGET_PSN,
							 .path_mtu = 3,
							 .service_id = UINT64_C(0x505400fffeda0002),
							 .private_data = RDA_SRP_LOGIN_HEX});
	rda_feed_cm(&n->w.feed, &(struct rda_cm_message){.from = TARGET,
							 .to = HOST,
							 .attribute = 0x13,
							 .local_id = 2,
							 .remote_id = 1,
							 .qpn = RDA_NVME_TARGET_QP,
							 .psn = HOST_PSN,
							 .private_data = reply});
}

void rda_srp_feed_begin(struct rda_nvme_feed *n, bool iwarp, uint32_t limit)
{
	if (iwarp || !limit) {
		rda_nvme_feed_begin(n, iwarp);
		return;
	}
	*n = (struct rda_nvme_feed){.psn = {HOST_PSN, TARGET_PSN}};
	rda_iwarp_feed_begin(&n->w);
	login(n, limit);
}

void rda_srp_send(struct rda_nvme_feed *n, unsigned side, const char *hex)
{
	struct rda_build b = {0};

	rda_put_hex(&b, hex);
	rda_nvme_send(n, side, &b);
}

static void put_command(struct rda_build *b, uint64_t tag, uint8_t formats, uint8_t cdb)
{
	rda_put_hex(b, "02 00 000000");
	rda_put8(b, formats);
	rda_put16(b, 0);
	rda_put64(b, tag);
	rda_put_hex(b, "00000000 0003000000000000 00000000");
	rda_put8(b, cdb);
	rda_put_zeros(b, 15);
}

static void move(struct rda_nvme_feed *n, uint64_t tag, bool out, uint32_t key, uint32_t bytes)
{
	struct rda_build b = {0};

	put_command(&b, tag, out ? 0x10 : 0x01, out ? 0x2a : 0x28);
	rda_put64(&b, RDA_NVME_ADDRESS);
	rda_put32(&b, key);
	rda_put32(&b, bytes);
	rda_nvme_send(n, 0, &b);
}

void rda_srp_read(struct rda_nvme_feed *n, uint64_t tag, uint32_t key, uint32_t bytes)
{
	move(n, tag, false, key, bytes);
}

void rda_srp_write(struct rda_nvme_feed *n, uint64_t tag, uint32_t key, uint32_t bytes)
{
	move(n, tag, true, key, bytes);
}

void rda_srp_ask(struct rda_nvme_feed *n, uint64_t tag, uint8_t cdb)
{
	struct rda_build b = {0};

	put_command(&b, tag, 0, cdb);
	rda_nvme_send(n, 0, &b);
}

void rda_srp_respond(struct rda_nvme_feed *n, const struct rda_srp_answer *answer)
{
	struct rda_build b = {0}, response = {0}, sense = {0};

	if (answer->response)
		rda_put_hex(&response, answer->response);
	if (answer->sense)
		rda_put_hex(&sense, answer->sense);
	rda_put_hex(&b, "c1000000");
	rda_put32(&b, answer->limit);
	rda_put64(&b, answer->tag);
	rda_put16(&b, 0);
	rda_put8(&b, (uint8_t)(answer->flags | (response.length ? 1 : 0) | (sense.length ? 2 : 0)));
	rda_put8(&b, answer->status);
	rda_put32(&b, answer->out_residual);
	rda_put32(&b, answer->in_residual);
	rda_put32(&b, sense.length);
	rda_put32(&b, response.length);
	rda_put(&b, response.bytes, response.length);
	rda_put(&b, sense.bytes, sense.length);
	rda_nvme_send(n, 1, &b);
}
