/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which addresses were accessed: a sorted set of ranges of 64-bit addresses, with a small cap.
 *
 *     0x1000 ......... 0x1fff        0x8000 ... 0x80ff
 *     span 0                         span 1
 *
 * Spans are inclusive at both ends, so that the last address there is has a place. When there are
 * more than the cap, the two with the smallest hole between them become one, and `joined` counts
 * it: from then on a span may hold addresses that were never accessed.
 */
#ifndef RDA_SPANS_H
#define RDA_SPANS_H

#include <stdbool.h>
#include <stdint.h>

/* Most memory regions are used from one end to the other; there may be 100,000s of them. */
#define RDA_SPANS_CAP 8

struct rda_span {
	uint64_t begin, last;
};

struct rda_spans {
	struct rda_span one;   /* the only one, while `more` is NULL */
	struct rda_span *more; /* owned; ascending, never touching; room for the cap and one more */
	uint32_t count;
	uint32_t joined; /* holes that the cap closed; saturates */
};

#define rda_spans_array(set) ((set)->more ? (set)->more : &(set)->one)

void rda_spans_init(struct rda_spans *set);
void rda_spans_cleanup(struct rda_spans *set);

/* The last address of so many bytes from `begin` on, at most the last there is; length > 0. */
static inline uint64_t rda_span_last(uint64_t begin, uint64_t length)
{
	uint64_t last = begin + (length - 1);

	return last < begin ? UINT64_MAX : last;
}

void rda_spans_add(struct rda_spans *set, uint64_t begin, uint64_t last);

/* The span that holds all of [begin, last], or NULL. */
const struct rda_span *rda_spans_cover(const struct rda_spans *set, uint64_t begin, uint64_t last);

/* One that overlaps [begin, last], else the nearest to it; NULL when the set is empty. */
const struct rda_span *rda_spans_nearest(const struct rda_spans *set, uint64_t begin,
					 uint64_t last);

#endif
