/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the source of a packet knows and its bytes do not say.
 */
#ifndef RDA_META_H
#define RDA_META_H

#include "analyzer/rda.h"

#include <stdint.h>

/*
 * The time of what has not happened: before all others. 0 is a time like any other, and times
 * before 1970 are negative.
 */
#define RDA_NEVER_NS INT64_MIN

/* Sums of durations. One that does not fit is the greatest that does; or, below 0, the least, but
 * for RDA_NEVER_NS. */
static inline int64_t rda_ns_sum(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return b < 0 ? INT64_MIN + 1 : INT64_MAX;
}

/* Multiples of durations that are not negative; INT64_MAX where they do not fit. */
static inline int64_t rda_ns_times(int64_t ns, int64_t times)
{
	return ns > INT64_MAX / times ? INT64_MAX : ns * times;
}

/* So long before a time; the first of all times where that does not fit. */
static inline int64_t rda_meta_ns_before(int64_t time_ns, int64_t ns)
{
	return time_ns < INT64_MIN + 1 + ns ? INT64_MIN + 1 : time_ns - ns;
}

/* What two time stamps are multiples of, a power of ten up to a second, and so no finer, perhaps:
 * what passed between them may be so much more or less. */
static inline int64_t rda_meta_unit_ns(int64_t one_ns, int64_t other_ns)
{
	int64_t unit = 1;

	while (unit < 1000000000 && one_ns % (10 * unit) == 0 && other_ns % (10 * unit) == 0)
		unit *= 10;
	return unit;
}

/* The most that frames of one tap were stamped behind the latest before them, with one more. */
static inline int64_t rda_meta_back_ns(int64_t most_ns, int64_t latest_ns, int64_t time_ns)
{
	int64_t back_ns;

	if (__builtin_sub_overflow(latest_ns, time_ns, &back_ns))
		back_ns = latest_ns > time_ns ? INT64_MAX : 0;
	return back_ns > most_ns ? back_ns : most_ns;
}

/* The earlier of two places, of which one may be none. */
static inline uint64_t rda_meta_first_place(uint64_t a, uint64_t b)
{
	return !a || (b && b < a) ? b : a;
}

#endif
