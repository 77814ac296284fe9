/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QPs that two programs told each other in clear over TCP (exchange_text.h), tied into pairs.
 *
 *     A: QP 13f ->                     first line of A and first of B:   A:13f - B:4e5
 *               <- B: QP 4e5
 *     A: QP 140 ->                     second and second:                A:140 - B:4e6
 *               <- B: QP 4e6
 *
 * Each side tells its QPs one by one in the same order. A line that is sent again (a TCP
 * retransmission, or a program that waits for the other by saying the same once more) names no new
 * QP. When a segment of the stream is missing, so may be a line, and what comes behind it is not
 * tied.
 */
#ifndef RDA_EXCHANGE_H
#define RDA_EXCHANGE_H

#include "analyzer/track/setup/cm_track.h"

/* Lines kept, in all streams: a capture full of them is none of programs that set up connections.
 */
#define RDA_EXCHANGE_LINES_MAX 200000

struct rda_exchanges;

struct rda_exchanges *rda_exchanges_new(uint64_t seed);
void rda_exchanges_free(struct rda_exchanges *exchanges);

/*
 * A TCP segment (rda_has(packet, TCP)). Whether it completes a pair: then `said` is what its two
 * sides said, for rda_cm_track_told. Their hosts need not be those that the segment is of.
 */
bool rda_exchanges_packet(struct rda_exchanges *exchanges, const struct rda_meta *meta,
			  uint64_t place, const struct rda_frame *frame,
			  const struct rda_packet *packet, struct rda_cm_said said[2]);

/* Lines past RDA_EXCHANGE_LINES_MAX, which were not looked at. */
uint64_t rda_exchanges_not_kept(const struct rda_exchanges *exchanges);

#endif
