/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one capture (file) held, counted by the engine.
 */
#ifndef RDA_CAPTURE_H
#define RDA_CAPTURE_H

#include "analyzer/base/meta.h"
#include "dissectors/packet.h"

#include <stdbool.h>
#include <stdint.h>

/* What the stored ICRC of a packet is, once all packets were seen. */
enum rda_icrc_verdict {
	RDA_ICRC_NOT_CHECKABLE, /* cut, a fragment, or malformed */
	RDA_ICRC_GOOD,
	RDA_ICRC_BAD,	 /* its source sends good ones: this packet was damaged */
	RDA_ICRC_ABSENT, /* none of its source's are good: captured before the ICRC was put in */
	RDA_ICRC_VERDICTS
};

/* RDA_CARRIERS(C): C(ID, "name in the output", "name for people") in the order of enum rda_carrier
 */
#define RDA_CARRIERS(C)                                                                            \
	C(ROCEV2, "rocev2", "RoCEv2")                                                              \
	C(ROCEV1, "rocev1", "RoCEv1")                                                              \
	C(INFINIBAND, "infiniband", "InfiniBand")                                                  \
	C(IWARP, "iwarp", "iWARP")

/* No link carries longer frames: they were put together in a host (LSO, GRO). */
#define RDA_LONGEST_FRAME (9216 + 18)

#define RDA_CARRIER_COUNT 5 /* with NONE */
#define RDA_LINKS_KEPT	  8

struct rda_capture {
	uint64_t packets;			  /* frames, of whatever protocol */
	uint64_t rdma_packets[RDA_CARRIER_COUNT]; /* by enum rda_carrier; [NONE] stays 0 */
	uint64_t dropped;			  /* packets, as the capturing program says */
	uint64_t first_cut;		  /* number of the first frame that was cut; 0 none */
	uint64_t cut_by_snaplen;	  /* frames with fewer bytes than they had on the wire */
	uint64_t malformed;		  /* RDMA packets */
	uint64_t fragments;		  /* IP fragments to or of RDMA */
	uint64_t pause_frames;		  /* IEEE 802.3 annex 31B */
	uint64_t pfc_frames;		  /* IEEE 802.1Qbb */
	uint64_t icrc[RDA_ICRC_VERDICTS]; /* RDMA packets */
	uint64_t vcrc_good, vcrc_bad;	  /* native InfiniBand, where the VCRC was captured */
	uint64_t too_deep;		  /* frames past the encapsulation limit */
	uint64_t gaps_given_up; /* in streams of iWARP: too much was held behind them (stream.h) */
	uint64_t not_followed;	/* TCP segments of more iWARP connections than are followed */
	uint16_t links[RDA_LINKS_KEPT]; /* LINKTYPE_ values, in order of appearance */
	uint8_t link_count;
	bool more_links;		     /* than are kept */
	uint64_t undecoded;		     /* frames whose link type is not understood */
	int64_t first_time_ns, last_time_ns; /* earliest and latest; valid if packets > 0 */
};

/* Files that were written one after the other: the next begins so soon after the end of one. */
#define RDA_NEXT_FILE_NS INT64_C(1000000000)

/* Whether a capture that begins then goes on where one ended. */
static inline bool rda_is_next_file(int64_t end_ns, int64_t begin_ns)
{
	return begin_ns <= end_ns + RDA_NEXT_FILE_NS && begin_ns >= end_ns - RDA_NEXT_FILE_NS;
}

/* The end of what `count` captures saw behind this place, in files that follow each other. */
int64_t rda_captures_until(const struct rda_capture *captures, uint32_t count, uint64_t place);

/* Counts a frame and what was dissected of it. */
void rda_capture_frame(struct rda_capture *capture, const struct rda_meta *meta,
		       const struct rda_frame *frame, const struct rda_packet *packet);

/* Checks the VCRC of a packet that has one; true where it fails. */
bool rda_capture_vcrc(struct rda_capture *capture, const struct rda_frame *frame,
		      const struct rda_packet *packet);

#endif
