/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A requester of SENDs and its responder, told in words, 10 us from each to the next:
 *
 *     10          a SEND Only with this PSN; its identification is 0
 *     10:3        with the identification 3
 *     damaged:4   a packet with the identification 4 whose PSN nobody knows, as it is damaged
 *     nak:11      a NAK that asks for 11
 *     ack:12      an ACK of 12
 *     ms:60       60 ms in which nothing passes
 */
#ifndef RDA_TEST_TOLD_H
#define RDA_TEST_TOLD_H

#include "analyzer/track/roce/requester.h"
#include "analyzer/track/roce/responder.h"

struct rda_told {
	struct rda_requester requester;
	struct rda_responder responder;
	char kinds[64];		/* of each request: new, Resent, late (l), mirrored */
	unsigned runs, doubted; /* runs of resends, and those of which the reason is doubted */
	int64_t ns;
};

/* Tells all words, which a space parts. Frames are times in ns. */
void rda_told(struct rda_told *told, const char *script);

void rda_told_cleanup(struct rda_told *told);

#endif
