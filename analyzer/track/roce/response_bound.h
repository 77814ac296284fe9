/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many responses of a READ were lost before the tap for certain, where they overtake each
 * other.
 *
 * A responder answers each request for a READ from the PSN that it asks for, in order, to its end.
 * What came of a later response had earlier ones before it, as far as those were asked for:
 *
 *     sent(x) >= most of seen(y) - requests from (x, y], y > x      lost(x) >= sent(x) - seen(x)
 *     late(x) >= most so far of lost(x) + seen(x) - requests from x or before
 *
 *     READ 5-8   5 7 8   READ 6-8   6 7 8        7 came twice, and nobody asked from there: 6 was
 *                                                lost once
 *     READ 5-8   5 7 8   READ 6-8   6 6 7 8      6 was late
 *
 * Kept of the latest READs whose answers have a hole, or that are asked again; nothing is known of
 * a READ that began otherwise, or has more than RDA_RESPONSE_BOUND_PSNS.
 */
#ifndef RDA_RESPONSE_BOUND_H
#define RDA_RESPONSE_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#define RDA_RESPONSE_BOUND_READS 8
#define RDA_RESPONSE_BOUND_PSNS	 4096

struct rda_response_bound {
	int64_t begin, end;			  /* PSNs of the READ */
	uint32_t lost;				  /* as is known by now, less what was told */
	struct rda_response_sightings *sightings; /* owned; of each PSN */
};

struct rda_response_bounds {
	struct rda_response_bound items[RDA_RESPONSE_BOUND_READS]; /* a ring */
	uint32_t next;
	bool unasked; /* a response came more often than the capture has it asked for */
	bool untold;  /* of responses nothing tells any more which are copies by the network */
};

/* NULL is none. */
uint64_t rda_response_bounds_bytes(const struct rda_response_bounds *bounds);
void rda_response_bounds_free(struct rda_response_bounds *bounds);

/*
 * A READ that was asked once from its begin, and of which all responses below `expected` came once:
 * from now on they are counted. *bounds may be NULL.
 */
void rda_response_bounds_open(struct rda_response_bounds **bounds, int64_t begin, int64_t end,
			      int64_t expected);

/* Of the READ with this PSN; NULL: none is kept. */
struct rda_response_bound *rda_response_bounds_find(struct rda_response_bounds *bounds,
						    int64_t psn);

/* It is asked from this PSN again. */
void rda_response_bounds_asked(struct rda_response_bounds *bounds, int64_t psn);

/* A response with this PSN passes. */
void rda_response_bounds_seen(struct rda_response_bounds *bounds, int64_t psn);

/* One with this PSN passes, damaged: it tells nothing of others. */
void rda_response_bounds_damaged(struct rda_response_bounds *bounds, int64_t psn);

/* Whether it was asked for more often than it has passed. */
bool rda_response_bounds_is_due(struct rda_response_bounds *bounds, int64_t psn);

/*
 * Whether the response that has just been seen, or one like it before, was overtaken by a later
 * one: with those that a later one had before it and that had not come then there are more of them
 * than were asked for, `unseen` requests for the READ besides those that were seen. Told once for
 * each of them.
 */
bool rda_response_bounds_late(struct rda_response_bounds *bounds, int64_t psn, uint32_t unseen);

/* How many of the responses behind this one have been seen, of the next `most`; 0 also of a READ
 * that is not kept. */
uint32_t rda_response_bounds_behind(struct rda_response_bounds *bounds, int64_t psn, uint32_t most);

#endif
