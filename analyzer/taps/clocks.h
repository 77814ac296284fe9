/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the clocks of two taps stand to each other, by the least one-way times in both directions.
 *
 * A packet that passes tap x and then tap y shows y's clock less x's to be at most the difference
 * of its two times, since it did not travel back in time; one that passes y first shows it to be
 * at least that. With offset(t) = a + b t all lines that contradict no packet are left:
 *
 *     difference |  u   u       u      packets from x to y are above the line
 *                |     u    u
 *                | -------------- a + b t
 *                |    l   l    l       packets from y to x are below it
 *                | l         l
 *                +------------------ t
 *
 * Each packet is a bound and none is an estimate, so the truth is between the bounds as long as the
 * clocks run evenly.
 */
#ifndef RDA_CLOCKS_H
#define RDA_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* What is known: RDA_CLOCK_STATES(C): C(ID, "words: why no bounds are told") */
#define RDA_CLOCK_STATES(C)                                                                        \
	C(NOT_COMPARED, "no packets of both were compared")                                        \
	C(KNOWN, "")                                                                               \
	C(ONE_WAY, "packets that go to and fro several times are needed for that")                 \
	C(UNEVEN, "it was set, or does not run evenly")                                            \
	C(FAR_APART, "their times are more than 36 years apart")

enum rda_clock_state {
#define RDA_C(ID, words) RDA_CLOCK_##ID,
	RDA_CLOCK_STATES(RDA_C)
#undef RDA_C
};

const char *rda_clock_words(uint8_t state);

struct rda_clock_point {
	int64_t t;  /* at tap x, in ns from the first packet that both saw: not negative */
	int64_t d;  /* at tap y less at tap x, in ns less rda_clocks.base */
	bool upper; /* it passed x first */
};

#define RDA_CLOCK_KNOTS 64

struct rda_clocks {
	uint8_t state;		    /* enum rda_clock_state; the rest is valid if KNOWN */
	int64_t origin_ns, base_ns; /* t and d of points are counted from these */
	double a_min, a_max;	    /* offset at the origin, less base_ns */
	double b_min, b_max;	    /* drift, ns per ns */
	int64_t span_ns;	    /* the latest t */
	double low[RDA_CLOCK_KNOTS + 1], high[RDA_CLOCK_KNOTS + 1]; /* at parts of the span */
};

/* Times and their differences, as points have them, are below this: 146 years. */
#define RDA_CLOCKS_FAR 0x1p62

static inline bool rda_clocks_known(const struct rda_clocks *clocks)
{
	return clocks->state == RDA_CLOCK_KNOWN;
}

/* `grain_ns`: times are exact to so much. */
void rda_clocks_find(struct rda_clocks *clocks, const struct rda_clock_point *points,
		     uint32_t count, int64_t grain_ns);

/* The bounds of the offset at t, less base_ns; none is past RDA_CLOCKS_FAR. */
double rda_clocks_least(const struct rda_clocks *clocks, int64_t t);
double rda_clocks_most(const struct rda_clocks *clocks, int64_t t);

#endif
