/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is looked at of a capture to find out how it is related to others: when it was taken, on
 * what links, a sample of its packets, and where its flows begin and end.
 *
 * The sample is the packets with the RDA_SKETCH_PACKETS smallest hashes of fingerprints (bottom-k
 * of Cohen and Kaplan): two captures of the same packets choose the same ones, so what two samples
 * have in common below the larger hash of the smaller one is a sample of what the captures have in
 * common. Of flows the first RDA_SKETCH_FLOWS are kept.
 */
#ifndef RDA_SKETCH_H
#define RDA_SKETCH_H

#include "analyzer/base/pack.h"
#include "analyzer/base/table.h"
#include "analyzer/taps/fingerprint.h"

#define RDA_SKETCH_PACKETS 8192
#define RDA_SKETCH_FLOWS   65536

struct rda_sketch_packet {
	uint64_t hash; /* of its fingerprint */
	int64_t time_ns;
	uint32_t icrc;
	uint32_t firm; /* it has a payload, which its ICRC fits: with another ICRC it is another */
};

/* One direction between two QPs or TCP ports: what it began and ended with. */
struct rda_sketch_flow {
	uint64_t flow;	      /* first: the table's key; rda_fingerprint.flow */
	uint32_t first, last; /* PSNs or sequence numbers */
	bool is_tcp;
};

/* One direction between two hosts that is in it. */
struct rda_sketch_way {
	uint64_t way; /* first: the table's key; rda_fingerprint_way */
	uint64_t back;
};

struct rda_sketch {
	uint64_t frames;
	uint64_t packets;			   /* that have a fingerprint */
	int64_t first_ns, last_ns, longest_gap_ns; /* valid if frames > 0 */
	uint16_t links[RDA_LINKS_KEPT];		   /* LINKTYPE_ values */
	uint8_t link_count;
	struct rda_sketch_packet *sample; /* owned; once settled by hash, each once */
	uint32_t sample_count;
	uint64_t below;		/* hashes from here on are not kept */
	struct rda_table flows; /* struct rda_sketch_flow */
	struct rda_table ways;	/* struct rda_sketch_way, of those flows */
};

void rda_sketch_init(struct rda_sketch *sketch);
void rda_sketch_cleanup(struct rda_sketch *sketch);

/* The next frame, in the order of the capture. */
void rda_sketch_frame(struct rda_sketch *sketch, const struct rda_meta *meta,
		      const struct rda_frame *frame, const struct rda_packet *packet);

/* No more frames come: now it can be compared. */
void rda_sketch_settle(struct rda_sketch *sketch);

/* A settled one; read into one that is not initialised. */
void rda_sketch_pack(struct rda_pack *pack, struct rda_sketch *sketch);

/* Packets that two settled samples have in common. */
uint32_t rda_sketch_common(const struct rda_sketch *a, const struct rda_sketch *b);

/*
 * Whether packets that two settled samples have in common are of two runs that look alike: QPs and
 * PSNs come again where a job is run again, and identifications where its sender does not number
 * its packets. Most payloads differ, or hours lie between the two; and the clocks of two taps would
 * differ evenly.
 */
bool rda_sketch_is_another_run(const struct rda_sketch *a, const struct rda_sketch *b);

/*
 * Whether flows of `later` go on where `earlier` ends: some with the very next PSN, and no more
 * that go on elsewhere, as they do where a part is missing, or another tap saw them.
 */
bool rda_sketch_carried(const struct rda_sketch *earlier, const struct rda_sketch *later);

/*
 * Whether they show one direction each between the same hosts: no capture goes on so, and two that
 * were made of what each host sent look like this. Nothing tells whether one clock stamped both.
 */
bool rda_sketch_opposite(const struct rda_sketch *a, const struct rda_sketch *b);

/* Whether both have frames of the same link types, in whatever order. */
bool rda_sketch_same_links(const struct rda_sketch *a, const struct rda_sketch *b);

#endif
