/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a connection and its sides by now.
 */
#include "analyzer/track/iwarp/state.h"

#include <string.h>

uint64_t rda_iwarp_given_up(const struct rda_iwarp *iw)
{
	return iw->pool.given_up;
}

uint64_t rda_iwarp_not_followed(const struct rda_iwarp *iw)
{
	return iw->not_followed;
}

struct rda_iwarp_side rda_iwarp_side_of(const struct rda_iwarp_at *at, unsigned side)
{
	const struct rda_iwarp_half *half = &at->connection->sides[side];
	const struct rda_stream *stream = &half->stream;
	bool ordered = rda_tcp_order_is_known(&stream->order), fin_unsure;
	struct rda_checksum_said said = rda_checksums_said(&half->checksums, stream, &fin_unsure);
	/* where (nearly) none fits so far, and more than this do not, nothing puts them in */
	bool doubtful = (half->start_doubtful || half->begun_doubtful) &&
			(rda_checksums_has(&half->checksums) || half->checksums.bad <= 1);

	return (struct rda_iwarp_side){
		.flow = half->flow,
		.start_seen = half->start_seen,
		.initiates = at->connection->initiator == (int8_t)side,
		.has_depths = half->has_depths,
		.start = half->start,
		.depths = half->depths,
		.start_doubtful = doubtful,
		.start_place = half->start_place,
		.fpdus = half->fpdus,
		.markers = half->mpa.markers,
		.markers_known = half->mpa.markers_known,
		.markers_contradict = half->mpa.markers_contradict,
		.fin_seen = said.fin,
		.fin_unsure = fin_unsure,
		.behind = rda_stream_is_behind(stream, said.fin),
		.waits = stream->held_count > 0,
		.inside = rda_mpa_is_inside(&half->mpa),
		.next = stream->next,
		.acked = stream->acked,
		.segments = stream->segments,
		.retransmitted = stream->retransmitted,
		.late = stream->late,
		.overtaken = ordered ? stream->order.overtaken : 0,
		.again = ordered ? stream->order.again : 0,
		.holes = stream->holes,
		.doubted = doubtful || stream->accepted,
		.zero_windows = said.zero_windows,
		.mirrored = half->mirrored,
		.perhaps_mirrored = half->perhaps_mirrored,
		.needless = half->needless,
		.stalls = half->stall.count,
		.stalled_ns = half->stall.total_ns,
		.stall_unseen = half->stall.unseen,
		.checksums_good = half->checksums.good,
		.unchecked = half->checksums.unchecked,
	};
}

int64_t rda_iwarp_acked(const struct rda_iwarp_at *at, unsigned side)
{
	return at->connection->sides[side].stream.acked;
}

struct rda_flow *rda_iwarp_flow(const struct rda_iwarp_at *at, unsigned side)
{
	return at->connection->sides[side].flow;
}

bool rda_iwarp_is_agreed(const struct rda_iwarp_at *at)
{
	return at->connection->agreed;
}

bool rda_iwarp_from_start(const struct rda_iwarp_at *at)
{
	return at->connection->from_start;
}

const uint8_t *rda_iwarp_head(const struct rda_iwarp_at *at, bool is_start)
{
	const struct rda_mpa *mpa = &at->connection->sides[at->side].mpa;

	return is_start ? mpa->frame : mpa->head;
}

void rda_iwarp_keep(const struct rda_iwarp_at *at, uint8_t *room, uint32_t size)
{
	struct rda_mpa *mpa = &at->connection->sides[at->side].mpa;

	mpa->more = room;
	mpa->more_room = size;
}

bool rda_iwarp_keeps(const struct rda_iwarp_at *at)
{
	return at->connection->sides[at->side].mpa.more != NULL;
}

int64_t rda_iwarp_marker(const struct rda_iwarp_at *at)
{
	return at->connection->sides[at->side].mpa.operation_begin;
}

uint32_t rda_iwarp_unfinished(const struct rda_iwarp_at *at, struct rda_fpdu_seen *fpdu,
			      bool *has_head)
{
	const struct rda_mpa *mpa = &at->connection->sides[at->side].mpa;

	*has_head = rda_mpa_has_head(mpa);
	if (mpa->state == RDA_MPA_BEGIN)
		return 0;
	*fpdu = mpa->fpdu;
	fpdu->crc = RDA_MPA_CRC_OFF;
	if (!*has_head)
		memset(&fpdu->ulpdu, 0, sizeof(fpdu->ulpdu)); /* of the one before */
	return mpa->have;
}
