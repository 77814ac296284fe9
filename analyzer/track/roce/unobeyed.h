/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reasons to send again that passed (NAKs, RNR NAKs, implied ones) and that no run of resends has
 * obeyed so far, by the PSN that they ask for:
 *
 *     NAK 13   NAK 16   NAK 19   | 16 17 18 ..     the run obeys 16, and 13 is of no use any more;
 *                                                  19 is left
 *     NAK 13   NAK 16            | 17 18 ..        others overtook its first packet: it obeys 13,
 *                                                  where that did not come long ago; 16 is left
 *
 * Each is the reason of one run at most. Which reason a run is told with: run.h.
 *
 * What is of no use by that may be obeyed all the same, where packets overtake each other: what was
 * seen first may be of a run that obeys an older one. So besides the latest are kept as they came,
 * each until a run begins with just what it asks for.
 */
#ifndef RDA_UNOBEYED_H
#define RDA_UNOBEYED_H

#include <stdbool.h>
#include <stdint.h>

/* So many are remembered; the next makes the lowest of them forgotten, as if it was obeyed. */
#define RDA_UNOBEYED_MAX 8

struct rda_reason_left {
	int64_t psn, ns; /* ns: when it came */
	uint64_t frame;	 /* a place (meta.h); 0: it is no NAK */
};

struct rda_unobeyed {
	struct rda_reason_left left[RDA_UNOBEYED_MAX]; /* by PSN */
	uint8_t count;
	uint8_t latest;					/* in the next: behind the latest one */
	bool any;					/* there ever was one */
	struct rda_reason_left asked[RDA_UNOBEYED_MAX]; /* a ring, as they came; `psn` 0: none */
};

/* One that asks for `psn` comes, or comes again; `frame`: of a NAK, else 0. */
void rda_unobeyed_add(struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns, uint64_t frame);

/* A run begins, of which `psn` is seen first. */
void rda_unobeyed_run(struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns);

/* The one that asks for just this, or NULL; it may have seemed of no use. */
const struct rda_reason_left *rda_unobeyed_of(const struct rda_unobeyed *unobeyed, int64_t psn);

/* Whether there is one that came since. */
bool rda_unobeyed_names(const struct rda_unobeyed *unobeyed, int64_t psn, int64_t since_ns);

/* Whether there is one below `psn` that is no NAK and came since. */
bool rda_unobeyed_implied(const struct rda_unobeyed *unobeyed, int64_t psn, int64_t since_ns);

/* Whether a run of which `psn` is seen first can obey any. */
static inline bool rda_unobeyed_allows(const struct rda_unobeyed *unobeyed, int64_t psn)
{
	return unobeyed->count && unobeyed->left[0].psn <= psn;
}

#endif
