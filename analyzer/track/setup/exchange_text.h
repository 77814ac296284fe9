/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines in which programs tell each other their QPs over TCP, where they do without connection
 * management:
 *
 *     perftest        0000:0001:00013f:23b79a:00008099:000055f753de8000:00:00: ... :0a:00:01:
 *                     LID : READs : QPN : PSN : key : address : GID
 *     libibverbs      0000:00019b:ecf8ea:00000000000000000000ffff0a0a0001
 *     pingpong        LID : QPN : PSN : GID
 *     small tests     qp 13d 46a5e7 ::ffff:10.10.0.1 3a8 7f45eb44e000
 *                     QPN, PSN, and perhaps GID, key, address
 *
 * The PSN is the one that the teller itself begins to send with (a CM message's is the other's).
 * What a line says stands alone here; whose line answers whose is exchange.h.
 */
#ifndef RDA_EXCHANGE_TEXT_H
#define RDA_EXCHANGE_TEXT_H

#include "dissectors/packet.h"

/* The longest such line and a few bytes to spare; segments with more are not looked at. */
#define RDA_EXCHANGE_TEXT_MAX 200

struct rda_told {
	struct rda_address address; /* that the line names; kind NONE: it names none */
	uint32_t qpn, psn;
	int16_t reads; /* READs that the teller serves at once; -1: not told */
	uint32_t key;  /* of its memory; 0: not told */
	uint64_t va;   /* where that begins; 0: not told */
};

/* Reads a line; false when the text is none. Fields that it does not have are set as above. */
bool rda_exchange_read(const uint8_t *text, uint32_t length, struct rda_told *told);

#endif
