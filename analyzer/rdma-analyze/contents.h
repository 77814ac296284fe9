/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Payloads that become zeros, and shall differ where they did: whether a packet that comes again,
 * of the same addresses, QP, PSN and opcode, carries something else than before.
 */
#ifndef RDA_CONTENTS_H
#define RDA_CONTENTS_H

#include "dissectors/packet.h"

/* So many packets are remembered at least, and at most twice as many, of 64 bytes each. */
#define RDA_CONTENTS_KEPT (1 << 18)

struct rda_contents;

/* The seed: as of a table (table.h). */
struct rda_contents *rda_contents_new(uint64_t hash_seed);
void rda_contents_free(struct rda_contents *contents);

/* 0, but for a packet that another one was before, with another payload. */
uint8_t rda_contents_mark(struct rda_contents *contents, const struct rda_packet *packet,
			  const uint8_t *payload, uint32_t length);

#endif
