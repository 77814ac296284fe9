/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a TCP segment is as its sender made it, as far as its checksum tells; and what its
 * options tell of bytes that came twice.
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

/* Bytes of a stream, by the sequence numbers of the first and of the one behind the last. */
struct rda_tcp_block {
	uint32_t begin, end;
};

/*
 * What the sender of a segment says to have got once more, having it already (D-SACK, RFC 2883, 4):
 * the first block of its SACK option, where it lies below what is acknowledged, or inside the
 * second block. False: it says nothing of the kind. The packet has a TCP header.
 */
bool rda_tcp_got_twice(const struct rda_frame *frame, const struct rda_packet *packet,
		       struct rda_tcp_block *block);

/* Puts the SACK option of a TCP header where it was into `out`, a copy of the frame in which zeros
 * stand for options; what precedes it does nothing there. */
void rda_tcp_copy_sack(uint8_t *out, const struct rda_frame *frame, const struct rda_layer *tcp);

#endif
