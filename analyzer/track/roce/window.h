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

#include "analyzer/base/assert.h"
#include "analyzer/base/cold.h"
#include "analyzer/track/roce/request.h"

#include <stddef.h>

struct rda_lean_packet;
struct rda_lean_header;

/* What the first request of all asked for. */
struct rda_first_request {
	int64_t psn;
	uint64_t va;
	uint32_t rkey, length, extra, payload, icrc;
	uint16_t ip_id;
	uint8_t opcode;
	bool ack_req;
};

struct rda_window {
	bool lean;		    /* packets instead of records (lean.h) */
	uint32_t head, count, cap;  /* of the records or packets: [head, head + count) of a ring */
	uint32_t allocated;	    /* of them; a power of two, 0, or of packets as lean.h has it */
	uint32_t headers_allocated; /* valid if lean */
	union {
		struct rda_lean_packet *packets; /* owned; if lean */
		struct rda_sent *records;	 /* owned; else */
	};
	union {
		int64_t first;	  /* PSN of the first packet; if lean */
		uint64_t thin_at; /* request packets until the records are looked at again; else */
	};
	/* the next are valid if lean: */
	uint64_t ordinal;		 /* of the last packet */
	uint64_t place;			 /* from which those of the packets count */
	int64_t time_ns;		 /* from which their times count */
	struct rda_lean_header *headers; /* owned, a ring; of some packets */
	uint32_t header_head, header_count;
	uint64_t dropped; /* by the cap */
	/* owned; the first that passed, for reset.c. NULL: it is the first of the lean packets */
	struct rda_first_request *origin;
};

/* An empty window is lean. */
void rda_window_init(struct rda_window *window, uint32_t cap);
void rda_window_cleanup(struct rda_window *window);

/* The first request of all is no lean packet. */
RDA_COLD void rda_window_begins_with(struct rda_window *window, const struct rda_request *request);

/* Makes records of what is lean. All calls below but rda_window_find need them. */
void rda_window_make_records(struct rda_window *window);

static inline void rda_window_thicken(struct rda_window *window)
{
	if (window->lean)
		rda_window_make_records(window);
}

/* Makes the window lean again if it can be, once in a while; `ordinal`: request packets so far. */
void rda_window_thin(struct rda_window *window, uint64_t ordinal);

/* Adds a record, all zero, behind the last, for the caller to fill: it begins where that one ends.
 */
struct rda_sent *rda_window_append(struct rda_window *window);

/* The index of the record, or lean packet, that holds a PSN, or -1. */
int64_t rda_window_find(const struct rda_window *window, int64_t psn);

static inline struct rda_sent *rda_window_at(const struct rda_window *window, int64_t index)
{
	RDA_ASSERT(!window->lean);
	return &window->records[(window->head + (uint32_t)index) & (window->allocated - 1)];
}

/* The record that holds a PSN; NULL: none. */
static inline struct rda_sent *rda_window_of(const struct rda_window *window, int64_t psn)
{
	int64_t index = rda_window_find(window, psn);

	return index < 0 ? NULL : rda_window_at(window, index);
}

/*
 * Cuts record `index` so that [begin, end) is a record of its own, copies of the rest on either
 * side. Returns its index. At the cap the oldest records are dropped, but never this one.
 */
int64_t rda_window_split(struct rda_window *window, int64_t index, int64_t begin, int64_t end);

/* Record `index` takes the PSNs of the one behind it, which is no more. */
void rda_window_join(struct rda_window *window, int64_t index);

/* What runs jumped over and no later run sent again had arrived: they did not send it. */
static inline void rda_window_forgive(struct rda_sent *record)
{
	record->sent =
		(uint8_t)(record->sent -
			  (record->skipped < record->sent ? record->skipped : record->sent - 1));
	record->skipped = record->left_before = 0;
}

static inline void rda_window_drop_first(struct rda_window *window)
{
	window->head++;
	window->count--;
}

/*
 * Of the `settled` records at the head the oldest go, all but `kept`. One that was acknowledged
 * unseen stays as long as a tap that shows one direction late may show it yet, and so does what is
 * behind it. Returns how many are left.
 */
uint32_t rda_window_forget(struct rda_window *window, uint32_t settled, uint32_t kept,
			   int64_t time_ns);

#endif
