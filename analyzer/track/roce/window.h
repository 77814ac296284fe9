/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests of one direction that are not yet settled: what was sent, how often, and when.
 *
 * One record covers one request packet, or all the PSNs of one READ, or a hole: PSNs that never
 * appeared. Records are in PSN order without gaps between them:
 *
 *     base                                                        end
 *     | WRITE First | WRITE Last | hole: 3 PSNs | READ: 8 PSNs | ... |
 *
 * To note what was sent: rda_window_append. To look: rda_window_find, then the neighbours by index.
 * To settle what was acknowledged: read the first record, rda_window_drop_first. Any call but
 * rda_window_find may move the records; they are in a ring, so neighbours are told by index only.
 *
 * The number of records is capped; when the cap is hit the oldest is dropped unsettled, and
 * `dropped` counts it.
 */
#ifndef RDA_WINDOW_H
#define RDA_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define RDA_WINDOW_CAP 2048 /* records, by default */

struct rda_sent {
	int64_t begin, end; /* PSNs, widened; [begin, end) */
	int64_t psn;	    /* of the latest appearance; a READ may be asked again from inside it */
	int64_t sent_ns;    /* of the first transmission, as far as known: a hole's shows later */
	int64_t first_ns;   /* of the first appearance; valid if seen */
	int64_t last_ns;    /* of the latest */
	/* of the latest response to a READ or ATOMIC; when it was sent and did not appear, and no
	 * NAK told so since; or RDA_NEVER_NS */
	int64_t answer_ns, missed_ns;
	uint64_t first_frame; /* likewise, a place (meta.h); 0: never seen */
	uint64_t last_frame;
	uint64_t ordinal;  /* of the latest appearance, among the flow's request packets */
	uint64_t va;	   /* of the latest: RETH or AtomicETH; 0 without */
	uint32_t rkey;	   /* likewise */
	uint32_t length;   /* likewise: DMA length; 8 of an ATOMIC; 0 without */
	uint32_t extra;	   /* likewise: immediate or IETH key; 0 without */
	uint32_t icrc;	   /* of the latest, as stored; 0 not captured: tells a mirrored copy */
	uint16_t ip_id;	   /* likewise */
	uint8_t opcode;	   /* of the latest */
	uint32_t answered; /* its PSNs up to that of `answer_ns` */
	uint32_t payload;  /* bytes; of a READ: its length */
	uint16_t roles;	   /* enum rda_role; 0: a hole */
	uint8_t sent;	   /* transmissions, as the runs tell; saturates */
	uint8_t seen;	   /* appearances; saturates */
	uint8_t skipped;   /* transmissions that a run jumped over and no later run confirmed */
	bool ack_req;
	bool jumped;	   /* over it, though it was seen: by a run that answers a NAK */
	bool late;	   /* the latest appearance, and so perhaps later still for the responder */
	bool in_turn;	   /* the latest transmission appeared, and no later PSN before it */
	bool damaged;	   /* the latest appearance: captured, and cannot have been accepted */
	bool filled;	   /* a hole, filled after a NAK named it: late, or resent; not yet clear */
	bool perhaps;	   /* a hole before the first packet that was captured */
	bool span_unknown; /* a READ, of which the MTU was not known */
	bool span_guessed; /* likewise: it ends where the next request began, and that may be wrong
			    */
};

struct rda_window {
	struct rda_sent *records; /* owned, a ring; the live ones are [head, head + count) */
	uint32_t head, count, cap;
	uint32_t allocated; /* a power of two, or 0 */
	uint64_t dropped;   /* by the cap */
};

void rda_window_init(struct rda_window *window, uint32_t cap);
void rda_window_cleanup(struct rda_window *window);

/* Adds a record, all zero, behind the last, for the caller to fill: it begins where that one ends.
 */
struct rda_sent *rda_window_append(struct rda_window *window);

/* The index of the record that holds a PSN, or -1. */
int64_t rda_window_find(const struct rda_window *window, int64_t psn);

static inline struct rda_sent *rda_window_at(const struct rda_window *window, int64_t index)
{
	return &window->records[(window->head + (uint32_t)index) & (window->allocated - 1)];
}

/*
 * Cuts record `index` so that [begin, end) is a record of its own, copies of the rest on either
 * side. Returns its index. At the cap the oldest records are dropped, but never this one.
 */
int64_t rda_window_split(struct rda_window *window, int64_t index, int64_t begin, int64_t end);

/* Record `index` takes the PSNs of the one behind it, which is no more. */
void rda_window_join(struct rda_window *window, int64_t index);

static inline void rda_window_drop_first(struct rda_window *window)
{
	window->head++;
	window->count--;
}

#endif
