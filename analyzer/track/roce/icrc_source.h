/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether packets whose ICRC does not fit were damaged, or captured before the ICRC was put in.
 *
 * One packet cannot tell. A source (capture, interface, carrier, sender) that sends good ICRCs is
 * one whose bad ones are damage; one of which (nearly) all fail was captured before the NIC put the
 * ICRC in, or has one that the capture blanked.
 */
#ifndef RDA_ICRC_SOURCE_H
#define RDA_ICRC_SOURCE_H

#include "analyzer/track/capture.h"
#include "analyzer/base/meta.h"
#include "analyzer/base/table.h"
#include "dissectors/packet.h"

/* From so many packets on, and from this share of them failing, a source has no ICRC. */
#define RDA_ICRC_ABSENT_PACKETS 20
#define RDA_ICRC_ABSENT_PERCENT 95

struct rda_icrc_key {
	struct rda_address source;
	uint32_t capture, tap;
	uint8_t carrier;
};

struct rda_icrc_source {
	struct rda_icrc_key key; /* first: the table's key */
	uint64_t good, mismatched;
	/* places (meta.h) of the mismatches before the first good one; 0: fewer */
	uint64_t doubted[RDA_ICRC_ABSENT_PACKETS];
};

/* What one packet's check gave. */
enum rda_icrc_check {
	RDA_ICRC_CHECK_NONE, /* not checkable */
	RDA_ICRC_CHECK_MATCH,
	RDA_ICRC_CHECK_MISMATCH,
	RDA_ICRC_CHECK_DAMAGED, /* mismatch, and the IP header's own checksum fails too */
};

/* Checks one packet. */
enum rda_icrc_check rda_icrc_check(const struct rda_frame *frame, const struct rda_packet *packet);

void rda_icrc_key_of(struct rda_icrc_key *key, uint32_t capture, const struct rda_meta *meta,
		     const struct rda_packet *packet);

/*
 * Counts a check of the packet at `place` for its source (DAMAGED and NONE count for nobody: their
 * address means nothing).
 */
void rda_icrc_note(struct rda_icrc_source *source, enum rda_icrc_check check, uint64_t place);

/*
 * Whether an earlier packet of the source, followed while nobody knew, is known to be damaged now
 * that the source has shown good ICRCs.
 */
bool rda_icrc_was_damaged(const struct rda_icrc_source *source, uint64_t place);

/* One that was counted is of a copy of another packet (copies.h). */
void rda_icrc_copied(struct rda_icrc_source *source, enum rda_icrc_check check);

/* What a check means, by what is known of its source (NULL: nothing). */
enum rda_icrc_verdict rda_icrc_judge(const struct rda_icrc_source *source,
				     enum rda_icrc_check check);

#endif
