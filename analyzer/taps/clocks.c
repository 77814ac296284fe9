/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds of clocks. See clocks.h.
 */
#include "analyzer/taps/clocks.h"

#include <glib.h>
#include <string.h>

const char *rda_clock_words(uint8_t state)
{
	static const char *const all[] = {
#define RDA_C(ID, words) [RDA_CLOCK_##ID] = words,
		RDA_CLOCK_STATES(RDA_C)
#undef RDA_C
	};

	return all[state];
}

/* The points of each slot of time that bind most are kept: to drop others loosens bounds only. */
enum { SLOTS = 512 };

struct binding {
	double t, d;
	bool any;
};

struct bindings {
	struct binding upper[SLOTS], lower[SLOTS];
};

/* Of each slot the lowest upper and the highest lower point, above a line of slope `b`. */
static void thin(struct bindings *kept, const struct rda_clock_point *points, uint32_t count,
		 int64_t span, double b, double grain)
{
	memset(kept, 0, sizeof(*kept));
	for (uint32_t i = 0; i < count; i++) {
		const struct rda_clock_point *point = &points[i];
		/* a double is exact up to 2^53 ns: past that the latest one is at the end itself */
		uint32_t at = (uint32_t)((double)point->t / ((double)span + 1) * SLOTS);
		uint32_t slot = MIN(at, SLOTS - 1);
		struct binding *of = point->upper ? &kept->upper[slot] : &kept->lower[slot];
		double t = (double)point->t, sign = point->upper ? 1 : -1;
		double d = (double)point->d + sign * grain;

		if (!of->any || sign * (d - b * t) < sign * (of->d - b * of->t))
			*of = (struct binding){t, d, true};
	}
}

/* The steepest and the flattest line that contradict none. */
static enum rda_clock_state find_slopes(struct rda_clocks *clocks, const struct bindings *kept)
{
	bool has_min = false, has_max = false;

	for (unsigned i = 0; i < SLOTS; i++)
		for (unsigned j = 0; kept->upper[i].any && j < SLOTS; j++) {
			double dt = kept->upper[i].t - kept->lower[j].t;
			double dd = kept->upper[i].d - kept->lower[j].d;

			if (!kept->lower[j].any)
				continue;
			if (dt == 0 && dd < 0)
				return RDA_CLOCK_UNEVEN;
			if (dt > 0 && (!has_max || dd / dt < clocks->b_max)) {
				clocks->b_max = dd / dt;
				has_max = true;
			} else if (dt < 0 && (!has_min || dd / dt > clocks->b_min)) {
				clocks->b_min = dd / dt;
				has_min = true;
			}
		}
	if (!has_min || !has_max)
		return RDA_CLOCK_ONE_WAY;
	return clocks->b_min <= clocks->b_max ? RDA_CLOCK_KNOWN : RDA_CLOCK_UNEVEN;
}

static void find_offset(struct rda_clocks *clocks, const struct bindings *kept)
{
	bool has_min = false, has_max = false;

	for (unsigned i = 0; i < SLOTS; i++) {
		double most = kept->upper[i].d - clocks->b_min * kept->upper[i].t;
		double least = kept->lower[i].d - clocks->b_max * kept->lower[i].t;

		if (kept->upper[i].any && (!has_max || most < clocks->a_max)) {
			clocks->a_max = most;
			has_max = true;
		}
		if (kept->lower[i].any && (!has_min || least > clocks->a_min)) {
			clocks->a_min = least;
			has_min = true;
		}
	}
}

/* From a known bound on, the clocks part by the drift's bounds. */
static double after(double bound, double ns, double forward, double backward)
{
	return bound + ns * (ns >= 0 ? forward : backward);
}

static void find_knots(struct rda_clocks *clocks, const struct bindings *kept)
{
	for (unsigned k = 0; k <= RDA_CLOCK_KNOTS; k++) {
		double t = ((double)clocks->span_ns + 1) / RDA_CLOCK_KNOTS * k;
		double low = clocks->a_min + t * clocks->b_min;
		double high = clocks->a_max + t * clocks->b_max;

		for (unsigned i = 0; i < SLOTS; i++) {
			const struct binding *u = &kept->upper[i], *l = &kept->lower[i];

			if (l->any)
				low = MAX(low, after(l->d, t - l->t, clocks->b_min, clocks->b_max));
			if (u->any)
				high = MIN(high,
					   after(u->d, t - u->t, clocks->b_max, clocks->b_min));
		}
		clocks->low[k] = low;
		clocks->high[k] = high;
	}
}

void rda_clocks_find(struct rda_clocks *clocks, const struct rda_clock_point *points,
		     uint32_t count, int64_t grain_ns)
{
	struct bindings *kept = g_new(struct bindings, 1);

	clocks->span_ns = 0;
	for (uint32_t i = 0; i < count; i++)
		clocks->span_ns = MAX(clocks->span_ns, points[i].t);
	thin(kept, points, count, clocks->span_ns, 0, (double)grain_ns);
	clocks->state = find_slopes(clocks, kept);
	if (rda_clocks_known(clocks)) {
		/* once more, with what binds beside a line of about the right slope */
		thin(kept, points, count, clocks->span_ns, (clocks->b_min + clocks->b_max) / 2,
		     (double)grain_ns);
		clocks->state = find_slopes(clocks, kept);
	}
	if (rda_clocks_known(clocks)) {
		find_offset(clocks, kept);
		find_knots(clocks, kept);
	}
	g_free(kept);
}

/* The part of the span that t lies in, and how far from its ends. */
static unsigned knot_of(const struct rda_clocks *clocks, int64_t t, double *from, double *to)
{
	double step = ((double)clocks->span_ns + 1) / RDA_CLOCK_KNOTS, at = (double)t / step;
	unsigned knot = at < 0 ? 0 : at >= RDA_CLOCK_KNOTS ? RDA_CLOCK_KNOTS - 1 : (unsigned)at;

	*from = (double)t - knot * step;
	*to = (knot + 1) * step - (double)t;
	return knot;
}

double rda_clocks_least(const struct rda_clocks *clocks, int64_t t)
{
	double from, to;
	unsigned knot = knot_of(clocks, t, &from, &to);
	double one = after(clocks->low[knot], from, clocks->b_min, clocks->b_max);
	double other = after(clocks->low[knot + 1], -to, clocks->b_min, clocks->b_max);

	return MAX(MAX(one, other), -RDA_CLOCKS_FAR);
}

double rda_clocks_most(const struct rda_clocks *clocks, int64_t t)
{
	double from, to;
	unsigned knot = knot_of(clocks, t, &from, &to);
	double one = after(clocks->high[knot], from, clocks->b_max, clocks->b_min);
	double other = after(clocks->high[knot + 1], -to, clocks->b_max, clocks->b_min);

	return MIN(MIN(one, other), RDA_CLOCKS_FAR);
}
