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

struct rda_clock_point {
	int64_t t;  /* at tap x, in ns from the first packet that both saw: not negative */
	int64_t d;  /* at tap y less at tap x, in ns less rda_clocks.base */
	bool upper; /* it passed x first */
};

#define RDA_CLOCK_KNOTS 64

struct rda_clocks {
	bool known;
	int64_t origin_ns, base_ns; /* t and d of points are counted from these */
	double a_min, a_max;	    /* offset at the origin, less base_ns */
	double b_min, b_max;	    /* drift, ns per ns */
	int64_t span_ns;	    /* the latest t */
	double low[RDA_CLOCK_KNOTS + 1], high[RDA_CLOCK_KNOTS + 1]; /* at parts of the span */
};

/* `grain_ns`: times are exact to so much. The points are put in another order. */
void rda_clocks_find(struct rda_clocks *clocks, struct rda_clock_point *points, uint32_t count,
		     int64_t grain_ns);

/* The bounds of the offset at t, less base_ns. */
double rda_clocks_least(const struct rda_clocks *clocks, int64_t t);
double rda_clocks_most(const struct rda_clocks *clocks, int64_t t);

#endif
