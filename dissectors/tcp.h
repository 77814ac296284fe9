/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a TCP segment is as its sender made it, as far as its checksum tells.
 */
#ifndef RDA_TCP_H
#define RDA_TCP_H

#include "dissectors/packet.h"

enum rda_tcp_check {
	/* cut, a fragment, or a checksum that is left to the NIC, or that Linux gave to segments
	 * which it put together: it covers the pseudo header only */
	RDA_TCP_CHECK_NONE,
	RDA_TCP_CHECK_MATCH,
	RDA_TCP_CHECK_MISMATCH,
};

/* The packet has a TCP header (RDA_HAS(TCP)). */
enum rda_tcp_check rda_tcp_check(const struct rda_frame *frame, const struct rda_packet *packet);

#endif
