/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several tests expect of a dissected frame.
 */
#ifndef RDA_TEST_EXPECT_H
#define RDA_TEST_EXPECT_H

#include "tests/unit/build.h"

/* The packet's headers are these, by their ids: "eth vlan ip4 udp bth". */
void rda_expect_layers(const struct rda_packet *packet, const char *ids);

/*
 * The frame is right: no fault, these headers, the first at offset 0. And, captured up to every
 * length, it is called cut, never malformed, and keeps every header that is still whole.
 */
void rda_expect_whole(struct rda_packet *packet, const struct rda_build *b, uint16_t link,
		      const char *ids);

/* The frame has exactly these faults (mask) and the status that goes with them. */
void rda_expect_faults(const struct rda_packet *packet, unsigned faults);

#define RDA_FAULT_BIT(ID) (1u << RDA_FAULT_##ID)

#endif
