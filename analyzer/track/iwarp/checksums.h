/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What TCP's checksums tell of the segments of one side: which were damaged, and what of their
 * headers counts.
 *
 *     one alone does not fit    it may be damaged, or the NIC makes checksums behind the capture
 *     nor do nearly all others  the NIC makes them: one of so many fits by chance
 *     and others fit            it was damaged: nothing that it says counts
 *
 * So what a segment says that does not fit counts for as long as its side is not known to have
 * checksums. A FIN that the other side acknowledged was one, whatever its checksum.
 */
#ifndef RDA_CHECKSUMS_H
#define RDA_CHECKSUMS_H

#include "analyzer/track/iwarp/stream.h"
#include "dissectors/tcp.h"

/* What headers say. */
struct rda_checksum_said {
	uint32_t zero_windows;
	bool fin;
};

struct rda_checksums {
	/* those that fit, and that do not: judged as ICRCs are (icrc_source.h) */
	uint64_t good, bad;
	bool unchecked;	       /* of segments with data nothing tells, as they are cut */
	uint32_t longest_good; /* payload of a segment whose checksum fits */
	struct rda_checksum_said said, doubted; /* `doubted`: of those that do not fit */
	bool fin_known;				/* one came, damaged or not: */
	uint32_t fin_at;			/* its number */
};

/* Judges a segment of the side, and marks it. True when it is damaged: then it is set aside. */
bool rda_checksums_take(struct rda_checksums *side, enum rda_tcp_check check,
			struct rda_segment *segment);

/* Whether those that do not fit were damaged: others do, and they are not nearly all. */
bool rda_checksums_has(const struct rda_checksums *side);

/* Where a FIN is, of any segment. */
void rda_checksums_note_fin(struct rda_checksums *side, const struct rda_segment *segment,
			    const struct rda_tcp *tcp);

/* What the header of one says that was not damaged. */
void rda_checksums_note(struct rda_checksums *side, const struct rda_segment *segment,
			const struct rda_tcp *tcp);

/* What headers say, as far as is known by now; *unsure: of a FIN only such that do not fit, and
 * that nobody acknowledged in the side's stream. */
struct rda_checksum_said rda_checksums_said(const struct rda_checksums *side,
					    const struct rda_stream *stream, bool *unsure);

#endif
