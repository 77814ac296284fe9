/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sights made by hand, for tests of what draws packets: a packet of connection 0 at a moment, and
 * what is known of it. Members are set further by whoever uses one.
 */
#ifndef RDA_TEST_SIGHT_H
#define RDA_TEST_SIGHT_H

#include "analyzer/report/describe.h"
#include "tests/unit/opcodes.h"

struct rda_made_sight {
	struct rda_meta meta;
	struct rda_frame frame; /* of 100 bytes on the wire */
	struct rda_packet packet;
	struct rda_sight sight; /* refers to the three */
};

/* Frame `number` of file 0, sent by endpoint `flow`; its AETH, if it has one, is an ACK. */
void rda_sight_make(struct rda_made_sight *made, uint64_t number, int64_t time_ns, unsigned flow,
		    uint8_t opcode);

#endif
