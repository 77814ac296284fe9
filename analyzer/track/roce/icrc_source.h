/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether packets whose ICRC does not fit were damaged, or captured before the ICRC was put in.
 *
 * One packet cannot tell. A sender (in one carrier, at one interface of one capture) that sends
 * good ICRCs is one whose bad ones are damage; one of which (nearly) all fail was captured before
 * the NIC put the ICRC in, or has one that the capture blanked.
 *
 * While packets come, this is known of a way, what a sender sends to one receiver: what becomes of
 * a packet does not depend on those of other hosts. At the end the ways of a sender are summed.
 */
#ifndef RDA_ICRC_SOURCE_H
#define RDA_ICRC_SOURCE_H

#include "analyzer/base/meta.h"
#include "analyzer/base/table.h"
#include "analyzer/rda.h"
#include "dissectors/packet.h"

/* From so many packets on, and from this share of them failing, a source has no ICRC. */
#define RDA_ICRC_ABSENT_PACKETS 20
#define RDA_ICRC_ABSENT_PERCENT 95

struct rda_icrc_key {
	struct rda_address source, receiver; /* receiver: of no kind where it is a sender's sum */
	uint32_t capture, tap;
	uint8_t carrier;
};

/* What a sender sends, to one receiver or to all. */
struct rda_icrc_source {
	struct rda_icrc_key key;   /* first: the table's key */
	uint64_t good, mismatched; /* without copies of packets (copies.h) */
	uint64_t damaged; /* the IP header's checksum failed too: the addresses may be wrong */
	uint64_t mismatched_copies;
	/* places (meta.h) of the mismatches before the first good one; 0: fewer */
	uint64_t doubted[RDA_ICRC_ABSENT_PACKETS];
};

/* Ways of latest packets, which are found without a look into the table. */
#define RDA_ICRC_LATEST 64

/* The ways of an engine. */
struct rda_icrc_ways {
	struct rda_table table; /* struct rda_icrc_source */
	struct rda_icrc_source *latest[RDA_ICRC_LATEST];
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

/* The key of a packet's way. */
void rda_icrc_key_of(struct rda_icrc_key *key, uint32_t capture, const struct rda_meta *meta,
		     const struct rda_packet *packet);

void rda_icrc_ways_init(struct rda_icrc_ways *ways, uint64_t hash_seed);
void rda_icrc_ways_cleanup(struct rda_icrc_ways *ways);

/* The way of a packet, made if it is not there. */
struct rda_icrc_source *rda_icrc_way(struct rda_icrc_ways *ways, uint32_t capture,
				     const struct rda_meta *meta, const struct rda_packet *packet);

/* The way of a flow's packets in a capture; NULL: none of them had an ICRC that could be checked.
 */
const struct rda_icrc_source *rda_icrc_way_of(const struct rda_icrc_ways *ways, uint32_t capture,
					      const struct rda_flow_key *flow);

/* Some of the table were freed. */
void rda_icrc_ways_went(struct rda_icrc_ways *ways);

/* Counts a check of the packet at `place` for its way; NONE counts for nobody. */
void rda_icrc_note(struct rda_icrc_source *source, enum rda_icrc_check check, uint64_t place);

/*
 * Whether an earlier packet of the source, followed while nobody knew, is known to be damaged now
 * that the source has shown good ICRCs.
 */
bool rda_icrc_was_damaged(const struct rda_icrc_source *source, uint64_t place);

/*
 * Whether it sent good ICRCs from the beginning: what was taken of it, and was whole, had one that
 * fits, but for what rda_icrc_was_damaged tells.
 */
bool rda_icrc_from_the_first(const struct rda_icrc_source *source);

/* One that was counted is of a copy of another packet (copies.h). */
void rda_icrc_copied(struct rda_icrc_source *source, enum rda_icrc_check check);

/* What a check means, by what is known of its source (NULL: nothing). */
enum rda_icrc_verdict rda_icrc_judge(const struct rda_icrc_source *source,
				     enum rda_icrc_check check);

/* ---- the end --------------------------------------------------------------------------------- */

/* Adds ways to those of a table, which is initialised; both of struct rda_icrc_source. */
void rda_icrc_join(struct rda_table *to, const struct rda_table *from);

/* Makes a table of senders: each with the sums of its ways. */
void rda_icrc_senders(struct rda_table *senders, const struct rda_table *ways);

/*
 * A way goes, because its sender or its receiver does: its sums count in `left` for the one that
 * stays, or for nobody. A sender that goes is judged by now (`senders`).
 */
void rda_icrc_leave(struct rda_table *left, const struct rda_icrc_source *way,
		    const struct rda_table *senders, bool sender_stays, bool receiver_stays);

/* The key of a way's sender. */
struct rda_icrc_key rda_icrc_sender_key(const struct rda_icrc_key *way);

/* The sender of a way, or NULL. */
const struct rda_icrc_source *rda_icrc_sender(const struct rda_table *senders,
					      const struct rda_icrc_key *way);

#endif
