/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which segments were damaged; checksums.h has the figure.
 */
#include "analyzer/track/iwarp/checksums.h"

#include "analyzer/track/iwarp/mpa.h"
#include "analyzer/track/roce/icrc_source.h"

#include <glib.h>

/*
 * NICs that put segments together (LRO) leave them a checksum that means nothing: what is longer
 * than Ethernet's usual segments, and than any that fits, is not judged.
 */
enum { USUAL_SEGMENT = 1460 };

bool rda_checksums_has(const struct rda_checksums *side)
{
	return rda_icrc_judge(
		       &(const struct rda_icrc_source){.good = side->good, .mismatched = side->bad},
		       RDA_ICRC_CHECK_MISMATCH) == RDA_ICRC_BAD;
}

/*
 * The segment is doubtful where its checksum does not fit and the sender has good ones, or may
 * have, as it is a start frame.
 */
static bool is_damaged(struct rda_checksums *side, struct rda_segment *segment)
{
	bool judged = segment->length <= MAX(side->longest_good, USUAL_SEGMENT), has;

	side->bad += judged;
	has = rda_checksums_has(side);
	segment->doubtful = has || rda_mpa_is_start(segment->bytes, segment->captured);
	segment->unfit = !has;
	return judged && has;
}

bool rda_checksums_take(struct rda_checksums *side, enum rda_tcp_check check,
			struct rda_segment *segment)
{
	switch (check) {
	case RDA_TCP_CHECK_NONE: side->unchecked |= segment->length > 0; return false;
	case RDA_TCP_CHECK_MATCH:
		segment->checked = true;
		side->good++;
		side->longest_good = MAX(side->longest_good, segment->length);
		return false;
	default: return is_damaged(side, segment);
	}
}

void rda_checksums_note(struct rda_checksums *side, const struct rda_segment *segment,
			const struct rda_tcp *tcp)
{
	struct rda_checksum_said *said = segment->unfit ? &side->doubted : &side->said;

	said->fin |= tcp->fin;
	said->zero_windows += tcp->window == 0 && !tcp->rst && !tcp->syn;
}

void rda_checksums_note_fin(struct rda_checksums *side, const struct rda_segment *segment,
			    const struct rda_tcp *tcp)
{
	if (!tcp->fin)
		return;
	side->fin_known = true;
	side->fin_at = segment->sequence + segment->length + segment->syn;
}

/* The other side has one number more than there are bytes, and a FIN was here, at this number. */
static bool is_fin_acknowledged(const struct rda_checksums *side, const struct rda_stream *stream)
{
	return side->fin_known && stream->acked == stream->next + 1 &&
	       (uint32_t)stream->next == side->fin_at;
}

struct rda_checksum_said rda_checksums_said(const struct rda_checksums *side,
					    const struct rda_stream *stream, bool *unsure)
{
	struct rda_checksum_said said = side->said;
	bool has = rda_checksums_has(side);

	said.fin |= is_fin_acknowledged(side, stream);
	*unsure = !has && side->doubted.fin && !said.fin;
	if (!has) {
		said.fin |= side->doubted.fin;
		said.zero_windows += side->doubted.zero_windows;
	}
	return said;
}
