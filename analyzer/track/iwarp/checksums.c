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

/*
 * A sender that shows good checksums has bad ones; where (nearly) all are bad, the NIC makes them
 * behind the capture. The segment is doubtful where this one does not fit and the sender has good
 * ones, or may have, as it is a start frame.
 */
static bool is_damaged(struct rda_checksums *side, struct rda_segment *segment)
{
	segment->doubtful = side->good > 0 || rda_mpa_is_start(segment->bytes, segment->captured);
	if (segment->length > MAX(side->longest_good, USUAL_SEGMENT))
		return false;
	side->bad++;
	return rda_icrc_judge(
		       &(const struct rda_icrc_source){.good = side->good, .mismatched = side->bad},
		       RDA_ICRC_CHECK_MISMATCH) == RDA_ICRC_BAD;
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
	default: segment->unfit = side->good == 0; return is_damaged(side, segment);
	}
}

void rda_checksums_note(struct rda_checksums *side, const struct rda_segment *segment,
			const struct rda_tcp *tcp)
{
	struct rda_checksum_said *said = segment->unfit ? &side->doubted : &side->said;

	said->fin |= tcp->fin;
	said->zero_windows += tcp->window == 0 && !tcp->rst && !tcp->syn;
}

struct rda_checksum_said rda_checksums_said(const struct rda_checksums *side, bool *unsure)
{
	struct rda_checksum_said said = side->said;

	*unsure = side->good == 0 && side->doubted.fin && !said.fin;
	if (side->good == 0) {
		said.fin |= side->doubted.fin;
		said.zero_windows += side->doubted.zero_windows;
	}
	return said;
}
