/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packets of a tap, and which of them another tap saw too.
 *
 * Packets are the same when their fingerprints are (fingerprint.h), and their ICRCs where both taps
 * have them. Of several with one fingerprint (senders that do not number their packets, copies) as
 * many are the same as both taps saw, those that are nearest in time. What damage gave another ICRC
 * is the one with its fingerprint that would else have none at the other tap.
 */
#ifndef RDA_PASSAGE_H
#define RDA_PASSAGE_H

#include "analyzer/taps/fingerprint.h"

/* Packets kept of a tap, 52 bytes each; later ones are not compared, and counted. */
#define RDA_PASSAGE_PACKETS 4000000

#define RDA_PASSAGE_NO_FLOW UINT32_MAX
#define RDA_PASSAGE_NONE    UINT32_MAX
#define RDA_PASSAGE_COPY    (UINT32_MAX - 1)
#define RDA_PASSAGE_TWIN    (UINT32_MAX - 2)

/* A packet as a tap saw it. */
struct rda_passage {
	uint64_t hash;
	int64_t time_ns;
	uint64_t pair;	/* of its two hosts, whichever sends */
	uint64_t place; /* of its frame (meta.h) */
	uint32_t icrc;	/* 0: none was captured */
	uint32_t flow;	/* its number, then its index in the tap's result; or RDA_PASSAGE_NO_FLOW */
	uint32_t sequence; /* PSN, or TCP's sequence number */
	/* as the header next to the BTH has it; as the outermost one has it, where there are
	 * tunnels
	 */
	uint32_t dscp : 6, outer_dscp : 6;
	uint32_t ttl : 8; /* or the hop limit; 0: not known */
	uint32_t ecn : 2; /* CE where any IP header has it: who ends a tunnel copies it inwards */
	bool forward : 1; /* from the host with the lower address */
	bool damaged : 1; /* its ICRC or its checksum of TCP does not fit; */
	bool checked : 1; /* or fits; neither: there is none to check */
	bool torn : 1;	  /* the checksum of its IPv4 header does not fit; */
	bool vouched : 1; /* or fits, and there is no other one: nothing else covers DSCP and ECN */
	bool answered : 1; /* its acknowledgment is of its PSN: a request of a reliable service */
	bool answers : 1;  /* an ACK, NAK or response of such a service */
	bool refuses : 1;  /* a NAK: from its PSN on requests that came before it are dropped */
	bool cut : 1;	   /* not all of it was captured */
};

/* While requests were outstanding nothing passed, or answers only. */
struct rda_passage_wait {
	int64_t begin_ns, end_ns;
	uint32_t flow; /* of the requests; as that of a packet */
	uint8_t cause; /* enum rda_time_cause, with the next: as rda_time_told (time_sums.h) */
	uint8_t depth;
};

struct rda_passages {
	struct rda_passage *packets; /* owned; as the tap saw them */
	uint32_t count, allocated;
	uint32_t most; /* that are kept: RDA_PASSAGE_PACKETS; and of waits */
	uint64_t not_kept;
	struct rda_passage_wait *waits; /* owned; of each flow in order of time */
	uint32_t wait_count, waits_allocated;
	uint32_t *order; /* owned; packets by fingerprint, where they were put in order; or NULL */
	bool lacks_icrc; /* of a packet of RDMA it was cut */
	bool coarse;	 /* all times are whole microseconds */
};

void rda_passages_init(struct rda_passages *passages);
void rda_passages_cleanup(struct rda_passages *passages);
void rda_passages_add(struct rda_passages *passages, const struct rda_passage *packet);
void rda_passages_add_wait(struct rda_passages *passages, const struct rda_passage_wait *wait);

/*
 * All packets of the tap are there: numbers of flows (struct rda_flow_facts) become indices in its
 * result, whose flows have these `numbers`, in order. Packets of flows that are no more have none.
 */
void rda_passages_settle(struct rda_passages *passages, const uint32_t *numbers, uint32_t count);

/* No more packets come, and they are to be compared with several taps: sorted once for all. */
void rda_passages_put_in_order(struct rda_passages *passages);

/* Whether that is a packet of the other tap. */
static inline bool rda_passage_is_matched(uint32_t match)
{
	return match < RDA_PASSAGE_TWIN;
}

/*
 * Of each packet of x which one of y it is, or RDA_PASSAGE_NONE; and the other way round. Where one
 * tap saw a packet more often than the other, those that are left over are RDA_PASSAGE_COPY, or
 * RDA_PASSAGE_TWIN where the same one stands so close beside it that a mirror may have made two of
 * one. *sure, unless it is NULL: of each packet of x that found its own, that each tap saw but one
 * like it. All are the caller's (g_free). Returns how many found theirs.
 */
uint32_t rda_passages_match(const struct rda_passages *x, const struct rda_passages *y,
			    uint32_t **to_y, uint32_t **to_x, bool **sure);

/* A bit of each of so many packets of a tap: it is matched. The caller's (g_free). */
uint8_t *rda_passages_seen(const uint32_t *match, uint32_t count);

#endif
